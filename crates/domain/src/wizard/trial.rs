//! Proposed checks, and how each went on the tree as it is.

use serde::{Deserialize, Serialize};

use super::form::{Form, Item};
use crate::word::words;

words! {
    /// How a proposed check went.
    CheckTrialOutcome {
        /// It passes already.
        Passed = "passed",
        /// It runs and finds something in the code that is there.
        Failed = "failed",
        /// It fails because nothing is built yet: there is no code, manifest or test for it to work on.
        NothingBuilt = "nothing_built",
        /// It cannot run on this machine: its program is missing or may not be executed.
        CannotRun = "cannot_run",
        /// It did not end in its time.
        TimedOut = "timed_out",
    }
}

/// How a proposed check went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckTrial {
    /// The item of the form.
    pub item: String,
    /// The command as it was run.
    pub command: String,
    /// How it went.
    pub outcome: CheckTrialOutcome,
    /// What that means, in words.
    pub summary: String,
    /// The exit code, when it ended by itself.
    pub exit_code: Option<i32>,
    /// How long it took.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub duration_ms: u64,
    /// The end of what it printed.
    pub output: String,
}

/// A check as the form says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PlannedCheck {
    /// The item of the form.
    pub item: String,
    /// Its name.
    pub name: String,
    /// The command line.
    pub command: String,
    /// Whether a task is only done when it passes.
    pub required: bool,
    /// How many seconds it may take; none for the usual time.
    pub timeout: Option<u32>,
    /// Whether it becomes a check of the project.
    pub used: bool,
}

/// The checks of a form, in order.
#[must_use]
pub fn planned(form: &Form) -> Vec<PlannedCheck> {
    let read = |item: &Item| PlannedCheck {
        item: item.id.clone(),
        name: item.text("name").to_owned(),
        command: item.text("command").to_owned(),
        required: item.flag("required", true),
        timeout: item.number("timeout").filter(|seconds| *seconds > 0),
        used: item.flag("use", true),
    };
    form.items("checks").iter().map(read).collect()
}

/// What a command that failed on the present tree ran into.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrialFacts<'a> {
    /// Whether its program was found on the search path, or in the project.
    pub program_found: bool,
    /// Whether the program lies inside the project.
    pub program_inside: bool,
    /// Whether it ended in its time.
    pub in_time: bool,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// What it printed.
    pub output: &'a str,
    /// Whether the folder has any source file.
    pub has_code: bool,
}

/// Words by which programs say that there is nothing for them to work on yet.
const NOTHING_THERE: &[&str] = &[
    "could not find `cargo.toml`",
    "enoent",
    "could not read package.json",
    "missing script",
    "no package.json",
    "go.mod file not found",
    "no go files",
    "collected 0 items",
    "no tests ran",
    "no tests found",
    "no test files found",
    "no inputs were found",
    "no targets specified and no makefile found",
    "no rule to make target",
    "no such file or directory",
    "file or directory not found",
    "does not exist",
    "could not find a `pom.xml`",
    "there is no pom",
    "no project found",
    "msb1003",
    "no files matching",
    "no files matched",
    "cannot find module",
    "can't open file",
];

/// Says how a check went, from what was seen. Not being built yet and not being able to run here are told apart.
#[must_use]
pub fn judge(facts: &TrialFacts<'_>) -> (CheckTrialOutcome, String) {
    use CheckTrialOutcome::{CannotRun, Failed, NothingBuilt, Passed, TimedOut};
    let said = |outcome, words: &str| (outcome, words.to_owned());
    if !facts.program_found {
        return match facts.program_inside {
            true => said(NothingBuilt, "Its program lies in the project and is not there yet."),
            false => said(CannotRun, "Its program is not installed on this machine."),
        };
    }
    if !facts.in_time {
        return said(TimedOut, "It did not end in its time.");
    }
    let printed = facts.output.to_lowercase();
    let names_nothing = NOTHING_THERE.iter().any(|words| printed.contains(words));
    match facts.exit_code {
        Some(0) => said(Passed, "It passes already."),
        Some(126) => said(CannotRun, "Its program may not be executed here."),
        Some(127) => said(CannotRun, "A program that it calls is not installed on this machine."),
        // pytest says by this code that it found no tests.
        Some(5) if printed.contains("no tests ran") => said(NothingBuilt, "There are no tests yet."),
        _ if !facts.has_code => said(NothingBuilt, "It fails because nothing is built yet."),
        _ if names_nothing => said(NothingBuilt, "It fails because what it works on is not built yet."),
        Some(code) => (Failed, format!("It finds something in the code that is there: exit code {code}.")),
        None => said(Failed, "A signal ended it."),
    }
}
