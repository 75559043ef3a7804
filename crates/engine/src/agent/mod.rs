//! Which agent does the work here, where its program is, and how it stands.

pub mod advice;
mod examine;
mod find;
mod known;
mod model;
mod probe;

use loopwright_config::{Config, HarnessCommand, Host, key, schema};
use loopwright_domain::{ErrorCode, Fault, NextAction, NextStep};
use serde::{Deserialize, Serialize};

pub use crate::sandbox::{SandboxReport, sandbox_report};
pub use examine::examine_agents;
pub use find::{find, learn_login_path, look_further};
pub(crate) use known::REHEARSAL;
pub use known::{KnownAgent, known, known_agent};
pub use model::{AgentCard, AgentTrial, AgentsReport};
pub(crate) use probe::outdated;

/// The agent in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentSummary {
    /// Its name in the configuration; none when none is chosen.
    pub name: Option<String>,
    /// What to call it.
    pub label: String,
    /// Whether it plays a script instead of thinking; to be shown wherever it shows.
    pub scripted: bool,
    /// Where its program is; none when it was not found.
    pub program: Option<String>,
    /// What keeps it from being used.
    pub problem: Option<Fault>,
}

/// Chooses the agent that builds: the configured one, else the one around us, else the only real one installed.
#[must_use]
pub fn choose(host: &Host, config: &Config) -> AgentSummary {
    choose_named(host, config, &builder(config).0)
}

/// The agent that the settings name to build, and its model; an empty name where they name none. `role.build`, written
/// as `agent` or `agent/model`, comes before `default_harness` of the same file, and not before that of a nearer one.
pub(crate) fn builder(config: &Config) -> (String, Option<String>) {
    let usual = config.value(key::DEFAULT_HARNESS);
    let role = config.value(key::ROLE_BUILD);
    let is_nearer = !usual.is_empty() && config.layer(key::DEFAULT_HARNESS) > config.layer(key::ROLE_BUILD);
    match role.split_once('/') {
        _ if role.is_empty() || is_nearer => (usual, None),
        Some((name, model)) => (name.to_owned(), Some(model.to_owned())),
        None => (role, None),
    }
}

/// Chooses an agent by name. When the name is empty it is the one that started this program, as its variables tell,
/// else the only real one installed.
#[must_use]
pub fn choose_named(host: &Host, config: &Config, configured: &str) -> AgentSummary {
    if !configured.is_empty() {
        return configured_agent(host, config, configured);
    }
    if let Some(around) = surrounding(host, config) {
        return around;
    }
    let mut found = usable(host, config);
    match found.as_slice() {
        [_] => found.remove(0),
        [] => none_chosen(Fault::new(ErrorCode::AgentMissing, "no agent is installed").hint(
            "Install one (claude, codex, gemini, copilot or opencode), or set default_harness = \"rehearsal\" to try things out.",
        )),
        several => {
            let message = format!("several agents are installed: {}", names(several));
            let choose = NextStep::new(NextAction::ChangeSetting, "Choose one").about("default_harness NAME");
            none_chosen(Fault::new(ErrorCode::AgentMissing, message).step(choose))
        }
    }
}

/// The agent that started this program, when its variables tell and its own program can be found.
fn surrounding(host: &Host, config: &Config) -> Option<AgentSummary> {
    let is_set = |name: &&str| host.environment.contains_key(std::ffi::OsStr::new(name));
    let around = known()
        .find(|agent| agent.adapter.is_some_and(|adapter| adapter.hints.iter().any(is_set)))
        .map(|agent| configured_agent(host, config, agent.name));
    around.filter(|agent| agent.problem.is_none())
}

/// The real agents that can be used: those known by name, then those the settings describe.
fn usable(host: &Host, config: &Config) -> Vec<AgentSummary> {
    let own = config.harnesses.keys().map(String::as_str).filter(|name| known_agent(name).is_none());
    known()
        .filter(|agent| !agent.scripted)
        .map(|agent| agent.name)
        .chain(own)
        .map(|name| configured_agent(host, config, name))
        .filter(|agent| agent.problem.is_none())
        .collect()
}

fn names(agents: &[AgentSummary]) -> String {
    agents.iter().filter_map(|agent| agent.name.as_deref()).collect::<Vec<_>>().join(", ")
}

fn none_chosen(problem: Fault) -> AgentSummary {
    AgentSummary {
        name: None,
        label: "No agent chosen".into(),
        scripted: false,
        program: None,
        problem: Some(problem),
    }
}

fn configured_agent(host: &Host, config: &Config, name: &str) -> AgentSummary {
    let known = known_agent(name);
    let own = config.harnesses.get(name).and_then(|harness| harness.command.command.as_deref());
    let wanted = own.or(known.map(|agent| agent.program()));
    let program = match (own, known) {
        (Some(command), _) => host.find_program(&command_words(host, command)[0]),
        (None, Some(agent)) => find(host, agent.programs),
        (None, None) => None,
    };
    let problem = match (wanted, &program) {
        (None, _) => Some(unknown_agent(config, name)),
        (Some(wanted), None) => Some(
            Fault::new(ErrorCode::AgentMissing, format!("the program \"{wanted}\" was not found"))
                .hint("Install it.")
                .step(
                    NextStep::new(NextAction::ChangeUserSetting, "Set its path")
                        .about(format!("harness.{name}.command PATH")),
                ),
        ),
        _ => None,
    };
    AgentSummary {
        name: Some(name.to_owned()),
        label: known.map_or(name, |agent| agent.label).to_owned(),
        scripted: known.is_some_and(|agent| agent.scripted) && own.is_none(),
        program: program.map(|path| path.display().to_string()),
        problem,
    }
}

/// A configured command as program and arguments. A program whose path holds spaces is taken as it is; only what is
/// no program as a whole is split. Never empty.
#[must_use]
pub fn command_words(host: &Host, command: &str) -> Vec<String> {
    let whole = || vec![command.to_owned()];
    if host.find_program(command).is_some() {
        return whole();
    }
    shell_words::split(command).ok().filter(|words| !words.is_empty()).unwrap_or_else(whole)
}

/// The words of a configured command behind its program, such as the CLI's name behind `npx`.
pub(crate) fn leading_words(host: &Host, own: &HarnessCommand) -> Vec<String> {
    let command = own.command.as_deref().map(|command| command_words(host, command));
    command.into_iter().flat_map(|words| words.into_iter().skip(1)).collect()
}

fn unknown_agent(config: &Config, name: &str) -> Fault {
    let own = config.harnesses.keys().map(String::as_str);
    let near = schema::nearest(name, known().map(|agent| agent.name).chain(own));
    let fault = Fault::new(ErrorCode::AgentMissing, format!("there is no agent called \"{name}\""));
    match near {
        Some(near) => fault.hint(format!("Did you mean \"{near}\"?")),
        None => {
            fault.hint(format!("Describe it with [harness.{name}] command = \"…\" in the configuration."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn host_with_programs(folder: &std::path::Path, programs: &[&str], setting: &str) -> Host {
        use std::os::unix::fs::PermissionsExt;
        let bin = folder.join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        for program in programs {
            std::fs::write(bin.join(program), "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(bin.join(program), std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut host = Host::in_folder(folder, bin.into_os_string());
        if !setting.is_empty() {
            host.flags = vec![("default_harness".into(), setting.into())];
        }
        host
    }

    #[test]
    fn the_role_comes_before_the_usual_agent_of_the_same_file_and_not_of_a_nearer_one() {
        let builder_of = |user: &str, project: &str| {
            let folder = tempfile::tempdir().unwrap();
            let host = Host::in_folder(folder.path(), "".into());
            std::fs::create_dir_all(&host.config_dir).unwrap();
            std::fs::write(host.user_config_file(), user).unwrap();
            let file = folder.path().join("project.toml");
            std::fs::write(&file, project).unwrap();
            let (name, model) = builder(&Config::load(&host, Some(&file)));
            (name, model.unwrap_or_default())
        };
        let said = |name: &str, model: &str| (name.to_owned(), model.to_owned());
        let (role, usual) = ("role.build = \"codex/gpt-5\"\n", "default_harness = \"claude\"\n");
        assert_eq!(builder_of(&format!("{role}{usual}"), ""), said("codex", "gpt-5"));
        assert_eq!(builder_of(role, usual), said("claude", ""));
        assert_eq!(builder_of(usual, role), said("codex", "gpt-5"));
        assert_eq!(builder_of("", ""), said("", ""));
    }

    #[cfg(unix)]
    #[test]
    fn the_configured_agent_comes_first_then_the_only_one_installed() {
        let choose_with = |programs: &[&str], setting: &str| {
            let folder = tempfile::tempdir().unwrap();
            let host = host_with_programs(folder.path(), programs, setting);
            let agent = choose(&host, &Config::load(&host, None));
            (agent.name.unwrap_or_default(), agent.scripted, agent.problem.map(|fault| fault.message))
        };
        assert_eq!(choose_with(&["claude", "codex"], "codex"), ("codex".into(), false, None));
        assert_eq!(choose_with(&["claude", "loopwright-rehearsal"], ""), ("claude".into(), false, None));
        assert_eq!(choose_with(&["loopwright-rehearsal"], "rehearsal"), ("rehearsal".into(), true, None));
        let several = choose_with(&["claude", "codex"], "").2.unwrap();
        assert!(several.ends_with("claude, codex"), "{several}");
        assert_eq!(choose_with(&[], "").2.unwrap(), "no agent is installed");
        let folder = tempfile::tempdir().unwrap();
        let mut host = host_with_programs(folder.path(), &["claude", "codex"], "");
        host.environment.insert("CODEX_THREAD_ID".into(), "1".into());
        let around = choose(&host, &Config::load(&host, None));
        assert_eq!(around.name.as_deref(), Some("codex"), "the agent that started this program");
        let folder = tempfile::tempdir().unwrap();
        let host = host_with_programs(folder.path(), &["my-claude"], "");
        std::fs::create_dir_all(&host.config_dir).unwrap();
        std::fs::write(host.user_config_file(), "[harness.claude]\ncommand = \"my-claude -v\"\n").unwrap();
        let elsewhere = choose(&host, &Config::load(&host, None));
        assert_eq!((elsewhere.name.as_deref(), elsewhere.problem), (Some("claude"), None));
        assert_eq!(choose_with(&[], "gemini").2.unwrap(), "the program \"gemini\" was not found");
        assert_eq!(choose_with(&[], "cluade").2.unwrap(), "there is no agent called \"cluade\"");
    }
}
