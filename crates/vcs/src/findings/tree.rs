//! The top of the folder's tree: attribute files, submodules, nested repositories, programs in disguise.

use std::fs;
use std::path::Path;

use crate::config::Config;
use crate::findings::{FindingKind, Report, attributes, configuration};
use crate::system;

/// How many levels below the folder are looked at, and how many files and folders in all. What lies deeper is named
/// by git's configuration too, as far as it can execute anything.
const MAX_DEPTH: usize = 3;
const MAX_ENTRIES: usize = 2_000;

/// Names under which a file in the folder would be taken for git where the search path has the current folder in it.
const SHIMS: &[&str] = &["git", "git.exe", "git.com", "git.bat", "git.cmd"];

/// Looks through the tree, breadth first and in the order of names, without following links.
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
        let mut next = Vec::new();
        for folder in level {
            attributes::look(&folder.join(".gitattributes"), report);
            look_for_repository(&folder, report);
            next.extend(subfolders(&folder, &mut left));
        }
        level = next;
    }
}

fn look_for_repository(folder: &Path, report: &mut Report) {
    let dot_git = folder.join(".git");
    if folder == report.root || dot_git.symlink_metadata().is_err() {
        return;
    }
    report.add(
        FindingKind::NestedRepository,
        format!("{} has a git configuration of its own", report.name(folder)),
    );
    configuration::look(&Config::of_file(&dot_git.join("config")), report);
}

fn subfolders(folder: &Path, left: &mut usize) -> Vec<std::path::PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut folders = Vec::new();
    for entry in entries.flatten() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        if entry.file_name() != ".git" && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(entry.path());
        }
    }
    folders.sort();
    folders
}
