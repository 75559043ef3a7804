//! The one list of configuration keys. Validation, `config show`, the Settings view and the documentation
//! all come from it; a key that is not here is an error.

mod agent_keys;
pub mod editors;
mod keys;
mod typed;

pub use self::keys::{KEYS, key};
pub use self::typed::{DirtyMode, Key, LogLevel, SandboxMode, SettingValue, StateErrorMode, Theme};
use crate::value::{Value, ValueKind};

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
    /// How the loop works and when it stops.
    Loop,
    /// What is done with git.
    Git,
    /// Where a person is asked.
    Gates,
    /// What the desktop app does around runs.
    App,
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
    pub(super) default: Default,
}

#[derive(Debug)]
pub(super) enum Default {
    Text(&'static str),
    EmptyList,
    /// All the words of its choices.
    All,
}

impl KeySpec {
    /// The built-in value.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match self.default {
            Default::Text(text) => Value::Text(text.to_owned()),
            Default::EmptyList => Value::List(Vec::new()),
            Default::All => match self.kind {
                ValueKind::Choices(words) => {
                    Value::List(words.iter().map(|word| (*word).to_owned()).collect())
                }
                _ => Value::List(Vec::new()),
            },
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

/// Variables with that prefix that are not settings: folders, and what an agent is told about its
/// attempt, what a notification says, what the installation scripts take.
pub const OTHER_VARIABLES: &[&str] = &[
    "LOOPWRIGHT_CONFIG_DIR",
    "LOOPWRIGHT_DATA_DIR",
    "LOOPWRIGHT_ITERATION",
    "LOOPWRIGHT_LET_GO",
    "LOOPWRIGHT_TASK",
    "LOOPWRIGHT_TASK_FILE",
    "LOOPWRIGHT_ATTEMPT",
    "LOOPWRIGHT_SIGNAL_FILE",
    "LOOPWRIGHT_NONCE",
    "LOOPWRIGHT_PROMPT",
    "LOOPWRIGHT_PROMPT_FILE",
    "LOOPWRIGHT_AUTOMATION",
    "LOOPWRIGHT_MODEL",
    "LOOPWRIGHT_CHECK",
    "LOOPWRIGHT_RUN",
    "LOOPWRIGHT_CRASH_AT",
    "LOOPWRIGHT_PAINT_FILE",
    "LOOPWRIGHT_PAGER",
    "LOOPWRIGHT_NOTIFY_EVENT",
    "LOOPWRIGHT_NOTIFY_PROJECT",
    "LOOPWRIGHT_NOTIFY_MESSAGE",
    "LOOPWRIGHT_VERSION",
    "LOOPWRIGHT_PREFIX",
    "LOOPWRIGHT_RELEASE_URL",
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
            assert!(keys::is_readable(spec.key, &spec.default_value()), "{}", spec.key);
            if let ValueKind::Choice(words) = spec.kind {
                for word in words {
                    assert!(
                        keys::is_readable(spec.key, &Value::Text((*word).to_owned())),
                        "{} {word}",
                        spec.key
                    );
                }
            }
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
