//! Places that no fence can hold, looked at again when the agent has ended.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use loopwright_process::Job;

use crate::layout::Layout;

/// Places that were missing or were links when the agent was started.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    places: Vec<(PathBuf, Option<PathBuf>)>,
    git: Vec<PathBuf>,
}

impl Watch {
    /// Takes note of how things are where a job's sandbox cannot go. Without one there is nothing to look at.
    pub(crate) fn over(job: &Job, layout: &Layout) -> Self {
        let seen = |path: PathBuf| {
            let target = fs::read_link(&path).ok();
            (path, target)
        };
        let places = job.sandbox.iter().flat_map(|(_, sandbox)| sandbox.unguarded()).map(seen).collect();
        let git =
            layout.repository.iter().flat_map(|found| [found.git_dir.clone(), found.common_dir.clone()]);
        Self { places, git: git.collect() }
    }

    /// Says what is not as it was. What is new in git's folders is removed: nobody but git makes it, and git obeys it.
    pub(crate) fn changes(&self) -> Vec<String> {
        let changed = self.places.iter().filter(|(path, target)| !is_as_before(path, target.as_deref()));
        changed.map(|(path, target)| self.told(path, target.is_none())).collect()
    }

    fn told(&self, path: &Path, is_new: bool) -> String {
        let place = path.display();
        if is_new && self.git.iter().any(|folder| path.starts_with(folder)) {
            return match fs::remove_file(path) {
                Ok(()) => {
                    format!("{place} was made while the agent worked, and was removed: git would obey it")
                }
                Err(error) => {
                    format!("{place} was made while the agent worked, and cannot be removed: {error}")
                }
            };
        }
        let what = if is_new { "made" } else { "replaced" };
        format!("{place} was {what} while the agent worked; look at it before you use it")
    }
}

fn is_as_before(path: &Path, target: Option<&Path>) -> bool {
    match fs::symlink_metadata(path) {
        Err(error) => error.kind() == io::ErrorKind::NotFound && target.is_none(),
        Ok(_) => target.is_some() && fs::read_link(path).ok().as_deref() == target,
    }
}
