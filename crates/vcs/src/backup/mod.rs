//! A copy of a repository's references outside of it, and bringing them back.
//!
//! A backup is a folder: a list (`backup.json`) and the bundles it names, each with what the ones before it do not
//! have. The list is written last, so that a crash leaves the backup as it was.

mod recover;

use std::fs;
use std::path::{Path, PathBuf};

pub use recover::Recovered;
use serde::{Deserialize, Serialize};

use crate::error::VcsError;
use crate::head::Position;
use crate::limited_read::read;
use crate::oid::Oid;
use crate::repository::Repository;
use crate::system;
use crate::workspace::{Memory, Workspace};

/// What is backed up: our own references, and the user's branches, tags and stash.
const WHAT: &[&str] = &["refs/loopwright", "refs/heads", "refs/tags", "refs/stash"];
/// What is ours among that.
const OURS: &str = "refs/loopwright/";
/// The name of the list.
const LIST: &str = "backup.json";
/// Larger than any list.
const LIST_LIMIT: u64 = 256 * 1024 * 1024;
/// Files of git's folder that are kept as they are.
const FILES: &[&str] = &["config", "info/exclude", "shallow"];
/// The size of such a file that is still kept.
const FILE_LIMIT: u64 = 4 * 1024 * 1024;
/// As many bundles as there are before they are made one.
const MOST_BUNDLES: usize = 24;

/// What a backup holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct List {
    /// How objects are named: 40 or 64 digits.
    sha256: bool,
    /// Where HEAD was.
    branch: Option<String>,
    commit: Option<Oid>,
    refs: Vec<(String, Oid)>,
    /// The files with the objects, in the order in which they have to be read.
    bundles: Vec<String>,
    /// Files of git's folder.
    files: Vec<(String, Vec<u8>)>,
    /// Where git's folder is, when the work tree only points there.
    elsewhere: Option<PathBuf>,
}

/// What came of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backup {
    /// Nothing had changed since the last one.
    Unchanged,
    /// It was brought up to date.
    Written,
}

impl Workspace {
    /// Brings the backup in a folder up to date. References of ours that somebody deleted stay in it.
    ///
    /// # Errors
    /// The folder cannot be written, or git fails. Then the backup is as it was.
    pub async fn backup(&self, folder: &Path) -> Result<Backup, VcsError> {
        let memory = self.remembered().await?;
        let before = List::read(folder);
        let mut list = self.list(&memory).await?;
        let mut lost = Vec::new();
        if let Some(before) = &before {
            if before.is_whole(folder) {
                lost = before.ours_without(&list);
            }
            list.bundles.clone_from(&before.bundles);
            if *before == list.clone().with(&lost) {
                return Ok(Backup::Unchanged);
            }
        }
        system::create_private_folder(folder).map_err(|error| VcsError::file(folder, &error))?;
        let base = before.filter(|before| before.bundles.len() < MOST_BUNDLES && before.is_whole(folder));
        match base {
            Some(base) if self.add_bundle(&memory, folder, &mut list, &base).await.is_ok() => {}
            _ => {
                if lost.is_empty() {
                    list.bundles.clear();
                }
                self.add_bundle(&memory, folder, &mut list, &List::default()).await?;
            }
        }
        let list = list.with(&lost);
        list.write(folder)?;
        list.remove_others(folder);
        Ok(Backup::Written)
    }

    async fn list(&self, memory: &Memory) -> Result<List, VcsError> {
        let Position { branch, commit } = self.state_now(memory).await?.head;
        let Repository { work_tree, git_dir, common_dir, .. } = self.repository();
        let kept = |name: &&str| {
            let bytes = read(&common_dir.join(name), FILE_LIMIT).ok()?;
            Some(((*name).to_owned(), bytes))
        };
        Ok(List {
            sha256: memory.is_sha256(),
            branch,
            commit,
            refs: self.refs_below(memory, WHAT).await?,
            bundles: Vec::new(),
            files: FILES.iter().filter_map(kept).collect(),
            elsewhere: (git_dir != &work_tree.join(".git")).then(|| git_dir.clone()),
        })
    }

    /// Writes what the list names and `base` does not have yet into one more bundle, if there is anything.
    async fn add_bundle(
        &self,
        memory: &Memory,
        folder: &Path,
        list: &mut List,
        base: &List,
    ) -> Result<(), VcsError> {
        let known = |oid: &Oid| base.oids().any(|known| known == oid);
        let mut input = String::new();
        for (name, _) in list.refs.iter().filter(|(_, oid)| !known(oid)) {
            input.push_str(&format!("{name}\n"));
        }
        if list.branch.is_none() && list.commit.as_ref().is_some_and(|commit| !known(commit)) {
            input.push_str("HEAD\n");
        }
        if input.is_empty() {
            return Ok(());
        }
        for oid in base.oids() {
            input.push_str(&format!("^{oid}\n"));
        }
        let name = free_name(folder);
        let path = folder.join(&name);
        let file = path.to_string_lossy();
        let mut call = self.inspecting(memory, &["bundle", "create", "--quiet", &*file, "--stdin"]);
        call.input = input.into_bytes();
        match self.git_run(call).await {
            Ok(()) => list.bundles.push(name),
            // Everything is in the earlier ones already.
            Err(VcsError::Failed { detail, .. }) if detail.contains("empty bundle") => {}
            Err(error) => {
                let _ = fs::remove_file(&path);
                return Err(error);
            }
        }
        Ok(())
    }
}

impl List {
    /// The list of a backup, if there is one that can be read.
    fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&read(&folder.join(LIST), LIST_LIMIT).ok()?).ok()
    }

    fn write(&self, folder: &Path) -> Result<(), VcsError> {
        let (path, beside) = (folder.join(LIST), folder.join(format!("{LIST}.new")));
        let bytes = serde_json::to_vec(self).map_err(|_| VcsError::Unexpected { command: "the backup" })?;
        fs::write(&beside, bytes)
            .and_then(|()| fs::rename(&beside, &path))
            .map_err(|error| VcsError::file(&path, &error))
    }

    /// References of ours that the other list does not have.
    fn ours_without(&self, other: &Self) -> Vec<(String, Oid)> {
        let is_lost = |name: &str| !other.refs.iter().any(|(there, _)| there == name);
        let ours = self.refs.iter().filter(|(name, _)| name.starts_with(OURS) && is_lost(name));
        ours.cloned().collect()
    }

    /// The same with more references.
    fn with(mut self, more: &[(String, Oid)]) -> Self {
        self.refs.extend_from_slice(more);
        self.refs.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        self
    }

    fn oids(&self) -> impl Iterator<Item = &Oid> {
        self.refs.iter().map(|(_, oid)| oid).chain(&self.commit)
    }

    fn is_whole(&self, folder: &Path) -> bool {
        self.bundles.iter().all(|name| folder.join(name).is_file())
    }

    /// Removes bundles that the list does not name any more.
    fn remove_others(&self, folder: &Path) {
        for path in bundles_in(folder) {
            let named =
                path.file_name().is_some_and(|name| self.bundles.iter().any(|kept| name == kept.as_str()));
            if !named {
                let _ = fs::remove_file(path);
            }
        }
    }
}

fn bundles_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_bundle = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "bundle");
    entries.flatten().map(|entry| entry.path()).filter(is_bundle).collect()
}

/// A name that no bundle in the folder has.
fn free_name(folder: &Path) -> String {
    let mut number = bundles_in(folder).len();
    loop {
        let name = format!("{number:06}.bundle");
        if !folder.join(&name).exists() {
            return name;
        }
        number += 1;
    }
}
