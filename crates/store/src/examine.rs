//! Whether a database file is sound, and of which version.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use crate::error::StoreProblem;
use crate::schema::{APPLICATION_ID, current_version};

/// A database of at most this many pages (512 KiB) is read through whenever it is opened: that takes a fraction of
/// a millisecond. In a larger one damage shows when the damaged part is read; see [`Depth::Full`].
const SMALL_ENOUGH_TO_READ_THROUGH: i64 = 128;

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The header, the schema, and all of a small database.
    Quick,
    /// Everything. It takes time in proportion to the size, so it is done where there is a reason to.
    Full,
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Sound, and of this build's version.
    Current,
    /// Sound, but to be upgraded before use.
    Behind {
        /// Its version.
        found: i64,
    },
    /// Made by a newer Loopwright.
    Newer {
        /// Its version.
        found: i64,
    },
    /// Not to be used, and why.
    Damaged(String),
}

/// Looks at a database. Damage is a finding; an error means that it could not be looked at.
pub(crate) async fn examine(
    connection: &mut SqliteConnection,
    depth: Depth,
) -> Result<Condition, StoreProblem> {
    match inspect(connection, depth).await {
        Err(StoreProblem::Damaged(reason)) => Ok(Condition::Damaged(reason)),
        finding => finding,
    }
}

async fn inspect(connection: &mut SqliteConnection, depth: Depth) -> Result<Condition, StoreProblem> {
    let header = Header::read(connection).await?;
    if header.application_id != APPLICATION_ID {
        return Ok(Condition::Damaged("it belongs to another program".into()));
    }
    if header.version > current_version() {
        return Ok(Condition::Newer { found: header.version });
    }
    match depth {
        Depth::Quick if header.pages <= SMALL_ENOUGH_TO_READ_THROUGH => quick_check(connection).await?,
        Depth::Quick => {}
        Depth::Full => {
            if let Some(first) = integrity_problems(connection).await?.into_iter().next() {
                return Ok(Condition::Damaged(first));
            }
        }
    }
    if header.version < current_version() || header.journal_mode != "wal" {
        return Ok(Condition::Behind { found: header.version });
    }
    if !header.complete {
        return Ok(Condition::Damaged("some of its tables are missing".into()));
    }
    Ok(Condition::Current)
}

/// What the first page says. Reading it makes SQLite read the whole schema, and compare the file's length with the
/// number of pages it should have.
struct Header {
    application_id: i64,
    version: i64,
    pages: i64,
    journal_mode: String,
    complete: bool,
}

impl Header {
    async fn read(connection: &mut SqliteConnection) -> Result<Self, StoreProblem> {
        let row: SqliteRow = sqlx::query(
            "SELECT application_id, user_version, page_count, journal_mode, 9 = (
                 SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN (
                     'events', 'tasks', 'task_dependencies', 'tasks_fts', 'runs', 'iterations', 'check_results',
                     'controls', 'checks_by_hand'
                 )
             )
             FROM pragma_application_id, pragma_user_version, pragma_page_count, pragma_journal_mode",
        )
        .fetch_one(connection)
        .await
        .map_err(StoreProblem::of_the_file)?;
        Ok(Self {
            application_id: row.try_get(0)?,
            version: row.try_get(1)?,
            pages: row.try_get(2)?,
            journal_mode: row.try_get(3)?,
            complete: row.try_get(4)?,
        })
    }
}

async fn quick_check(connection: &mut SqliteConnection) -> Result<(), StoreProblem> {
    let finding: String = sqlx::query_scalar("PRAGMA quick_check(1)")
        .fetch_one(connection)
        .await
        .map_err(StoreProblem::of_the_file)?;
    if finding == "ok" { Ok(()) } else { Err(StoreProblem::Damaged(one_line(&finding))) }
}

/// Everything that is wrong with a database, in SQLite's words where they are its findings; empty when it is sound.
pub(crate) async fn integrity_problems(
    connection: &mut SqliteConnection,
) -> Result<Vec<String>, StoreProblem> {
    let found = match structure_problems(connection).await {
        Ok(problems) if problems.is_empty() => read_all_text(connection).await.map(|()| problems),
        other => other,
    };
    match found {
        Err(StoreProblem::Damaged(reason)) => Ok(vec![reason]),
        other => other,
    }
}

async fn structure_problems(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreProblem> {
    let findings: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(20)")
        .fetch_all(connection)
        .await
        .map_err(StoreProblem::of_the_file)?;
    Ok(findings.iter().filter(|finding| *finding != "ok").map(|finding| one_line(finding)).collect())
}

/// A finding may begin with a line that only names the database.
fn one_line(finding: &str) -> String {
    finding.lines().find(|line| !line.starts_with("***")).unwrap_or(finding).to_owned()
}

/// The texts of each table, after the number of their row.
const TEXTS: [(&str, &str); 7] = [
    ("events", "SELECT seq, concat_ws(' ', at, body, type) FROM events WHERE seq > ? ORDER BY seq LIMIT ?"),
    (
        "tasks",
        "SELECT id, concat_ws(' ', title, description, created_at, updated_at)
         FROM tasks WHERE id > ? ORDER BY id LIMIT ?",
    ),
    (
        "runs",
        "SELECT place, concat_ws(' ', id, kind, title, procedure, harness, waiting, reason, message, limits,
             progress, origin, started_at, last_iteration_at, ended_at, head, tree, options)
         FROM runs WHERE place > ? ORDER BY place LIMIT ?",
    ),
    (
        "iterations",
        "SELECT place, concat_ws(' ', id, run, phase, outcome, cause, message, started_at, ended_at,
             process_started, end_cause, claim, claim_text, preview, usage, head, checkpoint, tree_before,
             tree_after, commit_id, failing)
         FROM iterations WHERE place > ? ORDER BY place LIMIT ?",
    ),
    (
        "check_results",
        "SELECT place, concat_ws(' ', iteration, name, at, status, issues, excerpt, problem)
         FROM check_results WHERE place > ? ORDER BY place LIMIT ?",
    ),
    (
        "checks_by_hand",
        "SELECT place, concat_ws(' ', name, at, status, issues, excerpt, problem)
         FROM checks_by_hand WHERE place > ? ORDER BY place LIMIT ?",
    ),
    (
        "controls",
        "SELECT id, concat_ws(' ', run, kind, origin, at) FROM controls WHERE id > ? ORDER BY id LIMIT ?",
    ),
];

/// How many rows are read at once, so that a long history does not have to fit into memory.
const ROWS_AT_ONCE: i64 = 500;

/// SQLite does not look into texts, so bytes that are none are found only by reading them. A table may be missing:
/// older versions have fewer.
async fn read_all_text(connection: &mut SqliteConnection) -> Result<(), StoreProblem> {
    let tables: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .fetch_all(&mut *connection)
        .await
        .map_err(StoreProblem::of_the_file)?;
    for (_, query) in TEXTS.iter().filter(|(table, _)| tables.iter().any(|name| name == table)) {
        read_texts(connection, query).await?;
    }
    Ok(())
}

async fn read_texts(connection: &mut SqliteConnection, query: &'static str) -> Result<(), StoreProblem> {
    let mut last = i64::MIN;
    loop {
        let page = sqlx::query(query).bind(last).bind(ROWS_AT_ONCE).fetch_all(&mut *connection).await;
        let page = page.map_err(StoreProblem::of_the_file)?;
        for row in &page {
            last = row.try_get(0)?;
            row.try_get::<&str, _>(1)?;
        }
        if page.is_empty() {
            return Ok(());
        }
    }
}
