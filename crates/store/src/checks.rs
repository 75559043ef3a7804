//! Reading what checks found.

use loopwright_domain::{CheckResult, CheckStatus, IterationId};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::Reader;

/// How rows are found; see [`crate::runs::find`].
pub(crate) mod find {
    pub(crate) const RESULTS: &str = "SELECT * FROM check_results WHERE iteration = ? ORDER BY position";
    pub(crate) const HISTORY: &str = "SELECT * FROM check_results WHERE name = ? ORDER BY place DESC LIMIT ?";
}

/// How a check went in an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastCheck {
    /// The iteration.
    pub iteration: IterationId,
    /// When the result was written down.
    pub at: String,
    /// The result.
    pub result: CheckResult,
}

impl Store {
    /// The results of an iteration's checks, in the order of the checks.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or a result was written by another version of Loopwright.
    pub async fn check_results(&self, iteration: IterationId) -> Result<Vec<CheckResult>, StoreError> {
        self.read_all(sqlx::query(find::RESULTS).bind(iteration.to_string()), result).await
    }

    /// How the check of this name went in all runs, the last time first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::check_results`].
    pub async fn check_history(&self, name: &str, limit: u32) -> Result<Vec<PastCheck>, StoreError> {
        self.read_all(sqlx::query(find::HISTORY).bind(name).bind(limit), past_check).await
    }
}

fn past_check(row: &SqliteRow) -> Result<PastCheck, StoreProblem> {
    let columns = columns(row);
    Ok(PastCheck { iteration: columns.id("iteration")?, at: columns.get("at")?, result: result(row)? })
}

fn result(row: &SqliteRow) -> Result<CheckResult, StoreProblem> {
    let row = columns(row);
    Ok(CheckResult {
        name: row.get("name")?,
        position: row.get("position")?,
        required: row.get("required")?,
        status: row.word("status", CheckStatus::parse)?,
        exit_code: row.get("exit_code")?,
        elapsed_ms: row.count("elapsed_ms")?,
        issues: row.json("issues")?,
        excerpt: row.get("excerpt")?,
        problem: row.get("problem")?,
    })
}

const fn columns(row: &SqliteRow) -> Reader<'_> {
    Reader::new(row, "check_results")
}
