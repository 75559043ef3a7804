//! The top of the folder's tree: attribute files, submodules, nested repositories, programs in disguise.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::finding_kind::FindingKind;
use crate::findings::{Report, attributes, configuration};
use crate::system;

/// How many levels below the folder are looked at, and how many files and folders in all. What lies deeper is named
/// by git's configuration too, as far as it can execute anything.
const MAX_DEPTH: usize = 3;
const MAX_ENTRIES: usize = 2_000;

/// Names under which a file in the folder would be taken for git where the search path has the current folder in it.
const SHIMS: &[&str] = &["git", "git.exe", "git.com", "git.bat", "git.cmd"];

/// Looks through the tree, breadth first, without following links.
pub(super) fn look(report: &mut Report) {
    let root = report.root.clone();
    configuration::look(&Config::of_file(&root.join(".gitmodules")), report);
    for shim in SHIMS {
        let path = root.join(shim);
        if path.metadata().is_ok_and(|metadata| system::is_executable(&metadata)) {
            report.add(
                FindingKind::Shim,
                format!("{shim} would be taken for git where PATH holds the current folder"),
            );
        }
    }
    let mut level = vec![root];
    let mut left = MAX_ENTRIES;
    for _ in 0..=MAX_DEPTH {
        level = level.iter().flat_map(|folder| look_into(folder, &mut left, report)).collect();
    }
}

/// Looks at one folder and returns those in it.
fn look_into(folder: &Path, left: &mut usize, report: &mut Report) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut entries: Vec<DirEntry> = entries.flatten().take(*left).collect();
    *left -= entries.len();
    entries.sort_unstable_by_key(DirEntry::file_name);
    let mut folders = Vec::new();
    for entry in entries {
        let name = entry.file_name();
        if name == ".gitattributes" {
            attributes::look(&entry.path(), report);
        } else if name == ".git" {
            look_at_nested(folder, report);
        } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(entry.path());
        }
    }
    folders
}

fn look_at_nested(folder: &Path, report: &mut Report) {
    if folder == report.root {
        return;
    }
    report.add(
        FindingKind::NestedRepository,
        format!("{} has a git configuration of its own", report.name(folder)),
    );
    configuration::look(&Config::of_file(&folder.join(".git/config")), report);
}
