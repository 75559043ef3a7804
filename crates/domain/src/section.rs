//! Sections of the spec: what is to be built, in pieces that tasks can be linked to.

use serde::{Deserialize, Serialize};

use crate::ids::SectionId;
use crate::origin::Origin;

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

/// What a section said before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SectionRevision {
    /// Its number; a larger one is newer.
    pub id: u32,
    /// The heading.
    pub title: String,
    /// The text, as Markdown.
    pub content: String,
    /// How many words the text has.
    pub words: u32,
    /// When something else took its place, as RFC 3339 in UTC.
    pub until: String,
    /// Who wrote that.
    pub origin: Origin,
    /// What was done then, in words.
    pub what: String,
}

/// Which section each one stands below, for the sections of one document in order. Headings say so by their levels.
#[must_use]
pub fn parents<'a>(document: impl IntoIterator<Item = &'a Section>) -> Vec<Option<SectionId>> {
    let mut open: Vec<(u32, SectionId)> = Vec::new();
    let mut parents = Vec::new();
    for section in document {
        while open.last().is_some_and(|(level, _)| *level >= section.level) {
            open.pop();
        }
        parents.push(open.last().map(|(_, id)| *id));
        open.push((section.level, section.id));
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_stands_below_the_nearest_higher_heading() {
        let section = |(place, level): (usize, &u32)| Section {
            id: SectionId(u32::try_from(place).unwrap() + 1),
            number: String::new(),
            title: String::new(),
            level: *level,
            content: String::new(),
            file: None,
            words: 0,
        };
        let cases: [(&[u32], &[u32]); 4] = [
            (&[1, 2, 3, 2, 1], &[0, 1, 2, 1, 0]),
            (&[1, 3, 2], &[0, 1, 1]),
            (&[3, 2, 1, 6], &[0, 0, 0, 3]),
            (&[], &[]),
        ];
        for (levels, expected) in cases {
            let sections: Vec<Section> = levels.iter().enumerate().map(section).collect();
            let found: Vec<u32> = parents(&sections).into_iter().map(|id| id.map_or(0, |id| id.0)).collect();
            assert_eq!(found, expected, "{levels:?}");
        }
    }
}
