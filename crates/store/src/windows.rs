//! The same functions as `unix.rs`. Access follows the folder: a user's files are the user's own there.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

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

/// Windows writes a rename through by itself; there is nothing to ask for.
pub(crate) fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
