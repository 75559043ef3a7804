//! A document meets the tasks that came from it before.
//!
//! What is kept with each task is how the document last had it. Where the document still has it so, what people
//! changed here stays; where it says something else now, the document wins.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use loopwright_domain::{Task, TaskDraft, TaskId, TaskStatus};
use loopwright_store::ImportedTask;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::subtask_dependencies::all_waits;
use super::{Document, Format, ImportChange, Item};

/// What is kept with a task about the file it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// How the file is written.
    pub(super) format: Format,
    /// Its place among the file's tasks.
    pub(super) place: usize,
    /// The task as the file had it.
    pub(super) item: Item,
    /// What the file holds about its group; with the group's first task only.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(super) group: Map<String, Value>,
}

/// A task that came from the file before.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) task: Task,
    pub(super) kept: Option<Kept>,
}

/// The tasks that came from a file before, by their names there.
pub(super) type KnownTasks = HashMap<String, Known>;

/// Whether statuses are taken over for tasks that are there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statuses {
    /// A person imports: what changed in the file counts.
    Take,
    /// A run looks at the file: an agent may have written it, so nothing is done because the file says so.
    Keep,
}

/// What an import would come to.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) tasks: Vec<ImportedTask>,
    pub(super) added: u32,
    pub(super) updated: u32,
    /// The tasks that are added or updated.
    pub(super) changes: Vec<ImportChange>,
    /// Tasks of the file that are no longer in it.
    pub(super) missing: Vec<TaskId>,
    /// What was left out, in words.
    pub(super) notes: Vec<String>,
}

/// Brings a document together with what is known of it.
pub(super) fn merge(document: &Document, known: &KnownTasks, statuses: Statuses) -> Merged {
    let items: Vec<&Item> = document.items().collect();
    let waits = all_waits(&items);
    let before = waits_before(known);
    let group_of = groups(document);
    let of_file: BTreeSet<TaskId> = known.values().map(|known| known.task.id).collect();
    let names: BTreeSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let mut merged = Merged {
        tasks: Vec::new(),
        added: 0,
        updated: 0,
        changes: Vec::new(),
        missing: Vec::new(),
        notes: Vec::new(),
    };
    for (place, (item, waits)) in items.iter().zip(&waits).enumerate() {
        let was = known.get(&item.id);
        let kept = Kept {
            format: document.format,
            place,
            item: Item { status: seen_status(item, was, statuses), ..(*item).clone() },
            group: group_of.get(&place).cloned().unwrap_or_default(),
        };
        let (outside, lost) = outside(item, &names, known);
        merged.notes.extend(
            lost.iter()
                .map(|name| format!("\"{}\" also waits for \"{name}\", which was not imported", item.id)),
        );
        let mut task = ImportedTask {
            draft: TaskDraft { depends_on: outside, ..item.draft.clone() },
            after: waits.iter().copied().collect(),
            status: stored(item.status),
            blocked: (stored(item.status) == TaskStatus::Blocked).then(|| reason(item)),
            external: Some(item.id.clone()),
            rest: serde_json::to_string(&kept).ok(),
        };
        match was {
            Some(was) => {
                let waits = waits.iter().filter_map(|wait| Some(items.get(*wait)?.id.as_str())).collect();
                let same = before.get(item.id.as_str()) == Some(&waits);
                meet(&mut task, was, item, same, &of_file, statuses);
                if changes(&task, was, &items, known) {
                    merged.updated += 1;
                    merged.changes.push(change(Some(was.task.id), &task));
                }
            }
            None => {
                merged.added += 1;
                merged.changes.push(change(None, &task));
            }
        }
        merged.tasks.push(task);
    }
    let gone = known.iter().filter(|(name, _)| !names.contains(name.as_str()));
    merged.missing = gone.map(|(_, was)| was.task.id).collect();
    merged.missing.sort_unstable();
    merged
}

fn change(task: Option<TaskId>, imported: &ImportedTask) -> ImportChange {
    ImportChange { task, title: imported.draft.title.clone() }
}

/// The status that counts as seen: one that was not taken over is still news to a person's import.
fn seen_status(item: &Item, was: Option<&Known>, statuses: Statuses) -> TaskStatus {
    let kept = was.and_then(|was| was.kept.as_ref()).filter(|_| statuses == Statuses::Keep);
    kept.map_or(item.status, |kept| kept.item.status)
}

/// The first task of each group, with what the document holds about the group.
fn groups(document: &Document) -> BTreeMap<usize, Map<String, Value>> {
    let mut place = 0;
    let mut first = BTreeMap::new();
    for group in &document.groups {
        if !group.raw.is_empty() {
            first.insert(place, group.raw.clone());
        }
        place += group.items.len();
    }
    first
}

/// What each task of the file waited for when it was last read.
fn waits_before(known: &KnownTasks) -> HashMap<&str, BTreeSet<&str>> {
    let mut kept: Vec<&Kept> = known.values().filter_map(|was| was.kept.as_ref()).collect();
    kept.sort_unstable_by_key(|kept| kept.place);
    let items: Vec<&Item> = kept.iter().map(|kept| &kept.item).collect();
    let names = |waits: &BTreeSet<usize>| {
        waits.iter().filter_map(|place| Some(items.get(*place)?.id.as_str())).collect()
    };
    items.iter().zip(all_waits(&items)).map(|(item, waits)| (item.id.as_str(), names(&waits))).collect()
}

/// What a task waits for beyond this document: tasks that came from the file earlier, and names nobody knows.
fn outside(item: &Item, names: &BTreeSet<&str>, known: &KnownTasks) -> (Vec<TaskId>, Vec<String>) {
    let mut ids = Vec::new();
    let mut lost = Vec::new();
    for name in &item.depends_on {
        if names.contains(name.as_str()) {
            continue;
        }
        match known.get(name) {
            Some(was) => ids.push(was.task.id),
            None => lost.push(name.clone()),
        }
    }
    (ids, lost)
}

/// A task that is there already: what the file did not change stays as people have it here.
fn meet(
    task: &mut ImportedTask,
    was: &Known,
    item: &Item,
    same_waits: bool,
    of_file: &BTreeSet<TaskId>,
    statuses: Statuses,
) {
    let blank = Item::new("", "");
    let base = was.kept.as_ref().map_or(&blank, |kept| &kept.item);
    let ours = &was.task;
    task.draft = newest(&base.draft, &ours.draft, &item.draft, std::mem::take(&mut task.draft.depends_on));
    if same_waits {
        task.after.clear();
        task.draft.depends_on = ours.draft.depends_on.clone();
    } else {
        let by_hand = ours.draft.depends_on.iter().filter(|id| !of_file.contains(id));
        task.draft.depends_on.extend(by_hand);
    }
    if statuses == Statuses::Keep || item.status == base.status {
        task.status = ours.status;
        task.blocked = ours.blocked.as_ref().map(|blocked| blocked.reason.clone());
    }
}

fn newest(base: &TaskDraft, ours: &TaskDraft, theirs: &TaskDraft, depends_on: Vec<TaskId>) -> TaskDraft {
    fn pick<T: Clone + PartialEq>(base: &T, ours: &T, theirs: &T) -> T {
        if theirs == base { ours.clone() } else { theirs.clone() }
    }
    TaskDraft {
        title: pick(&base.title, &ours.title, &theirs.title),
        description: pick(&base.description, &ours.description, &theirs.description),
        acceptance: pick(&base.acceptance, &ours.acceptance, &theirs.acceptance),
        test_strategy: pick(&base.test_strategy, &ours.test_strategy, &theirs.test_strategy),
        priority: pick(&base.priority, &ours.priority, &theirs.priority),
        size: pick(&base.size, &ours.size, &theirs.size),
        complexity: pick(&base.complexity, &ours.complexity, &theirs.complexity),
        kind: pick(&base.kind, &ours.kind, &theirs.kind),
        tag: pick(&base.tag, &ours.tag, &theirs.tag),
        sections: pick(&base.sections, &ours.sections, &theirs.sections),
        notes: pick(&base.notes, &ours.notes, &theirs.notes),
        depends_on,
    }
}

/// Whether anything about a task that is there already becomes different.
fn changes(task: &ImportedTask, was: &Known, items: &[&Item], known: &KnownTasks) -> bool {
    let place_id =
        |place: &usize| items.get(*place).and_then(|item| known.get(&item.id)).map(|known| known.task.id);
    let after: Option<BTreeSet<TaskId>> = task.after.iter().map(place_id).collect();
    let waits = after.map(|after| after.into_iter().chain(task.draft.depends_on.iter().copied()).collect());
    let ours: BTreeSet<TaskId> = was.task.draft.depends_on.iter().copied().collect();
    let drafts = TaskDraft { depends_on: was.task.draft.depends_on.clone(), ..task.draft.clone() };
    waits != Some(ours) || drafts != was.task.draft || task.status != was.task.status
}

/// Where a task of a document stands here. Nobody here works on what another tool works on; what waits there for a
/// review waits for a person here.
pub(super) const fn stored(status: TaskStatus) -> TaskStatus {
    match status {
        TaskStatus::InProgress => TaskStatus::Pending,
        TaskStatus::AwaitingApproval => TaskStatus::Blocked,
        other => other,
    }
}

fn reason(item: &Item) -> String {
    let word = item.raw.get("status").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let own = item.raw.get("blocked").and_then(|blocked| blocked.get("reason")).and_then(Value::as_str);
    match (own, item.status, word.as_str()) {
        (Some(reason), ..) => reason.to_owned(),
        (_, TaskStatus::AwaitingApproval, _) => "waits for a review where it came from".to_owned(),
        (_, _, "deferred" | "f") => "put off where it came from".to_owned(),
        (_, _, "awaiting-tune") => "waits for a better prompt where it came from".to_owned(),
        _ => "blocked where it came from".to_owned(),
    }
}

/// Where a task stands in a document: as it was written there, while that still means the same.
pub(super) fn written(kept: &Item, task: &Task) -> TaskStatus {
    if stored(kept.status) == task.status { kept.status } else { task.status }
}
