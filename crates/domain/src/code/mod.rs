//! Source code as text: which language a file is in, and what of it is code, comment and quoted text.
//!
//! A whole file is read by [`scan`]. Of a single line, such as one of a diff, nobody knows what stands around it:
//! [`Language::code_of_line`] reads what can be read of it alone, by the same marks and quotes.

mod language;
mod scan;

pub use language::Language;
pub use scan::{ScannedLine, scan};
