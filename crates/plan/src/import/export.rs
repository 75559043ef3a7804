//! Tasks as a document: those that came from a file of the same format as it had them, with what changed since.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use loopwright_domain::{ErrorCode, Fault, NextAction, Section, Task, TaskDraft, TaskId};
use serde_json::Value;

use super::links;
use super::merge::{Kept, written};
use super::subtask_dependencies::all_waits;
use super::{Document, Format, Group, Item};

/// A task to be written, with what is kept of a file it came from.
pub(super) struct Source<'t> {
    pub(super) task: &'t Task,
    pub(super) kept: Option<Kept>,
}

/// Makes a document of tasks.
pub(super) fn document(
    mut sources: Vec<Source<'_>>,
    format: Format,
    sections: &[Section],
) -> Result<Document, Fault> {
    sources
        .iter_mut()
        .for_each(|source| source.kept = source.kept.take().filter(|kept| kept.format == format));
    sources.sort_unstable_by_key(|source| {
        (source.kept.as_ref().map_or(usize::MAX, |kept| kept.place), source.task.id)
    });
    let names = names(&sources, format);
    let kept: Vec<&Item> = sources.iter().filter_map(|source| Some(&source.kept.as_ref()?.item)).collect();
    let implied: HashMap<&str, BTreeSet<&str>> = kept
        .iter()
        .zip(all_waits(&kept))
        .map(|(item, waits)| {
            let waits = waits.iter().filter_map(|place| Some(kept.get(*place)?.id.as_str())).collect();
            (item.id.as_str(), waits)
        })
        .collect();
    let mut groups: Vec<Group> = Vec::new();
    for source in &sources {
        let mut item = item(source, format, &names, &implied);
        if format == Format::Loopwright {
            let kept = source.kept.as_ref().map(|kept| &kept.item);
            let links = links::written(&source.task.draft.sections, kept, sections);
            item.raw.insert(links::FIELD.to_owned(), links);
        }
        let tag = if has_tags(format) { source.task.draft.tag.clone() } else { None };
        let place = match groups.iter().position(|group| group.tag == tag) {
            Some(place) => place,
            None => {
                groups.push(Group { tag, ..Group::default() });
                groups.len() - 1
            }
        };
        if let Some(group) = groups.get_mut(place) {
            if let Some(kept) = source.kept.as_ref().filter(|kept| !kept.group.is_empty()) {
                group.raw = kept.group.clone();
            }
            group.items.push(item);
        }
    }
    if format == Format::ScudLoop && groups.len() > 1 {
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            "a SCUD file holds the tasks of one tag, and these have several",
        )
        .hint("The formats \"scg\" and \"scud-map\" hold several.")
        .next(NextAction::NameTag, "Name one of them"));
    }
    if groups.is_empty() {
        groups.push(Group::default());
    }
    Ok(Document { format, groups })
}

const fn has_tags(format: Format) -> bool {
    !matches!(format, Format::Loopwright | Format::Checklist)
}

/// What each task is called in the document. New ones get their own number, or the next free one.
fn names(sources: &[Source<'_>], format: Format) -> BTreeMap<TaskId, String> {
    let kept = |source: &Source<'_>| Some((source.task.id, source.kept.as_ref()?.item.id.clone()));
    let mut names: BTreeMap<TaskId, String> = sources.iter().filter_map(kept).collect();
    let mut taken: HashSet<String> = names.values().cloned().collect();
    for source in sources.iter().filter(|source| source.kept.is_none()) {
        let tag = source.task.draft.tag.as_deref();
        let base = match format {
            Format::Checklist => source.task.draft.title.clone(),
            Format::ScudMap | Format::Scg => format!("{}:{}", tag.unwrap_or("tasks"), source.task.id.0),
            Format::TaskMaster => {
                tag.map_or_else(String::new, |tag| format!("{tag}:")) + &source.task.id.0.to_string()
            }
            Format::ScudLoop | Format::Loopwright => source.task.id.0.to_string(),
        };
        let mut name = base.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = if format == Format::Checklist {
                format!("{base} ({number})")
            } else {
                format!("{base}0{number}")
            };
            number += 1;
        }
        names.insert(source.task.id, name);
    }
    names
}

fn item(
    source: &Source<'_>,
    format: Format,
    names: &BTreeMap<TaskId, String>,
    implied: &HashMap<&str, BTreeSet<&str>>,
) -> Item {
    let task = source.task;
    let name = names.get(&task.id).cloned().unwrap_or_default();
    let waits: Vec<&String> = task.draft.depends_on.iter().filter_map(|id| names.get(id)).collect();
    let fresh = || Item { raw: own_raw(task, format), ..Item::new(name, "") };
    let mut item = source.kept.as_ref().map_or_else(fresh, |kept| kept.item.clone());
    let none = BTreeSet::new();
    let implied = implied.get(item.id.as_str()).unwrap_or(&none);
    let now: BTreeSet<&str> = waits.iter().map(|name| name.as_str()).collect();
    if now != *implied {
        // What the document's own names imply is not written down; what people took away is gone.
        item.depends_on.retain(|name| now.contains(name.as_str()));
        let more =
            now.iter().filter(|name| !implied.contains(*name) && !item.depends_on.iter().any(|d| d == *name));
        let more: Vec<String> = more.map(|name| (*name).to_owned()).collect();
        item.depends_on.extend(more);
    }
    item.status = source.kept.as_ref().map_or(task.status, |kept| written(&kept.item, task));
    item.draft = TaskDraft { sections: Vec::new(), depends_on: Vec::new(), ..task.draft.clone() };
    item
}

/// Our own files hold all there is about a task.
fn own_raw(task: &Task, format: Format) -> serde_json::Map<String, Value> {
    match serde_json::to_value(task) {
        Ok(Value::Object(raw)) if format == Format::Loopwright => raw,
        _ => serde_json::Map::new(),
    }
}
