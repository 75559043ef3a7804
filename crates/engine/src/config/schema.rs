//! The one list of configuration keys. Validation, `config show`, the Settings view and the documentation
//! all come from it; a key that is not here is an error.

use super::value::{Value, ValueKind};

/// Which file a key may be set in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The user's own file: holds for all projects.
    User,
    /// The project's `.loopwright/config.toml`.
    Project,
}

/// Where a setting is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub enum Group {
    /// The project itself.
    Project,
    /// The agent that does the work.
    Agent,
    /// Where a person is asked.
    Gates,
    /// How the app looks.
    Appearance,
}

/// One configuration key.
#[derive(Debug)]
pub struct KeySpec {
    /// The dotted key.
    pub key: &'static str,
    /// A short name for people.
    pub title: &'static str,
    /// One or two plain sentences.
    pub help: &'static str,
    /// Where it is shown.
    pub group: Group,
    /// What values it takes.
    pub kind: ValueKind,
    /// Which files may set it.
    pub scopes: &'static [Scope],
    default: Default,
}

#[derive(Debug)]
enum Default {
    Text(&'static str),
    EmptyList,
}

impl KeySpec {
    /// The built-in value.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match self.default {
            Default::Text(text) => Value::Text(text.to_owned()),
            Default::EmptyList => Value::List(Vec::new()),
        }
    }

    /// The environment variable that sets it.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("{VARIABLE_PREFIX}{}", self.key.replace('.', "_").to_uppercase())
    }
}

/// What all of Loopwright's environment variables begin with.
pub const VARIABLE_PREFIX: &str = "LOOPWRIGHT_";

/// Variables with that prefix that are not settings: folders, and what an agent is told about its attempt.
pub const OTHER_VARIABLES: &[&str] = &[
    "LOOPWRIGHT_CONFIG_DIR",
    "LOOPWRIGHT_DATA_DIR",
    "LOOPWRIGHT_ITERATION",
    "LOOPWRIGHT_TASK",
    "LOOPWRIGHT_ATTEMPT",
    "LOOPWRIGHT_SIGNAL_FILE",
    "LOOPWRIGHT_NONCE",
    "LOOPWRIGHT_PAINT_FILE",
];

const BOTH: &[Scope] = &[Scope::Project, Scope::User];

/// Every plain key. Tables with names of the user's own (`harness.<name>`, `checks`) are in [`super::tables`].
pub const KEYS: &[KeySpec] = &[
    KeySpec {
        key: "name",
        title: "Name",
        help: "What the project is called. Empty: the folder's name.",
        group: Group::Project,
        kind: ValueKind::Text,
        scopes: &[Scope::Project],
        default: Default::Text(""),
    },
    KeySpec {
        key: "spec_files",
        title: "Spec files",
        help: "Documents that say what to build, as paths from the project folder.",
        group: Group::Project,
        kind: ValueKind::List,
        scopes: &[Scope::Project],
        default: Default::EmptyList,
    },
    KeySpec {
        key: "default_harness",
        title: "Agent",
        help: "Which agent does the work. Empty: the only one installed, else you are asked.",
        group: Group::Agent,
        kind: ValueKind::Text,
        scopes: BOTH,
        default: Default::Text(""),
    },
    KeySpec {
        key: "mode",
        title: "Review mode",
        help: "When a person looks before work is committed: autonomous, review_each, or review_every:N.",
        group: Group::Gates,
        kind: ValueKind::Mode,
        scopes: BOTH,
        default: Default::Text("autonomous"),
    },
    KeySpec {
        key: "gate.protected",
        title: "Protected paths",
        help: "A change to a file matching one of these patterns always waits for approval.",
        group: Group::Gates,
        kind: ValueKind::Globs,
        scopes: BOTH,
        default: Default::EmptyList,
    },
    KeySpec {
        key: "ui.theme",
        title: "Theme",
        help: "Light, dark, or as the system is set.",
        group: Group::Appearance,
        kind: ValueKind::Choice(&["system", "light", "dark"]),
        scopes: &[Scope::User],
        default: Default::Text("system"),
    },
];

/// The specification of a plain key.
#[must_use]
pub fn find(key: &str) -> Option<&'static KeySpec> {
    KEYS.iter().find(|spec| spec.key == key)
}

/// The candidate most like a mistyped word, when it is alike enough to be worth naming.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_valid_and_every_key_can_be_set_somewhere() {
        for spec in KEYS {
            assert!(spec.kind.check(&spec.default_value()).is_ok(), "{}", spec.key);
            assert!(!spec.scopes.is_empty(), "{}", spec.key);
            assert!(!OTHER_VARIABLES.contains(&spec.variable().as_str()), "{}", spec.key);
        }
    }

    #[test]
    fn a_typing_slip_finds_its_key_and_nonsense_does_not() {
        let keys = || KEYS.iter().map(|spec| spec.key);
        assert_eq!(nearest("defualt_harness", keys()), Some("default_harness"));
        assert_eq!(nearest("gate.protect", keys()), Some("gate.protected"));
        assert_eq!(nearest("zzzz", keys()), None);
    }
}
