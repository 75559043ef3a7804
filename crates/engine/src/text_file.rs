//! Small text files: read with a limit, written whole or not at all.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Component, Path};

use loopwright_domain::{ErrorCode, Fault};

/// More than the smallest read that the standard library bothers with.
const ROOM: usize = 64;

/// A fault for an IO error on a path.
pub(crate) fn io_fault(action: &str, path: &Path, error: &std::io::Error) -> Fault {
    let fault = Fault::new(ErrorCode::IoFailed, format!("cannot {action} {}: {error}", path.display()));
    match error.kind() {
        ErrorKind::PermissionDenied => fault.hint("Check who owns it and whether you may write there."),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => fault.hint("The disk is full. Free some space."),
        ErrorKind::ReadOnlyFilesystem => fault.hint("That disk is read-only. Use another folder."),
        _ => fault,
    }
}

/// Reads a regular file as text; none when it does not exist. Pipes, devices and files above the limit are
/// refused without being read.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Option<String>, Fault> {
    let bad = |reason: &str| Fault::new(ErrorCode::IoFailed, format!("{} {reason}", path.display()));
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(io_fault("read", path, &error)),
    };
    if !metadata.is_file() {
        return Err(bad("is not a file"));
    }
    // With room to spare, so that the file and its end are two reads.
    let size = usize::try_from(metadata.len().min(limit)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(size + ROOM);
    let file = File::open(path).map_err(|error| io_fault("read", path, &error))?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| io_fault("read", path, &error))?;
    if bytes.len() as u64 > limit {
        return Err(bad(&format!("is larger than {limit} bytes")));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| bad("is not UTF-8 text"))
}

/// Whether a path, or a link on its way, leads out of a folder. What does not exist is judged by its name.
pub(crate) fn leads_out(root: &Path, path: &Path) -> bool {
    let real = |path: &Path| dunce::canonicalize(path).ok();
    match (real(root), real(path)) {
        (Some(root), Some(path)) => !path.starts_with(root),
        _ => path
            .strip_prefix(root)
            .map_or(true, |inner| inner.components().any(|part| part == Component::ParentDir)),
    }
}

/// Writes a file through a temporary one beside it, so that a crash leaves the old content or the new.
/// A symbolic link is written through, not replaced.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Fault> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().unwrap_or_else(|| Path::new("."));
    let attempt = || -> std::io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        match fs::metadata(&target) {
            Ok(old) => file.as_file().set_permissions(old.permissions())?,
            Err(_) => make_ordinary(file.as_file())?,
        }
        file.as_file().sync_all()?;
        file.persist(&target).map_err(|error| error.error)?;
        Ok(())
    };
    attempt().map_err(|error| io_fault("write", path, &error))
}

/// Temporary files are private; a project's files are as readable as any other.
#[cfg(unix)]
fn make_ordinary(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_ordinary(_file: &File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_missing_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/file.toml");
        assert_eq!(read(&path, 10).unwrap(), None);
        write(&path, "text").unwrap();
        assert_eq!(read(&path, 10).unwrap().as_deref(), Some("text"));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn folders_large_files_and_other_bytes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert!(read(folder.path(), 10).unwrap_err().message.contains("is not a file"));
        fs::write(&path, "12345678901").unwrap();
        assert!(read(&path, 10).unwrap_err().message.contains("larger than 10 bytes"));
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(read(&path, 10).unwrap_err().message.contains("UTF-8"));
        assert!(read(&path.join("below"), 10).unwrap().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
    }
}
