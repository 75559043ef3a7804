//! What checks found: in iterations, and when a person ran them.

use loopwright_domain::{CheckResult, CheckStatus, ErrorCode, IterationId};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::{RowReader, to_count, to_json};
use crate::write::Write;

/// As many results of each check as are kept of those that a person ran.
pub const MOST_BY_HAND: u32 = 100;

/// How rows are found; see [`crate::runs::find`]. A check that was passed over or stopped tells nothing of how it goes.
pub(crate) mod find {
    pub(crate) const RESULTS: &str = "SELECT * FROM check_results WHERE iteration = ? ORDER BY position";
    pub(crate) const HISTORY: &str = "SELECT * FROM check_results
         WHERE name = ? AND status NOT IN ('skipped', 'stopped') ORDER BY place DESC LIMIT ?";
    pub(crate) const HISTORY_BY_HAND: &str = "SELECT *, NULL AS iteration FROM checks_by_hand
         WHERE name = ? AND status NOT IN ('skipped', 'stopped') ORDER BY place DESC LIMIT ?";
    pub(crate) const TREND: &str = "SELECT iteration, at, status, elapsed_ms FROM check_results
         WHERE name = ? AND status NOT IN ('skipped', 'stopped') ORDER BY place DESC LIMIT ?";
    pub(crate) const TREND_BY_HAND: &str =
        "SELECT NULL AS iteration, at, status, elapsed_ms FROM checks_by_hand
         WHERE name = ? AND status NOT IN ('skipped', 'stopped') ORDER BY place DESC LIMIT ?";
}

/// How a check went once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastCheck {
    /// The iteration; none when a person ran it.
    pub iteration: Option<IterationId>,
    /// When the result was written down.
    pub at: String,
    /// The result.
    pub result: CheckResult,
}

/// How a check went once, without what it found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckPoint {
    /// The iteration; none when a person ran it.
    pub iteration: Option<IterationId>,
    /// When the result was written down.
    pub at: String,
    /// How it ended.
    pub status: CheckStatus,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

impl Store {
    /// The results of an iteration's checks, in the order of the checks.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or a result was written by another version of Loopwright.
    pub async fn check_results(&self, iteration: IterationId) -> Result<Vec<CheckResult>, StoreError> {
        self.read_all(sqlx::query(find::RESULTS).bind(iteration.to_string()), iteration_result).await
    }

    /// How the check of this name went in all runs and by hand, the last time first, at most `limit`. Where it was
    /// passed over or stopped is left out.
    ///
    /// # Errors
    ///
    /// As [`Store::check_results`].
    pub async fn check_history(&self, name: &str, limit: u32) -> Result<Vec<PastCheck>, StoreError> {
        let mut all =
            self.read_all(sqlx::query(find::HISTORY).bind(name).bind(limit), past_in_iteration).await?;
        let by_hand = sqlx::query(find::HISTORY_BY_HAND).bind(name).bind(limit);
        all.extend(self.read_all(by_hand, past_by_hand).await?);
        Ok(newest(all, limit, |past| &past.at))
    }

    /// The same as [`Store::check_history`], without what was found: small however much that is.
    ///
    /// # Errors
    ///
    /// As [`Store::check_results`].
    pub async fn check_trend(&self, name: &str, limit: u32) -> Result<Vec<CheckPoint>, StoreError> {
        let mut all =
            self.read_all(sqlx::query(find::TREND).bind(name).bind(limit), point_in_iteration).await?;
        let by_hand = sqlx::query(find::TREND_BY_HAND).bind(name).bind(limit);
        all.extend(self.read_all(by_hand, point_by_hand).await?);
        Ok(newest(all, limit, |point| &point.at))
    }

    /// Writes down how checks went that a person ran, each with the time it ended at (RFC 3339 in UTC). Of each check
    /// the last [`MOST_BY_HAND`] are kept, and what it found only of the last one.
    ///
    /// # Errors
    ///
    /// When the database cannot be written. Then nothing has changed.
    pub async fn record_checks_by_hand(&self, results: &[(String, CheckResult)]) -> Result<(), StoreError> {
        if results.is_empty() {
            return Ok(());
        }
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            for (at, result) in results {
                shorten(&mut write, &result.name).await?;
                insert(&mut write, at, result).await?;
            }
            write.commit().await
        })
        .await
    }
}

/// Makes room for another result of a check.
async fn shorten(write: &mut Write<'_>, name: &str) -> Result<(), StoreProblem> {
    let oldest = sqlx::query(
        "DELETE FROM checks_by_hand WHERE name = ?1 AND place <= (
             SELECT place FROM checks_by_hand WHERE name = ?1 ORDER BY place DESC LIMIT 1 OFFSET ?2
         )",
    );
    write.execute(oldest.bind(name).bind(MOST_BY_HAND - 1)).await?;
    let last = sqlx::query(
        "UPDATE checks_by_hand SET issues = '[]', excerpt = '' WHERE place = (
             SELECT max(place) FROM checks_by_hand WHERE name = ?
         )",
    );
    write.execute(last.bind(name)).await.map(drop)
}

async fn insert(write: &mut Write<'_>, at: &str, result: &CheckResult) -> Result<(), StoreProblem> {
    let insert = sqlx::query(
        "INSERT INTO checks_by_hand (
             at, position, name, required, status, exit_code, elapsed_ms, issues, excerpt, problem, code, red_before
         ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    write.execute(bind_result(insert.bind(at), result)?).await.map(drop)
}

type Statement<'q> = sqlx::query::Query<'q, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

/// A result's values: position, name, required, status, exit_code, elapsed_ms, issues, excerpt, problem,
/// code, red_before.
pub(crate) fn bind_result<'q>(
    insert: Statement<'q>,
    result: &'q CheckResult,
) -> Result<Statement<'q>, StoreProblem> {
    Ok(insert
        .bind(result.position)
        .bind(result.name.as_str())
        .bind(result.required)
        .bind(result.status.as_str())
        .bind(result.exit_code)
        .bind(to_count(result.elapsed_ms))
        .bind(to_json(&result.issues)?)
        .bind(result.excerpt.as_str())
        .bind(result.problem.as_deref())
        .bind(result.code.map(ErrorCode::as_str))
        .bind(result.red_before))
}

/// The newest of both kinds, newest first. Of the same time, those of iterations come first.
fn newest<T>(mut all: Vec<T>, limit: u32, at: fn(&T) -> &String) -> Vec<T> {
    all.sort_by(|one, other| at(other).cmp(at(one)));
    all.truncate(limit.try_into().unwrap_or(usize::MAX));
    all
}

fn iteration_result(row: &SqliteRow) -> Result<CheckResult, StoreProblem> {
    result(&of_iteration(row))
}

fn past_in_iteration(row: &SqliteRow) -> Result<PastCheck, StoreProblem> {
    past(&of_iteration(row))
}

fn past_by_hand(row: &SqliteRow) -> Result<PastCheck, StoreProblem> {
    past(&by_hand(row))
}

fn point_in_iteration(row: &SqliteRow) -> Result<CheckPoint, StoreProblem> {
    point(&of_iteration(row))
}

fn point_by_hand(row: &SqliteRow) -> Result<CheckPoint, StoreProblem> {
    point(&by_hand(row))
}

fn past(row: &RowReader<'_>) -> Result<PastCheck, StoreProblem> {
    Ok(PastCheck { iteration: row.optional_id("iteration")?, at: row.get("at")?, result: result(row)? })
}

fn point(row: &RowReader<'_>) -> Result<CheckPoint, StoreProblem> {
    Ok(CheckPoint {
        iteration: row.optional_id("iteration")?,
        at: row.get("at")?,
        status: row.word("status", CheckStatus::parse)?,
        elapsed_ms: row.count("elapsed_ms")?,
    })
}

fn result(row: &RowReader<'_>) -> Result<CheckResult, StoreProblem> {
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
        code: row.get::<Option<String>>("code")?.and_then(|code| ErrorCode::parse(&code)),
        red_before: row.get("red_before")?,
    })
}

const fn of_iteration(row: &SqliteRow) -> RowReader<'_> {
    RowReader::new(row, "check_results")
}

const fn by_hand(row: &SqliteRow) -> RowReader<'_> {
    RowReader::new(row, "checks_by_hand")
}
