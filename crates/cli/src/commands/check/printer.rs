//! A round of checks on the terminal.

use std::path::Path;

use anstyle::Style;
use loopwright_domain::{CheckResult, CheckStatus, Fault, Issue, Severity};
use loopwright_engine::check::{Check, CheckObserver};
use loopwright_engine::run::report::elapsed;

use crate::output::{BAD, CARE, GOOD, QUIET, count, plain, say, styled};

/// As many issues of one check as are shown.
const MOST_ISSUES: usize = 20;

/// Prints each check as it begins and ends.
#[derive(Debug)]
pub(super) struct Printer;

impl CheckObserver for Printer {
    fn started(&mut self, check: &Check) {
        say!("{} {}  {}", styled(QUIET, "▸"), plain(&check.name), styled(QUIET, plain(&check.shown())));
    }

    fn finished(&mut self, check: &Check, result: &CheckResult) {
        let time = elapsed(result.elapsed_ms);
        let optional = if result.required { "" } else { " (optional)" };
        let code = result.exit_code.filter(|_| result.failed()).map(|code| format!(", exit code {code}"));
        let status = result.status.as_str().replace('_', " ");
        let told = format!("{status}{}{optional}", code.unwrap_or_default());
        let (mark, style) = look(result.status, result.required);
        let (mark, told) = (styled(style, mark), styled(style, told));
        say!("{mark} {}  {told}  {}", plain(&check.name), styled(QUIET, time));
        if let Some(problem) = result.problem.as_ref().filter(|_| result.status != CheckStatus::Broken) {
            say!("    {}", styled(QUIET, format!("Note: {}.", plain(problem).trim_end_matches('.'))));
        }
        for issue in result.issues.iter().take(MOST_ISSUES) {
            tell(issue);
        }
        if result.issues.len() > MOST_ISSUES {
            say!("    {}", styled(QUIET, format!("and {} more", result.issues.len() - MOST_ISSUES)));
        }
    }

    fn unrecorded(&mut self, fault: &Fault) {
        let note = format!("Note: these results are not kept for the trend: {}.", plain(&fault.message));
        say!("{}", styled(QUIET, note));
    }
}

/// The mark and the style of an ending.
pub(super) const fn look(status: CheckStatus, required: bool) -> (&'static str, Style) {
    match status {
        CheckStatus::Passed => ("✓", GOOD),
        CheckStatus::Skipped | CheckStatus::Stopped => ("·", QUIET),
        _ if !required => ("!", CARE),
        _ => ("✗", BAD),
    }
}

fn tell(issue: &Issue) {
    let place = match (&issue.file, issue.line) {
        (Some(file), Some(line)) => format!("{}:{line}: ", plain(file)),
        (Some(file), None) => format!("{}: ", plain(file)),
        _ => String::new(),
    };
    let style = if issue.severity == Severity::Error { BAD } else { CARE };
    let mut lines = issue.message.lines().map(plain);
    let first = lines.next().unwrap_or_default();
    say!("    {} {place}{first}", styled(style, format!("{}:", issue.severity)));
    for line in lines {
        say!("{}", format!("      {line}").trim_end());
    }
}

/// The last words: how many passed, and what to do next.
pub(super) fn conclude(results: &[CheckResult], outputs: &Path) {
    if results.is_empty() {
        say!("No checks are set up. \"loopwright check suggest\" shows some for this folder.");
        return;
    }
    let passed = results.iter().filter(|result| result.passed()).count();
    let failed: Vec<String> = results
        .iter()
        .filter(|result| result.required && result.failed())
        .map(|result| plain(&result.name))
        .collect();
    say!("\n{} of {} passed.", passed, count(results.len(), "check", "checks"));
    if !failed.is_empty() {
        say!("{} {}", styled(BAD, "Required and failed:"), failed.join(", "));
    }
    if passed < results.len() {
        say!("{}", styled(QUIET, format!("All they printed: {}", outputs.display())));
    }
}
