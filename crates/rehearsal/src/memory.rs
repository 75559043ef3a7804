//! What the agent remembers from one start to the next when it is given a state folder: how often each task
//! was tried, and the nonce it was given last.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Why the state folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The system refused.
    #[error("the state in {path} cannot be used: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file was written by something else.
    #[error("{path} does not hold rehearsal state: {source}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// What is known about this start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// How often this task was started, this start included.
    pub starts: u32,
    /// The nonce of the start before.
    pub previous_nonce: Option<String>,
}

#[derive(Default, Serialize, Deserialize)]
struct Notes {
    starts: u32,
    nonce: Option<String>,
}

/// Counts a start of a task and swaps the remembered nonce. Starts at the same time are counted one by one.
///
/// # Errors
/// When the folder cannot be written or holds something else.
pub fn note_start(dir: &Path, task: Option<u32>, nonce: Option<&str>) -> Result<Remembered, MemoryError> {
    let path = dir.join("rehearsal-state.json");
    let io = |source| MemoryError::Io { path: path.clone(), source };
    fs::create_dir_all(dir).map_err(io)?;
    let lock = File::create(dir.join("rehearsal-state.lock")).map_err(io)?;
    lock.lock().map_err(io)?;
    let mut all = read(&path)?;
    let notes = all.entry(task.map_or_else(|| "none".to_owned(), |task| task.to_string())).or_default();
    notes.starts = notes.starts.saturating_add(1);
    let previous_nonce = std::mem::replace(&mut notes.nonce, nonce.map(str::to_owned));
    let remembered = Remembered { starts: notes.starts, previous_nonce };
    let text = serde_json::to_string_pretty(&all)
        .map_err(|source| MemoryError::Damaged { path: path.clone(), source })?;
    fs::write(&path, text).map_err(io)?;
    Ok(remembered)
}

fn read(path: &Path) -> Result<BTreeMap<String, Notes>, MemoryError> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map_err(|source| MemoryError::Damaged { path: path.to_owned(), source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(source) => Err(MemoryError::Io { path: path.to_owned(), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_counted_per_task_and_the_last_nonce_is_kept() {
        let temp = tempfile::tempdir().unwrap();
        let start = |task, nonce| {
            let remembered = note_start(temp.path(), task, nonce).unwrap();
            (remembered.starts, remembered.previous_nonce)
        };
        assert_eq!(start(Some(1), Some("n1")), (1, None));
        assert_eq!(start(Some(2), None), (1, None));
        assert_eq!(start(Some(1), Some("n2")), (2, Some("n1".to_owned())));
        assert_eq!(start(None, None), (1, None));
    }

    #[test]
    fn starts_at_the_same_time_are_all_counted() {
        let temp = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| note_start(temp.path(), Some(7), None).unwrap());
            }
        });
        assert_eq!(note_start(temp.path(), Some(7), None).unwrap().starts, 9);
    }

    #[test]
    fn foreign_content_is_refused_and_left_alone() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("rehearsal-state.json");
        fs::write(&file, "mine").unwrap();
        assert!(matches!(note_start(temp.path(), None, None), Err(MemoryError::Damaged { .. })));
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    }
}
