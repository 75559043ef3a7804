//! Failures: what made attempts fail, written with the journal and read by pattern and task.

use loopwright_domain::{Diagnosis, Failure, FailureCategory, IterationId, RunId, TaskId, UNKNOWN_PATTERN};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::{RowReader, small_number};
use crate::write::Write;

/// How rows are found; see [`crate::runs::find`].
pub(crate) mod find {
    pub(crate) const ALL: &str = "SELECT * FROM failures ORDER BY id DESC LIMIT ?";
    pub(crate) const BY_PATTERN: &str = "SELECT * FROM failures WHERE pattern = ? ORDER BY id DESC LIMIT ?";
    pub(crate) const BY_TASK: &str = "SELECT * FROM failures WHERE task = ? ORDER BY id DESC LIMIT ?";
    pub(crate) const BY_BOTH: &str =
        "SELECT * FROM failures WHERE task = ? AND pattern = ? ORDER BY id DESC LIMIT ?";
    pub(crate) const ONE: &str = "SELECT * FROM failures WHERE id = ?";
    pub(crate) const UNRESOLVED: &str =
        "SELECT * FROM failures WHERE resolved_by IS NULL ORDER BY id DESC LIMIT ?";
}

/// How often a pattern was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternCount {
    /// The pattern's name.
    pub pattern: String,
    /// How many failures have it.
    pub failures: u32,
    /// How many of these the same task got over.
    pub resolved: u32,
    /// When it was met last.
    pub last_at: String,
}

impl Store {
    /// Failures, the newest first, at most `limit`: all of them, or those of a pattern, of a task, or of both.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or a failure was written by another version of Loopwright.
    pub async fn failures(
        &self,
        pattern: Option<&str>,
        task: Option<TaskId>,
        limit: u32,
    ) -> Result<Vec<Failure>, StoreError> {
        let query = match (task, pattern) {
            (None, None) => sqlx::query(find::ALL),
            (None, Some(pattern)) => sqlx::query(find::BY_PATTERN).bind(pattern),
            (Some(task), None) => sqlx::query(find::BY_TASK).bind(task.0),
            (Some(task), Some(pattern)) => sqlx::query(find::BY_BOTH).bind(task.0).bind(pattern),
        };
        self.read_all(query.bind(limit), failure).await
    }

    /// The failures that nothing has resolved yet, the newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::failures`].
    pub async fn unresolved_failures(&self, limit: u32) -> Result<Vec<Failure>, StoreError> {
        self.read_all(sqlx::query(find::UNRESOLVED).bind(limit), failure).await
    }

    /// The failure of this number.
    ///
    /// # Errors
    ///
    /// As [`Store::failures`].
    pub async fn failure(&self, id: u32) -> Result<Option<Failure>, StoreError> {
        self.read_one(sqlx::query(find::ONE).bind(id), failure).await
    }

    /// How often each pattern was met, the most frequent first.
    ///
    /// # Errors
    ///
    /// As [`Store::failures`].
    pub async fn pattern_counts(&self) -> Result<Vec<PatternCount>, StoreError> {
        let query = sqlx::query(
            "SELECT pattern, count(*) AS failures, count(resolved_by) AS resolved, max(at) AS last_at
             FROM failures GROUP BY pattern ORDER BY failures DESC, pattern",
        );
        self.read_all(query, count).await
    }

    /// Gives failures without a pattern what they were found to be. One that has a pattern keeps it.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn name_failures(&self, found: &[(u32, Diagnosis)]) -> Result<u32, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let mut named = 0;
            for (id, diagnosis) in found {
                let update = sqlx::query(
                    "UPDATE failures SET pattern = ?2, category = ?3, fingerprint = ?4 WHERE id = ?1 AND pattern = ?5",
                )
                .bind(*id)
                .bind(diagnosis.pattern.as_str())
                .bind(diagnosis.category.as_str())
                .bind(diagnosis.fingerprint.as_str())
                .bind(UNKNOWN_PATTERN);
                named += u32::from(write.execute(update).await? == 1);
            }
            write.commit().await?;
            Ok(named)
        })
        .await
    }
}

fn failure(row: &SqliteRow) -> Result<Failure, StoreProblem> {
    let row = RowReader::new(row, "failures");
    Ok(Failure {
        id: row.get("id")?,
        run: row.id("run")?,
        iteration: row.id("iteration")?,
        task: row.get::<Option<u32>>("task")?.map(TaskId),
        check: row.get("check_name")?,
        diagnosis: Diagnosis {
            pattern: row.get("pattern")?,
            category: row.word("category", FailureCategory::parse)?,
            cause: row.get("cause")?,
            file: row.get("file")?,
            line: row.get("line")?,
            excerpt: row.get("excerpt")?,
            fingerprint: row.get("fingerprint")?,
        },
        at: row.get("at")?,
        resolved_by: row.optional_id("resolved_by")?,
        solution: row.get("solution")?,
    })
}

fn count(row: &SqliteRow) -> Result<PatternCount, StoreProblem> {
    let row = RowReader::new(row, "failures");
    Ok(PatternCount {
        pattern: row.get("pattern")?,
        failures: row.get("failures")?,
        resolved: row.get("resolved")?,
        last_at: row.get("last_at")?,
    })
}

/// Keeps what made an iteration fail, once, and returns its number; none when it is kept already.
pub(crate) async fn keep(
    write: &mut Write<'_>,
    at: &str,
    (run, iteration, task): (RunId, IterationId, Option<TaskId>),
    check: Option<&str>,
    diagnosis: &Diagnosis,
) -> Result<Option<u32>, StoreProblem> {
    let insert = sqlx::query(
        "INSERT INTO failures (
             iteration, run, task, check_name, pattern, category, cause, file, line, excerpt, fingerprint, at
         ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (iteration) DO NOTHING",
    )
    .bind(iteration.to_string())
    .bind(run.to_string())
    .bind(task.map(|task| task.0))
    .bind(check)
    .bind(diagnosis.pattern.as_str())
    .bind(diagnosis.category.as_str())
    .bind(diagnosis.cause.as_str())
    .bind(diagnosis.file.as_deref())
    .bind(diagnosis.line)
    .bind(diagnosis.excerpt.as_str())
    .bind(diagnosis.fingerprint.as_str())
    .bind(at);
    if write.execute(insert).await? == 0 {
        return Ok(None);
    }
    let id = sqlx::query_scalar("SELECT id FROM failures WHERE iteration = ?").bind(iteration.to_string());
    small_number(write.number(id).await?).map(Some)
}

/// The pattern of a task's last failure, while nothing has resolved it.
pub(crate) async fn open_pattern(
    write: &mut Write<'_>,
    task: TaskId,
) -> Result<Option<String>, StoreProblem> {
    let query = sqlx::query_scalar(
        "SELECT pattern FROM failures WHERE task = ? AND resolved_by IS NULL AND pattern <> ?
         ORDER BY id DESC LIMIT 1",
    );
    Ok(query.bind(task.0).bind(UNKNOWN_PATTERN).fetch_optional(&mut *write.connection()).await?)
}

/// Marks the failures of an iteration's task as resolved by it.
pub(crate) async fn resolve(write: &mut Write<'_>, iteration: IterationId) -> Result<(), StoreProblem> {
    let update = sqlx::query(
        "UPDATE failures SET resolved_by = ?1
         WHERE resolved_by IS NULL AND task = (SELECT task FROM iterations WHERE id = ?1)",
    );
    write.execute(update.bind(iteration.to_string())).await.map(drop)
}
