//! What checks and hooks did to the files: edits, which are part of the work, and new files, which are not.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::changes::ChangeKind;
use super::private_git_dir::Taken;
use super::snapshot::FORCE_REMOVE;
use super::{Memory, Workspace, shown_path};
use crate::error::VcsError;
use crate::oid::Oid;
use crate::system;

/// As many files as are asked for by name.
const MOST_ASKED_FOR: usize = 500;

/// What became of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edits {
    /// The files as they are now, without those that are new.
    pub tree: Oid,
    /// The files that are not as they were.
    pub edited: Vec<PathBuf>,
    /// The files that are new.
    pub made: Vec<PathBuf>,
}

impl Workspace {
    /// The files of a tree that are not as they are in it, with the tree as it is now. New files do not count.
    ///
    /// # Errors
    /// As [`Workspace::snapshot`].
    pub async fn edited_since(&self, tree: &Oid) -> Result<(Oid, Vec<PathBuf>), VcsError> {
        let mut memory = self.remembered().await?;
        let now = self.take(&mut memory).await?.tree;
        let mut changes = self.differences(&memory, tree, &now).await?;
        changes.retain(|change| change.old.is_some());
        Ok((now, changes.iter().map(|change| shown_path(&change.name)).collect()))
    }

    /// Takes over what checks or a hook did to the files of a tree. New files are left out of this snapshot and of those
    /// to come, as long as nobody changes them; what git tracks, what the tree `staged` has and what was only renamed is
    /// not new.
    ///
    /// Where nothing has changed, this is a snapshot and nothing else.
    ///
    /// # Errors
    /// As [`Workspace::snapshot`].
    pub async fn take_edits(&self, before: &Oid, staged: Option<&Oid>) -> Result<Edits, VcsError> {
        let mut memory = self.remembered().await?;
        let last = memory.private.taken.as_ref().and_then(|taken| taken.last.clone());
        let now = self.take(&mut memory).await?.tree;
        let changes = self.differences(&memory, before, &now).await?;
        let is_gone = changes.iter().any(|change| change.new.is_none());
        let (new, edited): (Vec<_>, Vec<_>) = changes.into_iter().partition(|change| change.old.is_none());
        let mut made: BTreeSet<Vec<u8>> = new.into_iter().map(|change| change.name).collect();
        let mut edited: Vec<Vec<u8>> = edited.into_iter().map(|change| change.name).collect();
        let tracked = memory.index_tree().cloned();
        for tree in tracked.iter().chain(staged) {
            for name in self.those_in(&memory, tree, &made).await? {
                made.remove(&name);
                edited.push(name);
            }
        }
        if is_gone && !made.is_empty() {
            for name in self.renamed(&memory, before, &now).await? {
                if made.remove(&name) {
                    edited.push(name);
                }
            }
        }
        edited.sort_unstable();
        let mut tree = now;
        if !made.is_empty() {
            let same = edited.is_empty().then(|| before.clone());
            tree = self.leave_out(&mut memory, &made, same).await?;
            // Nothing is left of the step that was taken back.
            if let Some(taken) = memory.private.taken.as_mut().filter(|_| edited.is_empty()) {
                taken.last = last;
            }
        }
        let shown = |names: &mut dyn Iterator<Item = &Vec<u8>>| names.map(|name| shown_path(name)).collect();
        Ok(Edits { tree, edited: shown(&mut edited.iter()), made: shown(&mut made.iter()) })
    }

    /// Makes new files that checks made part of this snapshot and of those to come, and returns its tree.
    ///
    /// # Errors
    /// As [`Workspace::snapshot`].
    pub async fn take_made(&self, paths: &[&Path]) -> Result<Oid, VcsError> {
        let mut memory = self.remembered().await?;
        let names: BTreeSet<Vec<u8>> = paths.iter().map(|path| system::text_for_git(path)).collect();
        let folder = memory.private.kept_folder().to_owned();
        let noted = memory.private.made.forget(&folder, &self.repository.work_tree, &names);
        memory.private.made = noted.map_err(|error| VcsError::file(&folder, &error))?;
        Ok(self.take(&mut memory).await?.tree)
    }

    /// The new names of files that were renamed between two trees, as git sees it.
    async fn renamed(&self, memory: &Memory, from: &Oid, to: &Oid) -> Result<Vec<Vec<u8>>, VcsError> {
        let changes = self.list_changes(memory, [from, to], false, &[]).await?;
        let renamed = changes.into_iter().filter(|change| change.kind == ChangeKind::Renamed);
        Ok(renamed.map(|change| system::text_for_git(&change.path)).collect())
    }

    /// Which of these paths a tree has.
    async fn those_in(
        &self,
        memory: &Memory,
        tree: &Oid,
        names: &BTreeSet<Vec<u8>>,
    ) -> Result<Vec<Vec<u8>>, VcsError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let mut args: Vec<OsString> =
            ["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree.as_str(), "--"].map(Into::into).into();
        // More than these are quicker found in the whole list, and would not fit a command line.
        if names.len() <= MOST_ASKED_FOR {
            args.extend(names.iter().filter_map(|name| system::text_from_git(name.clone())));
        }
        let mut call = self.privately(memory, &args);
        call.output_limit = usize::MAX;
        let listed = self.git.run(call).await?.stdout;
        Ok(listed.split(|byte| *byte == 0).filter(|name| names.contains(*name)).map(<[u8]>::to_vec).collect())
    }

    /// Takes new files out of the private index and notes that checks made them. Returns the tree without them; `known`
    /// is that tree, where somebody knows it.
    async fn leave_out(
        &self,
        memory: &mut Memory,
        made: &BTreeSet<Vec<u8>>,
        known: Option<Oid>,
    ) -> Result<Oid, VcsError> {
        let names: Vec<Vec<u8>> = made.iter().cloned().collect();
        let folder = memory.private.kept_folder().to_owned();
        let noted = memory.private.made.add(&folder, &self.repository.work_tree, &names);
        memory.private.made = noted.map_err(|error| VcsError::file(&folder, &error))?;
        // Given back only when all went well: an index that was changed half-way is made afresh.
        let unexpected = VcsError::Unexpected { command: "git write-tree" };
        let taken = memory.private.taken.take().ok_or(unexpected)?;
        let mut call = self.privately(memory, FORCE_REMOVE);
        call.input = names.iter().flat_map(|name| name.iter().copied().chain([0])).collect();
        self.git_run(call).await?;
        let tree = match known {
            Some(tree) => tree,
            None => self.object(self.privately(memory, memory.write_tree()), "git write-tree").await?,
        };
        let taken = Taken { tree: Some(tree.clone()), last: None, ..taken };
        memory.private.keep_index(&self.repository, &taken, memory.profile.format.bytes());
        memory.private.taken = Some(taken);
        Ok(tree)
    }
}
