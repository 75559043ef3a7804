//! Linux, macOS and the other Unix systems.

use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use nix::fcntl::OFlag;

/// Variables of our own environment that git may see: where the user's settings and temporary files are.
pub(crate) const PASSED_ON: &[&str] = &["HOME", "XDG_CONFIG_HOME", "TMPDIR"];

/// A path or a word as git stores it.
pub(crate) fn text_from_git(bytes: Vec<u8>) -> Option<OsString> {
    Some(OsString::from_vec(bytes))
}

/// Opens a file for reading without waiting for anybody, as opening a named pipe would.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits()).open(path)
}

/// Whether git would run this file as a hook.
pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}
