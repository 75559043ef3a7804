//! Sections of the spec: what is to be built, in pieces that tasks can be linked to.

use serde::{Deserialize, Serialize};

use crate::ids::SectionId;

/// One section: a heading and what stands under it, without its own subsections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Section {
    /// Its number in the project; stays the same when the document is imported again.
    pub id: SectionId,
    /// Its dotted place in the document, such as `2.1`.
    pub number: String,
    /// The heading.
    pub title: String,
    /// How deep the heading is: 1 to 6.
    pub level: u32,
    /// The text, as Markdown.
    pub content: String,
    /// The document it was imported from; none for one written by hand.
    pub file: Option<String>,
    /// How many words the text has.
    pub words: u32,
}
