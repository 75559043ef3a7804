//! Asking git about a repository under the inspect profile.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::VcsError;
use crate::git::{Call, Git, TIMEOUT};
use crate::harden::Environment;
use crate::oid::SHORT;
use crate::operation::Operation;
use crate::profile::Profile;
use crate::repository::Repository;
use crate::status::Status;
use crate::user_settings::UserSettings;

/// Changes are counted up to here; this number means "as many or more".
pub const MAX_CHANGED: u32 = 1_000;

/// Where a repository stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RepoSummary {
    /// The branch; none when detached.
    pub branch: Option<String>,
    /// The commit, short; none before the first one.
    pub head: Option<String>,
    /// Whether HEAD names a commit instead of a branch.
    pub detached: bool,
    /// Whether there is no commit yet.
    pub unborn: bool,
    /// Changed, new and conflicting files and folders, up to [`MAX_CHANGED`]. Submodules are not looked into.
    pub changed: u32,
    /// A merge, rebase or the like that is under way.
    pub operation: Option<Operation>,
}

/// Looks at one repository. Nothing that the repository names is executed, before and after it was trusted.
#[derive(Clone, Debug)]
pub struct Inspector {
    git: Git,
    repository: Repository,
    timeout: Duration,
}

impl Git {
    /// Looks at a repository under the inspect profile.
    #[must_use]
    pub fn inspect(&self, repository: &Repository) -> Inspector {
        Inspector { git: self.clone(), repository: repository.clone(), timeout: TIMEOUT }
    }
}

impl Inspector {
    /// Changes how long each git process may take.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Where the repository stands.
    ///
    /// # Errors
    /// Git is too old, refuses, or does not end in time.
    pub async fn summary(&self) -> Result<RepoSummary, VcsError> {
        let args = [
            "--no-pager",
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "-z",
            "--branch",
            "--no-ahead-behind",
            "--no-renames",
            "--untracked-files=normal",
            // Looking into a submodule would start a git that obeys the submodule's own configuration.
            "--ignore-submodules=all",
        ];
        let output = self.git.run(self.call(&args, self.environment().await?)).await?;
        let status = Status::parse(&output.stdout).ok_or(VcsError::Unexpected { command: "git status" })?;
        let changed = if output.truncated() { MAX_CHANGED } else { status.entries.min(MAX_CHANGED) };
        Ok(RepoSummary {
            detached: status.branch.is_none(),
            unborn: status.commit.is_none(),
            branch: status.branch,
            head: status.commit.map(|mut commit| {
                commit.truncate(SHORT);
                commit
            }),
            changed,
            operation: Operation::under_way(&self.repository.git_dir),
        })
    }

    /// The inspect profile for this repository.
    async fn environment(&self) -> Result<Environment, VcsError> {
        refuse_git_of_the_project(&self.git, &self.repository)?;
        let (_, user) = tokio::try_join!(self.git.version(), UserSettings::read(&self.git))?;
        let profile = Profile::read(&self.git, &self.repository, &user, self.timeout).await?;
        Ok(profile.environment)
    }

    fn call(&self, args: &[&str], environment: Environment) -> Call {
        let mut call = Call::new(&self.repository.work_tree, args, environment);
        call.timeout = self.timeout;
        call
    }
}

/// An absolute entry of the search path can lead into the project, too.
pub(crate) fn refuse_git_of_the_project(git: &Git, repository: &Repository) -> Result<(), VcsError> {
    let program = git.program();
    let real = dunce::canonicalize(program).map_err(|error| VcsError::file(program, &error))?;
    if real.starts_with(&repository.work_tree) {
        return Err(VcsError::GitInsideProject { program: program.to_owned() });
    }
    Ok(())
}
