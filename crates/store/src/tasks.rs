//! Tasks and what they wait for.

use std::collections::BTreeSet;

use loopwright_domain::{Event, SectionId, Task, TaskDraft, TaskId, TaskKind, TaskSize, TaskStatus};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::events::insert_event;
use crate::search::match_expression;
use crate::store::Store;
use crate::values::{Reader, small_number, to_json};
use crate::write::Write;

/// A task to be added. It begins as pending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTask {
    /// What a person wrote about it. It waits for tasks that are in the project already.
    pub draft: TaskDraft,
    /// Tasks added together with this one, and before it, that it waits for too: their places, counted from 0.
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
    /// New tasks wait only for tasks that come before them, so there is never a cycle.
    ///
    /// # Errors
    ///
    /// When a title is not one line of text, when a task waits for one that does not exist, or when the database
    /// cannot be written. Then nothing has changed.
    pub async fn add_tasks(&self, at: &str, tasks: &[NewTask]) -> Result<Vec<TaskId>, StoreError> {
        self.observed(async {
            for (index, task) in tasks.iter().enumerate() {
                check_title(index, &task.draft.title)?;
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
            "SELECT tasks.*, (
                 SELECT group_concat(depends_on, ' ' ORDER BY depends_on)
                 FROM task_dependencies WHERE task_id = tasks.id
             ) AS prerequisites, (
                 SELECT group_concat(section_id, ' ' ORDER BY section_id)
                 FROM task_sections WHERE task_id = tasks.id
             ) AS sections, (
                 SELECT count(*) FROM iterations WHERE task = tasks.id AND outcome IN ('succeeded', 'failed')
             ) AS attempts, (
                 SELECT count(*) FROM iterations WHERE task = tasks.id AND outcome = 'failed'
             ) AS failures
             FROM tasks ORDER BY id",
        );
        self.read_all(query, task).await
    }

    /// The tasks that have any of the words in what people wrote about them, best match first, at most `limit`.
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
                 ORDER BY bm25(tasks_fts, 4.0, 1.0, 1.0, 1.0), rowid LIMIT ?",
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
    let draft = &task.draft;
    let insert = sqlx::query_scalar(
        "INSERT INTO tasks (
             created_at, updated_at, title, description, acceptance, test_strategy, priority, size, complexity, kind,
             tag, notes
         ) VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING id",
    )
    .bind(at.to_owned())
    .bind(draft.title.clone())
    .bind(draft.description.clone())
    .bind(to_json(&draft.acceptance)?)
    .bind(draft.test_strategy.clone())
    .bind(draft.priority)
    .bind(draft.size.map(TaskSize::as_str))
    .bind(draft.complexity)
    .bind(draft.kind.map(TaskKind::as_str))
    .bind(draft.tag.clone())
    .bind(draft.notes.clone());
    let id = write.number(insert).await?;
    for prerequisite in prerequisites(task, added)? {
        add_dependency(write, id, prerequisite, added.len() + 1).await?;
    }
    let id = TaskId(small_number(id)?);
    insert_event(write, at, &Event::TaskAdded { task: id, title: draft.title.clone() }).await?;
    Ok(id)
}

fn prerequisites(task: &NewTask, added: &[TaskId]) -> Result<BTreeSet<TaskId>, StoreProblem> {
    let earlier = |place: &usize| {
        added.get(*place).copied().ok_or(StoreProblem::InvalidTask {
            place: added.len() + 1,
            reason: "it waits for a task that is not added before it".into(),
        })
    };
    task.draft.depends_on.iter().copied().map(Ok).chain(task.after.iter().map(earlier)).collect()
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
    let row = Reader::new(row, "tasks");
    Ok(Task {
        id,
        draft: TaskDraft {
            title: row.get("title")?,
            description: row.get("description")?,
            acceptance: row.json("acceptance")?,
            test_strategy: row.get("test_strategy")?,
            priority: row.get("priority")?,
            size: row.optional_word("size", TaskSize::parse)?,
            complexity: row.get("complexity")?,
            kind: row.optional_word("kind", TaskKind::parse)?,
            tag: row.get("tag")?,
            sections: numbers(&row, "sections")?.into_iter().map(SectionId).collect(),
            depends_on: numbers(&row, "prerequisites")?.into_iter().map(TaskId).collect(),
            notes: row.get("notes")?,
        },
        status: row.word("status", TaskStatus::parse)?,
        blocked: row.optional_json("blocked")?,
        attempts: row.get("attempts")?,
        failures: row.get("failures")?,
        external: row.get("external")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// A column of numbers with blanks between them.
fn numbers(row: &Reader<'_>, column: &'static str) -> Result<Vec<u32>, StoreProblem> {
    let text: Option<&str> = row.get(column)?;
    let number = |word: &str| {
        word.parse().map_err(|_| StoreProblem::Damaged(format!("{word} is no number of a task or section")))
    };
    text.unwrap_or_default().split_whitespace().map(number).collect()
}

fn task_id(row: &SqliteRow, column: &str) -> Result<TaskId, StoreProblem> {
    Ok(TaskId(small_number(row.try_get(column)?)?))
}
