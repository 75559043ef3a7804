//! Checks as a person looks at them: what they are, how they went last, and how they have been going.

use loopwright_domain::{CheckResult, CheckStatus, Fault, IterationId, TrustState};
use loopwright_store::{CheckPoint, PastCheck};
use serde::{Deserialize, Serialize};

use super::model::{Builtin, Check, CheckWork};
use super::parse::Parser;
use crate::config::check_edit;
use crate::project::Project;
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

/// What a person writes about a check. Only what differs from the defaults gets into the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The pattern of the parser `regex`.
    pub pattern: Option<String>,
    /// Where the parser `json` finds the issues.
    pub issues: Option<String>,
}

impl Default for CheckDraft {
    fn default() -> Self {
        Self {
            name: String::new(),
            command: String::new(),
            builtin: None,
            required: true,
            enabled: true,
            timeout: None,
            dir: None,
            parser: None,
            pattern: None,
            issues: None,
        }
    }
}

impl CheckDraft {
    /// A check that runs a command, and has its usual values otherwise.
    #[must_use]
    pub fn command(name: impl Into<String>, command: impl Into<String>) -> Self {
        Self { name: name.into(), command: command.into(), ..Self::default() }
    }

    /// What it does: the command line, or the built-in check.
    #[must_use]
    pub fn work(&self) -> &str {
        self.builtin.as_deref().unwrap_or(&self.command)
    }

    /// The same without spaces around it, and without texts that are empty.
    pub(super) fn tidy(&self) -> Self {
        let text = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        Self {
            name: self.name.trim().to_owned(),
            command: self.command.trim().to_owned(),
            builtin: text(&self.builtin),
            required: self.required,
            enabled: self.enabled,
            timeout: text(&self.timeout),
            dir: text(&self.dir),
            parser: text(&self.parser),
            pattern: self.pattern.clone().filter(|pattern| !pattern.is_empty()),
            issues: text(&self.issues),
        }
    }
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

impl Project {
    /// All checks with how they went last and how they have been going, in iterations and by hand. A history goes by
    /// the check's name; where it was passed over or stopped does not count.
    ///
    /// # Errors
    /// The state or the folder's hooks cannot be read. A mistake in the configuration is in the report.
    pub async fn checks_report(&self) -> Result<ChecksReport, Fault> {
        let config = self.config();
        let drafts = check_edit::drafts(&self.config_text()?);
        let mut checks = Vec::with_capacity(config.checks.len());
        for check in &config.checks {
            let draft = drafts.iter().find(|draft| draft.name == check.name).cloned();
            checks.push(self.check_row(check, draft.unwrap_or_else(|| said(check))).await?);
        }
        Ok(ChecksReport {
            checks,
            suggestions: self.suggested_checks(&config),
            builtins: Builtin::ALL.iter().map(|one| (one.as_str().into(), one.purpose().into())).collect(),
            parsers: Parser::WORDS.iter().map(|word| (*word).to_owned()).collect(),
            trust: self.trust_judgement(&config)?.state,
            problems: config.problems,
        })
    }

    async fn check_row(&self, check: &Check, draft: CheckDraft) -> Result<CheckRow, Fault> {
        let mut trend = self.store().check_trend(&check.name, TREND).await?;
        trend.reverse();
        let last = self.store().check_history(&check.name, 1).await?.pop();
        let shown = match &check.work {
            CheckWork::Builtin(builtin) => builtin.purpose().to_owned(),
            CheckWork::Command(_) | CheckWork::Custom(_) => check.shown(),
        };
        Ok(CheckRow {
            draft,
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
