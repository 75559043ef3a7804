//! Checks as a person looks at them: what they are, how they went last, and how they have been going.

use loopwright_config::check::{Check, CheckDraft, CheckWork};
use loopwright_domain::{CheckResult, CheckStatus, Fault, IterationId, TrustState};
use loopwright_store::{CheckPoint, PastCheck, Store};
use serde::{Deserialize, Serialize};

use crate::suggest::CheckSuggestion;

/// As many points as a trend has.
const TREND: u32 = 30;

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
    /// How they went could not be kept for later; nothing else is wrong with them.
    Unrecorded {
        /// Why.
        fault: Fault,
    },
}

impl CheckRow {
    /// A check with how it went last and how it has been going. `draft` is what the file says of it; where it is not in
    /// the file any more, what the check says of itself stands for that.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn read(store: &Store, check: &Check, draft: Option<CheckDraft>) -> Result<Self, Fault> {
        let mut trend = store.check_trend(&check.name, TREND).await?;
        trend.reverse();
        let last = store.check_history(&check.name, 1).await?.pop();
        let shown = match &check.work {
            CheckWork::Builtin(builtin) => builtin.purpose().to_owned(),
            CheckWork::Command(_) | CheckWork::Custom(_) => check.shown(),
        };
        Ok(Self {
            draft: draft.unwrap_or_else(|| said(check)),
            position: check.position,
            shown,
            last: last.map(LastResult::from),
            trend: trend.into_iter().map(TrendPoint::from).collect(),
        })
    }
}

/// What a check says of itself, for one that is not in the file any more.
fn said(check: &Check) -> CheckDraft {
    let builtin = match &check.work {
        CheckWork::Builtin(builtin) => Some(builtin.as_str().to_owned()),
        CheckWork::Command(_) | CheckWork::Custom(_) => None,
    };
    CheckDraft {
        builtin,
        required: check.required,
        enabled: check.enabled,
        ..CheckDraft::command(check.name.as_str(), check.command_text().unwrap_or_default())
    }
}

impl From<PastCheck> for LastResult {
    fn from(past: PastCheck) -> Self {
        Self { at: past.at, iteration: past.iteration, result: past.result }
    }
}

impl From<CheckPoint> for TrendPoint {
    fn from(point: CheckPoint) -> Self {
        let CheckPoint { iteration, at, status, elapsed_ms } = point;
        Self { at, status, elapsed_ms, iteration }
    }
}
