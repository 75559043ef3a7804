//! What made attempts fail, what fixed it, what was learned, what goes into prompts, and what it all costs.

mod failure;
mod figures;
mod learning;
mod pattern;
mod preview;
mod solution;

pub(super) use failure::run as run_failure;
pub(super) use figures::{health, stats};
pub(super) use learning::{learn, run as run_learning};
pub(super) use pattern::run as run_pattern;
#[cfg(test)]
pub(super) use pattern::{PatternRow, ShownPattern, TestedOutput};
pub(super) use preview::{items as prompt_items, run as preview};
pub(super) use solution::run as run_solution;

use std::io::{self, Read as _};
use std::path::Path;

use loopwright_domain::Fault;

use crate::context::Context;
use crate::output::{plain, unread};

/// A file and line as people write them.
fn place(file: Option<&str>, line: Option<u32>) -> Option<String> {
    let file = plain(file?);
    Some(line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")))
}

/// The text of a file; `-` is standard input.
fn read(context: &Context, path: &Path) -> Result<String, Fault> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(context.folder.join(path))
    };
    let bytes = bytes.map_err(|error| {
        let shown = plain(&path.display().to_string());
        Fault::caused(unread(&error), format_args!("{shown} cannot be read"), &error)
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
