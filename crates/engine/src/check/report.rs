//! Checks as a person looks at them: what they are, how they went last, and how they have been going.

use loopwright_domain::{CheckResult, CheckStatus, Fault, IterationId, TrustState};
use serde::{Deserialize, Serialize};

use crate::suggest::CheckSuggestion;

/// How a check went once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TrendPoint {
    /// When.
    pub at: String,
    /// How it ended.
    pub status: CheckStatus,
    /// How long it took, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub elapsed_ms: u64,
    /// The iteration it was run for; none when a person ran it.
    pub iteration: Option<IterationId>,
}

/// How a check went last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct LastResult {
    /// When.
    pub at: String,
    /// The iteration it was run for; none when a person ran it.
    pub iteration: Option<IterationId>,
    /// How it went.
    pub result: CheckResult,
}

/// What a person writes about a check. Only what differs from the defaults gets into the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckDraft {
    /// Its name.
    pub name: String,
    /// The command line; empty for a built-in check.
    pub command: String,
    /// The built-in check, by name.
    pub builtin: Option<String>,
    /// Whether its failure fails the attempt.
    pub required: bool,
    /// Whether it is run.
    pub enabled: bool,
    /// How long it may take, as in the file; none for the default.
    pub timeout: Option<String>,
    /// Where it is run, from the project folder; none for the project folder.
    pub dir: Option<String>,
    /// How its output is read; none for the default.
    pub parser: Option<String>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckRow {
    /// What the file says.
    pub draft: CheckDraft,
    /// Its place in the order of checks, counted from 0.
    pub position: u32,
    /// What it does, for people: the command line or the built-in's purpose.
    pub shown: String,
    /// How it went last.
    pub last: Option<LastResult>,
    /// How it has been going, the oldest first, at most 30.
    pub trend: Vec<TrendPoint>,
}

/// All checks of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ChecksReport {
    /// The checks, in the order they are run in.
    pub checks: Vec<CheckRow>,
    /// Checks this folder seems to want and does not have.
    pub suggestions: Vec<CheckSuggestion>,
    /// The names of the built-in checks, and what they do.
    pub builtins: Vec<(String, String)>,
    /// How output can be read.
    pub parsers: Vec<String>,
    /// Whether the folder may run anything.
    pub trust: TrustState,
    /// What is wrong with the configuration.
    pub problems: Vec<Fault>,
}

/// What happens while checks run that a person asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CheckUpdate {
    /// One began.
    Started {
        /// Its name.
        name: String,
    },
    /// One ended.
    Ended {
        /// How it went.
        result: CheckResult,
    },
}
