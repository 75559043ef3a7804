//! What snapshots left out when a run began, and what a person decided about it since.
//!
//! What was ignored then stays ignored for the whole run, so that an agent that empties a list of ignored files gets
//! nothing of the user's into a commit. What is left out and was changed since is told. Kept on disk, for the processes
//! that take the run up again or decide at its gates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::folders::parent;
use super::path_of;
use super::private_git_dir::{Identity, identity_of};
use crate::limited_read::read;
use crate::system;

/// What was there when the run began.
const START: &str = "run-start";
/// What was decided since.
const DECISIONS: &str = "run-decisions";
/// More than any listing of files has.
const LARGEST: u64 = 256 * 1024 * 1024;

/// The beginning of a run, as far as snapshots are concerned. The default one is that of no run: nothing is known.
#[derive(Debug, Default)]
pub(super) struct RunStart {
    run: Vec<u8>,
    /// When it began, by the clock of the file system, in nanoseconds; none when no run has.
    since: Option<i128>,
    /// What was ignored; folders end with a slash.
    ignored: BTreeSet<Vec<u8>>,
    /// Folders that were left out because they were too full.
    folders: BTreeSet<Vec<u8>>,
    /// What a person wants to have in snapshots all the same.
    included: BTreeSet<Vec<u8>>,
    /// What a person has seen and left out, and when.
    accepted: BTreeMap<Vec<u8>, i128>,
    read_from: [Identity; 2],
}

impl RunStart {
    /// Reads what was written down in a folder; that of no run when there is nothing.
    pub(super) fn load(folder: &Path) -> Self {
        let mut start = Self { read_from: identities(folder), ..Self::default() };
        for name in [START, DECISIONS] {
            let bytes = read(&folder.join(name), LARGEST).unwrap_or_default();
            for record in bytes.split(|byte| *byte == 0) {
                start.take(record);
            }
        }
        start
    }

    fn take(&mut self, record: &[u8]) {
        let (tag, rest) = match record {
            [tag, b' ', rest @ ..] => (*tag, rest),
            _ => return,
        };
        match tag {
            b'R' => self.run = rest.to_vec(),
            b'T' => self.since = number(rest),
            b'I' => drop(self.ignored.insert(rest.to_vec())),
            b'F' => drop(self.folders.insert(rest.to_vec())),
            b'+' => drop(self.included.insert(rest.to_vec())),
            b'=' => {
                let mut parts = rest.splitn(2, |byte| *byte == b' ');
                if let (Some(at), Some(name)) = (parts.next().and_then(number), parts.next()) {
                    self.accepted.insert(name.to_vec(), at);
                }
            }
            _ => {}
        }
    }

    /// Whether nobody has written anything since it was read.
    pub(super) fn is_current(&self, folder: &Path) -> bool {
        self.read_from == identities(folder)
    }

    /// Whether it is that of this run.
    pub(super) fn is_of(&self, run: &str) -> bool {
        self.since.is_some() && self.run == run.as_bytes()
    }

    /// Writes the beginning of a run down.
    pub(super) fn begin<'a>(
        folder: &Path,
        run: &str,
        ignored: &[Vec<u8>],
        folders: impl Iterator<Item = &'a Vec<u8>>,
    ) -> io::Result<()> {
        let mut text = format!("R {run}\0T {}\0", file_time(folder)?).into_bytes();
        let records = ignored.iter().map(|name| (b'I', name)).chain(folders.map(|name| (b'F', name)));
        for (tag, name) in records {
            text.extend([tag, b' ']);
            text.extend_from_slice(name);
            text.push(0);
        }
        match fs::remove_file(folder.join(DECISIONS)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        write(folder, START, &text)
    }

    /// Writes down what a person decided: what snapshots are to have, and what they may go without.
    pub(super) fn decide(&self, folder: &Path, included: &[Vec<u8>], accepted: &[Vec<u8>]) -> io::Result<()> {
        let (at, mut text) = (now(), Vec::new());
        for name in self.included.iter().chain(included) {
            text.extend_from_slice(b"+ ");
            text.extend_from_slice(name);
            text.push(0);
        }
        let known = self.accepted.iter().map(|(name, at)| (name, *at));
        for (name, at) in known.chain(accepted.iter().map(|name| (name, at))) {
            text.extend(format!("= {at} ").into_bytes());
            text.extend_from_slice(name);
            text.push(0);
        }
        write(folder, DECISIONS, &text)
    }

    /// Whether a file was ignored when the run began.
    pub(super) fn ignores(&self, name: &[u8]) -> bool {
        if self.ignored.is_empty() || self.includes(name) {
            return false;
        }
        self.ignored.contains(name)
            || ancestors(name).any(|folder| self.ignored.contains(&[folder, b"/"].concat()))
    }

    /// Whether this, as listed, was ignored when the run began.
    pub(super) fn knows_ignored(&self, listed: &[u8]) -> bool {
        self.ignored.contains(listed)
    }

    /// Whether a person wants a file in snapshots, or a folder above it.
    pub(super) fn includes(&self, name: &[u8]) -> bool {
        !self.included.is_empty()
            && (self.included.contains(name) || ancestors(name).any(|folder| self.included.contains(folder)))
    }

    /// What a person wants in snapshots.
    pub(super) fn included(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.included.iter()
    }

    /// When the run began, in nanoseconds since 1970 by the clock of the file system.
    pub(super) fn since(&self) -> Option<i128> {
        self.since
    }

    /// Whether any run has begun.
    pub(super) fn is_known(&self) -> bool {
        self.since.is_some()
    }

    /// Whether a person has decided about this, or about a folder above it, since it changed.
    pub(super) fn is_decided(&self, name: &[u8], metadata: &Metadata) -> bool {
        let mut seen =
            std::iter::once(name).chain(ancestors(name)).filter_map(|name| self.accepted.get(name));
        self.includes(name) || seen.any(|seen| *seen >= system::changed_at(metadata))
    }

    /// Whether a file is new or was changed since the run began and since a person has seen it.
    pub(super) fn changed(&self, name: &[u8], metadata: &Metadata) -> bool {
        let Some(since) = self.since else { return false };
        let changed = system::changed_at(metadata);
        let mut seen =
            std::iter::once(name).chain(ancestors(name)).filter_map(|name| self.accepted.get(name));
        // What changed in the tick of the file system's clock in which the run began may be the run's.
        changed >= since && seen.all(|seen| changed > *seen)
    }

    /// The same for a file by its name.
    pub(super) fn changed_on_disk(&self, work_tree: &Path, name: &[u8]) -> bool {
        let path = path_of(name).map(|path| work_tree.join(path));
        let metadata = path.and_then(|path| path.symlink_metadata().ok());
        metadata.is_some_and(|metadata| self.changed(name, &metadata))
    }

    /// Whether a folder that is too full was not so when the run began.
    pub(super) fn is_new_folder(&self, folder: &[u8]) -> bool {
        self.is_known() && !self.folders.contains(folder) && !self.accepted.contains_key(folder)
    }
}

/// The folders above a path, the nearest first.
fn ancestors(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::successors(Some(parent(name)), |folder| Some(parent(folder)))
        .take_while(|folder| !folder.is_empty())
}

fn identities(folder: &Path) -> [Identity; 2] {
    [START, DECISIONS].map(|name| identity_of(&folder.join(name)))
}

fn draft(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.{}.tmp", std::process::id()))
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let draft = draft(folder, name);
    fs::write(&draft, bytes)?;
    fs::rename(draft, folder.join(name))
}

/// The time of a file that is written now. The system's own time is ahead of it by up to one tick of its timer.
fn file_time(folder: &Path) -> io::Result<i128> {
    let draft = draft(folder, START);
    fs::write(&draft, [])?;
    Ok(system::changed_at(&draft.symlink_metadata()?))
}

fn now() -> i128 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.ok().and_then(|time| i128::try_from(time.as_nanos()).ok()).unwrap_or_default()
}

fn number(digits: &[u8]) -> Option<i128> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn what_was_ignored_stays_so_until_a_person_says_otherwise() {
        let dir = tempdir().unwrap();
        assert!(!RunStart::load(dir.path()).is_known());
        RunStart::begin(dir.path(), "r1", &[b"build/".to_vec(), b"notes.txt".to_vec()], [].iter()).unwrap();
        let start = RunStart::load(dir.path());
        assert!(start.is_of("r1") && !start.is_of("r2") && start.is_current(dir.path()));
        for (name, ignored) in
            [("build/a/b", true), ("notes.txt", true), ("builds", false), ("a/notes.txt", false)]
        {
            assert_eq!(start.ignores(name.as_bytes()), ignored, "{name}");
        }
        start.decide(dir.path(), &[b"build/a".to_vec()], &[b"notes.txt".to_vec()]).unwrap();
        assert!(!start.is_current(dir.path()));
        let decided = RunStart::load(dir.path());
        assert!(
            decided.includes(b"build/a/b") && !decided.ignores(b"build/a/b") && decided.ignores(b"build/b")
        );
        RunStart::begin(dir.path(), "r2", &[], [].iter()).unwrap();
        assert!(!RunStart::load(dir.path()).includes(b"build/a/b"), "decisions hold for their run");
    }

    #[test]
    fn a_file_written_right_after_the_beginning_is_changed() {
        let dir = tempdir().unwrap();
        for round in 0..200 {
            // A new file each time: one that was looked at gets finer times on some systems.
            let name = format!("key-{round}.pem");
            let path = dir.path().join(&name);
            RunStart::begin(dir.path(), "r1", &[], [].iter()).unwrap();
            fs::write(&path, "key").unwrap();
            let start = RunStart::load(dir.path());
            assert!(start.changed(name.as_bytes(), &path.symlink_metadata().unwrap()), "{name}");
            start.decide(dir.path(), &[], &[name.clone().into_bytes()]).unwrap();
            let start = RunStart::load(dir.path());
            assert!(!start.changed(name.as_bytes(), &path.symlink_metadata().unwrap()), "{name} was seen");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let dir = tempdir().unwrap();
            fs::write(dir.path().join(START), &bytes).unwrap();
            fs::write(dir.path().join(DECISIONS), &bytes).unwrap();
            let _ = RunStart::load(dir.path());
        }
    }
}
