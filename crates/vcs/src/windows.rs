//! Windows. Built and tested by the workflow of the three systems, not on the developers' Linux machines.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::windows::fs::MetadataExt;
use std::path::Path;

/// Variables of our own environment that git may see: where the user's settings, temporary files and the system
/// itself are.
pub(crate) const PASSED_ON: &[&str] = &[
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
];

/// A path or a word as git stores it: always UTF-8 here.
pub(crate) fn text_from_git(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

/// Opens a file for reading.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether git would run this file as a hook: it looks at the first line instead of a permission.
pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file()
}

/// A path as git writes it: with forward slashes.
pub(crate) fn text_for_git(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

/// Changes whenever the file at a path is replaced or written to.
pub(crate) fn identity(metadata: &Metadata) -> Vec<i128> {
    [metadata.file_size(), metadata.last_write_time(), metadata.creation_time()].map(i128::from).into()
}

/// When a file was last written to or made, in nanoseconds since 1970.
pub(crate) fn changed_at(metadata: &Metadata) -> i128 {
    /// From the system's first day to 1970, in its units of 100 nanoseconds.
    const FIRST_DAY: i128 = 116_444_736_000_000_000;
    (i128::from(metadata.last_write_time().max(metadata.creation_time())) - FIRST_DAY) * 100
}

/// The system is not asked here; git itself stops when the disk is full.
#[must_use]
pub fn free_space(_folder: &Path) -> Option<u64> {
    None
}

/// Makes a folder, with the folders above it; what lies below a user's folder is the user's alone.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// What a link holds, as git stores it.
pub(crate) fn read_link(path: &Path) -> io::Result<Vec<u8>> {
    Ok(text_for_git(&fs::read_link(path)?))
}

/// Makes a link from what git stored.
pub(crate) fn create_link(target: &[u8], path: &Path) -> io::Result<()> {
    let target = String::from_utf8(target.to_vec()).map_err(io::Error::other)?;
    std::os::windows::fs::symlink_file(target.replace('/', "\\"), path)
}

/// Files are executed by their names here.
pub(crate) fn set_executable(_path: &Path, _executable: bool) -> io::Result<()> {
    Ok(())
}

/// Permissions come from the folder here.
pub(crate) fn copy_permissions(_from: &Metadata, _to: &Path) -> io::Result<()> {
    Ok(())
}

/// Files have no rights of their own here.
pub(crate) fn has_set_id(_metadata: &Metadata) -> bool {
    false
}

/// Permissions come from elsewhere here.
pub(crate) fn let_owner_write(_folder: &Path) -> io::Result<()> {
    Err(io::ErrorKind::PermissionDenied.into())
}

/// There is nothing to take away here.
pub(crate) fn take_off_set_id(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether git would record this file as one that may be executed: never here.
pub(crate) fn owner_may_execute(_metadata: &Metadata) -> bool {
    false
}

/// Whether a git process works in a folder: this system does not tell, so locks are left to people.
pub(crate) fn git_works_in(_folder: &Path) -> bool {
    true
}
