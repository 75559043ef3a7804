//! The one place where a connection to SQLite is made.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::error::StoreProblem;
use crate::options::StoreOptions;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reads and writes. When the last such connection closes, the write-ahead log is folded into the file.
    Write,
    /// Reads, and may do what that takes: play back a rollback journal, and fold the log into the file at its end.
    Look,
    /// Reads and leaves the file and its write-ahead log exactly as they are.
    Read,
}

/// Connects to an existing file. The write-ahead log is a property of the file, set once when it is made.
///
/// `trusted_schema` and `cell_size_check` are SQLite's advice for files that somebody else may have put there.
#[expect(clippy::disallowed_methods, reason = "the one place that opens SQLite")]
pub(crate) async fn connect(
    database: &Path,
    access: Access,
    options: &StoreOptions,
) -> Result<SqliteConnection, StoreProblem> {
    if database.to_str().is_none() {
        return Err(StoreProblem::PathNotUnicode);
    }
    let mut connection = SqliteConnectOptions::new()
        .filename(database)
        .create_if_missing(false)
        .read_only(access == Access::Read)
        .busy_timeout(options.busy_timeout)
        .foreign_keys(true)
        .pragma("trusted_schema", "OFF")
        .pragma("cell_size_check", "ON")
        .thread_name(|_| "loopwright-store".into())
        .disable_statement_logging()
        .connect()
        .await
        .map_err(StoreProblem::of_the_file)?;
    if access != Access::Write {
        return Ok(connection);
    }
    // The first that reads the file. A connection that is dropped closes at some later time, and takes the log away from
    // under whoever deals with the damage.
    match sqlx::query("PRAGMA synchronous = FULL").execute(&mut connection).await {
        Ok(_) => Ok(connection),
        Err(error) => {
            let _ = connection.close().await;
            Err(StoreProblem::of_the_file(error))
        }
    }
}
