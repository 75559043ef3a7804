//! Failures: what made attempts fail, as it is remembered.

use loopwright_domain::{ErrorCode, Failure, Fault, TaskId};

pub use loopwright_memory::classify;
pub use loopwright_store::PatternCount;

pub use super::pattern::{NamedPattern, built_in_pattern, built_in_patterns};

use crate::project::ProjectFailures;

impl ProjectFailures<'_> {
    /// Failures, the newest first, at most `limit`: all of them, or those of a pattern, of a task, or of both.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn list(
        &self,
        pattern: Option<&str>,
        task: Option<TaskId>,
        limit: u32,
    ) -> Result<Vec<Failure>, Fault> {
        Ok(self.project.store().failures(pattern, task, limit).await?)
    }

    /// The failure of this number.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn get(&self, id: u32) -> Result<Failure, Fault> {
        self.project
            .store()
            .failure(id)
            .await?
            .ok_or_else(|| Fault::new(ErrorCode::FailureNotFound, format!("there is no failure {id}")))
    }

    /// How often each pattern was met, the most frequent first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn pattern_counts(&self) -> Result<Vec<PatternCount>, Fault> {
        Ok(self.project.store().pattern_counts().await?)
    }
}
