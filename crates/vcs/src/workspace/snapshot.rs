//! Remembering the work tree as a tree object.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::private::{Step, Taken, identity_of};
use super::scan::{Scan, SkipReason, Skipped};
use super::{Memory, Workspace, shown_path};
use crate::error::VcsError;
use crate::harden::Environment;
use crate::oid::Oid;
use crate::system;

/// As many folders as can be left out of a listing by their names.
const MOST_OVERFULL: usize = 500;
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
        let state = self.calm_state(memory).await?;
        self.take_over_index(memory).await?;
        let mut scan = self.scan(memory).await?;
        if scan.new_attributes && !memory.private.attributes_seen {
            memory.private.attributes_seen = true;
            memory.private.taken = None;
            self.take_over_index(memory).await?;
            scan = self.scan(memory).await?;
        }
        self.keep_large_tracked_files(memory, &mut scan).await?;
        self.refuse_too_much(&scan)?;
        // Given back only when all went well: an index that was changed half-way is made afresh.
        let unexpected = VcsError::Unexpected { command: "git write-tree" };
        let mut taken = memory.private.taken.take().ok_or(unexpected)?;
        let tree = self.update(memory, &taken, &scan).await?;
        taken.note(&tree, &scan);
        let nested = scan.nested.iter().chain(&taken.submodules).map(|name| shown_path(name)).collect();
        let index_tree = taken.index_tree.clone();
        memory.private.taken = Some(taken);
        Ok(Snapshot {
            tree,
            index_tree,
            head: state.head.commit,
            skipped: scan.skipped,
            skipped_count: scan.skipped_count,
            nested,
        })
    }

    /// Makes the private index from the user's, when that is another than last time.
    pub(super) async fn take_over_index(&self, memory: &mut Memory) -> Result<(), VcsError> {
        let index = self.repository.git_dir.join("index");
        let identity = identity_of(&index);
        if memory.private.taken.as_ref().is_some_and(|taken| taken.index == identity) {
            return Ok(());
        }
        memory.private.taken = None;
        let copy = memory.private.file("staged");
        // Asked for before the content: an index that is written meanwhile must look older than it is, never newer.
        let modified = index.metadata().and_then(|metadata| metadata.modified()).ok();
        let bytes = fs::read(&index).ok();
        match &bytes {
            Some(bytes) => fs::write(&copy, bytes).map_err(|error| VcsError::file(&copy, &error))?,
            None => drop(fs::remove_file(&copy)),
        }
        let bytes = bytes.unwrap_or_default();
        let index_tree = self.staged_tree(memory).await?;
        let converts = self.converts(memory, &bytes);
        let copied = !converts && !self.is_split();
        let listed = !copied || self.repository.work_tree.join(".gitmodules").exists();
        let entries = if listed { self.staged_entries(memory).await? } else { Vec::new() };
        if !copied {
            self.build_index(memory, &entries).await?;
        } else {
            let private = memory.private.file("index");
            match bytes.is_empty() {
                false => copy_index(&bytes, &private, modified)
                    .map_err(|error| VcsError::file(&private, &error))?,
                true => drop(fs::remove_file(&private)),
            }
        }
        let submodules = submodules_in(&entries);
        memory.private.taken =
            Some(Taken { index: identity, index_tree, converts, copied, submodules, tree: None, last: None });
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

    /// What is staged, as `git update-index --index-info` reads it.
    async fn staged_entries(&self, memory: &Memory) -> Result<Vec<u8>, VcsError> {
        let mut call = self.call(&["ls-files", "--stage", "-z"], self.staged_environment(memory));
        call.output_limit = usize::MAX;
        Ok(self.git.run(call).await?.stdout)
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

    /// Builds the private index from entries alone: every file is compared by its bytes.
    async fn build_index(&self, memory: &Memory, entries: &[u8]) -> Result<(), VcsError> {
        let _ = fs::remove_file(memory.private.file("index"));
        let mut call = self.privately(memory, &["update-index", "-z", "--index-info"]);
        call.input = entries.to_vec();
        self.git.run(call).await?;
        // Exit code 1 says that some files differ, which is no trouble here.
        self.git.finish(self.privately(memory, &["update-index", "-q", "--refresh"])).await.map(drop)
    }

    /// Lists what differs from the private index and decides about each file.
    async fn scan(&self, memory: &Memory) -> Result<Scan, VcsError> {
        let mut overfull: BTreeSet<Vec<u8>> = BTreeSet::new();
        loop {
            let mut args: Vec<OsString> =
                ["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard"].map(Into::into).into();
            for folder in &overfull {
                if let Some(pattern) = system::text_from_git(ignore_pattern(folder)) {
                    args.extend(["-x".into(), pattern]);
                }
            }
            let mut call = self.privately(memory, &args);
            call.output_limit = self.limits.listing_bytes;
            let listed = self.git.run(call).await?;
            let mut scan = Scan::of(&listed.stdout, &self.repository.work_tree, &self.limits);
            if !listed.truncated() {
                for folder in &overfull {
                    scan.skip(folder, 0, SkipReason::TooManyFiles);
                }
                return Ok(scan);
            }
            // Too long to be read: once more without the folders that are too full, as far as they are known.
            let known = overfull.len();
            overfull.append(&mut scan.overfull);
            if overfull.len() == known || overfull.len() > MOST_OVERFULL {
                return Err(VcsError::TooManyFiles);
            }
        }
    }

    /// Of the large files that the private index knows, those that the user's index knows are saved too.
    async fn keep_large_tracked_files(&self, memory: &Memory, scan: &mut Scan) -> Result<(), VcsError> {
        if scan.large.is_empty() {
            return Ok(());
        }
        let mut environment = self.staged_environment(memory);
        environment.insert("GIT_LITERAL_PATHSPECS".into(), "1".into());
        let mut args: Vec<OsString> = ["ls-files", "-z", "--"].map(Into::into).into();
        args.extend(scan.large.iter().filter_map(|name| system::text_from_git(name.clone())));
        let listed = self.git.run(self.call(&args, environment)).await?;
        let tracked: Vec<&[u8]> = listed.stdout.split(|byte| *byte == 0).collect();
        for name in std::mem::take(&mut scan.large) {
            let size = self
                .on_disk(&name)
                .and_then(|path| path.symlink_metadata().ok())
                .map_or(0, |file| file.len());
            if tracked.contains(&&*name) {
                scan.bytes += size;
                scan.update.insert(name);
            } else {
                scan.skip(&name, size, SkipReason::TooLarge);
            }
        }
        Ok(())
    }

    fn refuse_too_much(&self, scan: &Scan) -> Result<(), VcsError> {
        if scan.bytes > self.limits.total_bytes {
            return Err(VcsError::TooLarge { bytes: scan.bytes, limit: self.limits.total_bytes });
        }
        match system::free_space(&self.repository.common_dir) {
            Some(free) if free < self.limits.free_bytes.saturating_add(scan.bytes) => {
                Err(VcsError::NoSpace { free })
            }
            _ => Ok(()),
        }
    }

    /// Brings the private index up to date and names its tree.
    async fn update(&self, memory: &Memory, taken: &Taken, scan: &Scan) -> Result<Oid, VcsError> {
        if scan.update.is_empty()
            && scan.remove.is_empty()
            && let Some(tree) = taken.known_tree()
        {
            return Ok(tree.clone());
        }
        for (args, names) in [
            (["update-index", "-z", "--force-remove", "--stdin"].as_slice(), &scan.remove),
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
    /// What the private index stands for, as far as that is known.
    fn known_tree(&self) -> Option<&Oid> {
        self.tree.as_ref().or_else(|| self.copied.then_some(&self.index_tree))
    }

    /// Writes down what became of the private index. Looking without finding anything leaves the last step as it was.
    fn note(&mut self, tree: &Oid, scan: &Scan) {
        if let Some(from) = self.known_tree().filter(|from| *from != tree).cloned() {
            let names = scan.update.union(&scan.remove).cloned().collect();
            self.last = Some(Step { from, to: tree.clone(), names });
        }
        self.tree = Some(tree.clone());
    }
}

/// Writes a copy of an index that looks as old as the index itself. Git takes a file whose time is not before the
/// index's for possibly changed; in a copy that looked newer, a change within the second of `git add` would be missed.
fn copy_index(bytes: &[u8], to: &Path, modified: Option<SystemTime>) -> io::Result<()> {
    let mut file = fs::File::create(to)?;
    file.write_all(bytes)?;
    match modified {
        Some(modified) => file.set_modified(modified),
        None => Ok(()),
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

/// The submodules among entries of an index.
fn submodules_in(entries: &[u8]) -> Vec<Vec<u8>> {
    let modules = entries.split(|byte| *byte == 0).filter(|entry| entry.starts_with(b"160000 "));
    modules
        .filter_map(|entry| entry.iter().position(|byte| *byte == b'\t').map(|tab| entry[tab + 1..].to_vec()))
        .collect()
}
