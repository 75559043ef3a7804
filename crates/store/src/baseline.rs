//! Results of checks on untouched trees, kept for a while so that the next run need not ask again.

use loopwright_domain::CheckResult;

use crate::error::StoreError;
use crate::store::Store;
use crate::values::{RowReader, to_json};

/// How a kept result is found; see [`crate::runs::find`].
pub(crate) const FIND: &str = "SELECT result FROM baseline_results WHERE key = ? AND at > ? AND at <= ?";

impl Store {
    /// The result that was kept under a key after one time and not after the other, both RFC 3339 in UTC.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or the result was written by another version of Loopwright.
    pub async fn baseline_result(
        &self,
        key: &str,
        after: &str,
        until: &str,
    ) -> Result<Option<CheckResult>, StoreError> {
        let query = sqlx::query(FIND).bind(key).bind(after).bind(until);
        self.read_one(query, |row| RowReader::new(row, "baseline_results").json("result")).await
    }

    /// Keeps results under their keys from now on, and forgets those from before `expired`.
    ///
    /// # Errors
    ///
    /// When the database cannot be written. Then nothing has changed.
    pub async fn keep_baseline_results(
        &self,
        at: &str,
        expired: &str,
        results: &[(String, CheckResult)],
    ) -> Result<(), StoreError> {
        if results.is_empty() {
            return Ok(());
        }
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let old = sqlx::query("DELETE FROM baseline_results WHERE at <= ? OR at > ?");
            write.execute(old.bind(expired).bind(at)).await?;
            for (key, result) in results {
                let insert =
                    sqlx::query("INSERT OR REPLACE INTO baseline_results (key, at, result) VALUES (?, ?, ?)");
                write.execute(insert.bind(key.as_str()).bind(at).bind(to_json(result)?)).await?;
            }
            write.commit().await
        })
        .await
    }
}
