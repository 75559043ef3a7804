//! Making a database, and setting a damaged one aside.
//!
//! Everything here is done while holding the lock file. Setting aside is written down before it is done, so that
//! a process that dies half-way leaves a note from which the next one finishes and reports it.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use loopwright_domain::Event;

use crate::connect::{Access, connect};
use crate::error::StoreProblem;
use crate::event_rows::insert_event;
use crate::layout::{Layout, SUFFIXES, is_free, with_suffix};
use crate::options::StoreOptions;
use crate::platform;
use crate::schema::upgrade;
use crate::write::Write;

const LOCK_RETRY: Duration = Duration::from_millis(5);

/// Waits for the lock file, for as long as a write may wait for SQLite's lock. Dropping the file frees it.
pub(crate) async fn lock(layout: &Layout, patience: Duration) -> Result<File, StoreProblem> {
    let file = platform::open_private_file(&layout.lock())?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if start.elapsed() >= patience => return Err(StoreProblem::Busy),
            Err(TryLockError::WouldBlock) => tokio::time::sleep(LOCK_RETRY).await,
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

/// A damaged database on its way to another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettingAside {
    /// The database's new path; its sidecars get theirs by the same suffixes as before.
    pub(crate) target: PathBuf,
    /// What was wrong with it.
    pub(crate) reason: String,
}

impl SettingAside {
    /// Begins: chooses a name that nothing has, and writes the note.
    pub(crate) fn begin(layout: &Layout, reason: &str) -> Result<Self, StoreProblem> {
        let target = layout.unused_damaged_name();
        let note = format!("{}\n{reason}\n", file_name(&target));
        let mut file = platform::open_private_file(&layout.suspicion())?;
        file.set_len(0)?;
        file.write_all(note.as_bytes())?;
        file.sync_all()?;
        Ok(Self { target, reason: reason.to_owned() })
    }

    /// What an earlier process began and did not finish: there is a note, and something has been moved.
    pub(crate) fn unfinished(layout: &Layout) -> Option<Self> {
        let note = fs::read_to_string(layout.suspicion()).ok()?;
        let (name, reason) = note.split_once('\n')?;
        let target = layout.damaged_by_name(name)?;
        first_of_its_files(&target)?;
        Some(Self { target, reason: reason.trim().to_owned() })
    }

    /// Moves the database and its sidecars, or what is left of them, and makes a new database that tells of it.
    ///
    /// Returns the path to show: the database's, or that of a sidecar that came without one.
    pub(crate) async fn finish(
        &self,
        layout: &Layout,
        now: &str,
        options: &StoreOptions,
    ) -> Result<PathBuf, StoreProblem> {
        let (moved_to, event) = self.move_files(layout, options)?;
        create(layout, Some((now, &event)), options).await?;
        options.faults.step()?;
        forget_suspicion(layout)?;
        Ok(moved_to)
    }

    /// Moves the files and returns the path to show, and the event that tells of it.
    pub(crate) fn move_files(
        &self,
        layout: &Layout,
        options: &StoreOptions,
    ) -> Result<(PathBuf, Event), StoreProblem> {
        for suffix in SUFFIXES {
            options.faults.step()?;
            move_without_overwriting(
                &with_suffix(layout.database(), suffix),
                &with_suffix(&self.target, suffix),
            )
            .map_err(|error| StoreProblem::Stuck(format!("{}; {error}", self.reason)))?;
        }
        let moved_to = first_of_its_files(&self.target).unwrap_or_else(|| self.target.clone());
        let event = Event::StoreRecovered { moved_to: file_name(&moved_to), reason: self.reason.clone() };
        Ok((moved_to, event))
    }
}

/// The database of this path if it is there, else the first of its sidecars.
fn first_of_its_files(database: &Path) -> Option<PathBuf> {
    SUFFIXES.iter().map(|suffix| with_suffix(database, suffix)).find(|path| !is_free(path))
}

/// Asks the next opener to examine the database in full. A request that cannot be written down is dropped: the
/// damage will show again.
pub(crate) fn suspect(layout: &Layout) {
    if is_free(&layout.suspicion()) {
        let _ = platform::create_private_file(&layout.suspicion());
    }
}

/// Takes the request back.
pub(crate) fn forget_suspicion(layout: &Layout) -> Result<(), StoreProblem> {
    remove_if_there(&layout.suspicion())
}

/// Makes a new database with a first event, if there is one, and gives it its name when it is complete.
pub(crate) async fn create(
    layout: &Layout,
    first: Option<(&str, &Event)>,
    options: &StoreOptions,
) -> Result<(), StoreProblem> {
    drop(begin_fresh(layout)?);
    options.faults.step()?;
    finish_fresh(layout, first, options).await?;
    options.faults.step()?;
    place_fresh(layout)
}

/// Makes the empty file that becomes the new database, and clears what an earlier attempt left.
pub(crate) fn begin_fresh(layout: &Layout) -> Result<File, StoreProblem> {
    remove_fresh(layout)?;
    Ok(platform::create_private_file(&layout.fresh())?)
}

/// Brings the new database to the current version and adds its first event, if there is one.
pub(crate) async fn finish_fresh(
    layout: &Layout,
    first: Option<(&str, &Event)>,
    options: &StoreOptions,
) -> Result<(), StoreProblem> {
    let mut connection = connect(&layout.fresh(), Access::Write, options).await?;
    upgrade(&mut connection, &options.faults).await?;
    if let Some((at, event)) = first {
        let mut write = Write::begin(&mut connection, &options.faults).await?;
        insert_event(&mut write, at, event).await?;
        write.commit().await?;
    }
    Ok(sqlx::Connection::close(connection).await?)
}

/// Gives the new database its name, which nothing has.
pub(crate) fn place_fresh(layout: &Layout) -> Result<(), StoreProblem> {
    move_without_overwriting(&layout.fresh(), layout.database())?;
    Ok(platform::sync_folder(layout.folder())?)
}

/// Removes a new database that did not come to its name.
pub(crate) fn remove_fresh(layout: &Layout) -> Result<(), StoreProblem> {
    SUFFIXES.iter().try_for_each(|suffix| remove_if_there(&with_suffix(&layout.fresh(), suffix)))
}

/// Renames what is there; never onto something. Nothing there, or no longer, is nothing to do: SQLite takes a log away
/// when whoever had it open is done.
fn move_without_overwriting(from: &Path, to: &Path) -> io::Result<()> {
    if is_free(from) {
        return Ok(());
    }
    if !is_free(to) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} exists", to.display())));
    }
    match platform::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_free(from) => Ok(()),
        renamed => renamed,
    }
}

pub(crate) fn remove_if_there(path: &Path) -> Result<(), StoreProblem> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
