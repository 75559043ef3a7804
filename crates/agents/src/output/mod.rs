//! Output parsers: from printed lines to events.

mod detected;
mod event_source;
mod field_paths;
mod json_document;
mod json_lines;
mod plain_text;

pub(crate) use detected::DetectedParser;
pub(crate) use event_source::{CliSandbox, EventSource};
pub use field_paths::FieldPaths;
pub(crate) use json_document::JsonDocumentParser;
pub(crate) use json_lines::JsonLinesParser;
pub(crate) use plain_text::TextParser;

use std::borrow::Cow;

/// A printed line as text: without the line end of another system, with a mark for what is not UTF-8.
pub(crate) fn decode(line: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line))
}
