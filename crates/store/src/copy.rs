//! A copy of a database, whole or not at all: what a backup is, and what an upgrade keeps of the old one.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use sqlx::sqlite::SqliteConnection;

use crate::error::StoreProblem;
use crate::fault_injection::Faults;
use crate::layout::{Layout, SUFFIXES, with_suffix};
use crate::platform;
use crate::recover;

/// Writes a copy of what the connection sees, in the place of an earlier one. When that fails, it leaves nothing.
pub(crate) async fn write_copy(
    connection: &mut SqliteConnection,
    copy: &Layout,
    faults: &Faults,
) -> Result<(), StoreProblem> {
    let written = match copy_into_fresh(connection, copy, faults).await {
        Ok(()) => replace_with_fresh(copy, faults),
        failed => failed,
    };
    if written.is_err() {
        // What failed is told; a half copy that cannot be removed is cleared by the next one.
        let _ = recover::remove_fresh(copy);
    }
    written
}

async fn copy_into_fresh(
    connection: &mut SqliteConnection,
    copy: &Layout,
    faults: &Faults,
) -> Result<(), StoreProblem> {
    drop(recover::begin_fresh(copy)?);
    let fresh = copy.fresh();
    let path = fresh.to_str().ok_or(StoreProblem::PathNotUnicode)?;
    faults.step()?;
    sqlx::query("VACUUM INTO ?").bind(path).execute(connection).await?;
    Ok(())
}

/// Puts the new file of a copy in the place of the earlier copy. A log beside that one would be taken for the new
/// one's.
fn replace_with_fresh(copy: &Layout, faults: &Faults) -> Result<(), StoreProblem> {
    sync_file(&copy.fresh())?;
    faults.step()?;
    for sidecar in SUFFIXES.iter().filter(|suffix| !suffix.is_empty()) {
        recover::remove_if_there(&with_suffix(copy.database(), sidecar))?;
    }
    platform::rename(&copy.fresh(), copy.database())?;
    Ok(platform::sync_folder(copy.folder())?)
}

pub(crate) fn sync_file(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.sync_all()
}
