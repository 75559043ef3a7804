//! Links in the place of folders of git's. Whatever is put back is written into folders of the repository, never to
//! where a link leads that somebody has put there.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::repository::Repository;

/// Folders whose files are put back; in the last one also those below.
const FOLDERS: &[&str] = &["hooks", "info", "objects/info", "logs", "refs"];
/// The references, each of which is a file.
const REFS: &str = "refs";
/// How deep folders of references are looked into.
const DEEPEST: usize = 32;
/// As many files as are taken over from where a link leads.
const MOST_FILES: usize = 10_000;
/// Larger ones are not taken over: hooks, excludes and references are small.
const LARGEST_FILE: u64 = 4 * 1024 * 1024;

/// The links in the place of folders, by their names in git's folder, with where they lead.
pub(super) fn links(repository: &Repository) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    for name in FOLDERS {
        if let Ok(target) = fs::read_link(repository.common_dir.join(name)) {
            found.insert((*name).to_owned(), target);
        }
    }
    if !found.contains_key(REFS) {
        links_below(&repository.common_dir, REFS, DEEPEST, &mut found);
    }
    found
}

fn links_below(root: &Path, folder: &str, deepest: usize, found: &mut BTreeMap<String, PathBuf>) {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return };
    for entry in entries.flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let name = format!("{folder}/{name}");
        if kind.is_symlink() {
            // A link to a file is a reference as old gits made them; git replaces it and writes nothing through it.
            let target = fs::read_link(entry.path()).ok().filter(|_| entry.path().is_dir());
            found.extend(target.map(|target| (name, target)));
        } else if kind.is_dir() && deepest > 0 {
            links_below(root, &name, deepest - 1, found);
        }
    }
}

/// Whether a file of git's folder lies behind one of these links.
pub(super) fn is_behind(links: &BTreeMap<String, PathBuf>, name: &str) -> bool {
    links.keys().any(|link| name.strip_prefix(link.as_str()).is_some_and(|rest| rest.starts_with('/')))
}

/// Puts a folder with the same files in the place of a link: what was moved elsewhere is there again, and what is behind
/// the link stays as it is.
pub(super) fn replace(link: &Path) -> io::Result<()> {
    let draft = link.with_extension(format!("{}.tmp", std::process::id()));
    match fs::remove_dir_all(&draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => fs::create_dir(&draft)?,
    }
    copy(link, &draft, DEEPEST, &mut 0)?;
    fs::remove_file(link)?;
    fs::rename(draft, link)
}

/// Copies small files and folders; links are followed no further.
fn copy(from: &Path, to: &Path, deepest: usize, count: &mut usize) -> io::Result<()> {
    // A link that leads nowhere has no files.
    let Ok(entries) = fs::read_dir(from) else { return Ok(()) };
    for entry in entries.flatten() {
        let (Ok(kind), Ok(metadata)) = (entry.file_type(), entry.metadata()) else { continue };
        *count += 1;
        if *count > MOST_FILES {
            break;
        }
        let target = to.join(entry.file_name());
        if kind.is_dir() && deepest > 0 {
            fs::create_dir(&target)?;
            copy(&entry.path(), &target, deepest - 1, count)?;
        } else if kind.is_file() && metadata.len() <= LARGEST_FILE {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
