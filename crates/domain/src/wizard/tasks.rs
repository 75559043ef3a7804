//! The tasks of a plan that is not written yet: waves, critical path, and what a person does to them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::edit::{ItemIds, item_mut, missing};
use super::form::{Field, FieldValue, Form, Item};
use super::path::FieldPath;
use crate::dependencies::Dependencies;
use crate::fault::{ErrorCode, Fault};
use crate::ids::{SectionId, TaskId, TermId};
use crate::quality::{PlacedSection, PlanQuality, judge};
use crate::section::Section;
use crate::task::{DEFAULT_PRIORITY, Task, TaskDraft, TaskKind, TaskSize};
use crate::task_graph::TaskGraph;
use crate::term::Term;

/// The list that holds them.
pub const TASKS: &str = "tasks";

/// A task as the form says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PlannedTask {
    /// The item of the form.
    pub item: String,
    /// Its number, counted from 1 in the order of the list.
    pub number: u32,
    /// What is to be done.
    pub title: String,
    /// The wave it lies in, counted from 1; none when it waits in a circle.
    pub wave: Option<u32>,
    /// Its size.
    pub size: TaskSize,
    /// Smaller is sooner.
    pub priority: u32,
    /// The items it waits for.
    pub depends_on: Vec<String>,
    /// The items of the sections it carries out.
    pub sections: Vec<String>,
}

/// A section as the form says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PlannedSection {
    /// The item of the form.
    pub item: String,
    /// Its dotted number.
    pub number: String,
    /// The heading.
    pub title: String,
    /// How deep it is: 1 to 6.
    pub level: u32,
    /// The text.
    pub content: String,
}

/// The tasks with what can be told about them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PlannedTasks {
    /// The tasks, by wave, then in the order they are taken.
    pub tasks: Vec<PlannedTask>,
    /// The items of each wave.
    pub waves: Vec<Vec<String>>,
    /// The longest chain of work, first item first.
    pub critical_path: Vec<String>,
    /// How many can be worked on at once, at most.
    pub widest: u32,
    /// Items that wait for each other in a circle.
    pub cycle: Vec<String>,
}

/// The sections of a form, in order. A section without a number gets its place.
#[must_use]
pub fn sections(form: &Form) -> Vec<PlannedSection> {
    let read = |(place, item): (usize, &Item)| {
        let told = item.text("number").trim_matches('.');
        let is_number = !told.is_empty() && told.split('.').all(|part| part.parse::<u32>().is_ok());
        let number = if is_number { told.to_owned() } else { (place + 1).to_string() };
        let level = u32::try_from(number.split('.').count()).unwrap_or(6).clamp(1, 6);
        PlannedSection {
            item: item.id.clone(),
            number,
            title: item.text("title").to_owned(),
            level,
            content: item.text("content").to_owned(),
        }
    };
    form.items("sections").iter().enumerate().map(read).collect()
}

/// The terms of a form.
#[must_use]
pub fn terms(form: &Form) -> Vec<Term> {
    let read = |(place, item): (usize, &Item)| Term {
        id: TermId(small(place + 1)),
        name: item.text("term").to_owned(),
        definition: item.text("definition").to_owned(),
        variants: item.texts("variants").to_vec(),
        avoid: item.texts("avoid").to_vec(),
    };
    form.items("terms").iter().enumerate().map(read).collect()
}

/// The tasks of a form as drafts, in the order of the list. Sections and dependencies are numbers by place, counted
/// from 1; what is not there is left out.
#[must_use]
pub fn drafts(form: &Form, sections: &[PlannedSection]) -> Vec<TaskDraft> {
    let items = form.items(TASKS);
    let place =
        |id: &String| items.iter().position(|item| item.id == *id).map(|place| TaskId(small(place + 1)));
    let section = |id: &String| {
        sections.iter().position(|one| one.item == *id).map(|place| SectionId(small(place + 1)))
    };
    let read = |item: &Item| TaskDraft {
        title: item.text("title").to_owned(),
        description: item.text("description").to_owned(),
        acceptance: item.texts("acceptance").to_vec(),
        test_strategy: item.text("test_strategy").to_owned(),
        priority: item.number("priority").unwrap_or(DEFAULT_PRIORITY),
        size: Some(size(item)),
        complexity: 0,
        kind: TaskKind::parse(item.text("kind")),
        tag: None,
        sections: item.texts("sections").iter().filter_map(section).collect(),
        depends_on: item.texts("depends_on").iter().filter_map(place).collect(),
        notes: String::new(),
    };
    items.iter().map(read).collect()
}

/// The tasks as if they were in a project, numbered by place from 1.
#[must_use]
pub fn as_tasks(form: &Form, sections: &[PlannedSection]) -> Vec<Task> {
    let task = |(place, mut draft): (usize, TaskDraft)| {
        // The critical path weighs by complexity: a size stands for one here.
        draft.complexity = match draft.size {
            Some(TaskSize::S) | None => 1,
            Some(TaskSize::M) => 2,
            Some(TaskSize::L) => 3,
            Some(TaskSize::XL) => 5,
        };
        Task::new(TaskId(small(place + 1)), draft, "")
    };
    drafts(form, sections).into_iter().enumerate().map(task).collect()
}

/// Waves, critical path and circles of the tasks of a form.
#[must_use]
pub fn layout(form: &Form) -> PlannedTasks {
    let items = form.items(TASKS);
    let tasks = as_tasks(form, &[]);
    let graph = TaskGraph::new(&tasks);
    let item_of = |id: &TaskId| -> Option<&Item> { items.get((id.0 as usize).checked_sub(1)?) };
    let names = |ids: &[TaskId]| -> Vec<String> {
        ids.iter().filter_map(item_of).map(|item| item.id.clone()).collect()
    };
    let planned = |task: &Task| {
        let item = item_of(&task.id)?;
        Some(PlannedTask {
            item: item.id.clone(),
            number: task.id.0,
            title: task.draft.title.clone(),
            wave: graph.wave_of(task.id),
            size: size(item),
            priority: task.draft.priority,
            depends_on: item.texts("depends_on").to_vec(),
            sections: item.texts("sections").to_vec(),
        })
    };
    let waves: Vec<Vec<String>> = graph.waves().iter().map(|wave| names(&wave.tasks)).collect();
    PlannedTasks {
        tasks: graph.in_order().into_iter().filter_map(planned).collect(),
        widest: small(waves.iter().map(Vec::len).max().unwrap_or(0)),
        waves,
        critical_path: names(&graph.critical_path()),
        cycle: graph.cycle().map(|cycle| names(&cycle.tasks)).unwrap_or_default(),
    }
}

/// The score of a plan that is not written yet, by the same rules as that of one that is.
#[must_use]
pub fn quality(generated: &Form, tasks: &Form) -> PlanQuality {
    let planned = sections(generated);
    let tasks = as_tasks(tasks, &planned).into_iter().map(|mut task| {
        task.draft.complexity = 0;
        task
    });
    let tasks: Vec<Task> = tasks.collect();
    let written: Vec<Section> = planned
        .iter()
        .enumerate()
        .map(|(place, section)| Section {
            id: SectionId(small(place + 1)),
            number: section.number.clone(),
            title: section.title.clone(),
            level: section.level,
            content: section.content.clone(),
            file: None,
            words: small(section.content.split_whitespace().count()),
        })
        .collect();
    let parents = crate::section::parents(&written);
    let linked: BTreeSet<SectionId> =
        tasks.iter().flat_map(|task| task.draft.sections.iter().copied()).collect();
    let placed: Vec<PlacedSection<'_>> = written
        .iter()
        .zip(parents)
        .map(|(section, parent)| PlacedSection { section, parent, linked: linked.contains(&section.id) })
        .collect();
    judge(&placed, &tasks, &terms(generated))
}

/// Makes a task wait for another one.
///
/// # Errors
/// One of them is not there, or they would wait for each other.
pub fn depend(form: &mut Form, task: &str, on: &str) -> Result<(), Fault> {
    let tasks = as_tasks(form, &[]);
    let (waiting, awaited) = (number(form, task)?, number(form, on)?);
    let dependencies =
        Dependencies::new(tasks.iter().map(|task| (task.id, task.draft.depends_on.as_slice())));
    let mut all: Vec<TaskId> = tasks
        .iter()
        .find(|one| one.id == waiting)
        .map(|one| one.draft.depends_on.clone())
        .unwrap_or_default();
    all.push(awaited);
    dependencies.check(waiting, &all).map_err(|problem| {
        Fault::new(ErrorCode::TaskCycle, problem.to_string()).hint("Remove another dependency first.")
    })?;
    edit_texts(form, task, "depends_on", |texts| {
        if !texts.iter().any(|text| text == on) {
            texts.push(on.to_owned());
        }
    })
}

/// Makes a task wait for another one no longer.
///
/// # Errors
/// The task is not there.
pub fn undepend(form: &mut Form, task: &str, on: &str) -> Result<(), Fault> {
    edit_texts(form, task, "depends_on", |texts| texts.retain(|text| text != on))
}

/// Splits a task into parts with these titles, in this order. The first part keeps the id; each part waits for what the
/// task waited for, and what waited for the task waits for every part. Criteria stay with the first part.
///
/// # Errors
/// The task is not there or locked, or there are fewer than two titles.
pub fn split(
    form: &mut Form,
    task: &str,
    titles: &[String],
    ids: &mut ItemIds<'_>,
) -> Result<Vec<String>, Fault> {
    let titles: Vec<&str> =
        titles.iter().map(|title| title.trim()).filter(|title| !title.is_empty()).collect();
    let [first, rest @ ..] = titles.as_slice() else { return Err(too_few()) };
    if rest.is_empty() {
        return Err(too_few());
    }
    refuse_locked(form, task)?;
    let place = form.items(TASKS).iter().position(|item| item.id == task).ok_or_else(|| absent(task))?;
    let mut parts = Vec::new();
    for title in rest {
        let original = form.items(TASKS).get(place).ok_or_else(|| absent(task))?;
        let mut part = Item { id: ids.fresh(), ..original.clone() };
        part.fields.insert("title".into(), Field::by_hand(FieldValue::Text((*title).to_owned())));
        part.fields.insert("acceptance".into(), Field::by_hand(FieldValue::Texts(Vec::new())));
        part.fields.insert(
            "size".into(),
            Field::by_hand(FieldValue::Text(smaller(size(original)).as_str().to_owned())),
        );
        parts.push(part);
    }
    let made: Vec<String> = parts.iter().map(|part| part.id.clone()).collect();
    let items = form.lists.entry(TASKS.to_owned()).or_default();
    for item in items.iter_mut() {
        let waits = item.texts("depends_on").iter().any(|id| id == task);
        if waits && let Some(Field { value: FieldValue::Texts(on), .. }) = item.fields.get_mut("depends_on") {
            on.extend(made.iter().cloned());
        }
    }
    if let Some(original) = items.get_mut(place) {
        let half = smaller(size(original));
        original.fields.insert("title".into(), Field::by_hand(FieldValue::Text((*first).to_owned())));
        original.fields.insert("size".into(), Field::by_hand(FieldValue::Text(half.as_str().to_owned())));
    }
    let rest = items.split_off((place + 1).min(items.len()));
    items.extend(parts);
    items.extend(rest);
    let mut all = vec![task.to_owned()];
    all.extend(made);
    Ok(all)
}

/// Merges a task into another one, which gets its criteria, sections and dependencies. What waited for it waits for the
/// other.
///
/// # Errors
/// One of them is not there or locked, they are the same, or tasks would wait in a circle.
pub fn merge(form: &mut Form, into: &str, task: &str) -> Result<(), Fault> {
    if into == task {
        return Err(Fault::new(ErrorCode::UsageInvalid, "a task cannot be merged into itself"));
    }
    refuse_locked(form, into)?;
    refuse_locked(form, task)?;
    let mut merged = form.clone();
    let items = merged.lists.entry(TASKS.to_owned()).or_default();
    let place = items.iter().position(|item| item.id == task).ok_or_else(|| absent(task))?;
    let gone = items.remove(place);
    let kept = items.iter_mut().find(|item| item.id == into).ok_or_else(|| absent(into))?;
    for name in ["acceptance", "sections", "depends_on"] {
        let mut texts = kept.texts(name).to_vec();
        for text in gone.texts(name) {
            if !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        if name == "depends_on" {
            texts.retain(|id| id != into && id != task);
        }
        kept.fields.insert(name.to_owned(), Field::by_hand(FieldValue::Texts(texts)));
    }
    for name in ["description", "test_strategy"] {
        let texts: Vec<&str> =
            [kept.text(name), gone.text(name)].into_iter().filter(|text| !text.trim().is_empty()).collect();
        let text = texts.join("\n\n");
        kept.fields.insert(name.to_owned(), Field::by_hand(FieldValue::Text(text)));
    }
    let larger = size(kept).max(size(&gone));
    kept.fields.insert("size".into(), Field::by_hand(FieldValue::Text(larger.as_str().to_owned())));
    for item in items.iter_mut() {
        let is_kept = item.id == into;
        if let Some(Field { value: FieldValue::Texts(on), .. }) = item.fields.get_mut("depends_on")
            && on.iter().any(|id| id == task)
        {
            on.retain(|id| id != task && id != into);
            if !is_kept {
                on.push(into.to_owned());
            }
        }
    }
    if !layout(&merged).cycle.is_empty() {
        return Err(Fault::new(ErrorCode::TaskCycle, "tasks would wait for each other in a circle")
            .hint("A task between the two depends on one of them; remove that dependency first."));
    }
    *form = merged;
    Ok(())
}

/// Puts a task right before another one of its wave, or last in it, by changing as few priorities as can be.
///
/// # Errors
/// They are not in one wave.
pub fn reorder(form: &mut Form, task: &str, before: Option<&str>) -> Result<(), Fault> {
    let tasks = as_tasks(form, &[]);
    let graph = TaskGraph::new(&tasks);
    let id = number(form, task)?;
    let before = before.map(|before| number(form, before)).transpose()?;
    let wave = graph.waves().into_iter().find(|wave| wave.tasks.contains(&id));
    let order: Vec<(TaskId, u32)> = wave
        .iter()
        .flat_map(|wave| &wave.tasks)
        .filter_map(|id| graph.task(*id))
        .map(|task| (task.id, task.draft.priority))
        .collect();
    let changes = crate::reorder(&order, id, before).ok_or_else(|| {
        Fault::new(ErrorCode::UsageInvalid, "tasks are reordered inside of their wave")
            .hint("What a task waits for decides its wave: change its dependencies.")
    })?;
    let ids: Vec<String> = form.items(TASKS).iter().map(|item| item.id.clone()).collect();
    for (task, priority) in changes {
        let item = (task.0 as usize).checked_sub(1).and_then(|place| ids.get(place));
        if let Some(item) = item.and_then(|id| item_mut(form, TASKS, id)) {
            item.fields.insert("priority".into(), Field::by_hand(FieldValue::Number(priority)));
        }
    }
    Ok(())
}

fn size(item: &Item) -> TaskSize {
    TaskSize::parse(item.text("size")).unwrap_or(TaskSize::M)
}

const fn smaller(size: TaskSize) -> TaskSize {
    match size {
        TaskSize::S | TaskSize::M => TaskSize::S,
        TaskSize::L => TaskSize::M,
        TaskSize::XL => TaskSize::L,
    }
}

fn number(form: &Form, id: &str) -> Result<TaskId, Fault> {
    let place = form.items(TASKS).iter().position(|item| item.id == id);
    place.map(|place| TaskId(small(place + 1))).ok_or_else(|| absent(id))
}

fn edit_texts(
    form: &mut Form,
    task: &str,
    name: &str,
    edit: impl FnOnce(&mut Vec<String>),
) -> Result<(), Fault> {
    let item = item_mut(form, TASKS, task).ok_or_else(|| absent(task))?;
    let mut texts = item.texts(name).to_vec();
    edit(&mut texts);
    let locked = item.fields.get(name).is_some_and(|field| field.locked);
    item.fields.insert(name.to_owned(), Field { locked, ..Field::by_hand(FieldValue::Texts(texts)) });
    Ok(())
}

fn refuse_locked(form: &Form, task: &str) -> Result<(), Fault> {
    match form.item(TASKS, task) {
        Some(item) if item.is_locked() => {
            Err(Fault::new(ErrorCode::UsageInvalid, format!("\"{}\" is locked", item.text("title")))
                .hint("Unlock it first."))
        }
        _ => Ok(()),
    }
}

fn absent(task: &str) -> Fault {
    missing(&FieldPath::Item { list: TASKS.to_owned(), item: task.to_owned() })
}

fn too_few() -> Fault {
    Fault::new(ErrorCode::UsageInvalid, "a task is split into two parts or more")
        .hint("Give each part a title.")
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Copies of items with the ids they had, for another form: what was written in the first is no edit in the second.
#[must_use]
pub fn carried_over(items: &[Item]) -> Vec<Item> {
    let carried = |item: &Item| {
        let fields: BTreeMap<String, Field> = item
            .fields
            .iter()
            .map(|(name, field)| (name.clone(), Field { edited: false, locked: false, ..field.clone() }))
            .collect();
        Item { id: item.id.clone(), fields }
    };
    items.iter().map(carried).collect()
}
