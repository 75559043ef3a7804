//! Memory: a megabyte of output classified, a prompt assembled, and whether remembering helps.

use super::field;
use super::report::{Figure, Report};
use crate::cargo;
use crate::failure::{Failure, Outcome};
use crate::setup::{self, Need};
use crate::step::Step;
use crate::workspace::{Profile, Workspace};

/// With memory at most so many of a hundred repeated mistakes are left.
const REPEATED_LEFT: f64 = 40.0;
/// With misleading memory at most so many attempts for each hundred without any.
const MISLED: f64 = 105.0;
/// Naming the cause at the end of a megabyte, in milliseconds.
const CLASSIFIED: f64 = 5.0;
/// Assembling a prompt from much memory, in milliseconds.
const ASSEMBLED: f64 = 20.0;

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_example(workspace, "loopwright-memory", "classify")?;
    if workspace.dry_run {
        return Ok(());
    }
    let line = Step::new(workspace.built(Profile::Release, "examples/classify")).capture_success()?;
    let figure = |name: &str, what: &str| {
        let value = field(&line, &format!("{name}_ms"))
            .ok_or_else(|| Failure::new(format!("no {name}_ms in: {line}")))?;
        Ok::<_, Failure>(Figure::number(&format!("1 MB classified: {what}"), value, "ms"))
    };
    report.add(figure("plain", "plain output")?.at_most(CLASSIFIED));
    report.add(figure("noisy", "every line looks like an error")?.note("no target"));
    report.add(figure("coloured", "escapes of terminals in it")?.note("no target"));
    measure_prompt(workspace, report)?;
    measure_worlds(workspace, report)
}

/// A prompt in a project with 10,000 learnings, 5,000 failures and 2,000 sections.
fn measure_prompt(workspace: &Workspace, report: &mut Report) -> Outcome {
    cargo::build_example(workspace, "loopwright-engine", "prompt")?;
    let line = Step::new(workspace.built(Profile::Release, "examples/prompt")).capture_success()?;
    let value = field(&line, "prompt_ms").ok_or_else(|| Failure::new(format!("no prompt_ms in: {line}")))?;
    let what = "prompt of 10,000 learnings, 5,000 failures, 2,000 sections";
    report.add(Figure::number(what, value, "ms").at_most(ASSEMBLED));
    Ok(())
}

/// A simulated project of 300 tasks without memory, with it, and with a memory that misleads.
fn measure_worlds(workspace: &Workspace, report: &mut Report) -> Outcome {
    cargo::build_example(workspace, "loopwright-memory", "worlds")?;
    let line = Step::new(workspace.built(Profile::Release, "examples/worlds")).capture_success()?;
    let value = |name: &str| field(&line, name).ok_or_else(|| Failure::new(format!("no {name} in: {line}")));
    for world in ["none", "helpful", "misleading"] {
        for (what, unit) in
            [("attempts", "attempts"), ("repeated", "repeated mistakes"), ("tokens", "tokens")]
        {
            let name = format!("{world}_{what}");
            let figure = Figure::number(&format!("300 tasks, memory {world}: {what}"), value(&name)?, unit);
            report.add(figure.note("no target"));
        }
    }
    let left = 100.0 * value("helpful_repeated")? / value("none_repeated")?;
    report.add(Figure::number("repeated mistakes left with memory", left, "%").at_most(REPEATED_LEFT));
    let misled = 100.0 * value("misleading_attempts")? / value("none_attempts")?;
    report.add(Figure::number("attempts with misleading memory against none", misled, "%").at_most(MISLED));
    Ok(())
}
