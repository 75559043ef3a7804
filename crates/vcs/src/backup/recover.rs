//! Bringing back what a backup holds.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::List;
use crate::discover::discover;
use crate::error::VcsError;
use crate::git::Git;
use crate::oid::Oid;
use crate::repository::Repository;
use crate::workspace::{Workspace, is_ref_name};

/// What was brought back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Recovered {
    /// Whether git's whole folder had to be made again.
    pub rebuilt: bool,
    /// Where what was left of the old one lies, if anything was.
    pub moved_aside: Option<PathBuf>,
    /// The references that were missing.
    pub refs: Vec<String>,
}

impl Git {
    /// Brings back what a backup has and the repository of this work tree has not.
    ///
    /// In a repository that lives, only references of our own come back. Where git's folder is gone or is no
    /// repository any more, a new one is made with all references, HEAD and an index that agrees with HEAD. The files
    /// of the work tree stay as they are in any case, and what is left of a damaged folder is moved aside.
    ///
    /// # Errors
    /// There is no backup in the folder, or git fails.
    pub async fn recover(&self, backup: &Path, work_tree: &Path) -> Result<Recovered, VcsError> {
        let missing = || VcsError::Missing { name: format!("a backup in {}", backup.display()) };
        let list = List::read(backup).filter(List::is_sane).ok_or_else(missing)?;
        let work_tree = dunce::canonicalize(work_tree).map_err(|error| VcsError::file(work_tree, &error))?;
        list.point_back(&work_tree)?;
        if let Some(repository) = discover(&work_tree).filter(|found| found.work_tree == work_tree) {
            let refs = list.refs.iter().filter(|(name, _)| name.starts_with("refs/loopwright/"));
            let workspace = self.workspace(&repository).await?;
            let refs = workspace.bring_back(backup, &list, refs.cloned().collect()).await?;
            return Ok(Recovered { rebuilt: false, moved_aside: None, refs });
        }
        self.rebuild(backup, &list, &work_tree).await
    }

    async fn rebuild(&self, backup: &Path, list: &List, work_tree: &Path) -> Result<Recovered, VcsError> {
        let git_dir = work_tree.join(".git");
        let moved_aside = move_aside(&git_dir)?;
        let branch = list.branch.as_deref().unwrap_or("main");
        let repository = self.init_with(work_tree, branch, list.sha256).await?;
        let rebuilt = self.fill(backup, list, &repository).await;
        match rebuilt {
            Ok(refs) => Ok(Recovered { rebuilt: true, moved_aside, refs }),
            Err(error) => {
                // Made a moment ago and holding nothing else, so that a second attempt finds things as they were.
                let _ = fs::remove_dir_all(&git_dir);
                if let Some(old) = moved_aside {
                    let _ = fs::rename(old, &git_dir);
                }
                Err(error)
            }
        }
    }

    async fn fill(
        &self,
        backup: &Path,
        list: &List,
        repository: &Repository,
    ) -> Result<Vec<String>, VcsError> {
        for (name, bytes) in &list.files {
            let path = repository.common_dir.join(name);
            let write = || {
                fs::create_dir_all(path.parent().unwrap_or(&repository.common_dir))?;
                fs::write(&path, bytes)
            };
            if !(name == "config" && is_about_reftable(bytes)) {
                write().map_err(|error| VcsError::file(&path, &error))?;
            }
        }
        let workspace = self.workspace(repository).await?;
        let refs = workspace.bring_back(backup, list, list.refs.clone()).await?;
        workspace.settle_head(list).await?;
        Ok(refs)
    }
}

impl Workspace {
    /// Brings back those of these references that are missing, with their objects.
    async fn bring_back(
        &self,
        backup: &Path,
        list: &List,
        refs: Vec<(String, Oid)>,
    ) -> Result<Vec<String>, VcsError> {
        let memory = self.remembered().await?;
        let there = self.refs_below(&memory, super::WHAT).await?;
        let missing: Vec<_> =
            refs.into_iter().filter(|(name, _)| !there.iter().any(|(found, _)| found == name)).collect();
        let detached = list.branch.is_none() && list.commit.is_some();
        if missing.is_empty() && !detached {
            return Ok(Vec::new());
        }
        for bundle in &list.bundles {
            let file = backup.join(bundle);
            let call = self.inspecting(&memory, &["bundle", "unbundle", &*file.to_string_lossy()]);
            self.git_run(call).await?;
        }
        let mut call = self.inspecting(&memory, &["update-ref", "--no-deref", "--stdin", "-z"]);
        call.input =
            missing.iter().flat_map(|(name, oid)| format!("create {name}\0{oid}\0").into_bytes()).collect();
        if !missing.is_empty() {
            self.git_run(call).await?;
        }
        Ok(missing.into_iter().map(|(name, _)| name).collect())
    }

    /// Sets HEAD, and an index that agrees with it.
    async fn settle_head(&self, list: &List) -> Result<(), VcsError> {
        let memory = self.remembered().await?;
        let Some(commit) = &list.commit else { return Ok(()) };
        if list.branch.is_none() {
            let detach = ["update-ref", "--no-deref", "HEAD", commit.as_str()];
            self.git_run(self.inspecting(&memory, &detach)).await?;
        }
        self.git_run(self.inspecting(&memory, &["read-tree", "HEAD"])).await?;
        // Says by its exit code that some files differ, which is no trouble here.
        let refresh = self.inspecting(&memory, &["update-index", "-q", "--refresh"]);
        match self.git_run(refresh).await {
            Err(VcsError::Failed { .. }) => Ok(()),
            done => done,
        }
    }
}

impl List {
    /// Makes the file that leads to git's folder again, when the folder is elsewhere and only the file is gone.
    fn point_back(&self, work_tree: &Path) -> Result<(), VcsError> {
        let pointer = work_tree.join(".git");
        match &self.elsewhere {
            Some(folder) if folder.join("HEAD").exists() && pointer.symlink_metadata().is_err() => {
                fs::write(&pointer, format!("gitdir: {}\n", folder.display()))
                    .map_err(|error| VcsError::file(&pointer, &error))
            }
            _ => Ok(()),
        }
    }

    /// Whether every name in it is one that a backup of ours has.
    fn is_sane(&self) -> bool {
        let is_plain = |name: &String| !name.contains(['/', '\\']) && name.ends_with(".bundle");
        let branch_is_good = |branch: &String| is_ref_name(&format!("refs/heads/{branch}"));
        self.bundles.iter().all(is_plain)
            && self.branch.as_ref().is_none_or(branch_is_good)
            && self.refs.iter().all(|(name, _)| name.starts_with("refs/") && is_ref_name(name))
            && self.files.iter().all(|(name, _)| super::FILES.contains(&name.as_str()))
    }
}

/// A repository made anew keeps its references in files, whatever the old one did.
fn is_about_reftable(config: &[u8]) -> bool {
    String::from_utf8_lossy(config).to_ascii_lowercase().contains("refstorage")
}

/// Puts what is left of git's folder beside its place.
fn move_aside(git_dir: &Path) -> Result<Option<PathBuf>, VcsError> {
    if git_dir.symlink_metadata().is_err() {
        return Ok(None);
    }
    let free = (1..1_000)
        .map(|number| git_dir.with_file_name(format!(".git.damaged-{number}")))
        .find(|path| path.symlink_metadata().is_err());
    let aside = free.ok_or_else(|| VcsError::AlreadyRepository { dir: git_dir.to_owned() })?;
    fs::rename(git_dir, &aside).map_err(|error| VcsError::file(git_dir, &error))?;
    Ok(Some(aside))
}
