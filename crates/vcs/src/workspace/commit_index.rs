//! The index a commit is made from, and the user's index after it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use tokio::time::sleep;

use super::changes::Difference;
use super::commit::{CommitRequest, Work};
use super::commit_hooks::HookFolder;
use super::index_cache::copy_index;
use super::index_swap::IndexSwap;
use super::private_git_dir::{COMMIT_INDEX, Identity, identity_of};
use super::{Memory, Workspace, shown_path};
use crate::error::VcsError;
use crate::harden::Environment;
use crate::oid::Oid;

/// How often a locked index is tried, and how long is waited in between.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

impl Workspace {
    fn index_path(&self) -> PathBuf {
        self.repository.git_dir.join("index")
    }

    fn index_swap(&self) -> IndexSwap {
        IndexSwap::of(&self.repository.git_dir)
    }

    /// Which file the user's index is.
    pub(super) fn index_identity(&self) -> Identity {
        identity_of(&self.index_path())
    }

    /// The private index holds what is to be committed.
    pub(super) fn copy_index_for_commit(&self, memory: &Memory) -> Result<(), VcsError> {
        let target = memory.private.file(COMMIT_INDEX);
        copy_index(&memory.private.file("index"), &target).map_err(|error| VcsError::file(&target, &error))
    }

    /// HEAD's tree and exactly these changes. Returns the tree of the index.
    pub(super) async fn build_index_for_commit(
        &self,
        memory: &Memory,
        request: &CommitRequest,
        work: &Work,
    ) -> Result<Oid, VcsError> {
        let target = memory.private.file(COMMIT_INDEX);
        if copy_index(&self.index_path(), &target).is_err() {
            let _ = fs::remove_file(&target);
        }
        let mut environment = memory.profile.environment.clone();
        environment.insert("GIT_INDEX_FILE".into(), target.into());
        let base = match &request.expected.commit {
            // Whatever the files are: the index alone matters here.
            Some(head) => vec!["read-tree", "-i", "-m", head.as_str()],
            None => vec!["read-tree", "--empty"],
        };
        self.git.run(self.call(&base, environment.clone())).await?;
        if memory.private.taken.as_ref().is_none_or(|taken| taken.converts) {
            self.stage_files(memory, work).await?;
        } else {
            let zeros = Oid::zeros(memory.profile.format);
            self.stage_objects(environment.clone(), &work.kept, &zeros).await?;
        }
        self.object(self.call(memory.write_tree(), environment), "git write-tree").await
    }

    /// Stages what was recorded, byte by byte.
    pub(super) async fn stage_objects(
        &self,
        environment: Environment,
        differences: &[Difference],
        zeros: &str,
    ) -> Result<(), VcsError> {
        let mut call = self.call(&["update-index", "-z", "--add", "--replace", "--index-info"], environment);
        call.input = index_info(differences.iter().map(|change| (&*change.name, change.new.as_ref())), zeros);
        self.git.run(call).await.map(drop)
    }

    /// Stages the files themselves, through the user's own filters. They have to be what was recorded.
    async fn stage_files(&self, memory: &Memory, work: &Work) -> Result<(), VcsError> {
        for change in &work.kept {
            let recorded = change.new.as_ref().filter(|entry| entry.mode != super::restore::SUBMODULE);
            let current = self.current_entry(memory, &change.name)?;
            let same = match recorded {
                Some(entry) => current.as_ref().is_some_and(|current| current.oid == entry.oid),
                None => change.new.is_some() || current.is_none(),
            };
            if !same {
                return Err(VcsError::FileMoved { path: shown_path(&change.name) });
            }
        }
        let environment =
            self.commit_environment(memory, &HookFolder::of(&self.repository, &memory.profile, false));
        let args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
        let mut call = self.call(&args, environment);
        call.input = work.kept.iter().flat_map(|change| change.name.iter().copied().chain([0])).collect();
        self.git.run(call).await.map(drop)
    }

    /// Lets the user's index know of a commit, for the paths that are in it. False when it stays locked.
    ///
    /// Replacing it is for an index that was like HEAD before, as then the result is the same.
    pub(super) async fn follow_commit(
        &self,
        memory: &mut Memory,
        replace: bool,
        names: BTreeSet<&[u8]>,
        was_clean: bool,
        tree: &Oid,
    ) -> bool {
        let is_known =
            memory.private.taken.as_ref().is_some_and(|taken| taken.index == self.index_identity());
        let mut updated = replace && self.replace_index(memory).await;
        if !updated {
            updated = self.reset_index(memory, names).await;
        }
        if let Some(taken) = &mut memory.private.taken {
            if updated && was_clean && is_known {
                taken.index = self.index_identity();
                taken.index_tree = tree.clone();
                taken.followed = tree.clone();
            } else {
                // Looked at afresh next time.
                taken.index = Some(Vec::new());
            }
        }
        updated
    }

    /// Lets the user's index know of a commit of ours that it does not know of: after a crash, or when it was locked. A
    /// lock that a killed process of ours left is taken away. True when it does now, or when HEAD has moved on. What the user has staged since is left.
    ///
    /// # Errors
    /// Something larger is under way, or git fails.
    pub async fn sync_index(&self, commit: &Oid) -> Result<bool, VcsError> {
        let mut memory = self.remembered().await?;
        self.index_swap().clear().map_err(|error| VcsError::file(self.index_path(), &error))?;
        if self.calm_state(&memory).await?.head.commit.as_ref() != Some(commit) {
            return Ok(true);
        }
        let tree = self.tree_of(&mut memory, commit).await?;
        self.see_index(&mut memory, false).await?;
        let Some(index_tree) = memory.index_tree().filter(|staged| **staged != tree).cloned() else {
            return Ok(true);
        };
        let parent = format!("{commit}^1^{{tree}}");
        let call = self.privately(&memory, &["rev-parse", "--verify", "--quiet", &parent]);
        let parent = Oid::from_line(&self.git.finish(call).await?.output.stdout)
            .unwrap_or_else(|| memory.profile.format.empty_tree());
        let staged = self.differences(&memory, &parent, &index_tree).await?;
        let staged: BTreeSet<&[u8]> = staged.iter().map(|change| &*change.name).collect();
        let committed = self.differences(&memory, &parent, &tree).await?;
        let names = committed.iter().map(|change| &*change.name).filter(|name| !staged.contains(name));
        Ok(self.reset_index(&memory, names.collect()).await)
    }

    /// Puts the committed index in the place of the user's, which was like HEAD before: the same as setting each path.
    async fn replace_index(&self, memory: &Memory) -> bool {
        let Some(taken) = &memory.private.taken else { return false };
        let (swap, content) = (self.index_swap(), memory.private.file(COMMIT_INDEX));
        for _ in 0..TRIES {
            match swap.put(&content, &taken.index) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => sleep(PAUSE).await,
                done => return done.unwrap_or(false),
            }
        }
        false
    }

    /// Sets these paths of the user's index to what HEAD has.
    pub(super) async fn reset_index(&self, memory: &Memory, names: BTreeSet<&[u8]>) -> bool {
        let args = ["reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"];
        let input: Vec<u8> = names.iter().flat_map(|name| name.iter().copied().chain([0])).collect();
        if input.is_empty() {
            // Without a path everything would be reset.
            return true;
        }
        for _ in 0..TRIES {
            let mut call = self.inspecting(memory, &args);
            call.set("GIT_LITERAL_PATHSPECS", "1");
            call.input.clone_from(&input);
            match self.git.run(call).await {
                Err(VcsError::Locked { .. }) => sleep(PAUSE).await,
                done => return done.is_ok(),
            }
        }
        false
    }
}

/// Entries as `git update-index --index-info` reads them; none takes the path out.
pub(super) fn index_info<'a>(
    entries: impl Iterator<Item = (&'a [u8], Option<&'a super::changes::Entry>)>,
    zeros: &str,
) -> Vec<u8> {
    let mut input = Vec::new();
    let (gone, there): (Vec<_>, Vec<_>) = entries.partition(|(_, entry)| entry.is_none());
    // What is gone first: a folder may be in the place of a file.
    for (name, entry) in gone.into_iter().chain(there) {
        let head =
            entry.map_or_else(|| format!("0 {zeros}\t"), |entry| format!("{} {}\t", entry.mode, entry.oid));
        input.extend_from_slice(head.as_bytes());
        input.extend_from_slice(name);
        input.push(0);
    }
    input
}
