//! Deciding what of a listing of changed and new files goes into a checkpoint.

use std::collections::BTreeSet;
use std::fs::{FileType, Metadata};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folders::{folder_of, overfull, parent};
use super::{Limits, path_of, shown_path};
use crate::secrets::{is_own_state, is_secret};
use crate::system;

/// Why a file is not in a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// It is larger than a file that git does not track may be.
    TooLarge,
    /// The folder holds too many files that git does not track.
    TooManyFiles,
    /// By its name it holds secrets.
    Secret,
    /// It may not be read.
    Unreadable,
    /// It is neither a file nor a link.
    Special,
}

/// A file or folder that is not in a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Skipped {
    /// The path, counted from the work tree.
    pub path: PathBuf,
    /// The size of a file in bytes, or the number of files in a folder.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub size: u64,
    /// Why it is left out.
    pub why: SkipReason,
}

/// One line of `git ls-files -t -z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed<'a> {
    /// Whether the private index does not know it yet.
    new: bool,
    name: &'a [u8],
}

/// Reads the lines; what follows the last NUL was cut off and does not count.
fn lines(printed: &[u8]) -> impl Iterator<Item = Listed<'_>> {
    let whole = printed.iter().rposition(|byte| *byte == 0).map_or(&[][..], |end| &printed[..end]);
    whole.split(|byte| *byte == 0).filter_map(|line| match line {
        [tag, b' ', name @ ..] if !name.is_empty() => Some(Listed { new: *tag == b'?', name }),
        _ => None,
    })
}

/// What is to be done so that the private index says what the files say.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Files to be hashed or, where they are gone, taken out.
    pub(super) update: BTreeSet<Vec<u8>>,
    /// Entries to be taken out although something seems to be there: it is behind a link.
    pub(super) remove: BTreeSet<Vec<u8>>,
    /// Large files that the private index knows; only those that the user's index knows are saved.
    pub(super) large: BTreeSet<Vec<u8>>,
    /// What is left out.
    pub(super) skipped: Vec<Skipped>,
    /// How many are left out.
    pub(super) skipped_count: u64,
    /// Repositories inside this one, by their names in git.
    pub(super) nested: BTreeSet<Vec<u8>>,
    /// Folders with too many new files.
    pub(super) overfull: BTreeSet<Vec<u8>>,
    /// How many bytes are to be hashed.
    pub(super) bytes: u64,
    /// Whether there is a new file of attributes, which can make git convert others.
    pub(super) new_attributes: bool,
    listed: usize,
}

impl Scan {
    /// Looks at every listed file once.
    pub(super) fn of(printed: &[u8], work_tree: &Path, limits: &Limits) -> Self {
        let is_file = |line: &Listed<'_>| line.new && !line.name.ends_with(b"/");
        let new: BTreeSet<&[u8]> = lines(printed).filter(is_file).map(|line| line.name).collect();
        let mut scan = Self { listed: limits.listed, ..Self::default() };
        scan.overfull = overfull(new.iter().copied(), limits.folder_files);
        for folder in scan.overfull.clone() {
            let files = new.iter().filter(|name| folder_of(&scan.overfull, name) == Some(&folder)).count();
            scan.skip(&folder, files as u64, SkipReason::TooManyFiles);
        }
        let mut links = Links { work_tree, known: None };
        for line in lines(printed) {
            if let Some(repository) = line.name.strip_suffix(b"/") {
                scan.nested.insert(repository.to_vec());
            } else if folder_of(&scan.overfull, line.name).is_none() || !line.new {
                let replaced = !line.new && ancestor_in(&new, line.name);
                scan.look(line, replaced, &mut links, limits);
            }
        }
        scan.skipped.sort_by(|one, other| one.path.cmp(&other.path));
        scan
    }

    fn look(&mut self, line: Listed<'_>, replaced: bool, links: &mut Links<'_>, limits: &Limits) {
        let Listed { new, name } = line;
        if is_own_state(name) {
            return;
        }
        if replaced || links.lead_to(name) {
            self.remove.insert(name.to_vec());
            return;
        }
        let Some(path) = path_of(name).map(|path| links.work_tree.join(path)) else {
            return self.skip(name, 0, SkipReason::Unreadable);
        };
        let Ok(metadata) = path.symlink_metadata() else {
            // Gone, whatever it held.
            self.update.insert(name.to_vec());
            return;
        };
        match refusal(name, &path, &metadata) {
            Some(why) => self.skip(name, metadata.len(), why),
            None if metadata.is_file() && metadata.len() > limits.file_bytes => {
                if new {
                    self.skip(name, metadata.len(), SkipReason::TooLarge);
                } else {
                    self.large.insert(name.to_vec());
                }
            }
            None => {
                self.new_attributes |= name == b".gitattributes" || name.ends_with(b"/.gitattributes");
                self.bytes += metadata.len();
                self.update.insert(name.to_vec());
            }
        }
    }

    /// Names a file that is left out, or counts it when there are too many already.
    pub(super) fn skip(&mut self, name: &[u8], size: u64, why: SkipReason) {
        self.skipped_count += 1;
        if self.skipped.len() < self.listed {
            self.skipped.push(Skipped { path: shown_path(name), size, why });
        }
    }
}

fn refusal(name: &[u8], path: &Path, metadata: &Metadata) -> Option<SkipReason> {
    let kind: FileType = metadata.file_type();
    if kind.is_dir() {
        // A submodule, or a folder in the place of a file.
        return None;
    }
    if is_secret(name) {
        return Some(SkipReason::Secret);
    }
    if kind.is_symlink() {
        return None;
    }
    if !kind.is_file() {
        return Some(SkipReason::Special);
    }
    system::open(path).is_err().then_some(SkipReason::Unreadable)
}

/// Whether a folder above this path is itself a new file or link.
fn ancestor_in(new: &BTreeSet<&[u8]>, name: &[u8]) -> bool {
    let mut folder = parent(name);
    while !folder.is_empty() {
        if new.contains(folder) {
            return true;
        }
        folder = parent(folder);
    }
    false
}

/// Finds out whether a path leads through a link. Listings are sorted, so the last folder is mostly the next one too.
struct Links<'a> {
    work_tree: &'a Path,
    known: Option<(Vec<u8>, bool)>,
}

impl Links<'_> {
    fn lead_to(&mut self, name: &[u8]) -> bool {
        let folder = parent(name);
        if folder.is_empty() {
            return false;
        }
        if let Some((known, through_link)) = &self.known
            && known == folder
        {
            return *through_link;
        }
        let through_link = passes_link(self.work_tree, folder);
        self.known = Some((folder.to_vec(), through_link));
        through_link
    }
}

/// Whether a folder of the work tree, or one above it, is a link.
pub(super) fn passes_link(work_tree: &Path, folder: &[u8]) -> bool {
    let mut folder = folder;
    while !folder.is_empty() {
        let Some(path) = path_of(folder) else { return false };
        if work_tree.join(path).symlink_metadata().is_ok_and(|found| found.is_symlink()) {
            return true;
        }
        folder = parent(folder);
    }
    false
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use tempfile::tempdir;

    use super::*;

    fn names(set: &BTreeSet<Vec<u8>>) -> Vec<&str> {
        set.iter().map(|name| std::str::from_utf8(name).unwrap()).collect()
    }

    #[test]
    fn files_are_sorted_by_what_they_are() {
        let dir = tempdir().unwrap();
        fs::create_dir_all(dir.path().join(".loopwright/run")).unwrap();
        for name in ["a", ".env", "known", ".loopwright/run/signal"] {
            fs::write(dir.path().join(name), "x").unwrap();
        }
        for name in ["large-new", "large-known"] {
            fs::write(dir.path().join(name), [0; 50]).unwrap();
        }
        let limits = Limits { file_bytes: 20, ..Limits::default() };
        let printed =
            b"? a\0? .env\0? .loopwright/run/signal\0? large-new\0C large-known\0C known\0R gone\0? nested/\0? cut";
        let scan = Scan::of(printed, dir.path(), &limits);
        assert_eq!(names(&scan.update), ["a", "gone", "known"]);
        assert_eq!(names(&scan.large), ["large-known"]);
        assert_eq!(names(&scan.nested), ["nested"]);
        let skipped: Vec<_> =
            scan.skipped.iter().map(|skipped| (skipped.path.to_str().unwrap(), skipped.why)).collect();
        assert_eq!(skipped, [(".env", SkipReason::Secret), ("large-new", SkipReason::TooLarge)]);
        assert_eq!(scan.bytes, 2);
    }

    #[cfg(unix)]
    #[test]
    fn entries_behind_a_link_are_taken_out() {
        let dir = tempdir().unwrap();
        fs::create_dir(dir.path().join("real")).unwrap();
        fs::write(dir.path().join("real/file"), "x").unwrap();
        std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
        let scan = Scan::of(b"C link/file\0C real/file\0", dir.path(), &Limits::default());
        assert_eq!((names(&scan.remove), names(&scan.update)), (vec!["link/file"], vec!["real/file"]));
    }

    proptest! {
        #[test]
        fn any_listing_is_read_without_harm(printed in proptest::collection::vec(any::<u8>(), 0..200)) {
            let dir = tempdir().unwrap();
            let _ = Scan::of(&printed, dir.path(), &Limits::default());
        }
    }
}
