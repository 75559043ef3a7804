//! The parts of the spec that a task carries out, in files of our own: by their names, so that another project finds
//! its own sections again.

use loopwright_domain::{Section, SectionId};
use serde_json::{Map, Value, json};

use super::{Document, Item};

/// The field that holds them.
pub(super) const FIELD: &str = "sections";

/// A section as a file names it.
pub(super) fn link(section: &Section) -> Value {
    json!({ "number": section.number, "title": section.title, "file": section.file })
}

/// Whether a value names a section. Older files have numbers, which mean nothing in another project.
pub(super) fn is_link(value: &Value) -> bool {
    value.is_u64() || title(value).is_some_and(|title| !title.trim().is_empty())
}

fn title(link: &Value) -> Option<&str> {
    link.get("title").and_then(Value::as_str)
}

/// The section of this project that a link means: the same heading in the same document; else the one heading that is
/// called so.
fn meant(link: &Value, sections: &[Section]) -> Option<SectionId> {
    let (title, text) = (title(link)?, |name: &str| link.get(name).and_then(Value::as_str));
    let called: Vec<&Section> = sections.iter().filter(|section| section.title == title).collect();
    let same_file = |section: &&&Section| section.file.as_deref() == text("file");
    let same_number = |section: &&&Section| Some(section.number.as_str()) == text("number");
    let exact = called.iter().filter(same_file).find(same_number);
    let found = exact
        .or_else(|| called.iter().find(same_file))
        .or_else(|| called.iter().find(same_number))
        .or_else(|| called.first().filter(|_| called.len() == 1));
    found.map(|section| section.id)
}

fn listed(raw: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    raw.get(FIELD).and_then(Value::as_array).into_iter().flatten().filter(|link| title(link).is_some())
}

/// Links each task to the sections that are here, and says which are not.
pub(super) fn find_sections(document: &mut Document, sections: &[Section]) -> Vec<String> {
    let mut notes = Vec::new();
    for item in document.groups.iter_mut().flat_map(|group| &mut group.items) {
        let Item { id, draft, raw, .. } = item;
        for link in listed(raw) {
            match meant(link, sections) {
                Some(section) if draft.sections.contains(&section) => {}
                Some(section) => draft.sections.push(section),
                None => {
                    let title = title(link).unwrap_or_default();
                    notes
                        .push(format!("\"{id}\" carries out the section \"{title}\", which is not here yet"));
                }
            }
        }
        draft.sections.sort_unstable();
    }
    notes
}

/// The links of a task as they are written: to the sections that are here, and those of its file that are not.
pub(super) fn written(own: &[SectionId], kept: Option<&Item>, sections: &[Section]) -> Value {
    let here = own.iter().filter_map(|id| sections.iter().find(|section| section.id == *id)).map(link);
    let missing = kept.into_iter().flat_map(|item| listed(&item.raw));
    let missing = missing.filter(|link| meant(link, sections).is_none()).cloned();
    here.chain(missing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(id: u32, number: &str, title: &str, file: Option<&str>) -> Section {
        let (number, title, file) = (number.to_owned(), title.to_owned(), file.map(str::to_owned));
        Section { id: SectionId(id), number, title, level: 2, content: String::new(), file, words: 0 }
    }

    #[test]
    fn a_section_is_found_by_its_name_and_its_place_decides_between_two() {
        let here = [
            section(1, "1", "Overview", Some("a.md")),
            section(2, "1", "Overview", Some("b.md")),
            section(3, "2", "Overview", Some("b.md")),
            section(4, "7", "Refunds", None),
        ];
        let cases = [
            (json!({ "title": "Overview", "number": "2", "file": "b.md" }), Some(3)),
            (json!({ "title": "Overview", "number": "9", "file": "b.md" }), Some(2)),
            (json!({ "title": "Overview", "number": "2", "file": "c.md" }), Some(3)),
            (json!({ "title": "Overview", "number": "9", "file": "c.md" }), None),
            (json!({ "title": "Refunds", "number": "2.1", "file": "old.md" }), Some(4)),
            (json!({ "title": "Gone" }), None),
            (json!(3), None),
        ];
        for (link, expected) in cases {
            assert_eq!(meant(&link, &here), expected.map(SectionId), "{link}");
        }
        assert!(is_link(&json!(3)) && !is_link(&json!({ "title": " " })) && !is_link(&json!("3")));
    }
}
