//! Files in git's folder that git obeys.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::parse;
use crate::executing_settings;
use crate::limited_read::read;
use crate::repository::Repository;
use crate::system;

/// Leads git to another folder for nearly everything.
pub(super) const COMMONDIR: &str = "commondir";
/// The configuration: changes of it that neither hide nor execute anything are left.
pub(super) const CONFIG: &str = "config";
/// Files of the folder that all work trees share.
const SHARED: &[&str] =
    &[CONFIG, "info/exclude", "info/attributes", "info/grafts", "objects/info/alternates"];
/// Files of the work tree's own folder.
const OWN: &[&str] = &[COMMONDIR, "config.worktree", "info/sparse-checkout"];
/// The folder of hooks.
const HOOKS: &str = "hooks";
/// What git brings along and does not run.
const SAMPLE: &str = ".sample";
/// Larger files are not looked into.
const LIMIT: u64 = 4 * 1024 * 1024;
/// Settings that decide what git sees, besides those that name programs.
const HIDING: &[&str] = &[
    "core.excludesfile",
    "core.attributesfile",
    "core.worktree",
    "core.bare",
    "core.ignorestat",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.trustctime",
    "core.checkstat",
    "core.filemode",
    "core.untrackedcache",
    "core.ignorecase",
    "status.showuntrackedfiles",
    "diff.ignoresubmodules",
    "diff.orderfile",
];
/// Sections that decide what else is read.
const HIDING_SECTIONS: &[&str] = &["include.", "includeif.", "extensions.", "hook.", "url."];
/// What a file held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// Whether it could be executed.
    pub(super) executable: bool,
}

/// Where a file of the record is.
pub(super) fn place(repository: &Repository, name: &str) -> PathBuf {
    let folder = if OWN.contains(&name) { &repository.git_dir } else { &repository.common_dir };
    folder.join(name)
}

/// All files that git obeys, as they are.
pub(super) fn recorded(repository: &Repository) -> BTreeMap<String, Option<Content>> {
    let names = SHARED.iter().chain(OWN).map(|name| (*name).to_owned());
    let files = names.chain(hooks(repository));
    files.map(|name| (name.clone(), content(&place(repository, &name)))).collect()
}

/// What is at a path: none when that is no file that can be read.
pub(super) fn content(path: &Path) -> Option<Content> {
    let executable = path.metadata().is_ok_and(|found| system::is_executable(&found));
    Some(Content { bytes: read(path, LIMIT).ok()?, executable })
}

/// The names of all hooks.
fn hooks(repository: &Repository) -> Vec<String> {
    let Ok(entries) = fs::read_dir(repository.common_dir.join(HOOKS)) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| !name.ends_with(SAMPLE)).map(|name| format!("{HOOKS}/{name}")).collect()
}

/// The log of what HEAD did.
pub(super) fn head_log(repository: &Repository) -> PathBuf {
    repository.git_dir.join("logs/HEAD")
}

/// Whether a change of the configuration hides work or executes something.
pub(super) fn is_harmful(before: &[u8], after: &[u8]) -> bool {
    let settings = |text: &[u8]| {
        let all = parse(text);
        let harmful = all.entries.into_iter().filter(|entry| {
            let key = String::from_utf8_lossy(&entry.key).into_owned();
            let executes = |sink: &executing_settings::Sink| {
                sink.neutral.is_some() || sink.tells(entry.value.as_deref())
            };
            executing_settings::find(&entry.key).is_some_and(executes)
                || HIDING.contains(&key.as_str())
                || HIDING_SECTIONS.iter().any(|section| key.starts_with(section))
        });
        let list: Vec<_> = harmful.map(|entry| (entry.key, entry.value)).collect();
        (list, all.damaged_at.is_some())
    };
    settings(before) != settings(after)
}

/// Makes a file what it was; what was in its place is kept in a folder.
pub(super) fn put(path: &Path, wanted: Option<&Content>, kept_in: &Path, name: &str) -> io::Result<()> {
    if let Ok(found) = path.symlink_metadata() {
        let kept = kept_in.join("taken-away").join(name.replace('/', "+"));
        if let Some(folder) = kept.parent() {
            fs::create_dir_all(folder)?;
        }
        if found.is_file() {
            fs::copy(path, kept)?;
            fs::remove_file(path)?;
        } else if found.is_dir() {
            fs::rename(path, kept)?;
        } else {
            fs::remove_file(path)?;
        }
    }
    let Some(wanted) = wanted else { return Ok(()) };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, &wanted.bytes)?;
    if wanted.executable { system::set_executable(path, true) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_that_hide_or_execute_are_harmful() {
        let before = b"[core]\n\tbare = false\n[user]\n\tname = a\n";
        let is = |more: &str| is_harmful(before, &[&before[..], more.as_bytes()].concat());
        for more in [
            "[core]\nfsmonitor = x\n",
            "[core]\nhooksPath = x\n",
            "[include]\npath = x\n",
            "[core]\nworktree = /\n",
            "[",
        ] {
            assert!(is(more), "{more}");
        }
        for more in ["[remote \"o\"]\n\tfetch = x\n", "[user]\nname = b\n", "[branch \"x\"]\nremote = o\n"] {
            assert!(!is(more), "{more}");
        }
    }
}
