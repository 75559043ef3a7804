//! The hooks a repository would run.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::config::{Config, Entry};
use crate::error::VcsError;
use crate::repository::Repository;
use crate::system;

/// Larger than any script that one would want to run on every commit.
const HOOK_LIMIT: u64 = 256 * 1024 * 1024;

/// The names git knows; no other file in the folder is ever run.
const NAMES: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// A program that git would run by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// Its name: `pre-commit` and so on.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// The digest of its content, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// The executable hooks that this repository would run, in the folder that its own configuration names or else in
/// `hooks`. Where a condition decides about the folder, the hooks of each are listed.
///
/// Reads files only. Whoever runs hooks has to set `core.hooksPath` to the folder looked at here, so that nothing else
/// is run.
///
/// # Errors
/// A hook is there and cannot be read.
pub fn hooks(repository: &Repository) -> Result<Vec<Hook>, VcsError> {
    let mut hooks = Vec::new();
    for folder in folders(repository) {
        for name in NAMES {
            let path = folder.join(name);
            if path.metadata().is_ok_and(|metadata| system::is_executable(&metadata)) {
                let sha256 = digest(&path).map_err(|error| VcsError::file(&path, &error))?;
                hooks.push(Hook { name: (*name).to_owned(), path, sha256 });
            }
        }
    }
    Ok(hooks)
}

fn folders(repository: &Repository) -> Vec<PathBuf> {
    let mut certain = None;
    let mut folders = Vec::new();
    let settings = Config::of(repository).settings;
    for setting in settings.iter().filter(|setting| setting.entry.is("core.hookspath")) {
        let folder = hooks_path(repository, &setting.entry);
        if setting.conditional { folders.extend(folder) } else { certain = folder }
    }
    folders.push(certain.unwrap_or_else(|| repository.common_dir.join("hooks")));
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// A relative folder counts from the work tree, where git runs hooks.
fn hooks_path(repository: &Repository, entry: &Entry) -> Option<PathBuf> {
    let path = entry.path().filter(|path| !path.as_os_str().is_empty())?;
    absolute(repository, &path)
}

fn absolute(repository: &Repository, path: &Path) -> Option<PathBuf> {
    Some(match path.strip_prefix("~") {
        Ok(below_home) => std::env::home_dir()?.join(below_home),
        Err(_) => repository.work_tree.join(path),
    })
}

/// The one folder that hooks are run from when the configuration in effect names this one.
pub(crate) fn hooks_folder(repository: &Repository, configured: Option<&Path>) -> PathBuf {
    let named = configured.and_then(|path| absolute(repository, path));
    named.unwrap_or_else(|| repository.common_dir.join("hooks"))
}

/// Whether git would run one of these hooks.
pub(crate) fn has_any(folder: &Path, names: &[&str]) -> bool {
    names.iter().any(|name| folder.join(name).metadata().is_ok_and(|found| system::is_executable(&found)))
}

fn digest(path: &Path) -> io::Result<String> {
    let file = system::open(path)?;
    let size = file.metadata()?.len();
    if size > HOOK_LIMIT {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("the hook has {size} bytes")));
    }
    let mut hash = Sha256::new();
    let mut reader = file.take(HOOK_LIMIT);
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let count = reader.read(&mut chunk)?;
        match chunk.get(..count) {
            Some([]) => break,
            Some(bytes) => hash.update(bytes),
            None => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
