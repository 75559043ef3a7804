//! Checks as the loop sees them: what was found, and whether the attempt may stand.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::digest::short_name;
use crate::fault::ErrorCode;
use crate::word::words;

words! {
    /// How bad an issue is; the worst first.
    Severity {
        /// It has to be mended.
        Error = "error",
        /// It should be looked at.
        Warning = "warning",
        /// It is worth knowing.
        Info = "info",
    }
}

words! {
    /// How a check ended.
    CheckStatus {
        /// Its exit code is one of those that mean success.
        Passed = "passed",
        /// It ended with another exit code, or found something.
        Failed = "failed",
        /// It did not end in time and was stopped.
        TimedOut = "timed_out",
        /// It could not be started or read.
        Broken = "broken",
        /// An earlier required check failed, so it was not run.
        Skipped = "skipped",
        /// The run was stopped while it ran.
        Stopped = "stopped",
    }
}

impl CheckStatus {
    /// Whether a check with this status was run and is not content.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::TimedOut | Self::Broken)
    }
}

/// One thing a check found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Issue {
    /// How bad it is.
    pub severity: Severity,
    /// The file, from the project folder with forward slashes, when known.
    pub file: Option<String>,
    /// The line, counted from 1, when known.
    pub line: Option<u32>,
    /// What is wrong.
    pub message: String,
}

/// How one check went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckResult {
    /// The check's name.
    pub name: String,
    /// Its place in the order of checks, counted from 0.
    pub position: u32,
    /// Whether its failure fails the attempt.
    pub required: bool,
    /// How it ended.
    pub status: CheckStatus,
    /// The exit code, when it ended by itself.
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub elapsed_ms: u64,
    /// What it found, in the order of the work list.
    pub issues: Vec<Issue>,
    /// The end of what it printed on both streams, for prompts and previews.
    pub excerpt: String,
    /// What went wrong with the check itself.
    pub problem: Option<String>,
    /// The code of what kept it from running, when something did.
    #[serde(default)]
    pub code: Option<ErrorCode>,
    /// Whether it failed before the run as well; none when that is not known. It never decides anything.
    #[serde(default)]
    pub red_before: Option<bool>,
}

impl CheckResult {
    /// Whether the check is content.
    #[must_use]
    pub const fn passed(&self) -> bool {
        matches!(self.status, CheckStatus::Passed)
    }

    /// Whether it was run and is not content.
    #[must_use]
    pub const fn failed(&self) -> bool {
        self.status.is_failure()
    }
}

words! {
    /// What all checks together say.
    Verdict {
        /// There is no required check.
        Unchecked = "unchecked",
        /// Every required check passed.
        Passed = "passed",
        /// A required check failed.
        Failed = "failed",
        /// They were stopped before the end.
        Stopped = "stopped",
    }
}

impl Verdict {
    /// Judges a round of checks.
    #[must_use]
    pub fn of(results: &[CheckResult]) -> Self {
        let mut required = results.iter().filter(|result| result.required).peekable();
        if required.peek().is_none() {
            return Self::Unchecked;
        }
        let (mut failed, mut stopped) = (false, false);
        for result in required {
            failed |= result.failed();
            stopped |= result.status == CheckStatus::Stopped;
        }
        match (failed, stopped) {
            (true, _) => Self::Failed,
            (_, true) => Self::Stopped,
            _ => Self::Passed,
        }
    }
}

/// A short name for each failing thing, to tell whether two rounds of checks failed alike. Lines are left out:
/// an edit above a problem does not make it another problem.
#[must_use]
pub fn failing(results: &[CheckResult]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for result in results.iter().filter(|result| result.required && result.failed()) {
        if result.issues.is_empty() {
            names.insert(short_name(format!("{}\0{}", result.name, result.status).as_bytes()));
        }
        for issue in &result.issues {
            let file = issue.file.as_deref().unwrap_or_default();
            names.insert(short_name(format!("{}\0{file}\0{}", result.name, issue.message).as_bytes()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: &str, required: bool, status: CheckStatus, messages: &[&str]) -> CheckResult {
        let issue = |message: &&str| Issue {
            severity: Severity::Error,
            file: Some("a.rs".into()),
            line: Some(3),
            message: (*message).to_owned(),
        };
        CheckResult {
            name: name.into(),
            position: 0,
            required,
            status,
            exit_code: None,
            elapsed_ms: 1,
            issues: messages.iter().map(issue).collect(),
            excerpt: String::new(),
            problem: None,
            code: None,
            red_before: None,
        }
    }

    #[test]
    fn only_required_checks_decide() {
        use CheckStatus::{Broken, Failed, Passed, Skipped, Stopped, TimedOut};
        let cases = [
            (vec![], Verdict::Unchecked),
            (vec![(false, Failed)], Verdict::Unchecked),
            (vec![(true, Passed), (false, Failed)], Verdict::Passed),
            (vec![(true, Failed), (true, Skipped)], Verdict::Failed),
            (vec![(true, TimedOut)], Verdict::Failed),
            (vec![(true, Broken)], Verdict::Failed),
            (vec![(true, Passed), (true, Stopped)], Verdict::Stopped),
            (vec![(true, Failed), (true, Stopped)], Verdict::Failed),
        ];
        for (statuses, verdict) in cases {
            let results: Vec<CheckResult> =
                statuses.iter().map(|(required, status)| result("t", *required, *status, &[])).collect();
            assert_eq!(Verdict::of(&results), verdict, "{statuses:?}");
        }
    }

    #[test]
    fn failures_are_told_apart_by_what_is_wrong_and_not_by_line() {
        let mut moved = result("t", true, CheckStatus::Failed, &["bad"]);
        let first = failing(std::slice::from_ref(&moved));
        moved.issues[0].line = Some(9);
        assert_eq!(failing(&[moved]), first);
        assert_ne!(failing(&[result("t", true, CheckStatus::Failed, &["worse"])]), first);
        assert!(failing(&[result("t", false, CheckStatus::Failed, &["bad"])]).is_empty());
        assert_eq!(failing(&[result("t", true, CheckStatus::Failed, &[])]).len(), 1);
    }
}
