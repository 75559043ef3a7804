//! Where things live in a project: what people share in `.loopwright/`, private state beside git's own data.

use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault, NextAction};
use loopwright_vcs::Repository;

/// The folder that makes a folder a project.
pub const PROJECT_DIR: &str = ".loopwright";

/// The places of one project.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The project folder, absolute and without links.
    pub root: PathBuf,
    /// The repository it is in, if any.
    pub repository: Option<Repository>,
    /// Where private state is kept.
    pub state_dir: PathBuf,
}

impl Layout {
    /// The layout for a project folder. Reads files only; starts no program.
    ///
    /// # Errors
    /// The path is not a folder that exists.
    pub fn of(root: &Path) -> Result<Self, Fault> {
        let root = folder(root)?;
        let repository = loopwright_vcs::discover(&root);
        let state_dir = match &repository {
            Some(repository) => private_state(repository, &root),
            None => root.join(PROJECT_DIR).join("state"),
        };
        Ok(Self { root, repository, state_dir })
    }

    /// The layout of the project at or above a folder.
    ///
    /// # Errors
    /// There is no such folder, or no project at or above it.
    pub fn find(start: &Path) -> Result<Self, Fault> {
        let start = folder(start)?;
        let root = start.ancestors().find(|folder| folder.join(PROJECT_DIR).is_dir()).ok_or_else(|| {
            Fault::new(
                ErrorCode::ProjectNotFound,
                format!("{} is not in a Loopwright project", start.display()),
            )
            .next(NextAction::CreateProject, "Make one")
            .next(NextAction::OpenSample, "Try the sample")
        })?;
        Self::of(root)
    }

    /// The project's configuration file.
    #[must_use]
    pub fn config_file(&self) -> PathBuf {
        self.root.join(PROJECT_DIR).join("config.toml")
    }

    /// The state database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.state_dir.join("state.db")
    }
}

/// State is shared by all worktrees; a project in a subfolder of its repository gets a folder of its own.
fn private_state(repository: &Repository, root: &Path) -> PathBuf {
    let state = repository.common_dir.join("loopwright");
    match root.strip_prefix(&repository.work_tree) {
        Ok(inner) if !inner.as_os_str().is_empty() => {
            let name: Vec<String> = inner
                .components()
                .map(|part| part.as_os_str().to_string_lossy().replace('+', "++"))
                .collect();
            state.join("projects").join(name.join("+-"))
        }
        _ => state,
    }
}

/// An existing folder as an absolute path without links.
///
/// # Errors
/// There is none.
pub fn folder(path: &Path) -> Result<PathBuf, Fault> {
    let bad = |reason: &str| {
        Fault::new(ErrorCode::ProjectBadFolder, format!("{} {reason}", path.display()))
            .hint("Name a folder that exists.")
    };
    let path = dunce::canonicalize(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => bad("does not exist"),
        _ => bad(&format!("cannot be opened: {error}")),
    })?;
    if path.is_dir() { Ok(path) } else { Err(bad("is not a folder")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_found_from_below_and_what_is_none_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("src/deep");
        std::fs::create_dir_all(&below).unwrap();
        assert_eq!(Layout::find(&below).unwrap_err().code, ErrorCode::ProjectNotFound);
        std::fs::create_dir(folder.path().join(PROJECT_DIR)).unwrap();
        let layout = Layout::find(&below).unwrap();
        assert_eq!(layout.root, dunce::canonicalize(folder.path()).unwrap());
        assert_eq!(
            layout.state_dir,
            layout.root.join(".loopwright/state"),
            "no git: state stays in the folder"
        );
        assert_eq!(Layout::of(&folder.path().join("none")).unwrap_err().code, ErrorCode::ProjectBadFolder);
    }

    #[test]
    fn two_projects_in_one_repository_do_not_share_state() {
        let repository = Repository {
            work_tree: "/r".into(),
            git_dir: "/r/.git".into(),
            common_dir: "/r/.git".into(),
            project: PathBuf::new(),
        };
        let state = |root: &str| private_state(&repository, Path::new(root));
        assert_eq!(state("/r"), Path::new("/r/.git/loopwright"));
        assert_eq!(state("/r/a/b"), Path::new("/r/.git/loopwright/projects/a+-b"));
        assert_ne!(state("/r/a/b"), state("/r/a+-b"));
    }
}
