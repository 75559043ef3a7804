//! A document that is imported again meets the sections that came from it before.
//!
//! Sections keep their ids, so that tasks stay linked: they are known again by their headings and those above, else by
//! their heading alone, else by their number. What a person changed is left alone.

use std::collections::{HashMap, HashSet};

use loopwright_domain::{Section, SectionId, TaskId};
use loopwright_store::{PutSection, StoredSection};
use serde::Serialize;

/// A section that an import adds or updates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SectionChange {
    /// The section that is updated; none for one that is added.
    pub section: Option<SectionId>,
    /// Its dotted place.
    pub number: String,
    /// The heading.
    pub title: String,
}

/// A section that is no longer in its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RemovedSection {
    /// What its number in the project was.
    pub id: SectionId,
    /// Its dotted place.
    pub number: String,
    /// The heading.
    pub title: String,
    /// The tasks that were linked to it.
    pub tasks: Vec<TaskId>,
}

/// What importing a document comes to.
#[derive(Debug, Default)]
pub(super) struct Met {
    pub(super) put: Vec<PutSection>,
    pub(super) added: u32,
    pub(super) updated: u32,
    pub(super) unchanged: u32,
    pub(super) changes: Vec<SectionChange>,
    pub(super) removed: Vec<RemovedSection>,
    /// Sections that were left alone: a person changed them, or tasks carry out what left its document.
    pub(super) kept: Vec<SectionId>,
}

/// Brings a document's sections together with those that came from it before. `replace` takes the document's text also
/// where a person changed it. Nothing is to be written for a section that is as it was.
pub(super) fn meet(old: &[StoredSection], new: &[Section], replace: bool) -> Met {
    let matched = matches(old, new);
    let mut met = Met::default();
    for (place, section) in new.iter().enumerate() {
        let position = u32::try_from(place).unwrap_or(u32::MAX);
        let Some(was) = matched.get(&place).and_then(|place| old.get(*place)) else {
            met.added += 1;
            met.changes.push(change(None, section));
            let section = section.clone();
            met.put.push(PutSection { id: None, position, section, edited: false, under: None });
            continue;
        };
        let mut now = Section { id: was.section.id, ..section.clone() };
        let differs = (&was.section.title, &was.section.content) != (&now.title, &now.content);
        let kept = was.edited && differs && !replace;
        if kept {
            now = Section { number: now.number, level: now.level, ..was.section.clone() };
            met.kept.push(now.id);
        } else if now == was.section {
            met.unchanged += 1;
        } else {
            met.updated += 1;
            met.changes.push(change(Some(now.id), &now));
        }
        if now != was.section || position != was.position || kept != was.edited {
            met.put.push(PutSection { id: Some(now.id), position, section: now, edited: kept, under: None });
        }
    }
    let stays: HashSet<usize> = matched.into_values().collect();
    let gone = old.iter().enumerate().filter(|(place, _)| !stays.contains(place));
    for (place, was) in gone {
        if (was.edited || !was.tasks.is_empty()) && !replace {
            // Nobody's words are thrown away, and no task loses what it carries out.
            let section = Section { file: None, ..was.section.clone() };
            met.kept.push(section.id);
            let position = u32::try_from(new.len() + place).unwrap_or(u32::MAX);
            met.put.push(PutSection { id: Some(section.id), position, section, edited: false, under: None });
        } else {
            met.removed.push(RemovedSection {
                id: was.section.id,
                number: was.section.number.clone(),
                title: was.section.title.clone(),
                tasks: was.tasks.clone(),
            });
        }
    }
    met
}

fn change(section: Option<SectionId>, new: &Section) -> SectionChange {
    SectionChange { section, number: new.number.clone(), title: new.title.clone() }
}

/// Which new section is which old one, by their places.
fn matches(old: &[StoredSection], new: &[Section]) -> HashMap<usize, usize> {
    let old: Vec<&Section> = old.iter().map(|stored| &stored.section).collect();
    let new: Vec<&Section> = new.iter().collect();
    let (old_paths, new_paths) = (paths(&old), paths(&new));
    let keys: [fn(&Section, &str) -> String; 4] = [
        |section, path| format!("{}\n{path}", section.number),
        |_, path| path.to_owned(),
        |section, _| section.title.clone(),
        |section, _| format!("{}\n{}", section.level, section.number),
    ];
    let mut matched: HashMap<usize, usize> = HashMap::new();
    let mut taken = vec![false; old.len()];
    for key in keys {
        let mut free: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, (section, path)) in old.iter().zip(&old_paths).enumerate().rev() {
            if taken.get(place) == Some(&false) {
                free.entry(key(section, path)).or_default().push(place);
            }
        }
        for (place, (section, path)) in new.iter().zip(&new_paths).enumerate() {
            if matched.contains_key(&place) {
                continue;
            }
            if let Some(found) = free.get_mut(&key(section, path)).and_then(Vec::pop) {
                matched.insert(place, found);
                if let Some(taken) = taken.get_mut(found) {
                    *taken = true;
                }
            }
        }
    }
    matched
}

/// Each section's heading with those above it.
fn paths(sections: &[&Section]) -> Vec<String> {
    let mut above: Vec<(u32, String)> = Vec::new();
    let mut paths = Vec::with_capacity(sections.len());
    for section in sections {
        while above.last().is_some_and(|(level, _)| *level >= section.level) {
            above.pop();
        }
        let path = match above.last() {
            Some((_, path)) => format!("{path}\n{}", section.title),
            None => section.title.clone(),
        };
        above.push((section.level, path.clone()));
        paths.push(path);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::super::split_sections::cut;
    use super::*;

    fn stored(text: &str, edited: &[usize], linked: &[usize]) -> Vec<StoredSection> {
        let position = |place: usize| u32::try_from(place).unwrap();
        let sections = cut(text, "t.md").into_iter().enumerate();
        sections
            .map(|(place, section)| StoredSection {
                section: Section { id: SectionId(position(place) + 1), ..section },
                position: position(place),
                edited: edited.contains(&place),
                parent: None,
                tasks: linked.iter().filter(|linked| **linked == place).map(|_| TaskId(7)).collect(),
            })
            .collect()
    }

    /// The ids that the sections of the second text get, 0 for new ones.
    fn ids(before: &str, after: &str) -> Vec<u32> {
        let old = stored(before, &[], &[]);
        let new = cut(after, "t.md");
        let met = meet(&old, &new, false);
        let of = |place: usize| {
            let position = u32::try_from(place).unwrap();
            let put = met.put.iter().find(|put| put.position == position);
            put.map_or_else(|| old[place].section.id.0, |put| put.id.map_or(0, |id| id.0))
        };
        (0..new.len()).map(of).collect()
    }

    #[test]
    fn sections_are_known_again() {
        let before = "# T\n## Pot\na\n### Use\n## Cup\nb\n### Use\n";
        assert_eq!(ids(before, before), [1, 2, 3, 4, 5]);
        assert_eq!(ids(before, "# T\n## New\n## Cup\nb2\n### Use\n## Pot\n### Use\n"), [1, 0, 4, 5, 2, 3]);
        assert_eq!(ids(before, "# T\n## Pot\n### Use\n## Mug\n### Use\n"), [1, 2, 3, 4, 5]);
        assert_eq!(ids(before, "# T\n## Pot\n## Use\n"), [1, 2, 3]);
        assert_eq!(ids("", before), [0; 5]);
    }

    #[test]
    fn what_is_as_it_was_is_not_written() {
        let text = "# T\n## Pot\na\n## Cup\n";
        let met = meet(&stored(text, &[], &[]), &cut(text, "t.md"), false);
        assert_eq!((met.put.len(), met.changes.len(), met.unchanged), (0, 0, 3));
        let met = meet(&stored(text, &[], &[]), &cut("# T\n## Pot\nb c\n## Cup\n", "t.md"), false);
        assert_eq!((met.put.len(), met.unchanged), (1, 2));
        assert_eq!(met.changes, [change(Some(SectionId(2)), &met.put[0].section)]);
    }

    #[test]
    fn what_left_its_document_goes_unless_somebody_needs_it() {
        let old = stored("# T\n## Pot\n## Cup\n## Lid\n", &[2], &[3]);
        let new = cut("# T\n", "t.md");
        let met = meet(&old, &new, false);
        assert_eq!(met.kept, [SectionId(3), SectionId(4)]);
        assert!(met.put.iter().all(|put| put.section.file.is_none() && !put.edited));
        assert_eq!((met.removed.len(), met.removed[0].id), (1, SectionId(2)));
        let met = meet(&old, &new, true);
        assert_eq!((met.removed.len(), met.removed[2].tasks.as_slice()), (3, [TaskId(7)].as_slice()));
    }

    #[test]
    fn what_a_person_changed_stays_unless_it_is_to_be_replaced() {
        let mut old = stored("# T\n## Pot\ntheirs\n", &[1], &[]);
        old[1].section.content = "mine".into();
        let new = cut("# T\n## Pot\nnewer\n", "t.md");
        let met = meet(&old, &new, false);
        assert_eq!((met.kept.as_slice(), met.put.len()), ([SectionId(2)].as_slice(), 0));
        let met = meet(&old, &new, true);
        assert_eq!((met.put[0].section.content.as_str(), met.put[0].edited), ("newer", false));
    }
}
