//! What was learned: reading, searching, and what people do with it.

use std::collections::BTreeSet;

use loopwright_domain::memory::likeness::{nearly_same, title_of};
use loopwright_domain::{
    Event, IterationId, Learning, LearningCategory, LearningDraft, LearningScope, MemoryOrigin, Origin,
    TaskId,
};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_event;
use crate::search::match_expression;
use crate::store::Store;
use crate::values::{RowReader, small_number};
use crate::write::Write;

/// How learnings are found; see [`crate::runs::find`].
pub(crate) mod find {
    pub(crate) const NEWEST: &str = "SELECT * FROM learnings ORDER BY id DESC LIMIT ?";
    pub(crate) const ONE: &str = "SELECT * FROM learnings WHERE id = ?";
    pub(crate) const SHARED: &str = "SELECT * FROM learnings WHERE scope <> ? AND origin <> ? ORDER BY id";
    pub(crate) const BY_PATTERN: &str =
        "SELECT * FROM learnings WHERE pattern = ? ORDER BY learned DESC, id DESC LIMIT ?";
    pub(crate) const MOST_USED: &str = "SELECT * FROM learnings ORDER BY included DESC, id DESC LIMIT ?";
    /// The best are found before their texts are read.
    pub(crate) const SEARCH: &str = "SELECT learnings.* FROM (
             SELECT rowid AS found, bm25(learnings_fts, 4.0, 2.0, 1.0) AS rank FROM learnings_fts
             WHERE learnings_fts MATCH ? ORDER BY 2, 1 LIMIT ?
         ) JOIN learnings ON learnings.id = found ORDER BY rank, found";
}

/// As many that share words as a new learning is compared with.
const COMPARED: u32 = 8;

/// A learning to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewLearning<'a> {
    /// Its words.
    pub draft: &'a LearningDraft,
    /// The stack it holds in, for one that holds in a stack.
    pub stack: Option<&'a str>,
    /// Where it comes from.
    pub origin: MemoryOrigin,
    /// The task it was learned at.
    pub task: Option<TaskId>,
    /// The iteration it was learned in.
    pub iteration: Option<IterationId>,
}

impl Store {
    /// What was learned, the newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or a learning was written by another version of Loopwright.
    pub async fn learnings(&self, limit: u32) -> Result<Vec<Learning>, StoreError> {
        self.read_all(sqlx::query(find::NEWEST).bind(limit), learning).await
    }

    /// The learning of this number.
    ///
    /// # Errors
    ///
    /// As [`Store::learnings`].
    pub async fn learning(&self, id: u32) -> Result<Option<Learning>, StoreError> {
        self.read_one(sqlx::query(find::ONE).bind(id), learning).await
    }

    /// What was learned about a failure pattern, what was learned most often first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::learnings`].
    pub async fn learnings_of(&self, pattern: &str, limit: u32) -> Result<Vec<Learning>, StoreError> {
        self.read_all(sqlx::query(find::BY_PATTERN).bind(pattern).bind(limit), learning).await
    }

    /// The learnings that were in most prompts, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::learnings`].
    pub async fn most_used_learnings(&self, limit: u32) -> Result<Vec<Learning>, StoreError> {
        self.read_all(sqlx::query(find::MOST_USED).bind(limit), learning).await
    }

    /// Whether something was learned in an iteration.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn learned_in(&self, iteration: IterationId) -> Result<bool, StoreError> {
        let query = sqlx::query("SELECT 1 AS found FROM learnings WHERE iteration = ? LIMIT 1");
        Ok(self.read_one(query.bind(iteration.to_string()), |_| Ok(())).await?.is_some())
    }

    /// The learnings that have any of the words, best match first, at most `limit`. Any text will do, as with
    /// [`Store::search_tasks`].
    ///
    /// # Errors
    ///
    /// As [`Store::learnings`].
    pub async fn search_learnings(&self, text: &str, limit: u32) -> Result<Vec<Learning>, StoreError> {
        let Some(expression) = match_expression(text) else { return Ok(Vec::new()) };
        self.read_all(sqlx::query(find::SEARCH).bind(expression).bind(limit), learning).await
    }

    /// Keeps a learning of a person's, with its event, and returns its number: that of one that says nearly the same
    /// where there is one.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn add_learning(
        &self,
        at: &str,
        new: NewLearning<'_>,
        origin: Origin,
    ) -> Result<u32, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let id = keep(&mut write, at, new).await?;
            let event = Event::LearningChanged { learning: id, what: "added".to_owned(), origin };
            insert_event(&mut write, at, &event).await?;
            write.commit().await?;
            Ok(id)
        })
        .await
    }

    /// Takes over learnings of other projects, each once, also when it was removed here since. A key names the project it
    /// comes from and its number there. Returns how many were new.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn take_over_learnings(
        &self,
        at: &str,
        shared: &[(String, NewLearning<'_>)],
    ) -> Result<u32, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let mut taken = 0;
            for (key, learning) in shared {
                let insert =
                    "INSERT INTO shared_learnings (key, taken_at) VALUES (?, ?) ON CONFLICT DO NOTHING";
                if write.execute(sqlx::query(insert).bind(key.as_str()).bind(at)).await? == 1 {
                    keep(&mut write, at, *learning).await?;
                    taken += 1;
                }
            }
            write.commit().await?;
            Ok(taken)
        })
        .await
    }

    /// The learnings of other projects that were taken over, by their keys.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn taken_over(&self) -> Result<BTreeSet<String>, StoreError> {
        let query = sqlx::query("SELECT key FROM shared_learnings");
        let keys = self.read_all(query, |row| RowReader::new(row, "shared_learnings").get("key")).await?;
        Ok(keys.into_iter().collect())
    }

    /// The learnings that hold beyond this project and were learned in it.
    ///
    /// # Errors
    ///
    /// As [`Store::learnings`].
    pub async fn shared_learnings(&self) -> Result<Vec<Learning>, StoreError> {
        let query = sqlx::query(find::SHARED);
        self.read_all(
            query.bind(LearningScope::Project.as_str()).bind(MemoryOrigin::Import.as_str()),
            learning,
        )
        .await
    }

    /// Changes a learning, or removes it where there is no draft, with its event.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::Refused`] when there is none of this number, and others when the database cannot be written. Then
    /// nothing has changed.
    pub async fn change_learning(
        &self,
        at: &str,
        id: u32,
        draft: Option<(&LearningDraft, Option<&str>)>,
        origin: Origin,
    ) -> Result<(), StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let (statement, what) = match draft {
                Some((draft, stack)) => (
                    sqlx::query(
                        "UPDATE learnings SET category = ?2, title = ?3, applies = ?4, text = ?5, scope = ?6, stack = ?7,
                             pattern = ?8 WHERE id = ?1",
                    )
                    .bind(id)
                    .bind(draft.category.as_str())
                    .bind(draft.title.clone())
                    .bind(draft.when.clone())
                    .bind(draft.text.clone())
                    .bind(draft.scope.as_str())
                    .bind(stack.map(str::to_owned))
                    .bind(draft.pattern.clone()),
                    "edited",
                ),
                None => (sqlx::query("DELETE FROM learnings WHERE id = ?").bind(id), "removed"),
            };
            if write.execute(statement).await? == 0 {
                return Err(StoreProblem::Refused(format!("there is no learning {id}")));
            }
            let event = Event::LearningChanged { learning: id, what: what.to_owned(), origin };
            insert_event(&mut write, at, &event).await?;
            write.commit().await
        })
        .await
    }
}

/// Keeps a learning as part of a write. Where one says nearly the same, that one is counted again instead.
pub(crate) async fn keep(write: &mut Write<'_>, at: &str, new: NewLearning<'_>) -> Result<u32, StoreProblem> {
    let draft = new.draft;
    if let Some(expression) = match_expression(&draft.text) {
        let query = sqlx::query(find::SEARCH).bind(expression).bind(COMPARED);
        for row in &query.fetch_all(&mut *write.connection()).await? {
            let known = learning(row)?;
            if nearly_same(&known.text, &draft.text) {
                let count = sqlx::query(
                    "UPDATE learnings SET learned = learned + 1, pattern = coalesce(pattern, ?2) WHERE id = ?1",
                );
                write.execute(count.bind(known.id).bind(draft.pattern.clone())).await?;
                return Ok(known.id);
            }
        }
    }
    let title = match draft.title.trim() {
        "" => title_of(&draft.text),
        title => title.to_owned(),
    };
    let insert = sqlx::query_scalar(
        "INSERT INTO learnings (category, title, applies, text, scope, stack, pattern, origin, task, iteration, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
    )
    .bind(draft.category.as_str())
    .bind(title)
    .bind(draft.when.clone())
    .bind(draft.text.clone())
    .bind(draft.scope.as_str())
    .bind(new.stack.map(str::to_owned))
    .bind(draft.pattern.clone())
    .bind(new.origin.as_str())
    .bind(new.task.map(|task| task.0))
    .bind(new.iteration.map(|iteration| iteration.to_string()))
    .bind(at.to_owned());
    small_number(write.number(insert).await?)
}

fn learning(row: &SqliteRow) -> Result<Learning, StoreProblem> {
    let row = RowReader::new(row, "learnings");
    let text: String = row.get("text")?;
    let title = match row.get::<String>("title")? {
        title if title.is_empty() => title_of(&text),
        title => title,
    };
    Ok(Learning {
        id: row.get("id")?,
        category: row.word("category", LearningCategory::parse)?,
        title,
        when: row.get("applies")?,
        text,
        scope: row.word("scope", LearningScope::parse)?,
        stack: row.get("stack")?,
        pattern: row.get("pattern")?,
        origin: row.word("origin", MemoryOrigin::parse)?,
        task: row.get::<Option<u32>>("task")?.map(TaskId),
        iteration: row.optional_id("iteration")?,
        at: row.get("at")?,
        learned: row.get("learned")?,
        included: row.get("included")?,
        passed: row.get("passed")?,
    })
}
