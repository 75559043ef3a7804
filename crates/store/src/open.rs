//! Opening: the quick way for a sound, current database, and the guarded way for every other.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnection;

use crate::connect::{Access, connect};
use crate::copy::write_copy;
use crate::error::{StoreError, StoreProblem};
use crate::examine::{Condition, Depth, examine};
use crate::layout::{Layout, is_free};
use crate::options::StoreOptions;
use crate::platform::{self, FileIdentity};
use crate::recover::{self, SettingAside};
use crate::schema::{current_version, upgrade};
use crate::store::Store;

/// How often opening starts again because other processes changed the file meanwhile.
const ATTEMPTS: usize = 8;

/// SQLite's page size for new databases; it writes whole pages.
const PAGE_SIZE: u64 = 4096;

/// What opening found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// There was no database; there is one now.
    Created,
    /// There was one.
    Existing,
    /// There was one that could not be used. It was moved aside, and the new one's history tells so.
    Recovered {
        /// Where the damaged database is now; its sidecars are beside it.
        moved_to: PathBuf,
        /// What was wrong with it.
        reason: String,
    },
}

impl Store {
    /// Opens the database, making it and its folder if they are missing.
    ///
    /// `now` is the caller's clock as RFC 3339 in UTC; it dates the event that tells of a recovery. Needs a tokio
    /// runtime with its timer enabled.
    ///
    /// # Errors
    ///
    /// When the database is of a newer Loopwright, cannot be written, is held by another process for too long, or
    /// is damaged and cannot be moved aside.
    pub async fn open(database: &Path, now: &str) -> Result<(Self, Opened), StoreError> {
        Self::open_with(database, now, StoreOptions::default()).await
    }

    /// Opens the database as [`Store::open`] does, with options.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub async fn open_with(
        database: &Path,
        now: &str,
        options: StoreOptions,
    ) -> Result<(Self, Opened), StoreError> {
        let layout = Layout::new(database).map_err(|error| StoreProblem::from(error).about(database))?;
        let opening = Opening { layout, now, options };
        opening.run().await.map_err(|problem| problem.about(opening.layout.database()))
    }
}

/// The file as it is now.
enum Presence {
    Missing,
    Empty,
    /// It ends in the middle of a page, and there is no log that could hold the rest.
    CutOff,
    File(FileIdentity),
}

/// What one attempt at the quick way came to.
enum Attempt {
    Open(SqliteConnection, FileIdentity),
    /// The guarded way has something to do first.
    NotReady,
    /// The file was exchanged while it was being opened.
    Exchanged,
}

/// What the guarded way finds.
pub(crate) enum DatabaseState {
    Nothing,
    /// An earlier process began to set a database aside.
    Unfinished(SettingAside),
    /// A database that cannot be used, and why.
    Unusable(String),
    Sound {
        /// Its version if it has to be made current.
        version: Option<i64>,
    },
}

/// A database that is being opened, or looked at before a backup takes its place.
pub(crate) struct Opening<'a> {
    pub(crate) layout: Layout,
    pub(crate) now: &'a str,
    pub(crate) options: StoreOptions,
}

impl Opening<'_> {
    async fn run(&self) -> Result<(Store, Opened), StoreProblem> {
        let mut opened = Opened::Existing;
        for _ in 0..ATTEMPTS {
            match self.attempt().await? {
                Attempt::Open(reader, identity) => {
                    let store = Store::new(self.layout.clone(), identity, self.options.clone(), reader);
                    return Ok((store, opened));
                }
                Attempt::NotReady => {
                    let outcome = self.make_ready().await?;
                    if opened == Opened::Existing {
                        opened = outcome;
                    }
                }
                Attempt::Exchanged => {}
            }
        }
        Err(StoreProblem::Busy)
    }

    /// The quick way: no lock, one connection.
    async fn attempt(&self) -> Result<Attempt, StoreProblem> {
        let Presence::File(identity) = self.presence()? else {
            return Ok(Attempt::NotReady);
        };
        if !is_free(&self.layout.suspicion()) {
            return Ok(Attempt::NotReady);
        }
        let mut connection = match connect(self.layout.database(), self.access(), &self.options).await {
            Ok(connection) => connection,
            Err(StoreProblem::Damaged(_)) => return Ok(Attempt::NotReady),
            Err(StoreProblem::Unopenable(_)) if matches!(self.presence()?, Presence::Missing) => {
                return Ok(Attempt::NotReady);
            }
            Err(problem) => return Err(self.explained(problem)),
        };
        let condition =
            examine(&mut connection, Depth::Quick).await.map_err(|error| self.explained(error))?;
        if condition == Condition::Current {
            // The log is found by its name. Had the file been exchanged before now, this connection could pair
            // the old file with the new one's log.
            return Ok(match self.presence()? {
                Presence::File(now) if now == identity => Attempt::Open(connection, identity),
                _ => Attempt::Exchanged,
            });
        }
        sqlx::Connection::close(connection).await?;
        match condition {
            Condition::Newer { found } => Err(newer(found)),
            _ => Ok(Attempt::NotReady),
        }
    }

    /// A log with content is only read: closing a writing connection would fold it into the file, and the file of
    /// a newer Loopwright has to stay as it is. Without one there is nothing to fold, and a writing connection
    /// tidies up after itself. A rollback journal has to be played back before anything can be read.
    fn access(&self) -> Access {
        let only_read = has_content(&self.layout.log()) && !has_content(&self.layout.rollback_journal());
        if only_read { Access::Read } else { Access::Look }
    }

    /// The guarded way: holding the lock, makes, upgrades or recovers the database if it still has to be.
    async fn make_ready(&self) -> Result<Opened, StoreProblem> {
        platform::create_private_folder(self.layout.folder())?;
        let _lock = recover::lock(&self.layout, self.options.busy_timeout).await?;
        match self.look(self.due_depth()).await? {
            DatabaseState::Nothing => {
                recover::create(&self.layout, None, &self.options).await?;
                recover::forget_suspicion(&self.layout)?;
                Ok(Opened::Created)
            }
            DatabaseState::Unfinished(setting_aside) => self.finish_setting_aside(setting_aside).await,
            DatabaseState::Unusable(reason) => {
                self.finish_setting_aside(SettingAside::begin(&self.layout, &reason)?).await
            }
            DatabaseState::Sound { version } => {
                self.make_current(version).await?;
                recover::forget_suspicion(&self.layout)?;
                Ok(Opened::Existing)
            }
        }
    }

    fn due_depth(&self) -> Depth {
        if is_free(&self.layout.suspicion()) { Depth::Quick } else { Depth::Full }
    }

    /// Looks at what is there. To be asked while holding the lock.
    pub(crate) async fn look(&self, depth: Depth) -> Result<DatabaseState, StoreProblem> {
        let flaw = match self.presence()? {
            Presence::Missing => return Ok(self.left_overs()),
            Presence::Empty => return Ok(DatabaseState::Unusable("the file is empty".into())),
            Presence::CutOff => Some("the file is cut off"),
            Presence::File(_) => None,
        };
        Ok(match (self.condition(depth).await?, flaw) {
            (Condition::Newer { found }, _) => return Err(newer(found)),
            (Condition::Damaged(reason), _) => DatabaseState::Unusable(reason),
            (_, Some(flaw)) => DatabaseState::Unusable(flaw.into()),
            (Condition::Behind { found }, None) => DatabaseState::Sound { version: Some(found) },
            (Condition::Current, None) => DatabaseState::Sound { version: None },
        })
    }

    /// What there is of a database without its file.
    fn left_overs(&self) -> DatabaseState {
        if let Some(unfinished) = SettingAside::unfinished(&self.layout) {
            return DatabaseState::Unfinished(unfinished);
        }
        if has_content(&self.layout.log()) || has_content(&self.layout.rollback_journal()) {
            return DatabaseState::Unusable("the file is missing, only its log is there".into());
        }
        DatabaseState::Nothing
    }

    /// Upgrades a database of an older version, of which a copy is kept first.
    async fn make_current(&self, behind: Option<i64>) -> Result<(), StoreProblem> {
        let Some(version) = behind else {
            return Ok(());
        };
        let mut connection = connect(self.layout.database(), Access::Write, &self.options).await?;
        if version < current_version() {
            let copy = self.layout.before_upgrade(version);
            write_copy(&mut connection, &copy, &self.options.faults).await?;
        }
        upgrade(&mut connection, &self.options.faults).await?;
        Ok(sqlx::Connection::close(connection).await?)
    }

    async fn condition(&self, depth: Depth) -> Result<Condition, StoreProblem> {
        let mut connection = match connect(self.layout.database(), self.access(), &self.options).await {
            Ok(connection) => connection,
            Err(StoreProblem::Damaged(reason)) => return Ok(Condition::Damaged(reason)),
            Err(problem) => return Err(self.explained(problem)),
        };
        let condition = examine(&mut connection, depth).await.map_err(|problem| self.explained(problem));
        sqlx::Connection::close(connection).await?;
        condition
    }

    async fn finish_setting_aside(&self, setting_aside: SettingAside) -> Result<Opened, StoreProblem> {
        let moved_to = setting_aside.finish(&self.layout, self.now, &self.options).await?;
        Ok(Opened::Recovered { moved_to, reason: setting_aside.reason })
    }

    fn presence(&self) -> Result<Presence, StoreProblem> {
        match fs::metadata(self.layout.database()) {
            Ok(metadata) if !metadata.is_file() => Err(StoreProblem::NotAFile),
            Ok(metadata) if metadata.len() == 0 => Ok(Presence::Empty),
            Ok(metadata) if metadata.len() % PAGE_SIZE != 0 && !has_content(&self.layout.log()) => {
                Ok(Presence::CutOff)
            }
            Ok(metadata) => Ok(Presence::File(FileIdentity::of(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Presence::Missing),
            Err(error) => Err(error.into()),
        }
    }

    /// SQLite says only that it could not open a file. The lock file, which is made in the same folder, tells
    /// whether that is because nothing may be written there.
    fn explained(&self, problem: StoreProblem) -> StoreProblem {
        match problem {
            StoreProblem::Unopenable(_) => match platform::open_private_file(&self.layout.lock()) {
                Err(error) => error.into(),
                Ok(_) => problem,
            },
            other => other,
        }
    }
}

fn newer(found: i64) -> StoreProblem {
    StoreProblem::NewerSchema { found, known: current_version() }
}

fn has_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0)
}
