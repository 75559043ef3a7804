//! Lock files in git's folder that make git refuse.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::repository::Repository;

/// Locks that stop git.
const LOCKS: &[&str] = &[
    "index.lock",
    "HEAD.lock",
    "config.lock",
    "packed-refs.lock",
    "shallow.lock",
    "reftable/tables.list.lock",
];

/// The locks that are there.
pub(crate) fn locks(repository: &Repository) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = LOCKS
        .iter()
        .filter(|name| lock_place(repository, name).exists())
        .map(|name| (*name).to_owned())
        .collect();
    branch_locks(&repository.common_dir.join("refs"), "refs", 0, &mut found);
    found
}

/// Where a lock is.
pub(crate) fn lock_place(repository: &Repository, name: &str) -> PathBuf {
    let own = matches!(name, "index.lock" | "HEAD.lock");
    if own { repository.git_dir.join(name) } else { repository.common_dir.join(name) }
}

fn branch_locks(folder: &Path, prefix: &str, depth: u32, found: &mut BTreeSet<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let full = format!("{prefix}/{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < 32 => branch_locks(&entry.path(), &full, depth + 1, found),
            Ok(kind) if kind.is_file() && name.ends_with(".lock") => drop(found.insert(full)),
            _ => {}
        }
    }
}
