//! Sockets and FIFOs outside of a sandbox. A program that can read them can also talk to whoever listens, and those obey
//! it outside: a terminal multiplexer, a container engine, an editor's server.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, FileType};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where the system lists the sockets of this network namespace.
const LISTED: &str = "/proc/net/unix";
/// How many words stand before the path there.
const WORDS: usize = 7;
/// More than are ever masked: each of them is a mount.
const MOST: usize = 256;

/// How far folders are searched, for how long, and how many entries are looked at.
const DEPTH: usize = 4;
const SEARCH_LIMIT: Duration = Duration::from_millis(5);
const ENTRIES: usize = 20_000;
/// How long what was found is good for. What is gone by then is not masked.
const GOOD_FOR: Duration = Duration::from_secs(60);
/// Folders with very many files and nobody who listens.
const BULK: &[&str] =
    &["node_modules", ".git", "target", ".cargo", ".rustup", ".npm", ".pyenv", ".nvm", "site-packages"];

/// The sockets and FIFOs that are there now: sockets that programs of this network namespace listen on, wherever they
/// are, and what a short search finds in these folders.
pub(super) fn present(searched: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let listed = fs::read(LISTED).unwrap_or_default();
    let listed = paths_in(&listed).filter_map(|path| path.canonicalize().ok());
    let found = searched.iter().flat_map(|folder| found_below(folder));
    listed.chain(found).filter(|path| is_there(path)).take(MOST).collect()
}

/// The absolute paths in the system's list.
fn paths_in(list: &[u8]) -> impl Iterator<Item = &Path> {
    list.split(|byte| *byte == b'\n').filter_map(|line| {
        let mut rest = line;
        for _ in 0..WORDS {
            rest = rest.trim_ascii_start();
            let end = rest.iter().position(|byte| *byte == b' ')?;
            rest = rest.get(end..)?;
        }
        let path = rest.strip_prefix(b" ")?;
        path.starts_with(b"/").then(|| Path::new(std::ffi::OsStr::from_bytes(path)))
    })
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| talks(found.file_type()))
}

fn talks(kind: FileType) -> bool {
    kind.is_socket() || kind.is_fifo()
}

/// What a search of a folder found, at most a minute ago.
fn found_below(folder: &Path) -> Vec<PathBuf> {
    type SocketCache = BTreeMap<PathBuf, (Instant, Vec<PathBuf>)>;
    static FOUND: LazyLock<Mutex<SocketCache>> = LazyLock::new(Mutex::default);
    let mut known = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    match known.get(folder) {
        Some((when, found)) if when.elapsed() < GOOD_FOR => found.clone(),
        _ => {
            let found = search(folder, DEPTH, ENTRIES, SEARCH_LIMIT);
            known.insert(folder.to_owned(), (Instant::now(), found.clone()));
            found
        }
    }
}

/// Sockets and FIFOs in a folder and those below, the near ones first. Links are not followed.
fn search(folder: &Path, depth: usize, entries: usize, limit: Duration) -> Vec<PathBuf> {
    let begun = Instant::now();
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut waiting = VecDeque::from([(folder.to_owned(), 0)]);
    while let Some((folder, level)) = waiting.pop_front() {
        if begun.elapsed() > limit || seen > entries {
            break;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).take(entries - seen) {
            seen += 1;
            let Ok(kind) = entry.file_type() else { continue };
            if talks(kind) {
                found.push(entry.path());
            } else if kind.is_dir() && level < depth && !BULK.iter().any(|name| entry.file_name() == *name) {
                waiting.push_back((entry.path(), level + 1));
            }
        }
        if seen >= entries {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_systems_list_is_read_with_spaces_and_without_what_has_no_file() {
        let list = b"Num       RefCount Protocol Flags    Type St Inode Path\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 26137 /run/a b\n\
            0000000000000000: 00000002 00000000 00010000 0001 01     7 @/abstract\n\
            0000000000000000: 00000003 00000000 00000000 0001 03 26138\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 26139 relative\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 26140 /home/x/s\n";
        let paths: Vec<&Path> = paths_in(list).collect();
        assert_eq!(paths, [Path::new("/run/a b"), Path::new("/home/x/s")]);
    }

    #[test]
    fn who_listens_is_found_wherever_it_is_and_what_is_gone_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = root.join("deep");
        fs::create_dir(&path).unwrap();
        let listener = UnixListener::bind(path.join("socket")).unwrap();
        assert!(present(&BTreeSet::new()).contains(&path.join("socket")));
        fs::remove_file(path.join("socket")).unwrap();
        assert!(!present(&BTreeSet::new()).contains(&path.join("socket")));
        drop(listener);
    }

    #[test]
    fn a_search_finds_pipes_near_first_and_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for below in ["a/b/c/d/e", "node_modules/x"] {
            fs::create_dir_all(root.join(below)).unwrap();
        }
        let mode = nix::sys::stat::Mode::from_bits_truncate(0o600);
        for below in ["near", "a/b/far", "a/b/c/d/e/too-far", "node_modules/x/bulk"] {
            nix::unistd::mkfifo(&root.join(below), mode).unwrap();
        }
        std::os::unix::fs::symlink(root, root.join("a/around")).unwrap();
        let found = search(root, DEPTH, ENTRIES, Duration::from_secs(60));
        assert_eq!(found, [root.join("near"), root.join("a/b/far")]);
        assert!(search(root, DEPTH, 0, Duration::from_secs(60)).is_empty());
        assert!(search(&root.join("missing"), DEPTH, ENTRIES, SEARCH_LIMIT).is_empty());
    }

    proptest! {
        #[test]
        fn any_list_is_read_without_harm(list in proptest::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(paths_in(&list).all(Path::is_absolute));
        }
    }
}
