//! `loopwright failure`.

use std::process::ExitCode;

use loopwright_domain::{Failure, Fault};

use super::place;
use crate::args::FailureCommand;
use crate::context::Context;
use crate::output::{self, CARE, GOOD, HEADING, QUIET, plain, plain_text, say, styled};

pub(crate) fn run(context: &Context, command: &FailureCommand) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    match command {
        FailureCommand::List { pattern, task, limit } => {
            if let Some(pattern) = pattern {
                project.failures().known_pattern(pattern)?;
            }
            let failures = context.wait(project.failures().list(pattern.as_deref(), *task, *limit))?;
            if context.json {
                return output::json(&failures);
            }
            if failures.is_empty() {
                say!("No attempt has failed.");
            }
            failures.iter().for_each(line);
        }
        FailureCommand::Show { failure } => {
            let failure = context.wait(project.failures().get(*failure))?;
            if context.json {
                return output::json(&failure);
            }
            show(&failure);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// One failure in one line.
pub(super) fn line(failure: &Failure) {
    let found = &failure.diagnosis;
    let number = styled(HEADING, format!("{:>4}", failure.id));
    let task = failure.task.map(|task| format!(" #{}", task.0)).unwrap_or_default();
    let resolved = failure.resolved_by.map(|_| styled(GOOD, " resolved")).unwrap_or_default();
    let cause = plain(&found.cause);
    say!("{number}  {}{task}{resolved}  {cause}", styled(CARE, plain(&found.pattern)));
}

fn show(failure: &Failure) {
    let found = &failure.diagnosis;
    let heading = format!("Failure {}: {} ({})", failure.id, plain(&found.pattern), found.category);
    say!("{}", styled(HEADING, heading));
    say!("{}", plain(&found.cause));
    let rows = [
        ("at", place(found.file.as_deref(), found.line)),
        ("check", failure.check.as_deref().map(plain)),
        ("task", failure.task.map(|task| format!("#{}", task.0))),
        ("iteration", Some(failure.iteration.to_string())),
        ("when", Some(failure.at.clone())),
        ("resolved by", failure.resolved_by.map(|iteration| format!("iteration {iteration}"))),
        ("fingerprint", Some(found.fingerprint.clone())),
    ];
    for (name, value) in rows {
        if let Some(value) = value {
            say!("  {}  {value}", styled(QUIET, format!("{name:<11}")));
        }
    }
    say!("\n{}", plain_text(&found.excerpt));
}
