//! Putting another index in the place of the user's, by git's own protocol: who makes the lock file owns the index until
//! the lock file takes its place. A process that is killed in between must leave no lock that stays.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::index_cache::copy_index;
use super::private_git_dir::{Identity, identity_of};
use crate::system;

/// The index that is to come, under a name of our own. The lock file is a second name of the same file, by which it is
/// known to be ours.
const OURS: &str = "loopwright-index";

/// The names of one repository.
pub(super) struct IndexSwap {
    index: PathBuf,
    lock: PathBuf,
    ours: PathBuf,
}

impl IndexSwap {
    pub(super) fn of(git_dir: &Path) -> Self {
        Self { index: git_dir.join("index"), lock: git_dir.join("index.lock"), ours: git_dir.join(OURS) }
    }

    /// Puts a file's content in the place of the index, if that is still the file it was.
    ///
    /// # Errors
    /// The index is locked ([`io::ErrorKind::AlreadyExists`]), files cannot have two names here, or a file cannot be
    /// read or written.
    pub(super) fn put(&self, content: &Path, expected: &Identity) -> io::Result<bool> {
        self.forget()?;
        copy_index(content, &self.ours)?;
        system::copy_permissions(&self.index.metadata()?, &self.ours)?;
        let done = fs::hard_link(&self.ours, &self.lock).and_then(|()| self.place(expected));
        self.forget()?;
        done
    }

    /// The lock is ours.
    fn place(&self, expected: &Identity) -> io::Result<bool> {
        let placed = match identity_of(&self.index) == *expected {
            true => fs::rename(&self.lock, &self.index).map(|()| true),
            false => Ok(false),
        };
        if !matches!(placed, Ok(true)) {
            fs::remove_file(&self.lock)?;
        }
        placed
    }

    /// Takes away what a killed process of ours has left. The lock of anybody else stays.
    pub(super) fn clear(&self) -> io::Result<()> {
        let ours = identity_of(&self.ours);
        if ours.is_some() && ours == identity_of(&self.lock) {
            fs::remove_file(&self.lock)?;
        }
        self.forget()
    }

    fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.ours) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git_dir() -> (tempfile::TempDir, IndexSwap, Identity) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("index"), "old").unwrap();
        fs::write(folder.path().join("next"), "new").unwrap();
        let swap = IndexSwap::of(folder.path());
        let identity = identity_of(&swap.index);
        (folder, swap, identity)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_index_is_exchanged_and_nothing_else_is_left() {
        let (folder, swap, identity) = git_dir();
        assert!(swap.put(&folder.path().join("next"), &identity).unwrap());
        assert_eq!(fs::read_to_string(&swap.index).unwrap(), "new");
        assert_eq!(names(folder.path()), ["index", "next"]);
        assert!(!swap.put(&folder.path().join("next"), &identity).unwrap(), "it is another one by now");
        assert_eq!(names(folder.path()), ["index", "next"]);
    }

    #[test]
    fn a_lock_of_somebody_else_is_kept() {
        let (folder, swap, identity) = git_dir();
        fs::write(&swap.lock, "").unwrap();
        let refused = swap.put(&folder.path().join("next"), &identity).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        swap.clear().unwrap();
        assert_eq!(fs::read_to_string(&swap.index).unwrap(), "old");
        assert_eq!(names(folder.path()), ["index", "index.lock", "next"]);
    }

    #[test]
    fn what_a_killed_process_left_is_taken_away() {
        let (folder, swap, _) = git_dir();
        fs::write(&swap.ours, "ne").unwrap();
        fs::hard_link(&swap.ours, &swap.lock).unwrap();
        swap.clear().unwrap();
        assert_eq!(names(folder.path()), ["index", "next"]);
        swap.clear().unwrap();
    }
}
