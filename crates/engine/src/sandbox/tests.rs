//! What the settings and the machine come to, and whose folders are whose.
use std::ffi::OsString;

use super::*;

fn host(setting: &str, variables: &[(&str, &str)]) -> Host {
    let mut host = Host::in_folder(Path::new("/nowhere"), OsString::new());
    host.variables = [("LOOPWRIGHT_SANDBOX".to_owned(), setting.to_owned())].into();
    host.environment = variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
    host
}

fn sandbox_set_to(setting: &str) -> RunSandbox {
    let host = host(setting, &[]);
    RunSandbox::find(&host, &Config::load(&host, None), None)
}

#[test]
fn a_missing_sandbox_is_told_with_what_to_do_and_refused_only_where_it_is_demanded() {
    let off = sandbox_set_to("off");
    assert_eq!((off.state(), off.warning()), (SandboxState::Off, None));
    let auto = sandbox_set_to("auto");
    assert_eq!(auto.state(), SandboxState::Unavailable);
    assert!(auto.warning().is_some_and(|warning| warning.contains(WITHOUT_SANDBOX)));
    assert!(off.demanded().is_ok() && auto.demanded().is_ok());
    let refused = sandbox_set_to("on").demanded().unwrap_err();
    assert_eq!(refused.code, ErrorCode::SandboxUnavailable);
    assert!(refused.hint.is_some());
    assert!(RunSandbox::none().demanded().is_ok());
}

#[test]
fn each_reason_has_its_advice() {
    let program = "bwrap";
    let reasons = [
        NoSandbox::System,
        NoSandbox::Missing { program },
        NoSandbox::Refused { program, said: "no permissions".into() },
    ];
    assert_eq!(reasons.each_ref().map(what_to_do), [ELSEWHERE, INSTALL, ALLOW]);
}

#[cfg(unix)]
#[test]
fn an_agents_folders_are_found_by_its_name_its_program_and_the_users_variables() {
    let variables =
        [("HOME", "/h"), ("XDG_CACHE_HOME", "/caches"), ("CODEX_HOME", "/x"), ("COPILOT_HOME", "relative")];
    let host = host("auto", &variables);
    let folders = |names: &[&str]| {
        let places = agent_folders::of_agent(&host, names);
        places.folders.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(folders(&["mine", "codex"]), ["/x", "/h/.codex"]);
    assert_eq!(folders(&["copilot", "node"]), ["/h/.copilot", "/caches/copilot"]);
    assert_eq!(folders(&["mine", "sh"]), Vec::<String>::new());
    let kept = agent_folders::of_agent(&host, &["codex"]).kept;
    assert!(
        kept.contains(&PathBuf::from("/x/config.toml"))
            && kept.contains(&PathBuf::from("/h/.codex/hooks.json"))
    );
    let expanded = ["~", "~/a", "/b", "~c"].map(|path| folders::expanded(&host, path));
    assert_eq!(expanded, ["/h", "/h/a", "/b", "~c"].map(PathBuf::from));
}
