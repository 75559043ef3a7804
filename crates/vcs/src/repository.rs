//! Where a repository is.

use std::path::PathBuf;

/// A repository with a work tree. All paths are absolute and free of links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The folder that holds `.git`.
    pub work_tree: PathBuf,
    /// Git's folder for this work tree.
    pub git_dir: PathBuf,
    /// Git's folder for all work trees of the repository; the same as `git_dir` in the first one.
    pub common_dir: PathBuf,
    /// The folder that was asked for, from the work tree: empty for the work tree itself.
    pub project: PathBuf,
}
