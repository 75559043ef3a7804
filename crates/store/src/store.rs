//! An open database: its two connections, and what every operation has in common.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use sqlx::Sqlite;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

use crate::connect::{Access, connect};
use crate::error::{StoreError, StoreProblem};
use crate::examine::integrity_problems;
use crate::layout::Layout;
use crate::options::StoreOptions;
use crate::platform::FileIdentity;
use crate::recover::suspect;
use crate::write::Write;

/// A project's state.
///
/// Shared by reference: operations on one store may run at the same time. Close it with [`Store::close`]; a store
/// that is only dropped loses nothing, but leaves its write-ahead log for the next one to fold in.
#[derive(Debug)]
pub struct Store {
    layout: Layout,
    identity: FileIdentity,
    options: StoreOptions,
    reader: Mutex<SqliteConnection>,
    /// Made by the first write, and made anew after one that SQLite gave up in the middle.
    writer: Mutex<Option<SqliteConnection>>,
    writer_suspect: AtomicBool,
}

impl Store {
    pub(crate) fn new(
        layout: Layout,
        identity: FileIdentity,
        options: StoreOptions,
        reader: SqliteConnection,
    ) -> Self {
        let writer_suspect = AtomicBool::new(false);
        Self {
            layout,
            identity,
            options,
            reader: Mutex::new(reader),
            writer: Mutex::default(),
            writer_suspect,
        }
    }

    /// Ends the connections and waits until that is done.
    ///
    /// # Errors
    ///
    /// When SQLite's thread has ended unexpectedly.
    pub async fn close(self) -> Result<(), StoreError> {
        let Self { layout, reader, writer, .. } = self;
        // The writer goes last, because the last one to go folds the log into the file, and a reader may not.
        let mut closed = sqlx::Connection::close(reader.into_inner()).await;
        if let Some(writer) = writer.into_inner() {
            closed = closed.and(sqlx::Connection::close(writer).await);
        }
        closed.map_err(|error| StoreProblem::from(error).about(layout.database()))
    }

    /// Reads everything and looks for damage: pages, indexes, the search index, what rows say of each other, gaps in the history.
    ///
    /// Returns what was found, in SQLite's words; nothing when all is sound. A database with findings is examined
    /// again by the next [`Store::open`] and set aside if it is damaged.
    ///
    /// # Errors
    ///
    /// When the database cannot be read at all.
    pub async fn verify(&self) -> Result<Vec<String>, StoreError> {
        let findings = self.observed(self.collect_findings()).await?;
        if !findings.is_empty() {
            suspect(&self.layout);
        }
        Ok(findings)
    }

    async fn collect_findings(&self) -> Result<Vec<String>, StoreProblem> {
        let mut reader = self.reader().await;
        let mut findings = integrity_problems(&mut reader).await?;
        if findings.is_empty() {
            let orphans: Vec<(String, i64)> =
                sqlx::query_as("SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1")
                    .fetch_all(&mut *reader)
                    .await?;
            let missing: i64 = sqlx::query_scalar("SELECT coalesce(max(seq), 0) - count(*) FROM events")
                .fetch_one(&mut *reader)
                .await?;
            findings.extend(
                orphans
                    .iter()
                    .map(|(table, count)| format!("{count} of {table} name something that does not exist")),
            );
            if missing > 0 {
                findings.push(format!("{missing} events are missing from the history"));
            }
        }
        Ok(findings)
    }

    pub(crate) const fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) const fn options(&self) -> &StoreOptions {
        &self.options
    }

    /// The connection for reading.
    pub(crate) async fn reader(&self) -> MutexGuard<'_, SqliteConnection> {
        self.reader.lock().await
    }

    /// The connection for writing.
    pub(crate) async fn writer(&self) -> Result<MappedMutexGuard<'_, SqliteConnection>, StoreProblem> {
        let mut writer = self.writer.lock().await;
        if self.writer_suspect.swap(false, Ordering::SeqCst) {
            *writer = None;
        }
        if writer.is_none() {
            *writer = Some(self.connect_writer().await?);
        }
        MutexGuard::try_map(writer, Option::as_mut)
            .map_err(|_| StoreProblem::Failed("the connection was not made".to_owned()))
    }

    async fn connect_writer(&self) -> Result<SqliteConnection, StoreProblem> {
        let writer = connect(self.layout.database(), Access::Write, &self.options).await?;
        self.check_still_there()?;
        Ok(writer)
    }

    /// Reads rows and makes a value of each.
    pub(crate) async fn read_all<T>(
        &self,
        query: Query<'_, Sqlite, SqliteArguments>,
        value: impl Fn(&SqliteRow) -> Result<T, StoreProblem>,
    ) -> Result<Vec<T>, StoreError> {
        self.observed(async {
            let rows = query.fetch_all(&mut *self.reader().await).await?;
            rows.iter().map(value).collect()
        })
        .await
    }

    /// Reads one row, if there is one, and makes a value of it.
    pub(crate) async fn read_one<T>(
        &self,
        query: Query<'_, Sqlite, SqliteArguments>,
        value: impl Fn(&SqliteRow) -> Result<T, StoreProblem>,
    ) -> Result<Option<T>, StoreError> {
        self.observed(async {
            let row = query.fetch_optional(&mut *self.reader().await).await?;
            row.as_ref().map(value).transpose()
        })
        .await
    }

    /// Begins a write on the writing connection.
    pub(crate) async fn begin<'c>(
        &self,
        writer: &'c mut SqliteConnection,
    ) -> Result<Write<'c>, StoreProblem> {
        Write::begin(writer, &self.options.faults).await
    }

    /// Carries an operation out on the file that was opened, and no other, and remembers damage that it met.
    pub(crate) async fn observed<T>(
        &self,
        operation: impl Future<Output = Result<T, StoreProblem>>,
    ) -> Result<T, StoreError> {
        let result = match self.check_still_there() {
            Ok(()) => operation.await,
            Err(problem) => Err(problem),
        };
        match result {
            Err(StoreProblem::Damaged(_)) => suspect(&self.layout),
            // SQLite has ended such a transaction by itself, and the connection would take it for still going on.
            Err(
                StoreProblem::Full | StoreProblem::Io(_) | StoreProblem::Failed(_) | StoreProblem::ReadOnly,
            ) => {
                self.writer_suspect.store(true, Ordering::SeqCst);
            }
            _ => {}
        }
        result.map_err(|problem| problem.about(self.layout.database()))
    }

    /// Fails when the file at the path is no longer the one that was opened, so that nothing is written where
    /// nobody would look for it.
    pub(crate) fn check_still_there(&self) -> Result<(), StoreProblem> {
        match fs::metadata(self.layout.database()) {
            Ok(metadata) if FileIdentity::of(&metadata) == self.identity => Ok(()),
            Ok(_) => Err(StoreProblem::Gone),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(StoreProblem::Gone),
            Err(error) => Err(error.into()),
        }
    }
}
