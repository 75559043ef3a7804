//! Output: how fast a very long one is opened and paged.

use super::report::{Figure, Report};
use super::{field, memory};
use crate::cargo;
use crate::failure::{Failure, Outcome};
use crate::setup::{self, Need};
use crate::step::Step;
use crate::workspace::{Profile, Workspace};

/// Until the end of a log of a million lines is shown, in milliseconds.
const OPEN: f64 = 300.0;
/// For one more page, whatever the filter.
const PAGE: f64 = 50.0;
/// For what is remembered of both files while they are looked at.
const MEMORY: f64 = 64.0;

/// What is measured of each file, how it is called, and what it may be.
const FIGURES: [(&str, &str, Option<f64>); 6] = [
    ("open", "opened, with its last page", Some(OPEN)),
    ("page", "another page", Some(PAGE)),
    ("filtered_page", "a page of two kinds", Some(PAGE)),
    ("grow", "what was added taken in", Some(PAGE)),
    ("search", "searched to its end", None),
    ("find_error", "its last error found", None),
];

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_example(workspace, "loopwright-engine", "output")?;
    if workspace.dry_run {
        return Ok(());
    }
    let line = Step::new(workspace.built(Profile::Release, "examples/output")).capture_success()?;
    for (file, called) in [("plain", "a million lines"), ("transcript", "a transcript of 50 MB")] {
        for (name, what, limit) in FIGURES {
            let value = field(&line, &format!("{file}_{name}_ms"))
                .ok_or_else(|| Failure::new(format!("no {file}_{name}_ms in: {line}")))?;
            let figure = Figure::number(&format!("{called}: {what}"), value, "ms");
            report.add(match limit {
                Some(limit) => figure.at_most(limit),
                None => figure,
            });
        }
    }
    report.add(memory("memory for both", &line).at_most(MEMORY));
    Ok(())
}
