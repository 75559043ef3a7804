//! The spec: a document of 400 pages, and searching in 5,000 sections.

use super::field;
use super::report::{Figure, Report};
use crate::cargo;
use crate::failure::{Failure, Outcome};
use crate::setup::{self, Need};
use crate::step::Step;
use crate::workspace::{Profile, Workspace};

/// What is measured, how it is called, and what it may be, in milliseconds.
const FIGURES: [(&str, &str, f64); 7] = [
    ("import", "400 pages imported", 3_000.0),
    ("import_again", "imported again, unchanged", 1_000.0),
    ("import_second", "a second 400 pages", 3_000.0),
    ("preview_twice", "what 800 pages would change", 2_000.0),
    ("search", "5,000 sections searched", 10.0),
    ("read", "5,000 sections read", 300.0),
    ("check", "5,000 sections judged", 2_000.0),
];

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_example(workspace, "loopwright-engine", "spec")?;
    if workspace.dry_run {
        return Ok(());
    }
    let line = Step::new(workspace.built(Profile::Release, "examples/spec")).capture_success()?;
    for (name, what, limit) in FIGURES {
        let value = field(&line, &format!("{name}_ms"))
            .ok_or_else(|| Failure::new(format!("no {name}_ms in: {line}")))?;
        report.add(Figure::number(&format!("Spec: {what}"), value, "ms").at_most(limit));
    }
    Ok(())
}
