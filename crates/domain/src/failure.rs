//! Failures: what made an attempt fail, and by what it is known again.

use serde::{Deserialize, Serialize};

use crate::digest::short_name;
use crate::ids::{IterationId, RunId, TaskId};
use crate::normalised::normalised;
use crate::word::words;

words! {
    /// What kind of thing went wrong.
    FailureCategory {
        /// A module, a package or a name of one is not there.
        Import = "import",
        /// A file cannot be parsed.
        Syntax = "syntax",
        /// A program failed while it ran.
        Runtime = "runtime",
        /// A test failed.
        Test = "test",
        /// It does not build, or a tool that reads the code refuses it.
        Build = "build",
        /// The machine, not the code: programs, permissions, memory, network, time.
        Environment = "environment",
        /// No pattern fits.
        Unknown = "unknown",
    }
}

/// The name of the pattern of what no pattern fits.
pub const UNKNOWN_PATTERN: &str = "unknown";

/// What an output says about why a command failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Diagnosis {
    /// The pattern's name; `unknown` when none fits.
    pub pattern: String,
    /// The pattern's category.
    pub category: FailureCategory,
    /// The line that names the cause.
    pub cause: String,
    /// The file it is about.
    pub file: Option<String>,
    /// The line in that file, counted from 1.
    pub line: Option<u32>,
    /// The cause with the lines around it.
    pub excerpt: String,
    /// What the failure is known by: pattern, file and cause without numbers, times and the folders of paths.
    pub fingerprint: String,
}

impl Diagnosis {
    /// A diagnosis with its fingerprint.
    #[must_use]
    pub fn new(
        pattern: &str,
        category: FailureCategory,
        cause: String,
        place: Option<(String, Option<u32>)>,
        excerpt: String,
    ) -> Self {
        let (file, line) = place.map_or((None, None), |(file, line)| (Some(file), line));
        let name = file.as_deref().unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default();
        let whole = format!("{pattern}\0{name}\0{}", normalised(&cause));
        let fingerprint = short_name(whole.as_bytes());
        Self { pattern: pattern.to_owned(), category, cause, file, line, excerpt, fingerprint }
    }
}

/// A failed attempt, as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Failure {
    /// Its number in the project.
    pub id: u32,
    /// The run.
    pub run: RunId,
    /// The iteration that failed.
    pub iteration: IterationId,
    /// The task it worked on.
    pub task: Option<TaskId>,
    /// The check that failed; none when the agent did.
    pub check: Option<String>,
    /// What went wrong.
    #[serde(flatten)]
    pub diagnosis: Diagnosis,
    /// When, as RFC 3339 in UTC.
    pub at: String,
    /// The iteration that passed at the same task afterwards.
    pub resolved_by: Option<IterationId>,
    /// The solution that it was resolved with: one that was in that iteration's prompt, or that was made from it.
    pub solution: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(pattern: &str, cause: &str, file: &str) -> String {
        let place = Some((file.to_owned(), Some(3)));
        Diagnosis::new(pattern, FailureCategory::Test, cause.to_owned(), place, String::new()).fingerprint
    }

    #[test]
    fn the_same_failure_is_known_again_by_its_words() {
        let first = fingerprint("timeout", "waited 12 s for /tmp/a1/till.sock", "/home/a/src/till.rs");
        assert_eq!(first, fingerprint("timeout", "waited 3 s for /var/b/till.sock", "src/till.rs"));
        for other in [
            fingerprint("network", "waited 12 s for /tmp/a1/till.sock", "src/till.rs"),
            fingerprint("timeout", "waited 12 s for /tmp/a1/menu.sock", "src/till.rs"),
            fingerprint("timeout", "waited 12 s for /tmp/a1/till.sock", "src/menu.rs"),
        ] {
            assert_ne!(first, other);
        }
    }
}
