//! Deciding what of a listing of changed and new files goes into a checkpoint.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{FileType, Metadata};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folders::{folder_of, overfull, parent};
use super::run_start::RunStart;
use super::{Limits, path_of, shown_path};
use crate::secrets::{is_own_state, is_secret};
use crate::system;

/// As many files of a full folder as are asked when they were changed.
const MOST_LOOKED_AT: usize = 2_000;

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
    /// It is ignored.
    Ignored,
    /// It is a repository of its own.
    Nested,
}

impl SkipReason {
    const ALL: [(Self, &str); 7] = [
        (Self::TooLarge, "too_large"),
        (Self::TooManyFiles, "too_many_files"),
        (Self::Secret, "secret"),
        (Self::Unreadable, "unreadable"),
        (Self::Special, "special"),
        (Self::Ignored, "ignored"),
        (Self::Nested, "nested"),
    ];

    /// Its name in lists.
    pub(super) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(reason, _)| *reason == self).map_or("", |(_, word)| word)
    }

    pub(super) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(reason, _)| *reason)
    }
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
    /// Whether it is new or was changed since the run began; false where no run has begun.
    #[serde(default)]
    pub changed: bool,
    /// Whether it was not there when the run began.
    #[serde(default)]
    pub new: bool,
}

/// One record of `git status --porcelain -z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed<'a> {
    tag: Tag,
    name: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    /// The private index has it, and the file is another, or gone.
    Changed,
    /// The private index does not have it.
    New,
    /// The same, and it is ignored.
    Ignored,
}

impl Listed<'_> {
    fn is_new(&self) -> bool {
        self.tag == Tag::New
    }
}

/// Reads the records; what follows the last NUL was cut off and does not count. How the index differs from HEAD does
/// not matter.
fn lines(printed: &[u8]) -> impl Iterator<Item = Listed<'_>> {
    let whole = printed.rsplitn(2, |byte| *byte == 0).nth(1).unwrap_or_default();
    whole.split(|byte| *byte == 0).filter_map(|line| match line {
        [b'?', b'?', b' ', name @ ..] if !name.is_empty() => Some(Listed { tag: Tag::New, name }),
        [b'!', b'!', b' ', name @ ..] if !name.is_empty() => Some(Listed { tag: Tag::Ignored, name }),
        [_, y, b' ', name @ ..] if !name.is_empty() && *y != b' ' => Some(Listed { tag: Tag::Changed, name }),
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
    /// Ignored files and, with a slash at the end, folders.
    pub(super) ignored: Vec<Vec<u8>>,
    /// All that is outside of the snapshot and was looked at; folders end with a slash.
    pub(super) outside: BTreeMap<Vec<u8>, SkipReason>,
    /// Whether there are more ignored files than were looked at.
    pub(super) partial: bool,
    listed: usize,
}

impl Scan {
    /// Looks at every listed file once. What was ignored when the run began stays ignored, whatever the rules say now.
    pub(super) fn of(printed: &[u8], work_tree: &Path, limits: &Limits, start: &RunStart) -> Self {
        let is_file = |line: &Listed<'_>| line.is_new() && !line.name.ends_with(b"/");
        let counts = |line: &Listed<'_>| is_file(line) && !start.ignores(line.name);
        let new: BTreeSet<&[u8]> = lines(printed).filter(is_file).map(|line| line.name).collect();
        let counted = || lines(printed).filter(counts).map(|line| line.name);
        let mut scan = Self { listed: limits.listed, ..Self::default() };
        scan.overfull = overfull(counted().filter(|name| !start.includes(name)), limits.folder_files);
        for folder in scan.overfull.clone() {
            let in_it = || counted().filter(|name| folder_of(&scan.overfull, name) == Some(&folder));
            let changed = start.is_new_folder(&folder)
                || in_it().take(MOST_LOOKED_AT).any(|name| start.changed_on_disk(work_tree, name));
            scan.skip(&folder, in_it().count() as u64, SkipReason::TooManyFiles, changed);
        }
        let mut links = Links { work_tree, known: None };
        for line in lines(printed) {
            if line.tag == Tag::Ignored || (line.is_new() && start.ignores(line.name)) {
                scan.ignored.push(line.name.to_vec());
            } else if let Some(repository) = line.name.strip_suffix(b"/") {
                if !start.includes(repository) {
                    scan.nested.insert(repository.to_vec());
                    scan.outside.insert(line.name.to_vec(), SkipReason::Nested);
                }
            } else if folder_of(&scan.overfull, line.name).is_none()
                || !line.is_new()
                || start.includes(line.name)
            {
                let replaced = !line.is_new() && ancestor_in(&new, line.name);
                scan.look(line, replaced, &mut links, limits, start);
            }
        }
        scan.skipped.sort_by(|one, other| one.path.cmp(&other.path));
        scan
    }

    fn look(
        &mut self,
        line: Listed<'_>,
        replaced: bool,
        links: &mut Links<'_>,
        limits: &Limits,
        start: &RunStart,
    ) {
        let (new, name) = (line.is_new(), line.name);
        if is_own_state(name) {
            return;
        }
        if replaced || links.lead_to(name) {
            self.remove.insert(name.to_vec());
            return;
        }
        let Some(path) = path_of(name).map(|path| links.work_tree.join(path)) else {
            return self.skip(name, 0, SkipReason::Unreadable, false);
        };
        let Ok(metadata) = path.symlink_metadata() else {
            // Gone, whatever it held.
            self.update.insert(name.to_vec());
            return;
        };
        let included = start.includes(name);
        let refused = refusal(name, &path, &metadata).filter(|why| !included || *why != SkipReason::Secret);
        match refused {
            Some(why) => self.skip(name, metadata.len(), why, start.changed(name, &metadata)),
            None if metadata.is_file() && metadata.len() > limits.file_bytes && !included => {
                if new {
                    let changed = start.changed(name, &metadata);
                    self.skip(name, metadata.len(), SkipReason::TooLarge, changed);
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
    pub(super) fn skip(&mut self, name: &[u8], size: u64, why: SkipReason, changed: bool) {
        self.skipped_count += 1;
        if why != SkipReason::Ignored {
            let folder: &[u8] = if why == SkipReason::TooManyFiles { b"/" } else { b"" };
            self.outside.insert([name, folder].concat(), why);
        }
        if self.skipped.len() < self.listed {
            self.skipped.push(Skipped { path: shown_path(name), size, why, changed, new: false });
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
            b"?? a\0?? .env\0?? .loopwright/run/signal\0?? large-new\0 M large-known\0AM known\0 D gone\0A  staged\0?? nested/\0!! made/\0?? cut";
        let scan = Scan::of(printed, dir.path(), &limits, &RunStart::default());
        assert_eq!(scan.ignored, [b"made/"]);
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
        let printed = b" M link/file\0 M real/file\0";
        let scan = Scan::of(printed, dir.path(), &Limits::default(), &RunStart::default());
        assert_eq!((names(&scan.remove), names(&scan.update)), (vec!["link/file"], vec!["real/file"]));
    }

    proptest! {
        #[test]
        fn any_listing_is_read_without_harm(printed in proptest::collection::vec(any::<u8>(), 0..200)) {
            let dir = tempdir().unwrap();
            let _ = Scan::of(&printed, dir.path(), &Limits::default(), &RunStart::default());
        }
    }
}
