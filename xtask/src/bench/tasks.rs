//! Tasks: ten thousand of them with fifty thousand dependencies.

use super::field;
use super::report::{Figure, Report};
use crate::cargo;
use crate::failure::{Failure, Outcome};
use crate::setup::{self, Need};
use crate::step::Step;
use crate::workspace::{Profile, Workspace};

/// Reading them all in, in milliseconds.
const IMPORT: f64 = 5_000.0;
/// A question about the graph.
const QUESTION: f64 = 20.0;
/// What a person waits for when a view opens.
const VIEW: f64 = 300.0;
/// What a person waits for after a click.
const CLICK: f64 = 100.0;

/// What is measured, how it is called, and what it may be.
const FIGURES: [(&str, &str, f64); 11] = [
    ("import", "imported", IMPORT),
    ("import_again", "imported again, unchanged", IMPORT),
    ("read", "read", VIEW),
    ("waves", "laid out in waves", QUESTION),
    ("next", "the next task", QUESTION),
    ("held", "what stands in the way", QUESTION),
    ("critical_path", "the critical path", QUESTION),
    ("check", "a new dependency checked", QUESTION),
    ("board", "everything for the board", VIEW),
    ("search", "searched", CLICK),
    ("done", "one of them finished", CLICK),
];

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_example(workspace, "loopwright-engine", "tasks")?;
    if workspace.dry_run {
        return Ok(());
    }
    let line = Step::new(workspace.built(Profile::Release, "examples/tasks")).capture_success()?;
    for (name, what, limit) in FIGURES {
        let value = field(&line, &format!("{name}_ms"))
            .ok_or_else(|| Failure::new(format!("no {name}_ms in: {line}")))?;
        report.add(Figure::number(&format!("10,000 tasks: {what}"), value, "ms").at_most(limit));
    }
    Ok(())
}
