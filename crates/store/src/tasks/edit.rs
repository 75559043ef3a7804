//! Editing tasks.

use std::collections::BTreeMap;

use loopwright_domain::{
    Dependencies, DependencyProblem, Event, Origin, Task, TaskDraft, TaskId, TaskKind, TaskSize,
};
use sqlx::Row;

use super::add::{Links, check_links, insert_links};
use super::{find, task, task_id};
use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_events;
use crate::store::Store;
use crate::values::to_json;
use crate::write::Write;

/// Which tasks are edited, and by whom.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// The caller's clock as RFC 3339 in UTC.
    pub at: &'a str,
    /// The tasks.
    pub tasks: &'a [TaskId],
    /// When the editor saw them changed last. An edit of something older is refused; none does not look.
    pub seen: Option<&'a str>,
    /// Who edits.
    pub origin: Origin,
}

impl Store {
    /// Edits tasks as they are now, all of them or none, each with its event, and returns those that changed, by id.
    ///
    /// # Errors
    ///
    /// When there is no such task, when it was changed since it was seen, when it cannot be as `change` leaves it, or
    /// when the database cannot be written. Then nothing has changed.
    pub async fn edit_tasks(
        &self,
        edit: Edit<'_>,
        change: impl Fn(TaskId, &mut TaskDraft),
    ) -> Result<Vec<TaskId>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let mut changed = Vec::new();
            for old in read_tasks(&mut write, edit.tasks).await? {
                if edit.seen.is_some_and(|seen| seen != old.updated_at) {
                    return Err(StoreProblem::TaskChanged(old.id));
                }
                let mut draft = old.draft.clone();
                change(old.id, &mut draft);
                draft.check().map_err(|problem| StoreProblem::InvalidDraft { task: old.id, problem })?;
                if draft != old.draft {
                    changed.push(Changed { old, draft });
                }
            }
            check_dependencies(&mut write, &changed).await?;
            check_links(&mut write, changed.iter().map(|change| &change.draft)).await?;
            write_changes(&mut write, edit.at, &changed).await?;
            let events: Vec<Event> = changed.iter().map(|change| change.event(edit.origin)).collect();
            insert_events(&mut write, edit.at, &events).await?;
            write.commit().await?;
            Ok(changed.iter().map(|change| change.old.id).collect())
        })
        .await
    }
}

/// Tasks by their numbers, as they are inside a write. Each once, by id.
pub(super) async fn read_tasks(write: &mut Write<'_>, ids: &[TaskId]) -> Result<Vec<Task>, StoreProblem> {
    let query = sqlx::query(find::SOME).bind(to_json(&ids)?);
    let rows = query.fetch_all(write.connection()).await?;
    let tasks: Vec<Task> = rows.iter().map(task).collect::<Result<_, _>>()?;
    match ids.iter().find(|id| tasks.binary_search_by_key(*id, |task| task.id).is_err()) {
        Some(missing) => Err(StoreProblem::NoTask(*missing)),
        None => Ok(tasks),
    }
}

/// A task and what it is to be.
pub(super) struct Changed {
    pub(super) old: Task,
    pub(super) draft: TaskDraft,
}

impl Changed {
    pub(super) fn event(&self, origin: Origin) -> Event {
        let fields = self.draft.differences(&self.old.draft).into_iter().map(str::to_owned).collect();
        Event::TaskEdited { task: self.old.id, fields, origin }
    }

    fn texts_differ(&self) -> bool {
        let searched = ["title", "description", "acceptance", "notes"];
        self.draft.differences(&self.old.draft).iter().any(|field| searched.contains(field))
    }
}

/// Writes what tasks are to be, with their links.
pub(super) async fn write_changes(
    write: &mut Write<'_>,
    at: &str,
    changed: &[Changed],
) -> Result<(), StoreProblem> {
    let relinked = |change: &&Changed| {
        change.draft.depends_on != change.old.draft.depends_on
            || change.draft.sections != change.old.draft.sections
    };
    let relinked: Vec<&Changed> = changed.iter().filter(relinked).collect();
    for change in changed {
        update_task(write, at, change).await?;
    }
    if !relinked.is_empty() {
        let ids: Vec<TaskId> = relinked.iter().map(|change| change.old.id).collect();
        remove_links(write, &ids).await?;
        let links: Vec<Links> =
            relinked.iter().map(|change| Links::of(change.old.id, &change.draft, &[], &[])).collect();
        insert_links(write, &links).await?;
    }
    Ok(())
}

/// Takes away what tasks wait for and the sections they carry out.
async fn remove_links(write: &mut Write<'_>, tasks: &[TaskId]) -> Result<(), StoreProblem> {
    let ids = to_json(&tasks)?;
    let statements = [
        "DELETE FROM task_dependencies WHERE task_id IN (SELECT value FROM json_each(?))",
        "DELETE FROM task_sections WHERE task_id IN (SELECT value FROM json_each(?))",
    ];
    for statement in statements {
        write.execute(sqlx::query(statement).bind(ids.as_str())).await?;
    }
    Ok(())
}

/// Makes sure that no task comes to wait for itself, for nothing or in a circle.
async fn check_dependencies(write: &mut Write<'_>, changed: &[Changed]) -> Result<(), StoreProblem> {
    let asks_for_more = |change: &&Changed| {
        change.draft.depends_on.iter().any(|on| !change.old.draft.depends_on.contains(on))
    };
    let rewired: Vec<&Changed> = changed.iter().filter(asks_for_more).collect();
    if rewired.is_empty() {
        return Ok(());
    }
    let mut edges = read_dependencies(write).await?;
    for change in rewired {
        let (id, on) = (change.old.id, &change.draft.depends_on);
        dependencies(&edges).check(id, on)?;
        edges.insert(id, on.clone());
    }
    Ok(())
}

/// What every task waits for, as it is inside a write.
pub(super) async fn read_dependencies(
    write: &mut Write<'_>,
) -> Result<BTreeMap<TaskId, Vec<TaskId>>, StoreProblem> {
    let query = sqlx::query(
        "SELECT id, depends_on FROM tasks LEFT JOIN task_dependencies ON task_id = tasks.id ORDER BY id, depends_on",
    );
    let mut edges: BTreeMap<TaskId, Vec<TaskId>> = BTreeMap::new();
    for row in query.fetch_all(write.connection()).await? {
        let on = edges.entry(task_id(&row, "id")?).or_default();
        if row.try_get::<Option<i64>, _>("depends_on")?.is_some() {
            on.push(task_id(&row, "depends_on")?);
        }
    }
    Ok(edges)
}

pub(super) fn dependencies(edges: &BTreeMap<TaskId, Vec<TaskId>>) -> Dependencies {
    Dependencies::new(edges.iter().map(|(id, on)| (*id, on.as_slice())))
}

impl From<DependencyProblem> for StoreProblem {
    fn from(problem: DependencyProblem) -> Self {
        Self::Dependency(problem)
    }
}

/// Texts are written only when they differ: the search index is made anew for each that is.
async fn update_task(write: &mut Write<'_>, at: &str, change: &Changed) -> Result<(), StoreProblem> {
    let (id, draft) = (change.old.id.0, &change.draft);
    let update = sqlx::query(
        "UPDATE tasks SET updated_at = ?, test_strategy = ?, priority = ?, size = ?, complexity = ?, kind = ?, tag = ?
         WHERE id = ?",
    )
    .bind(at)
    .bind(draft.test_strategy.as_str())
    .bind(draft.priority)
    .bind(draft.size.map(TaskSize::as_str))
    .bind(draft.complexity)
    .bind(draft.kind.map(TaskKind::as_str))
    .bind(draft.tag.as_deref())
    .bind(id);
    write.execute(update).await?;
    if change.texts_differ() {
        let update = sqlx::query(
            "UPDATE tasks SET title = ?, description = ?, acceptance = ?, notes = ? WHERE id = ?",
        )
        .bind(draft.title.as_str())
        .bind(draft.description.as_str())
        .bind(to_json(&draft.acceptance)?)
        .bind(draft.notes.as_str())
        .bind(id);
        write.execute(update).await?;
    }
    Ok(())
}
