//! What an exit code and an output mean: the result of one check.

use std::path::Path;
use std::time::Duration;

use jiff::SignedDuration;
use loopwright_config::check::{Check, CheckCommand, Parser};
use loopwright_domain::{CheckResult, CheckStatus, Fault, Issue, Severity};
use loopwright_process::Exit;

use crate::execute::{Cause, Execution};
use crate::parse::{self, LONGEST_MESSAGE, MOST_ISSUES};
use crate::printed_path;
use crate::text::{cut_end, plain, steady, tail};

/// As much of the output as goes into prompts and previews, in characters.
const EXCERPT: usize = 3_000;

/// Where things lie on this machine: what must not show in a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<'a> {
    pub(crate) root: &'a Path,
    pub(crate) temporary: &'a Path,
}

/// A result without findings.
pub(crate) fn result(check: &Check, status: CheckStatus) -> CheckResult {
    CheckResult {
        name: check.name.clone(),
        position: check.position,
        required: check.required,
        status,
        exit_code: None,
        elapsed_ms: 0,
        issues: Vec::new(),
        excerpt: String::new(),
        problem: None,
        code: None,
        red_before: None,
    }
}

/// The result of a check that found these things: it fails when one of them is an error.
pub(crate) fn found(check: &Check, mut issues: Vec<Issue>) -> CheckResult {
    put_in_order(&mut issues);
    let failed = issues.iter().any(|issue| issue.severity == Severity::Error);
    let status = if failed { CheckStatus::Failed } else { CheckStatus::Passed };
    CheckResult { issues, ..result(check, status) }
}

pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The result of a check that could not be run.
pub(crate) fn broken(check: &Check, fault: &Fault, places: Places<'_>) -> CheckResult {
    let problem = steady(&fault.told(), places.root, places.temporary);
    CheckResult {
        issues: vec![error(format!("could not be run: {problem}"))],
        problem: Some(problem),
        code: Some(fault.code),
        ..result(check, CheckStatus::Broken)
    }
}

/// The result of a built-in check that did not end in time.
pub(crate) fn timed_out(check: &Check) -> CheckResult {
    let late = too_late(check);
    CheckResult {
        problem: Some(format!("it {late}")),
        issues: vec![error(late)],
        ..result(check, CheckStatus::TimedOut)
    }
}

/// Judges what a command did.
pub(crate) fn judge(
    check: &Check,
    command: &CheckCommand,
    execution: &Execution,
    places: Places<'_>,
) -> CheckResult {
    let (stdout, stderr) = (plain(&execution.stdout), plain(&execution.stderr));
    let excerpt = steady(&excerpt(&stdout, &stderr), places.root, places.temporary);
    let (status, warned) = status(command, execution);
    let mut judged = CheckResult {
        exit_code: match execution.exit {
            Exit::Code(code) if execution.cause == Cause::Ended => Some(code),
            _ => None,
        },
        elapsed_ms: milliseconds(execution.elapsed),
        ..result(check, status)
    };
    match parse::issues(&command.parser, &stdout, &stderr) {
        Ok(issues) => judged.issues = issues,
        Err(problem) if judged.failed() => judged.problem = Some(problem),
        Err(_) => {}
    }
    for issue in &mut judged.issues {
        issue.message = steady(&issue.message, places.root, places.temporary);
        issue.file =
            issue.file.take().map(|file| printed_path::from_project(places.root, &command.dir, &file));
    }
    settle(&mut judged, command, warned);
    if status == CheckStatus::TimedOut {
        let late = too_late(check);
        judged.problem = Some(format!("it {late}"));
        judged.issues.push(with_output(&late, &excerpt));
    } else if judged.issues.is_empty() && (judged.failed() || warned) {
        let mut issue = with_output(&how(execution.exit), &excerpt);
        issue.severity = if warned { Severity::Warning } else { Severity::Error };
        judged.issues.push(issue);
    }
    judged.problem = judged.problem.take().or_else(|| execution.trouble.clone());
    put_in_order(&mut judged.issues);
    judged.excerpt = excerpt;
    judged
}

/// Whether it passed, and whether with a warning.
fn status(command: &CheckCommand, execution: &Execution) -> (CheckStatus, bool) {
    match (execution.cause, execution.exit) {
        (Cause::TimedOut, _) => (CheckStatus::TimedOut, false),
        (Cause::Stopped, _) => (CheckStatus::Stopped, false),
        (Cause::Ended, Exit::Code(code)) if command.success.contains(&code) => (CheckStatus::Passed, false),
        (Cause::Ended, Exit::Code(code)) if command.warn.contains(&code) => (CheckStatus::Passed, true),
        (Cause::Ended, _) => (CheckStatus::Failed, false),
    }
}

/// The exit code decides; what a passing check printed is at most a warning, and its plain lines are no issues.
fn settle(judged: &mut CheckResult, command: &CheckCommand, warned: bool) {
    match judged.status {
        CheckStatus::Stopped => judged.issues.clear(),
        CheckStatus::Passed if !warned && command.parser == Parser::Lines => judged.issues.clear(),
        CheckStatus::Passed => {
            for issue in &mut judged.issues {
                issue.severity = issue.severity.max(Severity::Warning);
            }
        }
        _ => {}
    }
}

/// Sorts by severity, file, line and message, and keeps each issue once.
pub(crate) fn put_in_order(issues: &mut Vec<Issue>) {
    issues.sort_unstable();
    issues.dedup();
    issues.truncate(MOST_ISSUES);
}

pub(crate) fn error(message: String) -> Issue {
    Issue { severity: Severity::Error, file: None, line: None, message }
}

fn with_output(what: &str, excerpt: &str) -> Issue {
    let message = if excerpt.is_empty() { what.to_owned() } else { format!("{what}\n{excerpt}") };
    error(cut_end(&message, LONGEST_MESSAGE))
}

fn how(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exited with {code}"),
        Exit::Signal(signal) => format!("was ended by signal {signal}"),
    }
}

/// The end of both streams: half of the room each, and more where the other needs less.
fn excerpt(stdout: &str, stderr: &str) -> String {
    let (out, err) = (stdout.trim(), stderr.trim());
    match (out.is_empty(), err.is_empty()) {
        (true, _) => tail(err, EXCERPT).to_owned(),
        (_, true) => tail(out, EXCERPT).to_owned(),
        _ => {
            let half = EXCERPT / 2;
            let (out_size, err_size) = (out.chars().count().min(EXCERPT), err.chars().count().min(EXCERPT));
            let out = tail(out, half.max(EXCERPT - err_size));
            let err = tail(err, half.max(EXCERPT - out_size));
            format!("stdout:\n{out}\nstderr:\n{err}")
        }
    }
}

fn too_late(check: &Check) -> String {
    format!("did not end within {} and was stopped", shown(check.timeout))
}

/// A time as people write it: `10m`, `1m 30s`.
fn shown(time: Duration) -> String {
    SignedDuration::try_from(time).map_or_else(|_| format!("{time:?}"), |time| format!("{time:#}"))
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
