//! The work list: what fails, in a fixed order, for an agent to work from.
//!
//! The envelope is `loopwright.work.v1` and documented in docs/checks.md. The same results give the same bytes: nothing
//! here knows the time, the machine or where the project lies.

use std::fmt::Write;

use loopwright_domain::promise::EXIT_SIGNAL;
use loopwright_domain::{Automation, CheckResult, CheckStatus, Issue, Severity, Verdict};
use serde::Serialize;

/// The envelope's name and version.
pub const SCHEMA: &str = "loopwright.work.v1";
/// As many items as a list names; the others are counted.
const MOST_ITEMS: usize = 50;
/// As many characters as the items' messages may have together. The first item is always named.
const MOST_CHARACTERS: usize = 24_000;

/// A work list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct WorkList {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Whether there is something to do.
    pub status: WorkStatus,
    /// How much the agent may do.
    pub automation: Automation,
    /// All checks, in their order.
    pub checks: Vec<CheckLine>,
    /// What failed, in the order of the work.
    pub items: Vec<WorkItem>,
    /// How many items are not named.
    pub left_out: usize,
    /// How to answer.
    pub answer: CompletionReport,
}

/// Whether there is something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum WorkStatus {
    /// A required check failed.
    Work,
    /// Every required check passed.
    AllPass,
    /// There is no required check, so nothing can be said.
    Unchecked,
    /// The checks were stopped before they could say.
    Stopped,
}

impl WorkStatus {
    /// The word in the envelope.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Work => "WORK",
            Self::AllPass => "ALL_PASS",
            Self::Unchecked => "UNCHECKED",
            Self::Stopped => "STOPPED",
        }
    }
}

/// How one check stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckLine {
    /// Its name.
    pub name: String,
    /// Whether it has to pass.
    pub required: bool,
    /// How it ended.
    pub status: CheckStatus,
    /// How many things it found.
    pub issues: usize,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct WorkItem {
    /// Its place in the list, counted from 1.
    pub number: usize,
    /// The check that found it.
    pub check: String,
    /// Whether that check has to pass.
    pub required: bool,
    /// How bad it is.
    pub severity: Severity,
    /// The file, from the project folder.
    pub file: Option<String>,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// What is wrong.
    pub message: String,
}

/// What an agent runs or prints when it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CompletionReport {
    /// The command that says so.
    pub done: &'static str,
    /// The last line that says so.
    pub last_line: &'static str,
    /// The command that asks for a person.
    pub blocked: &'static str,
}

const ANSWER: CompletionReport = CompletionReport {
    done: "loopwright signal complete",
    last_line: EXIT_SIGNAL,
    blocked: "loopwright signal blocked \"REASON\"",
};

/// The whole work list as text, envelope and all.
#[must_use]
pub fn work_list(results: &[CheckResult], automation: Automation) -> String {
    WorkList::of(results, automation).render()
}

/// The items alone, for a prompt that says the rest itself.
#[must_use]
pub fn items(results: &[CheckResult]) -> String {
    let (items, left_out) = items_of(results);
    render_items(&items, left_out)
}

impl WorkList {
    /// Makes the list of a round of checks.
    #[must_use]
    pub fn of(results: &[CheckResult], automation: Automation) -> Self {
        let status = match Verdict::of(results) {
            Verdict::Failed => WorkStatus::Work,
            Verdict::Passed => WorkStatus::AllPass,
            Verdict::Unchecked => WorkStatus::Unchecked,
            Verdict::Stopped => WorkStatus::Stopped,
        };
        let line = |result: &CheckResult| CheckLine {
            name: result.name.clone(),
            required: result.required,
            status: result.status,
            issues: result.issues.len(),
        };
        let (items, left_out) = items_of(results);
        let checks = results.iter().map(line).collect();
        Self { schema: SCHEMA, status, automation, checks, items, left_out, answer: ANSWER }
    }

    /// The list as text.
    #[must_use]
    pub fn render(&self) -> String {
        let passed = self.checks.iter().filter(|check| check.status == CheckStatus::Passed).count();
        let not_run =
            |check: &&CheckLine| matches!(check.status, CheckStatus::Skipped | CheckStatus::Stopped);
        let not_run = self.checks.iter().filter(not_run).count();
        let failed = self.checks.len() - passed - not_run;
        let mut text = format!(
            "{SCHEMA}\nSTATUS: {}\nAUTOMATION: {}\nCHECKS: {passed} passed, {failed} failed, {not_run} not run\n",
            self.status.as_str(),
            self.automation,
        );
        match self.status {
            WorkStatus::Work => {
                text.push('\n');
                text.push_str(&render_items(&self.items, self.left_out));
                text.push('\n');
                text.push_str(&how_to_answer(self.automation));
            }
            WorkStatus::AllPass => {
                text.push_str(EXIT_SIGNAL);
                text.push('\n');
            }
            WorkStatus::Unchecked => text.push_str("No required check is set up, so nothing can be said.\n"),
            WorkStatus::Stopped => text.push_str("The checks were stopped before they could say.\n"),
        }
        text
    }
}

/// The issues of failed checks by severity, check, file, line and message, and how many are left out.
fn items_of(results: &[CheckResult]) -> (Vec<WorkItem>, usize) {
    let mut found: Vec<(&CheckResult, &Issue)> = results
        .iter()
        .filter(|result| result.failed())
        .flat_map(|result| result.issues.iter().map(move |issue| (result, issue)))
        .collect();
    found.sort_unstable_by_key(|(result, issue)| {
        (issue.severity, result.position, &issue.file, issue.line, &issue.message)
    });
    let mut characters = 0;
    let mut items = Vec::new();
    for (result, issue) in &found {
        characters += issue.message.chars().count();
        if items.len() == MOST_ITEMS || (characters > MOST_CHARACTERS && !items.is_empty()) {
            break;
        }
        items.push(WorkItem {
            number: items.len() + 1,
            check: result.name.clone(),
            required: result.required,
            severity: issue.severity,
            file: issue.file.clone(),
            line: issue.line,
            message: issue.message.clone(),
        });
    }
    let left_out = found.len() - items.len();
    (items, left_out)
}

/// Messages are indented: whatever a check printed, it cannot be taken for a part of the envelope.
fn render_items(items: &[WorkItem], left_out: usize) -> String {
    let mut text = "=== WORK LIST ===\n".to_owned();
    for item in items {
        let need = if item.required { "required" } else { "optional" };
        let place = match (&item.file, item.line) {
            (Some(file), Some(line)) => format!(" {file}:{line}"),
            (Some(file), None) => format!(" {file}"),
            _ => String::new(),
        };
        let _ = writeln!(text, "\n{}. [{}] {} ({need}){place}", item.number, item.severity, item.check);
        for line in item.message.lines() {
            let _ = writeln!(text, "{}", format!("    {line}").trim_end());
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "\n{left_out} more are left out until these are done.");
    }
    text
}

fn how_to_answer(automation: Automation) -> String {
    let mode = match automation {
        Automation::Manual => "Manual: a person starts each iteration. Do one item, then end.",
        Automation::Plan => "Plan: change no files. Say how you would fix the item, then end.",
        Automation::Auto => "Auto: edit files, and run the commands that are allowed to you.",
        Automation::Yolo => "Yolo: do whatever the item needs without asking.",
    };
    format!(
        "=== HOW TO ANSWER ===\n\n\
         - {mode}\n\
         - Fix ONE item: the first you can. Then end; the checks are run again without you.\n\
         - Mend the cause. Leave the checks and .loopwright/ as they are, and leave no placeholders.\n\
         - To see how a check stands, run: loopwright check NAME\n\
         - When all items are done, run: {}\n  or end with a last line that reads \"{}\".\n\
         - When you need a person, run: {}\n",
        ANSWER.done, ANSWER.last_line, ANSWER.blocked,
    )
}

#[cfg(test)]
#[path = "work_list_tests.rs"]
mod tests;
