//! Readers: from printed lines to notices.

mod document;
mod either;
mod fields;
mod lines;
mod speech;
mod text;

pub(crate) use document::Document;
pub(crate) use either::Either;
pub use fields::FieldPaths;
pub(crate) use lines::Lines;
pub(crate) use speech::{OwnSandbox, Speech};
pub(crate) use text::Text;

use std::borrow::Cow;

/// A printed line as text: without the line end of another system, with a mark for what is not UTF-8.
pub(crate) fn decode(line: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line))
}
