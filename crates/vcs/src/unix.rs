//! Linux, macOS and the other Unix systems.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use nix::fcntl::{AT_FDCWD, OFlag};
use nix::sys::stat::{FchmodatFlags, Mode, fchmodat};
use nix::sys::statvfs::statvfs;

/// Variables of our own environment that git may see: where the user's settings and temporary files are.
pub(crate) const PASSED_ON: &[&str] = &["HOME", "XDG_CONFIG_HOME", "TMPDIR"];

/// The bits "set user ID" and "set group ID" of a file's mode.
const SET_ID: u32 = 0o6000;

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

/// A path as git writes it.
pub(crate) fn text_for_git(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

/// Changes whenever the file at a path is replaced or written to.
pub(crate) fn identity(metadata: &Metadata) -> Vec<i128> {
    let m = metadata;
    [
        m.dev().into(),
        m.ino().into(),
        m.len().into(),
        m.mtime().into(),
        m.mtime_nsec().into(),
        m.ctime().into(),
        m.ctime_nsec().into(),
    ]
    .into()
}

/// When a file was last changed in any way, in nanoseconds since 1970: nobody can set this time.
pub(crate) fn changed_at(metadata: &Metadata) -> i128 {
    i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec())
}

/// How many bytes can still be written to the disk that holds a folder, where the system says so.
#[must_use]
pub fn free_space(folder: &Path) -> Option<u64> {
    let disk = statvfs(folder).ok()?;
    #[expect(clippy::useless_conversion, reason = "the sizes of these numbers differ between systems")]
    Some(u64::from(disk.blocks_available()).saturating_mul(u64::from(disk.fragment_size())))
}

/// Makes a folder that only its owner may look into, with the folders above it.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// What a link holds, as git stores it.
pub(crate) fn read_link(path: &Path) -> io::Result<Vec<u8>> {
    Ok(fs::read_link(path)?.into_os_string().into_vec())
}

/// Makes a link from what git stored.
pub(crate) fn create_link(target: &[u8], path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(OsStr::from_bytes(target), path)
}

/// Gives a file the permission to be executed, or takes it away; whoever may read it may execute it.
pub(crate) fn set_executable(path: &Path, executable: bool) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    let mode = if executable { mode | ((mode & 0o444) >> 2) } else { mode & !0o111 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Gives a new file the permissions of the one it takes the place of, but for those to run with somebody's rights.
pub(crate) fn copy_permissions(from: &Metadata, to: &Path) -> io::Result<()> {
    fs::set_permissions(to, fs::Permissions::from_mode(from.permissions().mode() & 0o777))
}

/// Whether whoever runs this file gets the rights of its owner or of its group.
pub(crate) fn has_set_id(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.permissions().mode() & SET_ID != 0
}

/// Takes that away. A link is not followed.
pub(crate) fn take_off_set_id(path: &Path) -> io::Result<()> {
    let mode = path.symlink_metadata()?.permissions().mode() & 0o777;
    #[expect(clippy::useless_conversion, reason = "the size of this number differs between systems")]
    let mode = Mode::from_bits_truncate(mode.try_into().unwrap_or(0o644));
    Ok(fchmodat(AT_FDCWD, path, mode, FchmodatFlags::NoFollowSymlink)?)
}

/// Lets the owner of a folder read it and write in it. A link is not followed.
pub(crate) fn let_owner_write(folder: &Path) -> io::Result<()> {
    let found = folder.symlink_metadata()?;
    if !found.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(found.permissions().mode() | 0o700))
}

/// Whether a git process works in a folder, as far as this system tells.
pub(crate) fn git_works_in(folder: &Path) -> bool {
    // Where the system does not tell, one may.
    let Ok(processes) = fs::read_dir("/proc") else { return true };
    processes.flatten().any(|process| {
        let path = process.path();
        let is_git = fs::read(path.join("comm")).is_ok_and(|name| name.starts_with(b"git"));
        is_git && fs::read_link(path.join("cwd")).is_ok_and(|place| place.starts_with(folder))
    })
}

/// Whether git would record this file as one that may be executed.
pub(crate) fn owner_may_execute(metadata: &Metadata) -> bool {
    metadata.permissions().mode() & 0o100 != 0
}
