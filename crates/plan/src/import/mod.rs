//! Tasks from and to files of other tools.
//!
//! [`read`] makes a [`Document`] of a text, [`write`] a text of a document. Both are pure. What a format holds beyond
//! our tasks stays in the document's `raw` parts, so that writing a document that was read loses nothing.

mod checklist;
mod detect;
mod dialect;
mod export;
mod files;
mod json;
mod links;
mod merge;
mod model;
mod scg;
mod scg_write;
mod status_edit;
mod subtask_dependencies;
mod sync;
mod tasks_json;
#[cfg(test)]
mod tests;
mod validate;

use loopwright_domain::Fault;

pub use detect::Format;
pub use files::{ExportReport, ExportRequest, ImportChange, ImportReport, ImportRequest};
pub use model::{Document, Group, Item};
pub use sync::Synced;

/// A document, and where in its text each task begins.
#[derive(Debug)]
struct Placed {
    document: Document,
    places: Vec<usize>,
}

/// Reads a document. `file` is what faults call it.
///
/// # Errors
/// Names line and field of what cannot be understood.
pub fn read(file: &str, text: &str, format: Format) -> Result<Document, Fault> {
    Ok(read_placed(file, text, format)?.document)
}

fn read_placed(file: &str, text: &str, format: Format) -> Result<Placed, Fault> {
    let placed = match format {
        Format::Scg => scg::read(file, text)?,
        Format::Checklist => checklist::read(text),
        Format::ScudLoop | Format::ScudMap | Format::TaskMaster | Format::Loopwright => {
            tasks_json::read(file, text, format)?
        }
    };
    validate::check(file, text, &placed)?;
    Ok(placed)
}

/// Writes a document.
///
/// # Errors
/// What cannot be written as JSON.
pub fn write(document: &Document) -> Result<String, Fault> {
    match document.format {
        Format::Scg => Ok(scg_write::write(document)),
        Format::Checklist => Ok(checklist::write(document)),
        Format::ScudLoop | Format::ScudMap | Format::TaskMaster | Format::Loopwright => {
            tasks_json::write(document)
        }
    }
}
