//! The attempts at a task, over all runs.

use loopwright_domain::{Failures, Iteration, RunId, TaskId};
use sqlx::Row;

use crate::error::StoreError;
use crate::runs::iteration;
use crate::store::Store;

/// How attempts are found; see [`crate::runs::find`].
pub(crate) const FIND: &str = "SELECT * FROM iterations WHERE task = ? ORDER BY place DESC LIMIT ?";

impl Store {
    /// The attempts at a task over all runs, the newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn attempts_at(&self, task: TaskId, limit: u32) -> Result<Vec<Iteration>, StoreError> {
        self.read_all(sqlx::query(FIND).bind(task.0).bind(limit), iteration).await
    }

    /// How often a task has failed: in a run, and over all runs without what a person has forgiven. Only what is
    /// settled counts.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn failures_of(&self, task: TaskId, run: RunId) -> Result<Failures, StoreError> {
        let query = sqlx::query(
            "SELECT count(*) FILTER (WHERE run = ?1) AS in_run,
                 max(0, count(*) - coalesce((SELECT forgiven FROM tasks WHERE id = ?2), 0)) AS in_all
             FROM iterations WHERE task = ?2 AND outcome = 'failed' AND phase = 'settled'",
        )
        .bind(run.to_string())
        .bind(task.0);
        let counted = self
            .read_one(query, |row| {
                Ok(Failures { in_run: row.try_get("in_run")?, in_all: row.try_get("in_all")? })
            })
            .await?;
        Ok(counted.unwrap_or_default())
    }
}
