//! The same functions as `unix.rs`. Access follows the folder: a user's files are the user's own there.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// How often and how long to wait for other processes to let go of a file.
const RENAME_ATTEMPTS: u32 = 100;
const RENAME_PAUSE: Duration = Duration::from_millis(20);

/// Which file this is. Windows refuses to rename or delete a database that is open, so it cannot be exchanged
/// under a connection and one value is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity;

impl FileIdentity {
    pub(crate) fn of(_metadata: &Metadata) -> Self {
        Self
    }
}

/// Creates the folder and what is missing above it.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

/// Creates a file; fails if it exists.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Opens a file for writing, making it if it is missing.
pub(crate) fn open_private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path)
}

/// Gives a file another name. Windows refuses while another process has it open, if only to look at it, so this
/// waits a while for them to finish.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    for _ in 1..RENAME_ATTEMPTS {
        match std::fs::rename(from, to) {
            Err(error) if is_in_use(&error) => sleep(RENAME_PAUSE),
            result => return result,
        }
    }
    std::fs::rename(from, to)
}

/// Access denied, or a sharing violation.
fn is_in_use(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(5 | 32))
}

/// Windows writes a rename through by itself; there is nothing to ask for.
pub(crate) fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
