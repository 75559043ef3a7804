//! Copies of the database: made while others write, and put back when it is lost.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::connect::{Access, connect};
use crate::copy::{sync_file, write_copy};
use crate::error::{StoreError, StoreProblem};
use crate::examine::{Condition, Depth, examine};
use crate::layout::Layout;
use crate::open::{DatabaseState, Opening};
use crate::options::StoreOptions;
use crate::platform;
use crate::recover::{self, SettingAside};
use crate::schema::current_version;
use crate::store::Store;

impl Store {
    /// Writes a copy of the database as it is now, whole or not at all, in the place of an earlier copy. Reads and
    /// writes go on meanwhile. A database that was deleted while it is in use is copied as well: as long as it is
    /// open its content is there.
    ///
    /// # Errors
    ///
    /// When the copy cannot be written or the database cannot be read. An earlier copy is then as it was.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        let about_copy = |problem: StoreProblem| problem.about(to);
        let copy = self.layout_of_copy(to).map_err(about_copy)?;
        let _lock = lock_place(&copy, self.options()).await.map_err(about_copy)?;
        if let Err(StoreProblem::Gone) = self.check_still_there() {
            let mut reader = self.reader().await;
            return write_copy(&mut reader, &copy, &self.options().faults).await.map_err(about_copy);
        }
        self.observed(self.copy_now(&copy)).await.map_err(|error| match error.problem {
            StoreProblem::Gone | StoreProblem::Damaged(_) => error,
            problem => about_copy(problem),
        })
    }

    /// A database is never its own copy.
    fn layout_of_copy(&self, to: &Path) -> Result<Layout, StoreProblem> {
        let copy = Layout::new(to)?;
        let same = match (fs::canonicalize(copy.database()), fs::canonicalize(self.layout().database())) {
            (Ok(copy), Ok(database)) => copy == database,
            _ => copy.database() == self.layout().database(),
        };
        if same {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a copy needs a place of its own").into());
        }
        Ok(copy)
    }

    /// Copies through a connection of its own, so that reads need not wait.
    async fn copy_now(&self, copy: &Layout) -> Result<(), StoreProblem> {
        let mut connection = connect(self.layout().database(), Access::Read, self.options()).await?;
        write_copy(&mut connection, copy, &self.options().faults).await?;
        Ok(sqlx::Connection::close(connection).await?)
    }

    /// Puts a backup in the place of a database that is missing or damaged. A damaged one is moved aside, as by
    /// [`Store::open`], and the history tells so; where it is now is returned. `now` is the caller's clock as
    /// RFC 3339 in UTC. The backup stays as it is.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::AlreadyThere`] where there is a sound database, [`StoreProblem::BadBackup`] and
    /// [`StoreProblem::NewerSchema`] for a file that is none of ours, damaged or of a newer Loopwright, and others
    /// when files cannot be read or written. Then nothing has been put in place.
    pub async fn restore_backup(
        backup: &Path,
        database: &Path,
        now: &str,
    ) -> Result<Option<PathBuf>, StoreError> {
        Self::restore_backup_with(backup, database, now, StoreOptions::default()).await
    }

    pub(crate) async fn restore_backup_with(
        backup: &Path,
        database: &Path,
        now: &str,
        options: StoreOptions,
    ) -> Result<Option<PathBuf>, StoreError> {
        let about_database = |problem: StoreProblem| problem.about(database);
        let layout = Layout::new(database).map_err(|error| about_database(error.into()))?;
        let place = Opening { layout, now, options };
        let _lock = lock_place(&place.layout, &place.options).await.map_err(about_database)?;
        let restored = match in_the_way(&place).await {
            Err(problem) => return Err(about_database(problem)),
            Ok(obstacle) => match fetch(backup, &place).await {
                Err(problem) => Err(problem.about(backup)),
                Ok(()) => put_in_place(&place, obstacle).await.map_err(about_database),
            },
        };
        if restored.is_err() {
            let _ = recover::remove_fresh(&place.layout);
        }
        restored
    }
}

/// What a backup finds where it should go.
enum Obstacle {
    Nothing,
    Unfinished(SettingAside),
    Damaged(String),
}

async fn in_the_way(place: &Opening<'_>) -> Result<Obstacle, StoreProblem> {
    match place.look(Depth::Full).await? {
        DatabaseState::Nothing => Ok(Obstacle::Nothing),
        DatabaseState::Unfinished(setting_aside) => Ok(Obstacle::Unfinished(setting_aside)),
        DatabaseState::Unusable(reason) => Ok(Obstacle::Damaged(reason)),
        DatabaseState::Sound { .. } => Err(StoreProblem::AlreadyThere),
    }
}

/// Copies the backup next to where it should go, and examines the copy: the backup itself is only read, and may be
/// replaced by a newer one meanwhile.
async fn fetch(backup: &Path, place: &Opening<'_>) -> Result<(), StoreProblem> {
    let mut original = File::open(backup)?;
    let mut fresh = recover::begin_fresh(&place.layout)?;
    place.options.faults.step()?;
    io::copy(&mut original, &mut fresh)?;
    drop(fresh);
    let condition = match connect(&place.layout.fresh(), Access::Write, &place.options).await {
        Ok(mut connection) => {
            let condition = examine(&mut connection, Depth::Full).await;
            sqlx::Connection::close(connection).await?;
            condition?
        }
        Err(StoreProblem::Damaged(reason)) => Condition::Damaged(reason),
        Err(problem) => return Err(problem),
    };
    match condition {
        Condition::Current | Condition::Behind { .. } => {}
        Condition::Newer { found } => {
            return Err(StoreProblem::NewerSchema { found, known: current_version() });
        }
        Condition::Damaged(reason) => return Err(StoreProblem::BadBackup(reason)),
    }
    place.options.faults.step()?;
    recover::finish_fresh(&place.layout, None, &place.options).await
}

async fn put_in_place(place: &Opening<'_>, obstacle: Obstacle) -> Result<Option<PathBuf>, StoreProblem> {
    let setting_aside = match obstacle {
        Obstacle::Nothing => None,
        Obstacle::Unfinished(setting_aside) => Some(setting_aside),
        Obstacle::Damaged(reason) => Some(SettingAside::begin(&place.layout, &reason)?),
    };
    let moved_to = match setting_aside {
        None => None,
        Some(setting_aside) => {
            let (moved_to, event) = setting_aside.move_files(&place.layout, &place.options)?;
            recover::finish_fresh(&place.layout, Some((place.now, &event)), &place.options).await?;
            Some(moved_to)
        }
    };
    sync_file(&place.layout.fresh())?;
    place.options.faults.step()?;
    recover::place_fresh(&place.layout)?;
    recover::forget_suspicion(&place.layout)?;
    Ok(moved_to)
}

/// Makes the folder and takes the lock, so that no two processes write to the same place.
async fn lock_place(layout: &Layout, options: &StoreOptions) -> Result<File, StoreProblem> {
    platform::create_private_folder(layout.folder())?;
    recover::lock(layout, options.busy_timeout).await
}
