//! The private git folder: an index and settings of our own over the repository's objects.
//!
//! Its attributes switch off every conversion, so that what is hashed and what is written back is what the files
//! hold, byte by byte; its configuration is written by us alone, so that no program of the repository is ever named.
//! It lies in the state folder, is locked while in use, and is removed with its owner.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::discover::Repository;
use crate::error::VcsError;
use crate::harden::Environment;
use crate::oid::{ObjectFormat, Oid};
use crate::profile::Profile;
use crate::read::read;
use crate::system;

/// No conversion of any kind, for every file. Nor may the repository say that a text is none: changes could hide so.
const ATTRIBUTES: &str = "* -text !eol !crlf !ident -filter !working-tree-encoding !diff\n";
/// Larger than any list of ignored files.
const EXCLUDES_LIMIT: u64 = 4 * 1024 * 1024;

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
    /// The list of ignored files as it was at first. What it names stays ignored: an agent that empties the list must
    /// not make us take the user's files for its own.
    first_excludes: Option<Vec<u8>>,
    /// Whether there ever was a file of attributes in the work tree: what git stored since may have been converted.
    pub(super) attributes_seen: bool,
    /// What the index was made from.
    pub(super) taken: Option<Taken>,
}

/// The user's index as it was taken over.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// Which file it was.
    pub(super) index: Identity,
    /// The tree it stood for.
    pub(super) index_tree: Oid,
    /// Whether stored files may differ from the files' bytes.
    pub(super) converts: bool,
    /// Whether the private index began as a copy of it.
    pub(super) copied: bool,
    /// Submodules, by their names in git.
    pub(super) submodules: Vec<Vec<u8>>,
    /// What the private index stands for now.
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
    /// Makes a new one, and removes those whose owners are gone.
    pub(super) fn create(repository: &Repository) -> Result<Self, VcsError> {
        let parent = repository.common_dir.join("loopwright").join("vcs");
        let failed = |error: &io::Error| VcsError::file(&parent, error);
        system::create_private_folder(&parent).map_err(|error| failed(&error))?;
        sweep(&parent);
        let name = format!("{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        let folder = parent.join(name);
        let lock = make(&folder).map_err(|error| failed(&error))?;
        Ok(Self {
            folder,
            lock: Some(lock),
            written: None,
            first_excludes: None,
            attributes_seen: false,
            taken: None,
        })
    }

    /// Whether nobody has removed it.
    pub(super) fn is_whole(&self) -> bool {
        ["HEAD", "info/attributes", "refs"].iter().all(|part| self.folder.join(part).exists())
    }

    /// A file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes its configuration and its list of ignored files, when they are not what they should be.
    pub(super) fn configure(&mut self, repository: &Repository, profile: &Profile) -> Result<(), VcsError> {
        let excludes = read(&repository.common_dir.join("info/exclude"), EXCLUDES_LIMIT).unwrap_or_default();
        let first = self.first_excludes.get_or_insert_with(|| excludes.clone());
        let both = if *first == excludes { excludes } else { [&excludes, &b"\n"[..], first].concat() };
        let wanted = (configuration(profile), both);
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
    // A branch that never exists, and the mark of a repository.
    fs::write(folder.join("HEAD"), "ref: refs/heads/private\n")?;
    Ok(lock)
}

/// Removes the folders of processes that ended without doing so.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for folder in entries.flatten().map(|entry| entry.path()) {
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
         \tlogAllRefUpdates = false\n\tquotePath = false\n"
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
