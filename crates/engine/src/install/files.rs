//! Which file a name stands for, and which files have the guide.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use loopwright_config::{PROJECT_DIR, text_file};
use loopwright_domain::{ErrorCode, Fault};

use super::{FILE_LIMIT, GUIDE, block};

/// Folders that hold no files for agents to read: git's and ours, and what package managers and builds fill.
const SKIPPED: [&str; 4] = [".git", PROJECT_DIR, "node_modules", "target"];
/// What guides for agents are written in; files without an extension are looked at too.
const TEXTS: [&str; 6] = ["md", "mdc", "markdown", "txt", "rst", "adoc"];
/// How many files and folders are looked at, the nearest first.
const MOST: usize = 20_000;

/// The file that a name stands for, named from the project's folder: links are followed inside the project.
///
/// # Errors
/// It leads out of the project, into git's folder or ours, or to nothing.
pub(super) fn followed(root: &Path, file: &Path) -> Result<PathBuf, Fault> {
    let refused = |reason: &str, hint: &str| {
        Err(Fault::new(ErrorCode::IoFailed, format!("{} {reason}", file.display())).hint(hint))
    };
    let path = root.join(file);
    // What is missing is made, in the nearest folder that is there.
    let there = path.ancestors().find(|place| place.symlink_metadata().is_ok()).unwrap_or(root);
    let (Ok(real), Ok(home)) = (dunce::canonicalize(there), dunce::canonicalize(root)) else {
        return refused("is a link that leads nowhere", "Make the file it leads to, or remove the link.");
    };
    let missing = path.strip_prefix(there).unwrap_or(Path::new(""));
    let real = if missing.as_os_str().is_empty() { real } else { real.join(missing) };
    match real.strip_prefix(&home) {
        Err(_) => refused(
            "leads out of the project",
            "Make it a file of the project, or a link to one, then try again.",
        ),
        Ok(inner) if inner.iter().any(|part| part == ".git" || part == PROJECT_DIR) => {
            refused("leads to where no guide belongs", "Make it a file of the project, then try again.")
        }
        Ok(inner) => Ok(inner.to_path_buf()),
    }
}

/// The files of a project that have the guide as it is written, named from the project's folder.
pub(super) fn with_guide(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = VecDeque::from([root.to_path_buf()]);
    let mut left = MOST;
    while let Some(folder) = folders.pop_front() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten().take(left) {
            left -= 1;
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && is_searched(&path) => folders.push_back(path),
                Ok(kind) if kind.is_file() && has_guide(&path) => {
                    found.extend(path.strip_prefix(root).map(Path::to_path_buf));
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Whether a folder is the project's own; a repository inside of it is another project.
fn is_searched(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    !SKIPPED.iter().any(|skipped| name == OsStr::new(skipped)) && !folder.join(".git").exists()
}

fn has_guide(path: &Path) -> bool {
    let is_text = path.extension().is_none_or(|own| TEXTS.iter().any(|text| own == OsStr::new(text)));
    let heading = GUIDE.lines().next().unwrap_or_default();
    let read = || text_file::read(path, FILE_LIMIT).ok().flatten();
    is_text && read().is_some_and(|text| block::is_written(&text, heading))
}
