//! How long an agent has worked, in a small file beside its output: for whoever finds it after a crash, so that the time
//! it took counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use loopwright_config::text_file;

/// How often the file is written; a crash forgets at most as much.
pub(crate) const INTERVAL: Duration = Duration::from_secs(2);
/// No such file is longer.
const LIMIT: u64 = 32;

/// Keeps the file of one agent up to date. A file that cannot be written stops nobody.
pub(crate) struct Heartbeat {
    path: PathBuf,
    begun: Instant,
}

impl Heartbeat {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, begun: Instant::now() }
    }

    /// Writes how long it has been.
    pub(crate) fn beat(&self) {
        let _ = fs::write(&self.path, self.begun.elapsed().as_millis().to_string());
    }
}

/// How long an agent had worked when its file was last written, in milliseconds.
pub(crate) fn read(path: &Path) -> Option<u64> {
    text_file::read(path, LIMIT).ok()??.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_read_as_it_was_written_and_nonsense_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("worked");
        assert_eq!(read(&path), None);
        Heartbeat { path: path.clone(), begun: Instant::now() - Duration::from_secs(90) }.beat();
        assert!(read(&path).is_some_and(|worked| (90_000..100_000).contains(&worked)));
        fs::write(&path, "-5").unwrap();
        assert_eq!(read(&path), None);
    }
}
