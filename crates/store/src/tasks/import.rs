//! Tasks that come from a file: new ones are added, and those that came from it before are brought up to date.

use std::collections::{HashMap, HashSet};

use loopwright_domain::{Blocked, Event, Origin, Task, TaskDraft, TaskId, TaskStatus};
use sqlx::sqlite::SqliteRow;

use super::add::{Links, NewRow, added, check_draft, check_links, check_places, insert_links, insert_task};
use super::edit::{Changed, dependencies, read_dependencies, read_tasks, write_changes};
use super::{find, task, task_id};
use crate::effect;
use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_events;
use crate::store::Store;
use crate::values::{RowReader, to_json};
use crate::write::Write;

/// A task as a file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedTask {
    /// All that is to be written about it. It waits for tasks that are in the project already.
    pub draft: TaskDraft,
    /// Tasks of the same import, before or after it, that it waits for too: their places, counted from 0.
    pub after: Vec<usize>,
    /// Where it stands. What another tool works on is pending here; what a run of ours works on, or waits at a gate,
    /// stays so whatever the file says.
    pub status: TaskStatus,
    /// Why it is blocked, where the file says so.
    pub blocked: Option<String>,
    /// What it is called in the file. The task that came from the same file under the same name is brought up to date;
    /// without a name it is always a new one.
    pub external: Option<String>,
    /// What the file holds beyond a task of ours, as JSON.
    pub rest: Option<String>,
}

/// Tasks that are read from a file.
#[derive(Clone, Copy, Debug)]
pub struct TaskImport<'a> {
    /// The caller's clock as RFC 3339 in UTC.
    pub at: &'a str,
    /// The format's name.
    pub format: &'a str,
    /// The file; none for what is not read again.
    pub file: Option<&'a str>,
    /// Its tasks, in order.
    pub tasks: &'a [ImportedTask],
    /// Who imports.
    pub origin: Origin,
}

/// What an import came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The tasks, in the order of the file.
    pub tasks: Vec<TaskId>,
    /// How many of them are new.
    pub added: u32,
    /// How many were there and changed.
    pub updated: u32,
}

/// A task that came from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// The task.
    pub task: TaskId,
    /// What it is called in the file.
    pub external: String,
    /// The file.
    pub file: Option<String>,
    /// What the file held beyond a task of ours, as JSON.
    pub rest: Option<String>,
}

const ALL: &str =
    "SELECT id, external, external_file, external_rest FROM tasks WHERE external IS NOT NULL ORDER BY id";
const SOME: &str = "SELECT id, external, external_file, external_rest FROM tasks
     WHERE external IS NOT NULL AND id IN (SELECT value FROM json_each(?)) ORDER BY id";
/// What is kept of a file says where the task stood in it under this path.
const MOVED: &str = "SELECT id, external, external_file, external_rest, status FROM tasks
     WHERE external IS NOT NULL AND external_file IS NOT NULL AND external_rest ->> '$.item.status' <> status
     ORDER BY id";
const OF_FILE: &str = "SELECT id, external, external_file, external_rest FROM tasks
     WHERE external IS NOT NULL AND external_file = ? ORDER BY id";

impl Store {
    /// The tasks that came from files, by id.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn externals(&self) -> Result<Vec<External>, StoreError> {
        self.read_all(sqlx::query(ALL), external).await
    }

    /// Whether any task came from a file.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn has_externals(&self) -> Result<bool, StoreError> {
        let query = sqlx::query("SELECT 1 FROM tasks WHERE external IS NOT NULL LIMIT 1");
        Ok(self.read_one(query, |_| Ok(())).await?.is_some())
    }

    /// Those of some tasks that came from files, by id.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn externals_of(&self, tasks: &[TaskId]) -> Result<Vec<External>, StoreError> {
        self.observed(async {
            let query = sqlx::query(SOME).bind(to_json(&tasks)?);
            let rows = query.fetch_all(&mut *self.reader().await).await?;
            rows.iter().map(external).collect()
        })
        .await
    }

    /// The tasks from files that stood elsewhere when their file was last read or written, with where they stand now.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn moved_externals(&self) -> Result<Vec<(External, TaskStatus)>, StoreError> {
        let read = |row: &SqliteRow| {
            Ok((external(row)?, RowReader::new(row, "tasks").word("status", TaskStatus::parse)?))
        };
        self.read_all(sqlx::query(MOVED), read).await
    }

    /// Keeps what a file holds now beyond tasks that came from it, as JSON. Nothing about the tasks themselves changes.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub async fn keep_externals(&self, rests: &[(TaskId, String)]) -> Result<(), StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            for (task, rest) in rests {
                keep_rest(&mut write, *task, Some(rest)).await?;
            }
            write.commit().await
        })
        .await
    }

    /// Writes the tasks of a file, all of them or none, with an event for each and one for the whole.
    ///
    /// # Errors
    ///
    /// As [`Store::add_tasks`].
    pub async fn import_tasks(&self, import: TaskImport<'_>) -> Result<Imported, StoreError> {
        self.observed(async {
            check_import(import)?;
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let imported = write_import(&mut write, import).await?;
            write.commit().await?;
            Ok(imported)
        })
        .await
    }

    /// All tasks as they would be after an import. Nothing is written.
    ///
    /// # Errors
    ///
    /// As [`Store::import_tasks`].
    pub async fn tasks_after_import(&self, import: TaskImport<'_>) -> Result<Vec<Task>, StoreError> {
        self.observed(async {
            check_import(import)?;
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            write_import(&mut write, import).await?;
            // Never committed: it never was.
            let rows = sqlx::query(find::ALL).fetch_all(write.connection()).await?;
            rows.iter().map(task).collect()
        })
        .await
    }
}

/// What can be seen to be wrong with an import before anything is written.
fn check_import(import: TaskImport<'_>) -> Result<(), StoreProblem> {
    for (index, task) in import.tasks.iter().enumerate() {
        check_draft(index, &task.draft)?;
    }
    check_names(import.tasks)?;
    check_places(import.tasks.iter().map(|task| task.after.as_slice()))
}

async fn write_import(write: &mut Write<'_>, import: TaskImport<'_>) -> Result<Imported, StoreProblem> {
    check_links(write, import.tasks.iter().map(|task| &task.draft)).await?;
    let known = known_tasks(write, import).await?;
    let before = |task: &ImportedTask| task.external.as_ref().and_then(|external| known.get(external));
    let mut tasks = Vec::with_capacity(import.tasks.len());
    for task in import.tasks {
        tasks.push(match before(task) {
            Some((old, _)) => old.id,
            None => insert_task(write, import.at, new_row(import, task)?).await?,
        });
    }
    let (mut events, mut links, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    let mut updated = 0;
    for (task, &id) in import.tasks.iter().zip(&tasks) {
        let wanted = Links::of(id, &task.draft, &task.after, &tasks);
        let Some((old, rest)) = before(task) else {
            events.push(added(id, &task.draft));
            links.push(wanted);
            continue;
        };
        let draft = TaskDraft {
            depends_on: wanted.depends_on.into_iter().collect(),
            sections: wanted.sections.into_iter().collect(),
            ..task.draft.clone()
        };
        let moved = bring_status(write, import, task, old, &mut events).await?;
        let kept = rest.as_deref() == task.rest.as_deref();
        if !kept {
            keep_rest(write, id, task.rest.as_deref()).await?;
        }
        updated += u32::from(moved || !kept || draft != old.draft);
        if draft != old.draft {
            changed.push(Changed { old: old.clone(), draft });
        }
    }
    insert_links(write, &links).await?;
    write_changes(write, import.at, &changed).await?;
    if let Some(circle) = dependencies(&read_dependencies(write).await?).cycle() {
        return Err(StoreProblem::Dependency(circle.into()));
    }
    events.extend(changed.iter().map(|change| change.event(import.origin)));
    let (format, origin) = (import.format.to_owned(), import.origin);
    let added = u32::try_from(links.len()).unwrap_or(u32::MAX);
    events.push(Event::TasksImported { format, added, updated, origin });
    insert_events(write, import.at, &events).await?;
    Ok(Imported { tasks, added, updated })
}

/// The tasks that came from the file before, and what it held beyond them, by their names there.
async fn known_tasks(
    write: &mut Write<'_>,
    import: TaskImport<'_>,
) -> Result<HashMap<String, (Task, Option<String>)>, StoreProblem> {
    let Some(file) = import.file else { return Ok(HashMap::new()) };
    let query = sqlx::query(OF_FILE).bind(file);
    let rows = query.fetch_all(write.connection()).await?;
    let externals: Vec<External> = rows.iter().map(external).collect::<Result<_, _>>()?;
    let ids: Vec<TaskId> = externals.iter().map(|external| external.task).collect();
    let tasks = read_tasks(write, &ids).await?;
    Ok(externals.into_iter().zip(tasks).map(|(known, task)| (known.external, (task, known.rest))).collect())
}

fn new_row<'a>(import: TaskImport<'a>, task: &'a ImportedTask) -> Result<NewRow<'a>, StoreProblem> {
    let status = settled(task.status);
    let blocked = (status == TaskStatus::Blocked).then(|| Blocked {
        reason: task.blocked.clone().unwrap_or_default(),
        attempts: 0,
        at: import.at.to_owned(),
    });
    Ok(NewRow {
        status,
        blocked: blocked.as_ref().map(to_json).transpose()?,
        external: task.external.as_deref(),
        file: import.file,
        rest: task.rest.as_deref(),
        ..NewRow::of(&task.draft)
    })
}

/// Nobody works here on what another tool works on.
const fn settled(status: TaskStatus) -> TaskStatus {
    match status {
        TaskStatus::InProgress | TaskStatus::AwaitingApproval => TaskStatus::Pending,
        other => other,
    }
}

/// Moves a task to where the file says it stands, unless it is worked on. Whether it moved.
async fn bring_status(
    write: &mut Write<'_>,
    import: TaskImport<'_>,
    task: &ImportedTask,
    old: &Task,
    events: &mut Vec<Event>,
) -> Result<bool, StoreProblem> {
    let to = settled(task.status);
    if old.status == to || old.status != settled(old.status) {
        return Ok(false);
    }
    let event = Event::TaskStatusChanged {
        task: old.id,
        from: old.status,
        to,
        reason: task.blocked.clone().filter(|_| to == TaskStatus::Blocked),
        iteration: None,
        origin: Some(import.origin),
    };
    effect::carry_out(write, import.at, &event).await?;
    events.push(event);
    Ok(true)
}

async fn keep_rest(write: &mut Write<'_>, task: TaskId, rest: Option<&str>) -> Result<(), StoreProblem> {
    let update = sqlx::query("UPDATE tasks SET external_rest = ? WHERE id = ?").bind(rest).bind(task.0);
    write.execute(update).await.map(drop)
}

/// No two tasks of a file have the same name.
fn check_names(tasks: &[ImportedTask]) -> Result<(), StoreProblem> {
    let mut seen = HashSet::new();
    let mut names = tasks.iter().map(|task| task.external.as_deref());
    match names.position(|name| name.is_some_and(|name| !seen.insert(name))) {
        Some(index) => {
            let reason = "another task of the file is called the same".into();
            Err(StoreProblem::InvalidTask { place: index + 1, reason })
        }
        None => Ok(()),
    }
}

fn external(row: &SqliteRow) -> Result<External, StoreProblem> {
    let task = task_id(row, "id")?;
    let row = RowReader::new(row, "tasks");
    Ok(External {
        task,
        external: row.get("external")?,
        file: row.get("external_file")?,
        rest: row.get("external_rest")?,
    })
}
