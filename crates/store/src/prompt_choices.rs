//! What people chose for the prompts of tasks.

use loopwright_domain::{ItemChoice, PromptChoice, TaskId};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::RowReader;

impl Store {
    /// What was chosen for a task's prompts, by key.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn prompt_choices(&self, task: TaskId) -> Result<Vec<PromptChoice>, StoreError> {
        let query = sqlx::query("SELECT key, choice FROM prompt_choices WHERE task = ? ORDER BY key");
        self.read_all(query.bind(task.0), choice).await
    }

    /// Remembers choices for a task's prompts in place of all that were remembered.
    ///
    /// # Errors
    ///
    /// When there is no such task, or the database cannot be written; then nothing has changed.
    pub async fn set_prompt_choices(&self, task: TaskId, choices: &[PromptChoice]) -> Result<(), StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let exists = sqlx::query_scalar("SELECT count(*) FROM tasks WHERE id = ?").bind(task.0);
            if write.number(exists).await? == 0 {
                return Err(StoreProblem::Refused(format!("there is no task {task}")));
            }
            write.execute(sqlx::query("DELETE FROM prompt_choices WHERE task = ?").bind(task.0)).await?;
            for one in choices {
                let insert = sqlx::query(
                    "INSERT INTO prompt_choices (task, key, choice) VALUES (?1, ?2, ?3)
                     ON CONFLICT (task, key) DO UPDATE SET choice = ?3",
                );
                write.execute(insert.bind(task.0).bind(one.key.as_str()).bind(one.choice.as_str())).await?;
            }
            write.commit().await
        })
        .await
    }
}

fn choice(row: &SqliteRow) -> Result<PromptChoice, StoreProblem> {
    let row = RowReader::new(row, "prompt_choices");
    Ok(PromptChoice { key: row.get("key")?, choice: row.word("choice", ItemChoice::parse)? })
}
