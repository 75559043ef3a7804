//! Reading files that strangers may have put there: regular ones only, up to a limit, without waiting.

use std::io::{self, Read};
use std::path::Path;

use crate::system;

/// More than the smallest read that the standard library bothers with.
const ROOM: usize = 64;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// There is nothing at this path.
    #[error("it does not exist")]
    Missing,
    /// It is a folder, a pipe or a device.
    #[error("it is not a regular file")]
    Irregular,
    /// It is larger than such a file ever needs to be.
    #[error("it is larger than {0} bytes")]
    TooLarge(u64),
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Reads a regular file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let file = match system::open(path) {
        Ok(file) => file,
        Err(error) if is_absence(&error) => return Err(ReadError::Missing),
        Err(error) => return Err(error.into()),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadError::Irregular);
    }
    // With room to spare, so that the file and its end are two reads.
    let size = usize::try_from(metadata.len().min(limit)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(size + ROOM);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge(limit)) } else { Ok(bytes) }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::tempdir;

    use super::*;

    #[test]
    fn only_regular_files_within_the_limit_are_read() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert!(matches!(read(&path, 4), Err(ReadError::TooLarge(4))));
        assert!(matches!(read(&dir.path().join("none"), 5), Err(ReadError::Missing)));
        assert!(matches!(read(&path.join("below"), 5), Err(ReadError::Missing)));
        assert!(matches!(read(dir.path(), 5), Err(ReadError::Irregular)));
    }

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_does_not_make_us_wait() {
        let dir = tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(matches!(read(&pipe, 5), Err(ReadError::Irregular)));
        assert!(matches!(read(Path::new("/dev/zero"), 5), Err(ReadError::Irregular)));
    }
}
