//! Small text files: read with a limit, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path};

use loopwright_domain::{ErrorCode, Fault};

/// More than the smallest read that the standard library bothers with.
const ROOM: usize = 64;

/// A fault for an IO error on a path.
#[must_use]
pub fn io_fault(action: &str, path: &Path, error: &io::Error) -> Fault {
    let fault = Fault::caused(ErrorCode::IoFailed, format_args!("cannot {action} {}", path.display()), error);
    match error.kind() {
        ErrorKind::PermissionDenied => fault.hint("Check who owns it and whether you may write there."),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => fault.hint("The disk is full. Free some space."),
        ErrorKind::ReadOnlyFilesystem => fault.hint("That disk is read-only. Use another folder."),
        _ => fault,
    }
}

/// Reads a regular file as text; none when it does not exist. Pipes, devices and files above the limit are
/// refused without being read.
///
/// # Errors
/// It cannot be read, or it is none of these.
pub fn read(path: &Path, limit: u64) -> Result<Option<String>, Fault> {
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

/// Whether a path, or a link on its way, leads out of a folder. Of what does not exist the nearest folder that does is
/// looked at, and the rest is judged by its name; a link to nowhere could lead anywhere.
#[must_use]
pub fn leads_out(root: &Path, path: &Path) -> bool {
    let Ok(root) = dunce::canonicalize(root) else { return true };
    if path.components().any(|part| part == Component::ParentDir) && !path.exists() {
        return true;
    }
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok());
    let real = there.and_then(|part| dunce::canonicalize(part).ok());
    real.is_none_or(|real| !real.starts_with(&root))
}

/// Writes a file of a project, as [`write`] does, unless its path or a link on its way leads out of the project.
///
/// # Errors
/// It leads out, or it cannot be written.
pub fn write_inside(root: &Path, path: &Path, text: &str) -> Result<(), Fault> {
    if leads_out(root, path) {
        let message = format!("{} leads out of the project", path.display());
        return Err(Fault::new(ErrorCode::IoFailed, message)
            .hint("Nothing is written there. Put the file itself in the place of the link."));
    }
    write(path, text)
}

/// Writes a file through a temporary one beside it, so that a crash leaves the old content or the new.
/// A symbolic link is written through, not replaced.
///
/// # Errors
/// The folder or the file cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), Fault> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().unwrap_or_else(|| Path::new("."));
    let attempt = || -> io::Result<()> {
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
fn make_ordinary(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_ordinary(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Makes a folder, and those above it, for its owner only where the system knows that.
///
/// # Errors
/// It cannot be made.
#[cfg(unix)]
pub fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Makes a folder, and those above it.
///
/// # Errors
/// It cannot be made.
#[cfg(not(unix))]
pub fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Opens an empty file for writing that only its owner may read.
///
/// # Errors
/// It cannot be made.
#[cfg(unix)]
pub fn private_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().create(true).truncate(true).write(true).mode(0o600).open(path)
}

/// Opens an empty file for writing.
///
/// # Errors
/// It cannot be made.
#[cfg(not(unix))]
pub fn private_file(path: &Path) -> io::Result<File> {
    File::options().create(true).truncate(true).write(true).open(path)
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
    fn no_link_on_the_way_leads_out_of_the_project() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("project"), folder.path().join("outside"));
        fs::create_dir_all(root.join("real")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "theirs").unwrap();
        symlink(outside.join("file"), root.join("file")).unwrap();
        symlink(outside.join("nothing"), root.join("dangling")).unwrap();
        symlink(&outside, root.join("folder")).unwrap();
        symlink("real", root.join("inside")).unwrap();
        for path in
            ["file", "dangling", "folder/file", "folder/new", "folder/new/er", "../outside/file", "x/../../y"]
        {
            assert!(write_inside(&root, &root.join(path), "ours").is_err(), "{path}");
        }
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "theirs");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        for path in ["plain", "inside/file", "new/folder/file"] {
            write_inside(&root, &root.join(path), "ours").unwrap();
            assert_eq!(fs::read_to_string(root.join(path)).unwrap(), "ours", "{path}");
        }
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
