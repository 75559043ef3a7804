//! Reading what was learned.

use loopwright_domain::{Learning, LearningCategory, TaskId};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::RowReader;

impl Store {
    /// What was learned, the newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or a learning was written by another version of Loopwright.
    pub async fn learnings(&self, limit: u32) -> Result<Vec<Learning>, StoreError> {
        let query = sqlx::query("SELECT * FROM learnings ORDER BY id DESC LIMIT ?").bind(limit);
        self.read_all(query, learning).await
    }
}

fn learning(row: &SqliteRow) -> Result<Learning, StoreProblem> {
    let row = RowReader::new(row, "learnings");
    Ok(Learning {
        id: row.get("id")?,
        category: row.word("category", LearningCategory::parse)?,
        text: row.get("text")?,
        task: row.get::<Option<u32>>("task")?.map(TaskId),
        iteration: row.optional_id("iteration")?,
        at: row.get("at")?,
    })
}
