//! The private git folder: an index and settings of our own over the repository's objects.
//!
//! Its attributes switch off every conversion, so that what is hashed and what is written back is what the files
//! hold, byte by byte; its configuration is written by us alone, so that no program of the repository is ever named.
//! It lies in the state folder, is locked while in use, and is removed with its owner; the index alone is kept for
//! others (`kept.rs`).

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use super::index_cache::folder_for;
use super::made_files::MadeFiles;
use super::outside_files::Outside;
use super::run_start::RunStart;
use crate::error::VcsError;
use crate::git_locks;
use crate::harden::Environment;
use crate::limited_read::read;
use crate::oid::{ObjectFormat, Oid};
use crate::profile::Profile;
use crate::repository::Repository;
use crate::system;

/// No conversion of any kind, for every file. Nor may the repository say that a text is none: changes could hide so.
const ATTRIBUTES: &str = "* -text !eol !crlf !ident -filter !working-tree-encoding !diff\n";
/// A branch that never exists.
const NOWHERE: &str = "ref: refs/heads/private\n";
/// Larger than any list of ignored files.
const EXCLUDES_LIMIT: u64 = 4 * 1024 * 1024;

/// The index that a commit is made from.
pub(super) const COMMIT_INDEX: &str = "commit-index";

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// A file as it was: none when it was not there.
pub(super) type Identity = Option<Vec<i128>>;

/// The folder, and what its index holds.
#[derive(Debug)]
pub(super) struct Private {
    folder: PathBuf,
    /// Held as long as the folder is in use.
    lock: Option<File>,
    /// The configuration and the list of ignored files as last written.
    written: Option<(String, Vec<u8>)>,
    /// The commit that HEAD stands for here, as last written.
    head: Option<Oid>,
    /// Whether there ever was a file of attributes in the work tree: what git stored since may have been converted.
    pub(super) attributes_seen: bool,
    /// What belongs to the index; none when there is no index yet.
    pub(super) taken: Option<Taken>,
    /// Where the index is kept for others.
    kept: PathBuf,
    /// The index as it was last kept.
    pub(super) saved: Identity,
    /// How the run began.
    pub(super) start: RunStart,
    /// What was outside of the last checkpoint.
    pub(super) outside: Outside,
    /// What checks made.
    pub(super) made: MadeFiles,
}

/// What belongs to the private index: the user's index as it was last seen, and what the private one stands for.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// Which file the user's index was.
    pub(super) index: Identity,
    /// The tree it stood for.
    pub(super) index_tree: Oid,
    /// The tree it stood for when the private index last followed it.
    pub(super) followed: Oid,
    /// Whether it has nothing that an index of ours would not have, so that one of ours can take its place.
    pub(super) plain: bool,
    /// Whether stored files may differ from the files' bytes.
    pub(super) converts: bool,
    /// Submodules, by their names in git.
    pub(super) submodules: Vec<Vec<u8>>,
    /// A digest of the names of files that a sparse checkout keeps out of the work tree; none without any.
    pub(super) absent: Option<String>,
    /// What the private index stands for now, as far as that is known.
    pub(super) tree: Option<Oid>,
    /// What happened to it last.
    pub(super) last: Option<Step>,
}

/// A change of the private index.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// What it stood for before.
    pub(super) from: Oid,
    /// What it stood for after.
    pub(super) to: Oid,
    /// The paths that were looked at; all others are the same in both.
    pub(super) names: Vec<Vec<u8>>,
}

impl Private {
    /// Makes a new one, and removes those whose owners are gone, unless a commit was made there.
    pub(super) fn create(repository: &Repository) -> Result<Self, VcsError> {
        let parent = parent_folder(repository);
        let failed = |error: &io::Error| VcsError::file(&parent, error);
        system::create_private_folder(&parent).map_err(|error| failed(&error))?;
        sweep(&parent, false);
        let name = format!("{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        let folder = parent.join(name);
        let lock = make(&folder).map_err(|error| failed(&error))?;
        let kept = folder_for(repository, &parent);
        system::create_private_folder(&kept).map_err(|error| failed(&error))?;
        Ok(Self {
            folder,
            lock: Some(lock),
            written: None,
            head: None,
            attributes_seen: false,
            taken: None,
            saved: None,
            start: RunStart::load(&kept),
            outside: Outside::load(&kept),
            made: MadeFiles::load(&kept),
            kept,
        })
    }

    /// Where the index and the beginning of the run are kept for others.
    pub(super) fn kept_folder(&self) -> &Path {
        &self.kept
    }

    /// The configuration as last written.
    pub(super) fn settings(&self) -> Option<&str> {
        self.written.as_ref().map(|(settings, _)| settings.as_str())
    }

    /// Lets HEAD stand for a commit: what differs from it is not of interest, and would be listed file by file.
    pub(super) fn stand_at(&mut self, commit: Option<&Oid>) -> Result<(), VcsError> {
        if self.head.as_ref() == commit {
            return Ok(());
        }
        let text = commit.map_or_else(|| NOWHERE.to_owned(), |commit| format!("{commit}\n"));
        let path = self.folder.join("HEAD");
        fs::write(&path, text).map_err(|error| VcsError::file(&path, &error))?;
        self.head = commit.cloned();
        Ok(())
    }

    /// Keeps folders out of listings until the configuration is written again.
    pub(super) fn exclude_once(&mut self, patterns: &[Vec<u8>]) -> Result<(), VcsError> {
        let excludes = self.written.take().map(|(_, excludes)| excludes).unwrap_or_default();
        let lines = [&excludes, &b"\n"[..], &patterns.join(&b'\n'), b"\n"].concat();
        let path = self.folder.join("info/exclude");
        fs::write(&path, lines).map_err(|error| VcsError::file(&path, &error))
    }

    /// Whether nobody has removed it.
    pub(super) fn is_whole(&self) -> bool {
        ["HEAD", "info/attributes", "refs"].iter().all(|part| self.folder.join(part).exists())
    }

    /// A file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The end of the path of the index that a commit is made from; no other path ends so.
    pub(super) fn index_of_commit(&self) -> PathBuf {
        Path::new(self.folder.file_name().unwrap_or_default()).join(COMMIT_INDEX)
    }

    /// Writes its configuration and its list of ignored files, when they are not what they should be, and reads how the
    /// run began, when somebody else wrote that.
    pub(super) fn configure(&mut self, repository: &Repository, profile: &Profile) -> Result<(), VcsError> {
        if !self.start.is_current(&self.kept) {
            self.start = RunStart::load(&self.kept);
        }
        if !self.outside.is_current(&self.kept) {
            self.outside = Outside::load(&self.kept);
        }
        if !self.made.is_current(&self.kept) {
            self.made = MadeFiles::load(&self.kept);
        }
        let excludes = read(&repository.common_dir.join("info/exclude"), EXCLUDES_LIMIT).unwrap_or_default();
        let wanted = (configuration(profile), excludes);
        if self.written.as_ref() == Some(&wanted) {
            return Ok(());
        }
        let write = |name: &str, content: &[u8]| {
            let path = self.folder.join(name);
            fs::write(&path, content).map_err(|error| VcsError::file(&path, &error))
        };
        write("config", wanted.0.as_bytes())?;
        write("info/exclude", &wanted.1)?;
        self.written = Some(wanted);
        Ok(())
    }

    /// Leads git here.
    pub(super) fn place(&self, environment: &mut Environment, repository: &Repository) {
        environment.insert("GIT_DIR".into(), self.folder.clone().into());
        environment.insert("GIT_WORK_TREE".into(), repository.work_tree.clone().into());
        environment.insert("GIT_OBJECT_DIRECTORY".into(), repository.common_dir.join("objects").into());
        environment.insert("GIT_INDEX_FILE".into(), self.file("index").into());
        environment.insert("GIT_LITERAL_PATHSPECS".into(), "1".into());
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        // Unlocked first: some systems do not remove a locked file.
        drop(self.lock.take());
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn make(folder: &Path) -> io::Result<File> {
    system::create_private_folder(folder)?;
    let lock = File::create(folder.join("lock"))?;
    lock.try_lock().map_err(|error| match error {
        TryLockError::Error(error) => error,
        TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
    })?;
    for part in ["refs", "info", "objects"] {
        fs::create_dir_all(folder.join(part))?;
    }
    fs::write(folder.join("info/attributes"), ATTRIBUTES)?;
    fs::write(folder.join("HEAD"), NOWHERE)?;
    Ok(lock)
}

fn parent_folder(repository: &Repository) -> PathBuf {
    repository.common_dir.join("loopwright").join("vcs")
}

/// Removes all folders of processes that are gone. What they started to commit has to be ended: git takes a missing index
/// for an empty one and would commit that everything is deleted.
pub(super) fn sweep_all(repository: &Repository) {
    let parent = parent_folder(repository);
    if let Some(begun) = commit_cut_off(&parent) {
        remove_locks(repository, begun);
    }
    sweep(&parent, true);
}

/// When the last commit began that a process did not live to finish.
fn commit_cut_off(parent: &Path) -> Option<SystemTime> {
    let folders = fs::read_dir(parent).ok()?.flatten().map(|entry| entry.path());
    let dead = |folder: &PathBuf| File::open(folder.join("lock")).is_ok_and(|lock| lock.try_lock().is_ok());
    let begun =
        |folder: PathBuf| fs::metadata(folder.join(COMMIT_INDEX)).and_then(|index| index.modified()).ok();
    folders.filter(dead).filter_map(begun).max()
}

/// Removes the locks of references that a commit left behind when it was killed. Nobody makes that commit any more.
fn remove_locks(repository: &Repository, begun: SystemTime) {
    for name in git_locks::locks(repository) {
        let of_reference = name == "HEAD.lock" || name.starts_with("refs/heads/");
        let place = git_locks::lock_place(repository, &name);
        let made = fs::metadata(&place).and_then(|lock| lock.modified());
        if of_reference && made.is_ok_and(|made| made >= begun) {
            let _ = fs::remove_file(place);
        }
    }
}

/// Removes the folders of processes that ended without doing so.
fn sweep(parent: &Path, with_commits: bool) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for folder in entries.flatten().map(|entry| entry.path()) {
        if !with_commits && folder.join(COMMIT_INDEX).exists() {
            continue;
        }
        let Ok(lock) = File::open(folder.join("lock")) else { continue };
        if lock.try_lock().is_ok() {
            drop(lock);
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

fn configuration(profile: &Profile) -> String {
    let version = u8::from(profile.format == ObjectFormat::Sha256);
    let mut text = format!(
        "[core]\n\trepositoryFormatVersion = {version}\n\tbare = false\n\tautocrlf = false\n\tsafecrlf = false\n\
         \tfsmonitor = false\n\tuntrackedCache = false\n\tattributesFile = /dev/null\n\thooksPath = /dev/null\n\
         \tlogAllRefUpdates = false\n\tquotePath = false\n\ttrustctime = true\n\tsparseCheckout = true\n"
    );
    for (key, value) in &profile.disk {
        let name = key.trim_start_matches("core.");
        text.push_str(&format!("\t{name} = {value}\n"));
    }
    if let Some(path) = profile.excludes_file.as_ref().and_then(|path| path.to_str()) {
        text.push_str(&format!("\texcludesFile = {}\n", quoted(path)));
    }
    if profile.format == ObjectFormat::Sha256 {
        text.push_str("[extensions]\n\tobjectFormat = sha256\n");
    }
    text.push_str("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[diff]\n\tsubmodule = short\n");
    text
}

/// A value in git's configuration, whatever is in it.
fn quoted(value: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// Which file lies at a path.
pub(super) fn identity_of(path: &Path) -> Identity {
    path.symlink_metadata().ok().map(|metadata| system::identity(&metadata))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::parse;

    proptest! {
        #[test]
        fn a_quoted_value_reads_back(value in "[^\r\0]{1,60}") {
            let parsed = parse(format!("[core]\n\tx = {}\n", quoted(&value)).as_bytes());
            prop_assert_eq!(parsed.damaged_at, None);
            prop_assert_eq!(parsed.entries[0].value.as_deref(), Some(value.as_bytes()));
        }
    }
}
