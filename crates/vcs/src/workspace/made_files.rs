//! Files that checks made: not in snapshots as long as they are as the checks left them.
//!
//! Kept on disk, for the processes that take the run up again, decide at its gates, or begin the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use super::path_of;
use super::private_git_dir::{Identity, identity_of};
use crate::limited_read::read;

const FILE: &str = "made-by-checks";
/// More than any list of files has.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The files, each with what it was when its check had ended.
#[derive(Debug, Default)]
pub(super) struct MadeFiles {
    files: BTreeMap<Vec<u8>, Vec<i128>>,
    read_from: Identity,
}

impl MadeFiles {
    /// Reads what was written down in a folder.
    pub(super) fn load(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let mut made = Self { read_from: identity_of(&path), files: BTreeMap::new() };
        for record in read(&path, LARGEST).unwrap_or_default().split(|byte| *byte == 0) {
            if let Some((name, identity)) = parse(record) {
                made.files.insert(name, identity);
            }
        }
        made
    }

    /// Whether nobody has written anything since it was read.
    pub(super) fn is_current(&self, folder: &Path) -> bool {
        self.read_from == identity_of(&folder.join(FILE))
    }

    /// Whether a check made this file, and nobody has changed it since.
    pub(super) fn holds(&self, work_tree: &Path, name: &[u8]) -> bool {
        self.files.get(name).is_some_and(|known| is(work_tree, name, known))
    }

    /// A listing of files without those that checks made. Only new files are left out.
    pub(super) fn without(&self, listing: Vec<u8>, work_tree: &Path) -> Vec<u8> {
        if self.files.is_empty() {
            return listing;
        }
        let keeps = |record: &&[u8]| match record.strip_prefix(b"?? ") {
            Some(name) => !self.holds(work_tree, name.strip_suffix(b"\0").unwrap_or(name)),
            None => true,
        };
        listing.split_inclusive(|byte| *byte == 0).filter(keeps).flatten().copied().collect()
    }

    /// Adds files as they are now, and forgets those that have changed since.
    pub(super) fn add(&self, folder: &Path, work_tree: &Path, names: &[Vec<u8>]) -> io::Result<Self> {
        let mut files = self.unchanged(work_tree);
        for name in names {
            let identity = path_of(name).and_then(|path| identity_of(&work_tree.join(path)));
            files.extend(identity.map(|identity| (name.clone(), identity)));
        }
        Self::write(files, folder)
    }

    /// Forgets these, and those that have changed since.
    pub(super) fn forget(
        &self,
        folder: &Path,
        work_tree: &Path,
        names: &BTreeSet<Vec<u8>>,
    ) -> io::Result<Self> {
        let mut files = self.unchanged(work_tree);
        files.retain(|name, _| !names.contains(name));
        Self::write(files, folder)
    }

    fn unchanged(&self, work_tree: &Path) -> BTreeMap<Vec<u8>, Vec<i128>> {
        let mut files = self.files.clone();
        files.retain(|name, known| is(work_tree, name, known));
        files
    }

    fn write(files: BTreeMap<Vec<u8>, Vec<i128>>, folder: &Path) -> io::Result<Self> {
        let mut text = Vec::new();
        for (name, identity) in &files {
            let numbers: Vec<String> = identity.iter().map(ToString::to_string).collect();
            text.extend_from_slice(numbers.join(",").as_bytes());
            text.push(b' ');
            text.extend_from_slice(name);
            text.push(0);
        }
        let draft = folder.join(format!("{FILE}.{}.tmp", std::process::id()));
        fs::write(&draft, text)?;
        fs::rename(draft, folder.join(FILE))?;
        Ok(Self { files, read_from: identity_of(&folder.join(FILE)) })
    }
}

fn is(work_tree: &Path, name: &[u8], known: &[i128]) -> bool {
    let now = path_of(name).and_then(|path| identity_of(&work_tree.join(path)));
    now.is_some_and(|now| now == known)
}

fn parse(record: &[u8]) -> Option<(Vec<u8>, Vec<i128>)> {
    let mut parts = record.splitn(2, |byte| *byte == b' ');
    let (numbers, name) = (parts.next()?, parts.next()?.to_vec());
    let numbers = std::str::from_utf8(numbers).ok()?;
    let identity = numbers.split(',').map(|number| number.parse().ok()).collect::<Option<Vec<i128>>>()?;
    (!name.is_empty()).then_some((name, identity))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn a_file_is_left_out_until_somebody_changes_it() {
        let dir = tempdir().unwrap();
        let (folder, work) = (dir.path().join("kept"), dir.path().join("work"));
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(&work).unwrap();
        for name in ["report one.xml", "other"] {
            fs::write(work.join(name), "r").unwrap();
        }
        let none = MadeFiles::load(&folder);
        none.add(&folder, &work, &[b"report one.xml".to_vec(), b"gone".to_vec()]).unwrap();
        assert!(!none.is_current(&folder));
        let made = MadeFiles::load(&folder);
        let listing = b"?? report one.xml\0 M report one.xml\0?? other\0?? gone\0".to_vec();
        assert_eq!(made.without(listing.clone(), &work), b" M report one.xml\0?? other\0?? gone\0");
        fs::write(work.join("report one.xml"), "changed").unwrap();
        assert_eq!(made.without(listing.clone(), &work), listing);
        let later = made.add(&folder, &work, &[b"other".to_vec()]).unwrap();
        assert_eq!(later.files.keys().collect::<Vec<_>>(), [b"other"]);
        let none = later.forget(&folder, &work, &BTreeSet::from([b"other".to_vec()])).unwrap();
        assert!(none.files.is_empty() && MadeFiles::load(&folder).files.is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let dir = tempdir().unwrap();
            fs::write(dir.path().join(FILE), &bytes).unwrap();
            let _ = MadeFiles::load(dir.path()).without(bytes, dir.path());
        }
    }
}
