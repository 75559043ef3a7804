//! Finding the repository of a folder by reading files, as fast as that.

use std::path::{Path, PathBuf};

use crate::config::{Entry, FILE_LIMIT, parse};
use crate::limited_read::read;
use crate::repository::Repository;
use crate::system;

/// Larger than any path that a `.git` file can hold.
const POINTER_LIMIT: u64 = 64 * 1024;

/// The repository that `start` lies in, if any.
///
/// Reads files only and starts no process. Variables of the environment (`GIT_DIR` and the like) are ignored: the
/// folder alone decides. A bare repository has no work tree and so is none, and so is a `.git` file that leads
/// nowhere.
#[must_use]
pub fn discover(start: &Path) -> Option<Repository> {
    let start = dunce::canonicalize(start).ok()?;
    for folder in start.ancestors() {
        let dot_git = folder.join(".git");
        match dot_git.metadata() {
            Ok(found) if found.is_dir() => {
                let is_link = dot_git.symlink_metadata().is_ok_and(|found| found.is_symlink());
                if let Some(repository) = at(folder, &dot_git, is_link) {
                    return has_work_tree(&repository).then(|| asked_for(repository, &start));
                }
            }
            Ok(found) if found.is_file() => {
                let repository = at(folder, &follow(&dot_git, b"gitdir: ")?, true)?;
                return has_work_tree(&repository).then(|| asked_for(repository, &start));
            }
            // Whatever else carries the name is not looked into.
            Ok(_) => return None,
            Err(_) => {}
        }
        if at(folder, folder, true).is_some() {
            return None;
        }
    }
    None
}

fn asked_for(repository: Repository, start: &Path) -> Repository {
    let project = start.strip_prefix(&repository.work_tree).unwrap_or(Path::new("")).to_owned();
    Repository { project, ..repository }
}

/// The repository of a work tree, when `git_dir` really is git's folder. Only the folder of an added work tree may be
/// `linked` to another one: in a plain `.git` a file that says so was not put there by git.
fn at(work_tree: &Path, git_dir: &Path, linked: bool) -> Option<Repository> {
    let git_dir = dunce::canonicalize(git_dir).ok()?;
    // A HEAD that is a link to a branch that is not there yet is valid.
    git_dir.join("HEAD").symlink_metadata().ok()?;
    let common_dir = match git_dir.join("commondir") {
        file if linked && file.is_file() => dunce::canonicalize(follow(&file, b"")?).ok()?,
        _ => git_dir.clone(),
    };
    let complete = common_dir.join("objects").is_dir() && common_dir.join("refs").is_dir();
    complete.then(|| Repository {
        work_tree: work_tree.to_owned(),
        git_dir,
        common_dir,
        project: PathBuf::new(),
    })
}

/// Reads a file that holds a path, which counts from the file's own folder.
fn follow(file: &Path, prefix: &[u8]) -> Option<PathBuf> {
    let content = read(file, POINTER_LIMIT).ok()?;
    let mut target = content.strip_prefix(prefix)?;
    while let [rest @ .., b'\n' | b'\r'] = target {
        target = rest;
    }
    if target.is_empty() || target.contains(&0) {
        return None;
    }
    Some(file.parent()?.join(system::text_from_git(target.to_vec())?))
}

/// `core.bare` speaks about the first work tree only; added ones have theirs in any case.
fn has_work_tree(repository: &Repository) -> bool {
    if repository.git_dir != repository.common_dir {
        return true;
    }
    let Ok(config) = read(&repository.common_dir.join("config"), FILE_LIMIT) else {
        return true;
    };
    !parse(&config).entries.iter().rfind(|entry| entry.is("core.bare")).is_some_and(Entry::is_true)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use tempfile::tempdir;

    use super::*;

    proptest! {
        /// Whatever stands in a `.git` file: no panic, and nothing is found that is not there.
        #[test]
        fn a_garbage_pointer_leads_nowhere(content in proptest::collection::vec(any::<u8>(), 0..200), prefixed: bool) {
            let dir = tempdir().unwrap();
            let content = if prefixed { [b"gitdir: ", &content[..]].concat() } else { content };
            fs::write(dir.path().join(".git"), content).unwrap();
            prop_assert_eq!(discover(dir.path()), None);
        }
    }
}
