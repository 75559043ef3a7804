//! Why an attempt failed, read from what the failed check or the agent said.

use std::collections::BTreeMap;

use loopwright_checks::kept_output;
use loopwright_domain::{
    CheckResult, CheckStatus, Diagnosis, Event, FailureCategory, FailureCause, Iteration, Outcome,
    UNKNOWN_PATTERN, UserPattern,
};
use loopwright_memory::{OwnPatterns, classify_with};
use loopwright_transcript::IterationFiles;

use crate::project::Project;

/// The pattern of what took too long.
const TIMEOUT: &str = "timeout";

/// The event that remembers why an iteration failed; none when it did not. Written with the iteration's outcome, so that
/// there is one for each failed attempt, whatever process settles it.
///
/// `patterns` are those of a person's own, as they stood when the run began: what an agent writes into the settings
/// meanwhile names nothing.
pub(crate) fn recorded(
    project: &Project,
    patterns: &BTreeMap<String, UserPattern>,
    iteration: &Iteration,
    results: &[CheckResult],
) -> Option<Event> {
    if iteration.outcome != Some(Outcome::Failed) {
        return None;
    }
    let own = OwnPatterns::compile(patterns.values());
    let check = match iteration.cause {
        Some(FailureCause::Checks | FailureCause::NotImproved) => failed_check(results),
        _ => None,
    };
    let diagnosis = match check {
        Some(check) => of_check(project, &own, iteration, check),
        None => of_agent(&own, iteration),
    };
    Some(Event::FailureRecorded {
        failure: 0,
        run: iteration.run,
        iteration: iteration.id,
        task: iteration.task,
        check: check.map(|check| check.name.clone()),
        diagnosis: Box::new(diagnosis),
    })
}

/// The first required check that failed.
fn failed_check(results: &[CheckResult]) -> Option<&CheckResult> {
    let failed = || results.iter().filter(|result| result.failed());
    failed().find(|result| result.required).or_else(|| failed().next())
}

fn of_check(project: &Project, own: &OwnPatterns, iteration: &Iteration, check: &CheckResult) -> Diagnosis {
    let folder = IterationFiles::of(&project.layout().state_dir, iteration).checks();
    let (stdout, stderr) = kept_output(&folder, check.position, &check.name);
    let found = match stdout.is_empty() && stderr.is_empty() {
        true => {
            let issues: Vec<&str> = check.issues.iter().map(|issue| issue.message.as_str()).collect();
            classify_with(&check.excerpt, &issues.join("\n"), own)
        }
        false => classify_with(&stdout, &stderr, own),
    };
    let found = match check.status {
        CheckStatus::TimedOut if found.pattern == UNKNOWN_PATTERN => {
            let told = check.problem.clone().unwrap_or(found.cause);
            timed_out(&told, found.excerpt)
        }
        _ => found,
    };
    shown(project, found)
}

/// What an agent's end says, where no check failed.
fn of_agent(own: &OwnPatterns, iteration: &Iteration) -> Diagnosis {
    let told = iteration.message.clone().unwrap_or_default();
    match iteration.cause {
        Some(FailureCause::WallTimeout | FailureCause::IdleTimeout | FailureCause::StartTimeout) => {
            timed_out(&told, told.clone())
        }
        _ => classify_with(&told, "", own),
    }
}

fn timed_out(told: &str, excerpt: String) -> Diagnosis {
    Diagnosis::new(TIMEOUT, FailureCategory::Environment, told.to_owned(), None, excerpt)
}

/// Without where the project lies, and without secrets.
fn shown(project: &Project, found: Diagnosis) -> Diagnosis {
    let root = format!("{}{}", project.layout().root.display(), std::path::MAIN_SEPARATOR);
    let clean = |text: String| project.secrets().redact(&text.replace(&root, "")).into_owned();
    let place = found.file.map(|file| (clean(file), found.line));
    Diagnosis::new(&found.pattern, found.category, clean(found.cause), place, clean(found.excerpt))
}
