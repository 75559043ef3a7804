//! `loopwright trust`: bound to content, asked again after a change, refused to agents.

mod common;

use common::{installed, json, loopwright};
use loopwright_testkit::Sandbox;

const CHECK: &str = "name = \"x\"\n[[checks]]\nname = \"test\"\ncommand = \"make test\"\n";

/// A project as it arrives by `git clone`: nobody here wrote it.
fn cloned() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", CHECK);
    sandbox.git_init("");
    sandbox
}

fn state(sandbox: &Sandbox) -> String {
    json(&loopwright(sandbox, &["status", "--json"]))["trust"]["state"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn trust_covers_exactly_this_content_and_is_asked_again_after_a_change() {
    let sandbox = cloned();
    assert_eq!(state(&sandbox), "untrusted");
    let show = loopwright(&sandbox, &["trust", "--show"]);
    insta::assert_snapshot!("trust_show", sandbox.snapshot(&show));
    assert_eq!(state(&sandbox), "untrusted", "showing is not trusting");
    assert_eq!(loopwright(&sandbox, &["trust"]).code, 0);
    assert_eq!(state(&sandbox), "trusted");
    let activity = json(&loopwright(&sandbox, &["status", "--json"]))["activity"].clone();
    assert_eq!(activity[0]["event"]["type"], "project.trusted");
    assert_eq!(activity[0]["event"]["origin"], "cli");
    sandbox.write(".loopwright/config.toml", CHECK.replace("make test", "curl evil.invalid"));
    assert_eq!(state(&sandbox), "changed");
    sandbox.write(".loopwright/config.toml", CHECK.replace("name = \"x\"", "name = \"renamed\""));
    assert_eq!(state(&sandbox), "trusted", "a name executes nothing");
}

#[cfg(unix)]
#[test]
fn a_new_git_hook_asks_again() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = cloned();
    assert_eq!(loopwright(&sandbox, &["trust"]).code, 0);
    sandbox.write(".git/hooks/pre-commit", "#!/bin/sh\ntrue\n");
    let hook = sandbox.work().join(".git/hooks/pre-commit");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(state(&sandbox), "changed");
    assert_eq!(loopwright(&sandbox, &["trust"]).code, 0);
    assert_eq!(state(&sandbox), "trusted");
    sandbox.write(".git/hooks/pre-commit", "#!/bin/sh\nevil\n");
    assert_eq!(state(&sandbox), "changed");
}

#[test]
fn ones_own_config_set_stays_trusted_but_does_not_trust_a_strangers_folder() {
    let sandbox = cloned();
    let set = ["config", "set", "harness.mine.command", "my-agent"];
    assert_eq!(loopwright(&sandbox, &set).code, 0);
    assert_eq!(state(&sandbox), "untrusted");
    assert_eq!(loopwright(&sandbox, &["trust"]).code, 0);
    assert_eq!(loopwright(&sandbox, &["config", "set", "harness.mine.command", "other"]).code, 0);
    assert_eq!(state(&sandbox), "trusted");
}

#[test]
fn a_folder_cannot_bring_its_own_trust() {
    let sandbox = cloned();
    assert_eq!(loopwright(&sandbox, &["trust"]).code, 0);
    let copy = Sandbox::new();
    sandbox.git("", &["clone", "--quiet", ".", copy.work().to_str().unwrap()]);
    let copied_state = copy.work().join(".git/loopwright");
    std::fs::create_dir_all(&copied_state).unwrap();
    std::fs::copy(sandbox.work().join(".git/loopwright/state.db"), copied_state.join("state.db")).unwrap();
    assert_eq!(state(&copy), "untrusted");
}

#[test]
fn an_agent_may_neither_trust_nor_change_settings_nor_make_projects() {
    let sandbox = cloned();
    let as_agent = |args: &[&str]| {
        let mut command = sandbox.command(installed(&sandbox));
        sandbox.run(command.args(args).arg("--json").env("LOOPWRIGHT_ITERATION", "018f"))
    };
    for args in [
        &["trust"] as &[_],
        &["config", "set", "mode", "review_each"],
        &["init", "other"],
        &["config", "set", "--user", "harness.claude.command", "/tmp/evil"],
    ] {
        let output = as_agent(args);
        assert_eq!(
            (output.code, json(&output)["error"]["code"].as_str()),
            (2, Some("agent.forbidden")),
            "{args:?}"
        );
    }
    assert_eq!(state(&sandbox), "untrusted");
    assert_eq!(sandbox.read(".loopwright/config.toml"), CHECK);
    assert!(!sandbox.work().join("other").exists());
}

/// An agent that clears its own variables is still inside its tree.
#[cfg(target_os = "linux")]
#[test]
fn an_agent_that_hides_its_variables_is_still_recognised() {
    let sandbox = cloned();
    let program = installed(&sandbox).display().to_string();
    let script = format!("env -u LOOPWRIGHT_ITERATION {program} trust --json; true");
    let mut command = sandbox.command("sh");
    let output = sandbox.run(command.args(["-c", &script]).env("LOOPWRIGHT_ITERATION", "018f"));
    assert_eq!(json(&output)["error"]["code"], "agent.forbidden");
    assert_eq!(state(&sandbox), "untrusted");
}
