//! Windows. Built and tested by the workflow of the three systems, not on the developers' Linux machines.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
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
