//! Making a new repository.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::VcsError;
use crate::git::{Call, Git, WRITE_TIMEOUT};
use crate::harden::{Environment, Settings, place};
use crate::repository::Repository;
use crate::user_settings::UserSettings;

const FALLBACK_IDENTITY: (&str, &str) = ("Loopwright sample", "sample@loopwright.invalid");

impl Git {
    /// Makes a folder a repository with the branch `main`, without templates and so without hooks.
    ///
    /// # Errors
    /// It is one already, or git fails.
    pub async fn init(&self, dir: &Path) -> Result<Repository, VcsError> {
        let dir = dunce::canonicalize(dir).map_err(|error| VcsError::file(dir, &error))?;
        self.init_with(&dir, "main", false).await
    }

    /// The same for an absolute path, with a branch and a format of one's own.
    pub(crate) async fn init_with(
        &self,
        dir: &Path,
        branch: &str,
        sha256: bool,
    ) -> Result<Repository, VcsError> {
        let git_dir = dir.join(".git");
        if git_dir.symlink_metadata().is_ok() {
            return Err(VcsError::AlreadyRepository { dir: dir.to_owned() });
        }
        self.version().await?;
        let mut environment = self.environment();
        Settings::fixed().apply(&mut environment);
        let format = if sha256 { "--object-format=sha256" } else { "--object-format=sha1" };
        let branch = format!("--initial-branch={branch}");
        let args = ["init", "--quiet", "--template=", &branch, format, "."];
        self.run(Call::new(dir, &args, environment)).await?;
        Ok(Repository {
            work_tree: dir.to_owned(),
            common_dir: git_dir.clone(),
            git_dir,
            project: PathBuf::new(),
        })
    }

    /// Makes a folder a repository and commits everything in it, on the branch `main`.
    ///
    /// Nothing but git runs: no hooks of templates or of the user's, no signing, no filters. The commit bears the
    /// user's name when git knows it, else a neutral one. When it fails, the folder is left without a repository.
    ///
    /// # Errors
    /// It is one already, or git fails.
    pub async fn create_repository(&self, dir: &Path, message: &str) -> Result<Repository, VcsError> {
        let repository = self.init(dir).await?;
        let committed = self.commit_everything(&repository, message).await;
        if committed.is_err() {
            // Made a moment ago and holding nothing else, so that a second attempt finds the folder as it was.
            let _ = fs::remove_dir_all(&repository.git_dir);
        }
        committed.map(|()| repository)
    }

    async fn commit_everything(&self, repository: &Repository, message: &str) -> Result<(), VcsError> {
        let user = UserSettings::read(self).await?;
        let mut environment = self.environment();
        place(&mut environment, repository);
        Settings::fixed().apply(&mut environment);
        let (name, email) = match &user.identity {
            Some((name, email)) => (name.as_os_str(), email.as_os_str()),
            None => (OsStr::new(FALLBACK_IDENTITY.0), OsStr::new(FALLBACK_IDENTITY.1)),
        };
        set_identity(&mut environment, name, email);
        self.write(repository, &["add", "--all", "."], &environment, "").await?;
        let commit = ["commit", "--quiet", "--allow-empty", "--no-verify", "--no-gpg-sign", "--file=-"];
        self.write(repository, &commit, &environment, message).await
    }

    async fn write(
        &self,
        repository: &Repository,
        args: &[&str],
        environment: &Environment,
        input: &str,
    ) -> Result<(), VcsError> {
        let mut call = Call::new(&repository.work_tree, args, environment.clone());
        call.input = input.as_bytes().to_vec();
        call.timeout = WRITE_TIMEOUT;
        self.run(call).await.map(drop)
    }
}

/// Names the author and the committer.
pub(crate) fn set_identity(environment: &mut Environment, name: impl AsRef<OsStr>, email: impl AsRef<OsStr>) {
    for role in ["AUTHOR", "COMMITTER"] {
        environment.insert(format!("GIT_{role}_NAME").into(), name.as_ref().to_owned());
        environment.insert(format!("GIT_{role}_EMAIL").into(), email.as_ref().to_owned());
    }
}
