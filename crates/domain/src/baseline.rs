//! How the checks stood before a run: what was red before it is not what the run made red.

use serde::{Deserialize, Serialize};

use crate::check::{CheckResult, CheckStatus, Severity};
use crate::digest::short_name;
use crate::normalised::normalised;
use crate::word::words;

words! {
    /// What is done about the checks before the first agent.
    #[derive(Default)]
    BaselineMode {
        /// They run once; what fails is told, and the run goes on.
        #[default]
        Run = "run",
        /// Nothing.
        Skip = "skip",
        /// They run once; a required one that fails refuses the run.
        Require = "require",
    }
}

/// How one check stood before a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct BaselineCheck {
    /// The check's name.
    pub name: String,
    /// Whether its failure fails an attempt.
    pub required: bool,
    /// How it ended.
    pub status: CheckStatus,
    /// What its failure is known by; none when it did not fail.
    pub fingerprint: Option<String>,
    /// What it found first, in one line; none when it did not fail.
    pub summary: Option<String>,
    /// Whether the result is an earlier one, on the same files with the same program.
    pub cached: bool,
}

impl BaselineCheck {
    /// How a check stood, by its result.
    #[must_use]
    pub fn of(result: &CheckResult, cached: bool) -> Self {
        Self {
            name: result.name.clone(),
            required: result.required,
            status: result.status,
            fingerprint: fingerprint(result),
            summary: result.issues.first().filter(|_| result.failed()).map(|issue| summary(&issue.message)),
            cached,
        }
    }

    /// Whether it failed.
    #[must_use]
    pub const fn is_red(&self) -> bool {
        self.status.is_failure()
    }
}

/// The beginning and the end of a message in one line.
fn summary(message: &str) -> String {
    const LONGEST: usize = 200;
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let last = lines.next_back().map(|last| format!(": {last}")).unwrap_or_default();
    format!("{first}{last}").chars().take(LONGEST).collect()
}

/// How the checks stood before a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Baseline {
    /// The tree they ran on; none where there is no git.
    pub tree: Option<String>,
    /// The checks, in their order.
    pub checks: Vec<BaselineCheck>,
}

impl Baseline {
    /// The required checks that failed.
    pub fn red(&self) -> impl Iterator<Item = &BaselineCheck> {
        self.checks.iter().filter(|check| check.required && check.is_red())
    }

    /// Whether a check failed before the run; none when that is not known.
    #[must_use]
    pub fn red_before(&self, name: &str) -> Option<bool> {
        let known = self.checks.iter().find(|check| check.name == name)?;
        match known.status {
            CheckStatus::Passed => Some(false),
            status => status.is_failure().then_some(true),
        }
    }

    /// Writes into results how their checks stood before the run.
    pub fn mark(&self, results: &mut [CheckResult]) {
        for result in results {
            result.red_before = self.red_before(&result.name);
        }
    }

    /// The required checks that fail just as they did before the run.
    #[must_use]
    pub fn still_red<'a>(&self, results: &'a [CheckResult]) -> Vec<&'a CheckResult> {
        let same = |result: &&CheckResult| {
            let now = fingerprint(result);
            let before = self.checks.iter().find(|check| check.name == result.name);
            now.is_some() && before.is_some_and(|before| before.fingerprint == now)
        };
        results.iter().filter(|result| result.required && result.failed()).filter(same).collect()
    }
}

/// What a check's failure is known by, from one run of it to the next: its name, how it ended, and what it found without
/// lines, numbers, times and the folders of paths. None when it did not fail.
#[must_use]
pub fn fingerprint(result: &CheckResult) -> Option<String> {
    if !result.failed() {
        return None;
    }
    let errors = result.issues.iter().any(|issue| issue.severity == Severity::Error);
    let mut found: Vec<String> = result
        .issues
        .iter()
        .filter(|issue| !errors || issue.severity == Severity::Error)
        .map(|issue| {
            let file = issue.file.as_deref().unwrap_or_default().replace('\\', "/");
            format!("{file}\0{}", normalised(&issue.message))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    let whole = format!("{}\0{}\0{}", result.name, result.status, found.join("\0\0"));
    Some(short_name(whole.as_bytes()))
}

#[cfg(test)]
#[path = "baseline_tests.rs"]
mod tests;
