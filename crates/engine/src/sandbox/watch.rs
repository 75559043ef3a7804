//! Paths that no sandbox can hold, looked at again when the agent has ended.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use loopwright_process::Job;

use super::SandboxPaths;
use super::startup_settings::{Starts, is_harmless};

/// How things were when the agent was started, where its sandbox cannot keep them so.
#[derive(Debug, Default)]
pub(crate) struct SandboxWatch {
    /// Paths that were missing or were links.
    places: Vec<(PathBuf, Option<PathBuf>)>,
    /// Settings that the agent has to write.
    settings: Vec<(PathBuf, Starts)>,
    git: Vec<PathBuf>,
    root: PathBuf,
}

impl SandboxWatch {
    /// Takes note of how things are where a job's sandbox cannot go. Without one there is nothing to look at.
    pub(crate) fn over(job: &Job, places: &SandboxPaths<'_>) -> Self {
        let Some((_, sandbox)) = &job.sandbox else { return Self::default() };
        let seen = |path: PathBuf| {
            let target = fs::read_link(&path).ok();
            (path, target)
        };
        let said = |path: PathBuf| {
            let starts = Starts::of(&path);
            (path, starts)
        };
        Self {
            places: sandbox.unguarded().into_iter().map(seen).collect(),
            settings: places.compared().into_iter().map(said).collect(),
            git: places.git_folders(),
            root: places.layout.root.clone(),
        }
    }

    /// Says what is not as it was. What is new in git's folders is removed: nobody but git makes it, and git obeys it.
    pub(crate) fn changes(&self) -> Vec<String> {
        let changed = self.places.iter().filter(|(path, target)| !is_as_before(path, target.as_deref()));
        let places = changed.filter_map(|(path, target)| self.told(path, target.is_none()));
        let settings = self.settings.iter().filter_map(|(path, before)| {
            let names = Starts::of(path).since(before)?;
            let place = path.display();
            Some(format!(
                "{place} was changed while the agent worked, in what it starts or trusts ({names}); look at it before \
                 you use it"
            ))
        });
        places.chain(settings).collect()
    }

    /// What is said about a place, if anything.
    fn told(&self, path: &Path, is_new: bool) -> Option<String> {
        let place = path.display();
        if is_new && self.git.iter().any(|folder| path.starts_with(folder)) {
            return Some(match remove(path) {
                Ok(()) => {
                    format!("{place} was made while the agent worked, and was removed: git would obey it")
                }
                Err(error) => {
                    format!("{place} was made while the agent worked, and cannot be removed: {error}")
                }
            });
        }
        if is_new && is_harmless(path, &self.root) {
            return None;
        }
        let what = if is_new { "made" } else { "replaced" };
        Some(format!("{place} was {what} while the agent worked; look at it before you use it"))
    }
}

fn is_as_before(path: &Path, target: Option<&Path>) -> bool {
    match fs::symlink_metadata(path) {
        Err(error) => error.kind() == io::ErrorKind::NotFound && target.is_none(),
        Ok(_) => target.is_some() && fs::read_link(path).ok().as_deref() == target,
    }
}

/// Removes a file, a link or a folder with all in it; never what a link leads to.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}
