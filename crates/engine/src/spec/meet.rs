//! A document that is imported again meets the sections that came from it before.
//!
//! Sections keep their ids, so that tasks stay linked: they are known again by their headings and those above, else by
//! their heading alone, else by their number. What a person changed is left alone.

use std::collections::HashMap;

use loopwright_domain::{Section, SectionId, TaskId};
use loopwright_store::{PutSection, StoredSection};
use serde::Serialize;

/// A section that is no longer in its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    pub(super) removed: Vec<RemovedSection>,
    /// Sections that a person changed and that were left alone.
    pub(super) kept: Vec<SectionId>,
}

/// Brings a document's sections together with those that came from it before. `replace` takes the document's text also
/// where a person changed it.
pub(super) fn meet(old: &[StoredSection], new: &[Section], replace: bool) -> Met {
    let matched = matches(old, new);
    let mut met = Met::default();
    for (place, section) in new.iter().enumerate() {
        let position = u32::try_from(place).unwrap_or(u32::MAX);
        let was = matched.get(&place).and_then(|place| old.get(*place));
        let mut put = PutSection {
            id: was.map(|was| was.section.id),
            position,
            section: section.clone(),
            edited: false,
        };
        let Some(was) = was else {
            met.added += 1;
            met.put.push(put);
            continue;
        };
        put.section.id = was.section.id;
        let differs = (&was.section.title, &was.section.content) != (&section.title, &section.content);
        if was.edited && differs && !replace {
            put.section =
                Section { number: section.number.clone(), level: section.level, ..was.section.clone() };
            put.edited = true;
            met.kept.push(was.section.id);
        } else if put.section == was.section {
            met.unchanged += 1;
        } else {
            met.updated += 1;
        }
        met.put.push(put);
    }
    let stays: Vec<usize> = matched.values().copied().collect();
    for was in old.iter().enumerate().filter(|(place, _)| !stays.contains(place)).map(|(_, was)| was) {
        if was.edited && !replace {
            // Nobody's words are thrown away: it stands for itself now.
            let section = Section { file: None, ..was.section.clone() };
            met.kept.push(section.id);
            let position = u32::try_from(met.put.len()).unwrap_or(u32::MAX);
            met.put.push(PutSection { id: Some(section.id), position, section, edited: false });
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
    use super::super::cut::cut;
    use super::*;

    fn stored(text: &str, edited: &[usize]) -> Vec<StoredSection> {
        let id = |place: usize| SectionId(u32::try_from(place).unwrap() + 1);
        let sections = cut(text, "t.md").into_iter().enumerate();
        sections
            .map(|(place, section)| StoredSection {
                section: Section { id: id(place), ..section },
                edited: edited.contains(&place),
                tasks: vec![TaskId(7)],
            })
            .collect()
    }

    /// The ids that the sections of the second text get, 0 for new ones.
    fn ids(before: &str, after: &str) -> Vec<u32> {
        let met = meet(&stored(before, &[]), &cut(after, "t.md"), false);
        met.put.iter().map(|put| put.id.map_or(0, |id| id.0)).collect()
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
    fn removed_ones_are_told_with_their_tasks() {
        let met = meet(&stored("# T\n## Pot\n## Cup\n", &[]), &cut("# T\n## Cup\n", "t.md"), false);
        assert_eq!((met.added, met.updated, met.unchanged), (0, 1, 1));
        assert_eq!(
            (met.removed[0].title.as_str(), met.removed[0].tasks.as_slice()),
            ("Pot", [TaskId(7)].as_slice())
        );
    }

    #[test]
    fn what_a_person_changed_stays_unless_it_is_to_be_replaced() {
        let mut old = stored("# T\n## Pot\ntheirs\n## Cup\n", &[1, 2]);
        old[1].section.content = "mine".into();
        let new = cut("# T\n## Pot\nnewer\n", "t.md");
        let met = meet(&old, &new, false);
        assert_eq!(met.kept, [SectionId(2), SectionId(3)]);
        assert_eq!((met.put[1].section.content.as_str(), met.put[1].edited), ("mine", true));
        assert_eq!((met.put[2].section.title.as_str(), &met.put[2].section.file), ("Cup", &None));
        let met = meet(&old, &new, true);
        assert_eq!((met.put[1].section.content.as_str(), met.removed.len()), ("newer", 1));
    }
}
