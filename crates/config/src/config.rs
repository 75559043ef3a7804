//! The configuration in force: flags over `LOOPWRIGHT_*` variables over the project's file over the user's file over
//! what is built in; every value knows where it came from.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use loopwright_domain::{ErrorCode, Fault, NextAction, Price, Prices, UserPattern};
use serde::{Deserialize, Serialize};

use crate::check::{Check, CheckWork};
use crate::file::{self, FILE_LIMIT, FileLayer, HarnessCommand, PROJECT_FILE};
use crate::host::Host;
use crate::schema::{self, KEYS, Key, KeySpec, Scope, SettingValue};
use crate::text_file;
use crate::value::{Value, bad_value};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SettingOrigin {
    /// Which layer.
    #[serde(rename = "type")]
    pub layer: OriginLayer,
    /// The file and line, or the variable's name.
    pub place: Option<String>,
}

/// The layers, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum OriginLayer {
    /// Built in.
    Default,
    /// The user's file.
    User,
    /// The project's file.
    Project,
    /// A `LOOPWRIGHT_*` variable.
    Env,
    /// `--config key=value` on the command line.
    Flag,
}

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The value in force.
    pub value: Value,
    /// Where it came from.
    pub origin: SettingOrigin,
}

/// An agent command with the file it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedHarness {
    /// What holds: the project's word over the user's, field by field.
    pub command: HarnessCommand,
    /// Which file had the last word; a project's has to be trusted.
    pub scope: Scope,
    /// What the user says, when they say something.
    user: Option<HarnessCommand>,
    /// What the project says, when it says something.
    project: Option<HarnessCommand>,
}

impl ResolvedHarness {
    fn new(user: Option<HarnessCommand>, project: Option<HarnessCommand>) -> Option<Self> {
        let (command, scope) = match (&user, &project) {
            (Some(user), Some(project)) => (project.clone().over(user), Scope::Project),
            (None, Some(project)) => (project.clone(), Scope::Project),
            (Some(user), None) => (user.clone(), Scope::User),
            (None, None) => return None,
        };
        Some(Self { command, scope, user, project })
    }

    /// What the project says about it: this has to be trusted.
    #[must_use]
    pub const fn of_project(&self) -> Option<&HarnessCommand> {
        self.project.as_ref()
    }
}

/// A model's price with where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPrice {
    /// What it costs.
    pub price: Price,
    /// Where it came from.
    pub origin: SettingOrigin,
}

/// The configuration in force.
#[derive(Clone, Debug)]
pub struct Config {
    values: BTreeMap<&'static str, Resolved>,
    /// The project's checks, in order.
    pub checks: Vec<Check>,
    /// Agent commands by name.
    pub harnesses: BTreeMap<String, ResolvedHarness>,
    /// Prices of the user's own, by model.
    pub prices: BTreeMap<String, ResolvedPrice>,
    /// Patterns of failures of the user's own, by name; a project's over the user's.
    pub patterns: BTreeMap<String, UserPattern>,
    /// All that is wrong, in every layer. With any, nothing may be executed.
    pub problems: Vec<Fault>,
}

impl Config {
    /// Reads all layers. Problems are collected, not fatal: [`Config::strict`] makes them so.
    #[must_use]
    pub fn load(host: &Host, project_file: Option<&Path>) -> Self {
        let mut config = Self::built_in();
        let user_file = host.user_config_file();
        config.apply_file(&user_file, &user_file.display().to_string(), Scope::User);
        if let Some(path) = project_file {
            config.apply_file(path, PROJECT_FILE, Scope::Project);
        }
        config.apply_variables(&host.variables);
        config.apply_flags(&host.flags, Some("--config"));
        config
    }

    /// The same configuration without the checks and the agents' commands that the project names.
    #[must_use]
    pub(crate) fn without_commands_of_project(mut self) -> Self {
        self.checks.clear();
        let harnesses = std::mem::take(&mut self.harnesses);
        self.harnesses = harnesses
            .into_iter()
            .filter_map(|(name, known)| Some((name, ResolvedHarness::new(known.user, None)?)))
            .collect();
        self
    }

    /// The same configuration with settings for one call only, strongest of all. They come from options and choices of
    /// their own, so a wrong one is told by its key alone.
    #[must_use]
    pub fn with(mut self, settings: &[(String, String)]) -> Self {
        self.apply_flags(settings, None);
        self
    }

    /// The same configuration, or its first problem.
    ///
    /// # Errors
    /// Something is wrong in one of the layers.
    pub fn strict(self) -> Result<Self, Fault> {
        match self.problems.first() {
            Some(problem) => Err(problem.clone()),
            None => Ok(self),
        }
    }

    /// A key's value and origin.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Resolved> {
        self.values.get(key)
    }

    /// A key's value, in the type of the key.
    #[must_use]
    pub fn value<T: SettingValue>(&self, key: Key<T>) -> T {
        self.values.get(key.name()).and_then(|resolved| T::read(&resolved.value)).unwrap_or(T::FALLBACK)
    }

    /// Which layer a key's value came from.
    #[must_use]
    pub fn layer<T>(&self, key: Key<T>) -> OriginLayer {
        self.values.get(key.name()).map_or(OriginLayer::Default, |resolved| resolved.origin.layer)
    }

    /// The values that settings give to agents and checks and that are secret by their names.
    #[must_use]
    pub fn secret_values(&self) -> Vec<OsString> {
        let checks = self.checks.iter().filter_map(|check| match &check.work {
            CheckWork::Command(command) => Some(&command.env),
            CheckWork::Builtin(_) | CheckWork::Custom(_) => None,
        });
        let given = self.harnesses.values().map(|known| &known.command.env).chain(checks);
        let given: Vec<(OsString, OsString)> =
            given.flatten().map(|(name, value)| (name.into(), value.into())).collect();
        loopwright_process::secret_values(given.iter().map(|(name, value)| (name, value))).cloned().collect()
    }

    /// What models cost: the prices that are built in, and those of the user's own over them.
    #[must_use]
    pub fn price_list(&self) -> Prices {
        let mut list = file::built_in_prices();
        for (model, own) in &self.prices {
            list.add(model, own.price);
        }
        list
    }

    /// Whether a key has the value that is built in because nothing set it.
    #[must_use]
    pub fn is_default<T>(&self, key: Key<T>) -> bool {
        self.layer(key) == OriginLayer::Default
    }

    fn built_in() -> Self {
        let origin = SettingOrigin { layer: OriginLayer::Default, place: None };
        let values = KEYS
            .iter()
            .map(|spec| (spec.key, Resolved { value: spec.default_value(), origin: origin.clone() }))
            .collect();
        Self {
            values,
            checks: Vec::new(),
            harnesses: BTreeMap::new(),
            prices: BTreeMap::new(),
            patterns: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    fn apply_file(&mut self, path: &Path, label: &str, scope: Scope) {
        let layer = match text_file::read(path, FILE_LIMIT) {
            Ok(Some(text)) => file::read(label, &text, scope),
            Ok(None) => FileLayer::default(),
            Err(fault) => return self.problems.push(fault.at(label, None)),
        };
        let origin = match scope {
            Scope::User => OriginLayer::User,
            Scope::Project => OriginLayer::Project,
        };
        for (key, (value, line)) in layer.values {
            let origin = SettingOrigin { layer: origin, place: Some(format!("{label}:{line}")) };
            self.values.insert(key, Resolved { value, origin });
        }
        self.checks.extend(layer.checks);
        for (name, command) in layer.harnesses {
            let resolved = match scope {
                Scope::User => ResolvedHarness::new(Some(command), None),
                Scope::Project => {
                    let user = self.harnesses.remove(&name).and_then(|known| known.user);
                    ResolvedHarness::new(user, Some(command))
                }
            };
            self.harnesses.extend(resolved.map(|resolved| (name, resolved)));
        }
        for (model, placed) in layer.prices {
            let place = Some(format!("{label}:{}", placed.line));
            let origin = SettingOrigin { layer: origin, place };
            self.prices.insert(model, ResolvedPrice { price: placed.price, origin });
        }
        self.patterns.extend(layer.patterns);
        self.problems.extend(layer.problems);
    }

    fn apply_variables(&mut self, variables: &BTreeMap<String, String>) {
        for (name, text) in variables {
            if schema::OTHER_VARIABLES.contains(&name.as_str()) {
                continue;
            }
            match KEYS.iter().find(|spec| spec.variable() == *name) {
                Some(spec) => self.apply_text(spec, text, OriginLayer::Env, Some(name)),
                None => self.problems.push(unknown_variable(name)),
            }
        }
    }

    fn apply_flags(&mut self, flags: &[(String, String)], place: Option<&str>) {
        for (key, text) in flags {
            match schema::find(key) {
                Some(spec) => self.apply_text(spec, text, OriginLayer::Flag, place),
                None => self.problems.push(unknown_key(key)),
            }
        }
    }

    fn apply_text(&mut self, spec: &'static KeySpec, text: &str, layer: OriginLayer, place: Option<&str>) {
        match spec.kind.parse(text) {
            Ok(value) => {
                let origin = SettingOrigin { layer, place: place.map(str::to_owned) };
                self.values.insert(spec.key, Resolved { value, origin });
            }
            Err(reason) => {
                let fault = bad_value(spec.key, &reason);
                self.problems.push(match place {
                    Some(place) => fault.at(place, None),
                    None => fault,
                });
            }
        }
    }
}

/// The fault for a key that was typed and does not exist.
#[must_use]
pub fn unknown_key(key: &str) -> Fault {
    let fault = Fault::new(ErrorCode::ConfigUnknownKey, format!("unknown key \"{key}\""));
    match schema::nearest(key, KEYS.iter().map(|spec| spec.key)) {
        Some(near) => fault.hint(format!("Did you mean \"{near}\"?")),
        None => fault.next(NextAction::ListSettings, "See the keys there are"),
    }
}

fn unknown_variable(name: &str) -> Fault {
    let names: Vec<String> = KEYS.iter().map(KeySpec::variable).collect();
    let fault = Fault::new(ErrorCode::ConfigUnknownKey, format!("unknown variable {name}")).at(name, None);
    match schema::nearest(name, names.iter().map(String::as_str)) {
        Some(near) => fault.hint(format!("Did you mean {near}?")),
        None => fault.hint("Unset it; LOOPWRIGHT_ variables are kept for settings."),
    }
}

#[cfg(test)]
mod tests {
    use loopwright_domain::ReviewMode;

    use super::*;

    fn host_with(variables: &[(&str, &str)], flags: &[(&str, &str)], folder: &Path) -> Host {
        let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        Host {
            variables: pairs(variables).into_iter().collect(),
            flags: pairs(flags),
            ..Host::in_folder(folder, std::ffi::OsString::new())
        }
    }

    #[test]
    fn flags_beat_variables_beat_project_beats_user_beats_built_in() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project.toml");
        let host = host_with(&[], &[], folder.path());
        let mode = |host: &Host, project: Option<&Path>| {
            let config = Config::load(host, project);
            assert_eq!(config.problems, []);
            let resolved = config.get("mode").unwrap().clone();
            (config.value(schema::key::MODE), resolved.origin.layer, resolved.origin.place)
        };
        assert_eq!(mode(&host, None), (ReviewMode::Autonomous, OriginLayer::Default, None));
        std::fs::create_dir_all(&host.config_dir).unwrap();
        std::fs::write(host.user_config_file(), "\nmode = \"review_every:2\"\n").unwrap();
        let (value, layer, place) = mode(&host, None);
        assert_eq!((value, layer), (ReviewMode::Every(2), OriginLayer::User));
        assert!(place.unwrap().ends_with("config.toml:2"));
        std::fs::write(&project, "mode = \"review_every:3\"\n").unwrap();
        let found = mode(&host, Some(&project));
        assert_eq!(found, (ReviewMode::Every(3), OriginLayer::Project, Some(format!("{PROJECT_FILE}:1"))));
        let host = host_with(&[("LOOPWRIGHT_MODE", "review_every:4")], &[], folder.path());
        assert_eq!(mode(&host, Some(&project)).2, Some("LOOPWRIGHT_MODE".into()));
        let host = host_with(&[("LOOPWRIGHT_MODE", "review_each")], &[("mode", "autonomous")], folder.path());
        assert_eq!(mode(&host, Some(&project)).1, OriginLayer::Flag);
    }

    #[test]
    fn variables_are_checked_like_files_and_agents_variables_are_not_settings() {
        let folder = tempfile::tempdir().unwrap();
        let variables =
            [("LOOPWRIGHT_MODE", "never"), ("LOOPWRIGHT_UI_THEM", "dark"), ("LOOPWRIGHT_ITERATION", "1")];
        let config = Config::load(&host_with(&variables, &[("nmae", "x")], folder.path()), None);
        let found: Vec<_> = config.problems.iter().map(|fault| (fault.code, fault.hint.as_deref())).collect();
        assert_eq!(
            found,
            [
                (ErrorCode::ConfigBadValue, None),
                (ErrorCode::ConfigUnknownKey, Some("Did you mean LOOPWRIGHT_UI_THEME?")),
                (ErrorCode::ConfigUnknownKey, Some("Did you mean \"name\"?")),
            ]
        );
        assert_eq!(config.value(schema::key::MODE), ReviewMode::Autonomous);
    }
}
