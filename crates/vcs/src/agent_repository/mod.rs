//! A git folder of an agent's own, shown to it in the place of the repository's.
//!
//! It has its own HEAD, references, index, stash, hooks (none) and configuration (without anything that executes), and
//! borrows the repository's objects, which it cannot write. Whatever an agent does with git, rebase, reset, garbage
//! collection and all, is done to this folder. It is made by copying files; git is only asked for references that it
//! keeps in a form of its own (reftable).
//!
//! Not to be confused with the private index that snapshots are taken with (`workspace/private_git_dir.rs`).

mod adopt;
mod config;
mod create;

use std::fs;
use std::path::PathBuf;

pub use adopt::{AgentCommit, AgentCommits};
use loopwright_process::Mount;

use crate::error::VcsError;
use crate::head::Position;
use crate::repository::Repository;

/// The repository's objects, as the folder's alternates name them: seen from its own `objects`.
const BORROWED: &str = "../shared/objects";
/// Where the repository's objects are shown.
const SHARED_OBJECTS: &str = "shared/objects";
/// Where the repository's large files are shown: git-lfs looks for them beside objects that are borrowed.
const SHARED_LFS: &str = "shared/lfs";
/// Where the repositories of submodules are shown.
const MODULES: &str = "modules";
/// Where git would keep what belongs to further work trees. An agent makes none: they would outlive this folder.
const WORKTREES: &str = "worktrees";
/// Loopwright's own state.
const STATE: &str = "loopwright";
/// The git folder itself, in the folder that was named for it: what an agent writes is in there, and nothing else.
const GIT: &str = "git";
/// Where the repository stood when the folder was made; beside it, so that no agent writes it.
const BASE: &str = "base.json";
/// Folders that something is shown in; they are there before.
const MOUNT_POINTS: &[&str] = &[SHARED_OBJECTS, SHARED_LFS, MODULES, WORKTREES, STATE];

/// What an agent's git folder allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentRepositoryOptions {
    /// Whether remotes can be pushed to. Without it they have no usable address for that. Whoever has credentials in
    /// reach can name an address: this is advice, no wall.
    pub push: bool,
}

/// A git folder of an agent's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRepository {
    /// The folder that was named for it.
    folder: PathBuf,
    repository: Repository,
    /// Where the repository stood when it was made.
    base: Position,
    /// Folders elsewhere that the repository's objects borrow from.
    borrowed: Vec<PathBuf>,
}

impl AgentRepository {
    /// The git folder itself.
    #[must_use]
    pub fn git_dir(&self) -> PathBuf {
        self.folder.join(GIT)
    }

    /// Where the repository stood when it was made.
    #[must_use]
    pub const fn base(&self) -> &Position {
        &self.base
    }

    /// What shows the folder in the place of git's own, and in it what of the repository can be read. `writable` is
    /// whether the agent can change it.
    #[must_use]
    pub fn mounts(&self, writable: bool) -> Vec<Mount> {
        let Repository { git_dir, common_dir, .. } = &self.repository;
        let own = self.git_dir();
        let mut mounts = vec![Mount { source: own.clone(), target: git_dir.clone(), writable }];
        let shown = [
            (common_dir.join("objects"), SHARED_OBJECTS),
            (common_dir.join("lfs"), SHARED_LFS),
            (common_dir.join(MODULES), MODULES),
            (own.join(WORKTREES), WORKTREES),
            (common_dir.join(STATE), STATE),
        ];
        for (source, at) in shown {
            let source = if source.is_dir() { source } else { own.join(at) };
            mounts.push(Mount { source, target: git_dir.join(at), writable: false });
        }
        mounts
    }

    /// Folders elsewhere that have to be seen: the repository borrows objects from them.
    #[must_use]
    pub fn borrowed(&self) -> &[PathBuf] {
        &self.borrowed
    }

    /// Removes the folder with all in it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn remove(self) -> Result<(), VcsError> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(VcsError::file(&self.folder, &error))
            }
            _ => Ok(()),
        }
    }
}
