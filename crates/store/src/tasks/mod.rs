//! Tasks and what they wait for: reading them. Adding, editing and moving them are modules of their own.

mod add;
mod edit;
mod import;
mod moves;
mod remove;

use loopwright_domain::{
    EventEnvelope, Section, SectionId, Task, TaskDraft, TaskId, TaskKind, TaskSize, TaskStatus,
};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::envelope;
use crate::search::match_expression;
use crate::store::Store;
use crate::values::{RowReader, small_number, to_json};

pub use add::NewTask;
pub(crate) use add::insert_new_tasks;
pub use edit::Edit;
pub use import::{External, Imported, ImportedTask, TaskImport};

/// How tasks are found; see [`crate::runs::find`].
pub(crate) mod find {
    /// Tasks with all that belongs to them. One statement sees one state of the database; each further one would be
    /// another trip to SQLite's thread.
    macro_rules! tasks {
        ($rest:literal) => {
            concat!(
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
                 ) AS failures, (
                     SELECT coalesce(commit_id, CASE WHEN tree_before IS NOT tree_after THEN (
                         SELECT commit_id FROM wave_commits
                         WHERE wave_commits.run = iterations.run AND wave_commits.wave = iterations.wave
                     ) END)
                     FROM iterations WHERE task = tasks.id AND outcome = 'succeeded' ORDER BY place DESC LIMIT 1
                 ) AS commit_id
                 FROM tasks ",
                $rest
            )
        };
    }

    pub(crate) const ALL: &str = tasks!("ORDER BY id");
    pub(crate) const ONE: &str = tasks!("WHERE id = ?");
    pub(crate) const SOME: &str = tasks!("WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id");
    pub(crate) const EVENTS: &str =
        "SELECT seq, v, at, body FROM events WHERE body ->> '$.task' = ? ORDER BY seq DESC LIMIT ?";
    pub(crate) const SECTIONS: &str = "SELECT sections.* FROM task_sections JOIN sections ON id = section_id
         WHERE task_id = ? ORDER BY file, position";
    /// Failures that nobody has forgiven.
    pub(crate) const CHRONIC: &str = "SELECT id FROM tasks WHERE ? <= (
             SELECT count(*) FROM iterations WHERE task = tasks.id AND outcome = 'failed'
         ) - forgiven ORDER BY id";
}

impl Store {
    /// Every task, by id.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn tasks(&self) -> Result<Vec<Task>, StoreError> {
        self.read_all(sqlx::query(find::ALL), task).await
    }

    /// One task.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn task(&self, id: TaskId) -> Result<Option<Task>, StoreError> {
        self.read_one(sqlx::query(find::ONE).bind(id.0), task).await
    }

    /// Some tasks, by id; those that do not exist are left out.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn some_tasks(&self, ids: &[TaskId]) -> Result<Vec<Task>, StoreError> {
        self.observed(async {
            let query = sqlx::query(find::SOME).bind(to_json(&ids)?);
            let rows = query.fetch_all(&mut *self.reader().await).await?;
            rows.iter().map(task).collect()
        })
        .await
    }

    /// What was written down about a task, oldest first; of more than `limit` events the newest.
    ///
    /// # Errors
    ///
    /// As [`Store::events_since`].
    pub async fn events_about(&self, id: TaskId, limit: u32) -> Result<Vec<EventEnvelope>, StoreError> {
        let mut events = self.read_all(sqlx::query(find::EVENTS).bind(id.0).bind(limit), envelope).await?;
        events.reverse();
        Ok(events)
    }

    /// The sections a task carries out, in the order of their documents.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn sections_of(&self, id: TaskId) -> Result<Vec<Section>, StoreError> {
        self.read_all(sqlx::query(find::SECTIONS).bind(id.0), section).await
    }

    /// The tasks that have failed at least so often, over all runs, without what a person has forgiven. By id.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn chronic_tasks(&self, failures: u32) -> Result<Vec<TaskId>, StoreError> {
        self.read_all(sqlx::query(find::CHRONIC).bind(failures), |row| task_id(row, "id")).await
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

fn task(row: &SqliteRow) -> Result<Task, StoreProblem> {
    let id = task_id(row, "id")?;
    let row = RowReader::new(row, "tasks");
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
        commit: row.get("commit_id")?,
        external: row.get("external")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

pub(crate) fn section(row: &SqliteRow) -> Result<Section, StoreProblem> {
    let id = SectionId(small_number(row.try_get("id")?)?);
    let row = RowReader::new(row, "sections");
    Ok(Section {
        id,
        number: row.get("number")?,
        title: row.get("title")?,
        level: row.get("level")?,
        content: row.get("content")?,
        file: row.get("file")?,
        words: row.get("words")?,
    })
}

/// A column of numbers with blanks between them.
pub(crate) fn numbers(row: &RowReader<'_>, column: &'static str) -> Result<Vec<u32>, StoreProblem> {
    let text: Option<&str> = row.get(column)?;
    let number = |word: &str| {
        word.parse().map_err(|_| StoreProblem::Damaged(format!("{word} is no number of a task or section")))
    };
    text.unwrap_or_default().split_whitespace().map(number).collect()
}

fn task_id(row: &SqliteRow, column: &str) -> Result<TaskId, StoreProblem> {
    Ok(TaskId(small_number(row.try_get(column)?)?))
}
