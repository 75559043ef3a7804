//! Remembering the work tree as a tree object.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::index_file::IndexTraits;
use super::outside_files::OutsideChange;
use super::private_git_dir::{Step, Taken, identity_of};
use super::scan::{Scan, SkipReason, Skipped};
use super::{Memory, Workspace, shown_path};
use crate::error::VcsError;
use crate::harden::Environment;
use crate::oid::Oid;
use crate::system;

/// As many folders as can be left out of a listing by their names.
const MOST_OVERFULL: usize = 500;
/// Lists changed, new and ignored files, each with all that is in new folders. Looking into a submodule would start a git
/// that obeys the submodule's own configuration.
const LISTING: &[&str] = &[
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignored=matching",
    "--ignore-submodules=dirty",
];
/// Takes entries out of an index, whatever the files are.
pub(super) const FORCE_REMOVE: &[&str] = &["update-index", "-z", "--force-remove", "--stdin"];
/// In the first bytes of an index: its version.
const INDEX_VERSION: std::ops::Range<usize> = 4..8;

/// The work tree and the index at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Snapshot {
    /// The files of the work tree: those git tracks and new ones that are not ignored, byte by byte.
    pub tree: Oid,
    /// What is staged.
    pub index_tree: Oid,
    /// The commit that HEAD stood for; none before the first one.
    pub head: Option<Oid>,
    /// What is not in it, up to a limit.
    pub skipped: Vec<Skipped>,
    /// How many files and folders are not in it.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub skipped_count: u64,
    /// Repositories inside this one. Only the commit they stand at is remembered; changes in them are not saved.
    pub nested: Vec<PathBuf>,
    /// What changed outside of it since the last checkpoint.
    #[serde(default, skip)]
    pub outside: Vec<OutsideChange>,
}

impl Snapshot {
    /// What is left out of it and is new or was changed since the run began.
    pub fn left_out(&self) -> impl Iterator<Item = &Skipped> {
        self.skipped.iter().filter(|skipped| skipped.changed)
    }
}

impl Workspace {
    /// Remembers the work tree. The user's index, HEAD, stash and status stay as they are.
    ///
    /// # Errors
    /// A merge or the like is under way, there is too much to save, or git fails.
    pub async fn snapshot(&self) -> Result<Snapshot, VcsError> {
        let mut memory = self.remembered().await?;
        self.take(&mut memory).await
    }

    pub(super) async fn take(&self, memory: &mut Memory) -> Result<Snapshot, VcsError> {
        Ok(self.look(memory).await?.0)
    }

    /// Remembers the work tree. Returned too is all that was looked at.
    pub(super) async fn look(&self, memory: &mut Memory) -> Result<(Snapshot, Scan), VcsError> {
        let state = self.calm_state(memory).await?;
        let begun = memory.private.taken.is_none();
        self.see_index(memory, false).await?;
        memory.private.stand_at(state.head.commit.as_ref())?;
        match self.look_once(memory, state.head.commit.clone()).await {
            // What an earlier process kept may name objects that somebody has removed since.
            Err(VcsError::Failed { .. }) if begun && memory.private.saved.is_some() => {
                memory.private.forget_kept();
                memory.private.taken = None;
                self.see_index(memory, false).await?;
                self.look_once(memory, state.head.commit).await
            }
            looked => looked,
        }
    }

    async fn look_once(&self, memory: &mut Memory, head: Option<Oid>) -> Result<(Snapshot, Scan), VcsError> {
        let mut scan = self.scan(memory).await?;
        self.keep_large_tracked_files(memory, &mut scan).await?;
        scan.tell_ignored(&self.repository.work_tree, &memory.private.start);
        scan.add_included(&self.repository.work_tree, &memory.private.start);
        self.refuse_too_much(&scan)?;
        // Given back only when all went well: an index that was changed half-way is made afresh.
        let unexpected = VcsError::Unexpected { command: "git write-tree" };
        let mut taken = memory.private.taken.take().ok_or(unexpected)?;
        let tree = self.update(memory, &taken, &scan).await?;
        taken.note(&tree, &scan);
        if scan.new_attributes {
            memory.private.attributes_seen = true;
            taken.converts = true;
        }
        let outside = memory.private.outside.changes(&self.repository.work_tree, &scan);
        scan.tell_new(&memory.private.start, &memory.private.outside);
        let nested = scan.nested.iter().chain(&taken.submodules).map(|name| shown_path(name)).collect();
        let snapshot = Snapshot {
            tree,
            index_tree: taken.index_tree.clone(),
            head,
            skipped: std::mem::take(&mut scan.skipped),
            skipped_count: scan.skipped_count,
            nested,
            outside,
        };
        memory.private.keep_index(&self.repository, &taken, memory.profile.format.bytes());
        memory.private.taken = Some(taken);
        Ok((snapshot, scan))
    }

    /// Looks at the user's index, when that is another than last time. Where there is no private index yet, one is made
    /// of the tree that the user's stands for: of its flags nothing is taken over but what a sparse checkout needs. To an
    /// index that is there, `follow` adds what the user has added since and takes out what the user has taken out.
    pub(super) async fn see_index(&self, memory: &mut Memory, follow: bool) -> Result<(), VcsError> {
        let index = self.repository.git_dir.join("index");
        let identity = identity_of(&index);
        if memory.private.taken.is_none() {
            memory.private.taken = memory.private.load_kept(&self.repository);
        }
        let is_known =
            |taken: &Taken| taken.index == identity && !(follow && taken.followed != taken.index_tree);
        if memory.private.taken.as_ref().is_some_and(is_known) {
            return Ok(());
        }
        let before = memory.private.taken.take();
        let bytes = fs::read(&index).unwrap_or_default();
        let copy = memory.private.file("staged");
        match bytes.is_empty() {
            false => fs::write(&copy, &bytes).map_err(|error| VcsError::file(&copy, &error))?,
            true => drop(fs::remove_file(&copy)),
        }
        let index_tree = self.staged_tree(memory).await?;
        let traits = IndexTraits::of(&bytes, memory.profile.format.bytes());
        let converts = self.converts(memory, &bytes);
        let has_modules = self.repository.work_tree.join(".gitmodules").exists();
        let entries = if has_modules { self.staged_entries(memory).await? } else { Vec::new() };
        let mut taken = Taken {
            index: identity,
            followed: index_tree.clone(),
            plain: traits.plain && !self.is_split(),
            converts,
            submodules: submodules_in(&entries),
            absent: None,
            tree: None,
            last: None,
            index_tree,
        };
        if let Some(before) = before.as_ref().filter(|_| !follow) {
            taken.followed = before.followed.clone();
            taken.absent = before.absent.clone();
            taken.tree = before.tree.clone();
            taken.last = before.last.clone();
            memory.private.taken = Some(taken);
            return Ok(());
        }
        let absent = if traits.sparse { self.absent_files(memory).await? } else { Vec::new() };
        taken.absent = (!absent.is_empty()).then(|| digest_of(&absent));
        match before.filter(|before| before.absent == taken.absent) {
            Some(before) => {
                let changed = self.follow_index(memory, &before.followed, &taken.index_tree).await?;
                taken.tree = before.tree.filter(|_| !changed);
                taken.last = before.last.filter(|_| !changed);
            }
            None => {
                self.build_index(memory, &taken.index_tree, &absent).await?;
                taken.tree = Some(taken.index_tree.clone());
            }
        }
        memory.private.taken = Some(taken);
        Ok(())
    }

    /// Adds the files that the user's index has got since, and takes out those that it has no longer. Contents are not
    /// taken over: the files themselves are looked at. True when there were any.
    async fn follow_index(&self, memory: &Memory, before: &Oid, now: &Oid) -> Result<bool, VcsError> {
        let mut differences = match self.differences(memory, before, now).await {
            // Nobody keeps what was staged once.
            Err(VcsError::Missing { .. }) => return Ok(false),
            differences => differences?,
        };
        differences.retain(|change| change.old.is_none() || change.new.is_none());
        if differences.is_empty() {
            return Ok(false);
        }
        let zeros = Oid::zeros(memory.profile.format);
        self.stage_objects(self.private_environment(memory), &differences, &zeros).await?;
        Ok(true)
    }

    /// Takes out of the private index what the user's does not have: whether such a file is ignored is asked anew.
    pub(super) async fn forget_untracked(&self, memory: &mut Memory) -> Result<(), VcsError> {
        let Some(taken) = memory.private.taken.take() else { return Ok(()) };
        let tree = match &taken.tree {
            Some(tree) => tree.clone(),
            None => self.object(self.privately(memory, memory.write_tree()), "git write-tree").await?,
        };
        let mut differences = self.differences(memory, &taken.index_tree, &tree).await?;
        differences.retain(|change| change.old.is_none());
        if differences.is_empty() {
            memory.private.taken = Some(Taken { tree: Some(tree), ..taken });
            return Ok(());
        }
        let mut call = self.privately(memory, FORCE_REMOVE);
        call.input = differences.iter().flat_map(|change| change.name.iter().copied().chain([0])).collect();
        self.git_run(call).await?;
        memory.private.taken = Some(Taken { tree: None, last: None, ..taken });
        Ok(())
    }

    /// The environment for questions about the copy of the user's index.
    fn staged_environment(&self, memory: &Memory) -> Environment {
        let mut environment = memory.profile.environment.clone();
        environment.insert("GIT_INDEX_FILE".into(), memory.private.file("staged").into());
        environment
    }

    async fn staged_tree(&self, memory: &Memory) -> Result<Oid, VcsError> {
        let call = self.call(memory.write_tree(), self.staged_environment(memory));
        let finished = self.git.finish(call).await?;
        let said = String::from_utf8_lossy(&finished.output.stderr);
        if !finished.exit.success() {
            let unmerged = said.lines().any(|line| line.contains(": unmerged ("));
            return Err(if unmerged {
                VcsError::Conflicts
            } else {
                VcsError::from_refusal("git write-tree".to_owned(), finished.exit, said.as_bytes())
            });
        }
        Oid::from_line(&finished.output.stdout).ok_or(VcsError::Unexpected { command: "git write-tree" })
    }

    /// What is staged.
    async fn staged_entries(&self, memory: &Memory) -> Result<Vec<u8>, VcsError> {
        let mut call = self.call(&["ls-files", "--stage", "-z"], self.staged_environment(memory));
        call.output_limit = usize::MAX;
        Ok(self.git.run(call).await?.stdout)
    }

    /// The files that a sparse checkout keeps out of the work tree and that are not there, each followed by NUL. One that
    /// is there counts like any other, whatever the user's index says about it.
    async fn absent_files(&self, memory: &Memory) -> Result<Vec<u8>, VcsError> {
        let mut call = self.call(&["ls-files", "-t", "-z"], self.staged_environment(memory));
        call.output_limit = usize::MAX;
        let listed = self.git.run(call).await?.stdout;
        let skipped = listed.split(|byte| *byte == 0).filter_map(|line| line.strip_prefix(b"S "));
        let is_absent =
            |name: &&[u8]| self.on_disk(name).is_some_and(|path| path.symlink_metadata().is_err());
        Ok(skipped.filter(is_absent).flat_map(|name| name.iter().copied().chain([0])).collect())
    }

    /// Whether stored files may differ from the files' bytes: line ends, filters.
    fn converts(&self, memory: &Memory, index: &[u8]) -> bool {
        let attributes = b".gitattributes";
        // The paths of the fourth version are cut up and cannot be searched for.
        let searchable = index.get(INDEX_VERSION).is_none_or(|version| version != [0, 0, 0, 4]);
        memory.profile.converts
            || memory.private.attributes_seen
            || !searchable
            || self.repository.common_dir.join("info/attributes").exists()
            || self.repository.work_tree.join(".gitattributes").exists()
            || index.windows(attributes.len()).any(|window| window == attributes)
    }

    /// Whether the user's index is kept in two files, one of which is only found in git's own folder.
    fn is_split(&self) -> bool {
        let Ok(entries) = fs::read_dir(&self.repository.git_dir) else { return false };
        entries.flatten().any(|entry| entry.file_name().as_encoded_bytes().starts_with(b"sharedindex."))
    }

    /// Builds the private index from a tree alone: every file is compared by its bytes.
    async fn build_index(&self, memory: &Memory, tree: &Oid, absent: &[u8]) -> Result<(), VcsError> {
        let _ = fs::remove_file(memory.private.file("index"));
        self.git_run(self.privately(memory, &["read-tree", tree.as_str()])).await?;
        if absent.is_empty() {
            return Ok(());
        }
        let mut call = self.privately(memory, &["update-index", "-z", "--skip-worktree", "--stdin"]);
        call.input = absent.to_vec();
        self.git_run(call).await
    }

    /// Lists what differs from the private index and decides about each file.
    async fn scan(&self, memory: &mut Memory) -> Result<Scan, VcsError> {
        let mut overfull: BTreeSet<Vec<u8>> = BTreeSet::new();
        loop {
            let mut call = self.privately(memory, LISTING);
            // What was found to be unchanged is noted in the index.
            call.set("GIT_OPTIONAL_LOCKS", "1");
            call.output_limit = self.limits.listing_bytes;
            let listed = self.git.run(call).await?;
            let truncated = listed.truncated();
            let listing = memory.private.made.without(listed.stdout, &self.repository.work_tree);
            let start = &memory.private.start;
            let mut scan = Scan::of(&listing, &self.repository.work_tree, &self.limits, start);
            if !truncated {
                for folder in &overfull {
                    let changed = memory.private.start.is_new_folder(folder);
                    scan.skip(folder, 0, SkipReason::TooManyFiles, changed);
                }
                scan.ignored
                    .retain(|name| name.strip_suffix(b"/").is_none_or(|name| !overfull.contains(name)));
                scan.overfull.append(&mut overfull);
                return Ok(scan);
            }
            // Too long to be read: once more without the folders that are too full, as far as they are known.
            let known = overfull.len();
            overfull.append(&mut scan.overfull);
            if overfull.len() == known || overfull.len() > MOST_OVERFULL {
                return Err(VcsError::TooManyFiles);
            }
            let patterns: Vec<Vec<u8>> = overfull.iter().map(|folder| ignore_pattern(folder)).collect();
            memory.private.exclude_once(&patterns)?;
        }
    }

    /// Of the large files that the private index knows, those that the user's index knows are saved too.
    async fn keep_large_tracked_files(&self, memory: &Memory, scan: &mut Scan) -> Result<(), VcsError> {
        let Some(taken) = memory.private.taken.as_ref().filter(|_| !scan.large.is_empty()) else {
            return Ok(());
        };
        let mut args: Vec<OsString> =
            ["ls-tree", "-z", "--name-only", taken.index_tree.as_str(), "--"].map(Into::into).into();
        args.extend(scan.large.iter().filter_map(|name| system::text_from_git(name.clone())));
        let listed = self.git.run(self.privately(memory, &args)).await?;
        let tracked: Vec<&[u8]> = listed.stdout.split(|byte| *byte == 0).collect();
        for name in std::mem::take(&mut scan.large) {
            let file = self.on_disk(&name).and_then(|path| path.symlink_metadata().ok());
            let size = file.as_ref().map_or(0, std::fs::Metadata::len);
            if tracked.contains(&&*name) {
                scan.bytes += size;
                scan.update.insert(name);
            } else {
                let changed = file.is_some_and(|file| memory.private.start.changed(&name, &file));
                scan.skip(&name, size, SkipReason::TooLarge, changed);
            }
        }
        Ok(())
    }

    pub(super) fn refuse_too_much(&self, scan: &Scan) -> Result<(), VcsError> {
        if scan.bytes > self.limits.total_bytes {
            return Err(VcsError::TooLarge { bytes: scan.bytes, limit: self.limits.total_bytes });
        }
        let needed = self.limits.free_bytes.saturating_add(scan.bytes);
        match system::free_space(&self.repository.common_dir) {
            Some(free) if free < needed => Err(VcsError::NoSpace { free, needed }),
            _ => Ok(()),
        }
    }

    /// Brings the private index up to date and names its tree.
    async fn update(&self, memory: &Memory, taken: &Taken, scan: &Scan) -> Result<Oid, VcsError> {
        if scan.update.is_empty()
            && scan.remove.is_empty()
            && let Some(tree) = &taken.tree
        {
            return Ok(tree.clone());
        }
        for (args, names) in [
            (FORCE_REMOVE, &scan.remove),
            (["update-index", "-z", "--add", "--remove", "--replace", "--stdin"].as_slice(), &scan.update),
        ] {
            if !names.is_empty() {
                let mut call = self.privately(memory, args);
                call.input = names.iter().flat_map(|name| name.iter().copied().chain([0])).collect();
                self.git.run(call).await?;
            }
        }
        self.object(self.privately(memory, memory.write_tree()), "git write-tree").await
    }
}

impl Taken {
    /// Writes down what became of the private index. Looking without finding anything leaves the last step as it was.
    fn note(&mut self, tree: &Oid, scan: &Scan) {
        if let Some(from) = self.tree.as_ref().filter(|from| *from != tree).cloned() {
            let names = scan.update.union(&scan.remove).cloned().collect();
            self.last = Some(Step { from, to: tree.clone(), names });
        }
        self.tree = Some(tree.clone());
    }
}

/// A pattern that ignores this folder at the top and nothing else.
fn ignore_pattern(folder: &[u8]) -> Vec<u8> {
    let mut pattern = vec![b'/'];
    for byte in folder {
        if matches!(byte, b'*' | b'?' | b'[' | b'\\' | b' ' | b'!' | b'#') {
            pattern.push(b'\\');
        }
        pattern.push(*byte);
    }
    pattern.push(b'/');
    pattern
}

fn digest_of(names: &[u8]) -> String {
    Sha256::digest(names).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The submodules among entries of an index.
fn submodules_in(entries: &[u8]) -> Vec<Vec<u8>> {
    let modules = entries.split(|byte| *byte == 0).filter(|entry| entry.starts_with(b"160000 "));
    modules.filter_map(|entry| entry.splitn(2, |byte| *byte == b'\t').nth(1).map(<[u8]>::to_vec)).collect()
}
