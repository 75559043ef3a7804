//! Settings as people see them: those of the configuration, and the program of each known agent.

pub use loopwright_config::settings::{
    Change, PriceRow, Setting, SettingKind, SettingsReport, prices, rows, write,
};
use loopwright_config::{Config, Group, Host, Layout, OriginLayer, PROJECT_FILE, Scope, SettingOrigin, key};

use crate::agent;

/// Lists all settings.
#[must_use]
pub fn report(host: &Host, layout: Option<&Layout>) -> SettingsReport {
    let config = Config::load(host, layout.map(Layout::config_file).as_deref());
    let mut settings = rows(&config, layout.is_some(), &agent_names(&config));
    settings.extend(agent::known().map(|agent| program_row(host, &config, &agent)));
    SettingsReport {
        settings,
        project_file: layout.map(|layout| layout.config_file().display().to_string()),
        user_file: host.user_config_file().display().to_string(),
        problems: config.problems,
    }
}

/// The agents there are to choose from: none in particular, the known ones, those of the user's own.
pub(crate) fn agent_names(config: &Config) -> Vec<String> {
    let known = agent::known().map(|agent| agent.name);
    let own = config.harnesses.keys().map(String::as_str);
    let mut names: Vec<String> = Vec::new();
    let chosen = config.value(key::DEFAULT_HARNESS);
    for name in std::iter::once("").chain(known).chain(own).chain([chosen.as_str()]) {
        if !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn program_row(host: &Host, config: &Config, agent: &agent::KnownAgent) -> Setting {
    let configured = config.harnesses.get(agent.name).filter(|harness| harness.command.command.is_some());
    let origin = match configured {
        None => SettingOrigin { layer: OriginLayer::Default, place: None },
        Some(harness) => {
            let (layer, file) = match harness.scope {
                Scope::User => (OriginLayer::User, host.user_config_file().display().to_string()),
                Scope::Project => (OriginLayer::Project, PROJECT_FILE.to_owned()),
            };
            SettingOrigin { layer, place: Some(format!("{file}:{}", harness.command.line)) }
        }
    };
    let found = agent::find(host, agent.programs);
    let help = match &found {
        Some(path) => format!("Found at {}.", path.display()),
        None => format!("\"{}\" was not found on this machine.", agent.program()),
    };
    let scripted = if agent.scripted { " (scripted)" } else { "" };
    Setting {
        key: program_key(agent.name),
        title: format!("{}{scripted} program", agent.label),
        help,
        group: Group::Agent,
        kind: SettingKind::Program,
        value: configured.and_then(|harness| harness.command.command.clone()).unwrap_or_default(),
        origin,
        scopes: vec![Scope::User],
        default: String::new(),
    }
}

/// The key that names an agent's program.
#[must_use]
pub fn program_key(agent: &str) -> String {
    format!("harness.{agent}.command")
}
