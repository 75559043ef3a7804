//! Tasks and what they wait for.

use std::collections::BTreeSet;

use loopwright_domain::{Event, Task, TaskId, TaskStatus};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::events::insert_event;
use crate::search::match_expression;
use crate::store::Store;
use crate::values::small_number;
use crate::write::Write;

/// A task to be added. It begins as pending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTask {
    /// One line that says something.
    pub title: String,
    /// What is to be done, in full.
    pub description: String,
    /// Smaller is sooner.
    pub priority: u32,
    /// What must be done before it.
    pub depends_on: Vec<Prerequisite>,
}

/// A task that another one waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prerequisite {
    /// A task that is in the project already.
    Task(TaskId),
    /// One of the tasks added together with this one, and before it: its place among them, counted from 0.
    Added(usize),
}

impl From<TaskId> for Prerequisite {
    fn from(id: TaskId) -> Self {
        Self::Task(id)
    }
}

impl Store {
    /// Adds tasks, all of them or none, each with its event, and returns their ids in the same order. `at` is the
    /// caller's clock as RFC 3339 in UTC.
    ///
    /// New tasks wait only for tasks that come before them, so there is never a cycle.
    ///
    /// # Errors
    ///
    /// When a title is not one line of text, when a task waits for one that does not exist, or when the database
    /// cannot be written. Then nothing has changed.
    pub async fn add_tasks(&self, at: &str, tasks: &[NewTask]) -> Result<Vec<TaskId>, StoreError> {
        self.observed(async {
            for (index, task) in tasks.iter().enumerate() {
                check_title(index, &task.title)?;
            }
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let mut added = Vec::with_capacity(tasks.len());
            for task in tasks {
                let id = add_task(&mut write, at, task, &added).await?;
                added.push(id);
            }
            write.commit().await?;
            Ok(added)
        })
        .await
    }

    /// Every task, by id.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn tasks(&self) -> Result<Vec<Task>, StoreError> {
        // One statement sees one state of the database; each further one would be another trip to SQLite's thread.
        let query = sqlx::query(
            "SELECT id, title, description, priority, status, (
                 SELECT group_concat(depends_on, ' ' ORDER BY depends_on)
                 FROM task_dependencies WHERE task_id = tasks.id
             ) AS prerequisites
             FROM tasks ORDER BY id",
        );
        self.read_all(query, task).await
    }

    /// The tasks that have any of the words in their title or description, best match first, at most `limit`.
    ///
    /// Any text will do. A word also finds longer ones that begin with it; case, accents and punctuation do not
    /// matter. A text without a word finds nothing.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn search_tasks(&self, text: &str, limit: u32) -> Result<Vec<TaskId>, StoreError> {
        let Some(expression) = match_expression(text) else {
            return Ok(Vec::new());
        };
        self.observed(async {
            let query = sqlx::query(
                "SELECT rowid AS id FROM tasks_fts WHERE tasks_fts MATCH ?
                 ORDER BY bm25(tasks_fts, 4.0, 1.0), rowid LIMIT ?",
            )
            .bind(expression)
            .bind(limit);
            let rows = query.fetch_all(&mut *self.reader().await).await?;
            rows.iter().map(|row| task_id(row, "id")).collect()
        })
        .await
    }
}

fn check_title(index: usize, title: &str) -> Result<(), StoreProblem> {
    let refused =
        |reason: &str| Err(StoreProblem::InvalidTask { place: index + 1, reason: reason.to_owned() });
    if title.trim().is_empty() {
        return refused("it has no title");
    }
    if title.contains(['\n', '\r']) {
        return refused("its title is longer than one line");
    }
    Ok(())
}

async fn add_task(
    write: &mut Write<'_>,
    at: &str,
    task: &NewTask,
    added: &[TaskId],
) -> Result<TaskId, StoreProblem> {
    let insert = sqlx::query_scalar(
        "INSERT INTO tasks (title, description, priority, created_at, updated_at)
         VALUES (?, ?, ?, ?4, ?4) RETURNING id",
    )
    .bind(task.title.clone())
    .bind(task.description.clone())
    .bind(task.priority)
    .bind(at.to_owned());
    let id = write.number(insert).await?;
    for prerequisite in prerequisites(task, added)? {
        add_dependency(write, id, prerequisite, added.len() + 1).await?;
    }
    let id = TaskId(small_number(id)?);
    insert_event(write, at, &Event::TaskAdded { task: id, title: task.title.clone() }).await?;
    Ok(id)
}

fn prerequisites(task: &NewTask, added: &[TaskId]) -> Result<BTreeSet<TaskId>, StoreProblem> {
    task.depends_on
        .iter()
        .map(|prerequisite| match prerequisite {
            Prerequisite::Task(id) => Ok(*id),
            Prerequisite::Added(index) => added.get(*index).copied().ok_or(StoreProblem::InvalidTask {
                place: added.len() + 1,
                reason: "it waits for a task that is not added before it".into(),
            }),
        })
        .collect()
}

/// The foreign key would refuse an unknown task as well, but could not say which one. The new task's own number is
/// unknown too: it is in the table by now, but nothing waits for itself.
async fn add_dependency(
    write: &mut Write<'_>,
    task: i64,
    prerequisite: TaskId,
    place: usize,
) -> Result<(), StoreProblem> {
    let unknown = StoreProblem::UnknownTask { place, missing: prerequisite };
    let exists = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM tasks WHERE id = ?1 AND id <> ?2)")
        .bind(prerequisite.0)
        .bind(task);
    if write.number(exists).await? == 0 {
        return Err(unknown);
    }
    let insert = sqlx::query("INSERT INTO task_dependencies (task_id, depends_on) VALUES (?, ?)")
        .bind(task)
        .bind(prerequisite.0);
    write.execute(insert).await.map(drop)
}

fn task(row: &SqliteRow) -> Result<Task, StoreProblem> {
    let id = task_id(row, "id")?;
    let status: &str = row.try_get("status")?;
    let prerequisites: Option<&str> = row.try_get("prerequisites")?;
    let prerequisite = |word: &str| {
        let number =
            word.parse().map_err(|_| StoreProblem::Damaged(format!("task {id} waits for {word}")))?;
        Ok(TaskId(number))
    };
    Ok(Task {
        id,
        title: row.try_get("title")?,
        description: row.try_get("description")?,
        priority: small_number(row.try_get("priority")?)?,
        status: TaskStatus::parse(status)
            .ok_or_else(|| StoreProblem::Damaged(format!("task {id} has the unknown status {status}")))?,
        depends_on: prerequisites
            .unwrap_or_default()
            .split_whitespace()
            .map(prerequisite)
            .collect::<Result<_, StoreProblem>>()?,
    })
}

fn task_id(row: &SqliteRow, column: &str) -> Result<TaskId, StoreProblem> {
    Ok(TaskId(small_number(row.try_get(column)?)?))
}
