//! Adding tasks.

use std::collections::BTreeSet;

use loopwright_domain::{Dependencies, Event, SectionId, TaskDraft, TaskId, TaskKind, TaskSize, TaskStatus};

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_events;
use crate::store::Store;
use crate::values::{small_number, to_json};
use crate::write::Write;

/// A task to be added. It begins as pending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTask {
    /// What a person wrote about it. It waits for tasks that are in the project already.
    pub draft: TaskDraft,
    /// Tasks added together with this one, before or after it, that it waits for too: their places, counted from 0.
    pub after: Vec<usize>,
}

impl From<TaskDraft> for NewTask {
    fn from(draft: TaskDraft) -> Self {
        Self { draft, after: Vec::new() }
    }
}

impl Store {
    /// Adds tasks, all of them or none, each with its event, and returns their ids in the same order. `at` is the
    /// caller's clock as RFC 3339 in UTC.
    ///
    /// # Errors
    ///
    /// When a task cannot be as it is, waits for one that does not exist or in a circle, when a section does not exist,
    /// or when the database cannot be written. Then nothing has changed.
    pub async fn add_tasks(&self, at: &str, tasks: &[NewTask]) -> Result<Vec<TaskId>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let added = insert_new_tasks(&mut write, at, tasks).await?;
            write.commit().await?;
            Ok(added)
        })
        .await
    }
}

/// Adds tasks in a write, each with its event.
pub(crate) async fn insert_new_tasks(
    write: &mut Write<'_>,
    at: &str,
    tasks: &[NewTask],
) -> Result<Vec<TaskId>, StoreProblem> {
    for (index, task) in tasks.iter().enumerate() {
        check_draft(index, &task.draft)?;
    }
    check_places(tasks.iter().map(|task| task.after.as_slice()))?;
    check_links(write, tasks.iter().map(|task| &task.draft)).await?;
    let mut added = Vec::with_capacity(tasks.len());
    for task in tasks {
        added.push(insert_task(write, at, NewRow::of(&task.draft)).await?);
    }
    let links: Vec<_> =
        added.iter().zip(tasks).map(|(id, task)| Links::of(*id, &task.draft, &task.after, &added)).collect();
    insert_links(write, &links).await?;
    let events: Vec<Event> =
        added.iter().zip(tasks).map(|(id, task)| self::added(*id, &task.draft)).collect();
    insert_events(write, at, &events).await?;
    Ok(added)
}

pub(super) fn added(task: TaskId, draft: &TaskDraft) -> Event {
    Event::TaskAdded { task, title: draft.title.clone() }
}

pub(super) fn check_draft(index: usize, draft: &TaskDraft) -> Result<(), StoreProblem> {
    draft
        .check()
        .map_err(|problem| StoreProblem::InvalidTask { place: index + 1, reason: problem.to_string() })
}

/// Whether tasks that are added together wait for each other in a way that comes to an end.
pub(super) fn check_places<'t>(after: impl Iterator<Item = &'t [usize]> + Clone) -> Result<(), StoreProblem> {
    // For once a task's number is its place, counted from 1.
    let number = |place: usize| TaskId(u32::try_from(place + 1).unwrap_or(u32::MAX));
    let count = after.clone().count();
    let mut numbered: Vec<(TaskId, Vec<TaskId>)> = Vec::with_capacity(count);
    for (index, places) in after.enumerate() {
        if let Some(place) = places.iter().find(|place| **place >= count || **place == index) {
            let reason = match *place == index {
                true => "it waits for itself",
                false => "it waits for a task that is not among the new ones",
            };
            return Err(StoreProblem::InvalidTask { place: index + 1, reason: reason.into() });
        }
        numbered.push((number(index), places.iter().copied().map(number).collect()));
    }
    let dependencies = Dependencies::new(numbered.iter().map(|(task, on)| (*task, on.as_slice())));
    dependencies.cycle().map_or(Ok(()), |circle| {
        let first = circle.tasks.first().map_or(1, |task| task.0 as usize);
        Err(StoreProblem::InvalidTask { place: first, reason: format!("new {circle}") })
    })
}

/// Makes sure that all that drafts name is there. The foreign keys would see to it as well, but could not say what is
/// missing; and a new task's own number is not there yet.
pub(super) async fn check_links<'t>(
    write: &mut Write<'_>,
    drafts: impl Iterator<Item = &'t TaskDraft> + Clone,
) -> Result<(), StoreProblem> {
    let tasks: BTreeSet<TaskId> = drafts.clone().flat_map(|draft| &draft.depends_on).copied().collect();
    if let Some(missing) = missing(write, NO_TASK, &to_json(&tasks)?).await?.map(TaskId) {
        let place =
            drafts.clone().position(|draft| draft.depends_on.contains(&missing)).unwrap_or_default() + 1;
        return Err(StoreProblem::UnknownTask { place, missing });
    }
    let sections: BTreeSet<SectionId> = drafts.flat_map(|draft| &draft.sections).copied().collect();
    match missing(write, NO_SECTION, &to_json(&sections)?).await?.map(SectionId) {
        Some(section) => Err(StoreProblem::NoSection(section)),
        None => Ok(()),
    }
}

const NO_TASK: &str =
    "SELECT coalesce(min(value), -1) FROM json_each(?) WHERE value NOT IN (SELECT id FROM tasks)";
const NO_SECTION: &str =
    "SELECT coalesce(min(value), -1) FROM json_each(?) WHERE value NOT IN (SELECT id FROM sections)";

/// The first of some numbers that a table does not have.
async fn missing(
    write: &mut Write<'_>,
    statement: &'static str,
    numbers: &str,
) -> Result<Option<u32>, StoreProblem> {
    if numbers == "[]" {
        return Ok(None);
    }
    let found = write.number(sqlx::query_scalar(statement).bind(numbers)).await?;
    if found < 0 { Ok(None) } else { small_number(found).map(Some) }
}

/// A new task without its links.
pub(super) struct NewRow<'a> {
    pub(super) draft: &'a TaskDraft,
    pub(super) status: TaskStatus,
    /// As JSON.
    pub(super) blocked: Option<String>,
    pub(super) external: Option<&'a str>,
    pub(super) file: Option<&'a str>,
    pub(super) rest: Option<&'a str>,
}

impl<'a> NewRow<'a> {
    /// A task as it is when a person adds it.
    pub(super) const fn of(draft: &'a TaskDraft) -> Self {
        Self { draft, status: TaskStatus::Pending, blocked: None, external: None, file: None, rest: None }
    }
}

pub(super) async fn insert_task(
    write: &mut Write<'_>,
    at: &str,
    row: NewRow<'_>,
) -> Result<TaskId, StoreProblem> {
    let draft = row.draft;
    let insert = sqlx::query_scalar(
        "INSERT INTO tasks (
             created_at, updated_at, title, description, acceptance, test_strategy, priority, size, complexity, kind,
             tag, notes, status, blocked, external, external_file, external_rest
         ) VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) RETURNING id",
    )
    .bind(at)
    .bind(draft.title.as_str())
    .bind(draft.description.as_str())
    .bind(to_json(&draft.acceptance)?)
    .bind(draft.test_strategy.as_str())
    .bind(draft.priority)
    .bind(draft.size.map(TaskSize::as_str))
    .bind(draft.complexity)
    .bind(draft.kind.map(TaskKind::as_str))
    .bind(draft.tag.as_deref())
    .bind(draft.notes.as_str())
    .bind(row.status.as_str())
    .bind(row.blocked)
    .bind(row.external)
    .bind(row.file)
    .bind(row.rest);
    Ok(TaskId(small_number(write.number(insert).await?)?))
}

/// What a task waits for, and the sections it carries out.
pub(super) struct Links {
    pub(super) task: TaskId,
    pub(super) depends_on: BTreeSet<TaskId>,
    pub(super) sections: BTreeSet<SectionId>,
}

impl Links {
    /// The links of a task that was written together with others.
    pub(super) fn of(task: TaskId, draft: &TaskDraft, after: &[usize], together: &[TaskId]) -> Self {
        let others = after.iter().filter_map(|place| together.get(*place));
        Self {
            task,
            depends_on: draft.depends_on.iter().chain(others).copied().collect(),
            sections: draft.sections.iter().copied().collect(),
        }
    }
}

/// Writes links, each kind in one statement however many they are.
pub(super) async fn insert_links(write: &mut Write<'_>, links: &[Links]) -> Result<(), StoreProblem> {
    let pairs = |of: &dyn Fn(&Links) -> Vec<u32>| -> Vec<[u32; 2]> {
        links.iter().flat_map(|link| of(link).into_iter().map(|other| [link.task.0, other])).collect()
    };
    let dependencies = pairs(&|link| link.depends_on.iter().map(|id| id.0).collect());
    if !dependencies.is_empty() {
        let insert = sqlx::query(
            "INSERT INTO task_dependencies (task_id, depends_on)
             SELECT value ->> 0, value ->> 1 FROM json_each(?)",
        );
        write.execute(insert.bind(to_json(&dependencies)?)).await?;
    }
    let sections = pairs(&|link| link.sections.iter().map(|id| id.0).collect());
    if !sections.is_empty() {
        let insert = sqlx::query(
            "INSERT INTO task_sections (task_id, section_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)",
        );
        write.execute(insert.bind(to_json(&sections)?)).await?;
    }
    Ok(())
}
