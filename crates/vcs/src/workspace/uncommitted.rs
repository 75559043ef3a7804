//! Work that is not committed.

use std::path::PathBuf;

use super::commit_hooks::HookFolder;
use super::{Workspace, shown_path};
use crate::error::VcsError;
use crate::oid::Oid;
use crate::secrets::{is_below, is_own_state, is_secret};

/// Lists changed and new files. Looking into a submodule would start a git that obeys the submodule's own configuration.
const STATUS: &[&str] = &[
    "--no-optional-locks",
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignore-submodules=dirty",
];
/// What people write for Loopwright.
const OWN_FOLDER: &[u8] = b".loopwright/";

impl Workspace {
    /// The files that are not as they are in a tree.
    ///
    /// Loopwright's own new files do not count, nor do new files with secrets, which are never committed.
    ///
    /// # Errors
    /// As [`Workspace::snapshot`].
    pub async fn changed_since(&self, tree: &Oid) -> Result<Vec<PathBuf>, VcsError> {
        let mut memory = self.remembered().await?;
        let now = self.take(&mut memory).await?.tree;
        let differences = self.differences(&memory, tree, &now).await?;
        Ok(counted(differences.into_iter().map(|change| (change.old.is_none(), change.name))))
    }

    /// The files that are not as they are committed, without those of Loopwright, new ones with secrets, and
    /// those that checks of a run made.
    ///
    /// `filters` asks the user's own filters about files that differ only by their bytes from what is stored, as `git
    /// status` does; then the folder has to be trusted.
    ///
    /// # Errors
    /// Git fails.
    pub async fn uncommitted(&self, filters: bool) -> Result<Vec<PathBuf>, VcsError> {
        let memory = self.remembered().await?;
        let mut names = parse_status(&self.git.run(self.inspecting(&memory, STATUS)).await?.stdout);
        if filters && names.iter().any(|(new, _)| !new) {
            let none = HookFolder::of(&self.repository, &memory.profile, false);
            let mut call = self.call(STATUS, self.commit_environment(&memory, &none));
            call.unset("GIT_INDEX_FILE");
            let known = parse_status(&self.git.run(call).await?.stdout);
            names.retain(|(new, name)| *new || known.iter().any(|(_, known)| known == name));
        }
        let made = |name: &[u8]| memory.private.made.holds(&self.repository.work_tree, name);
        names.retain(|(new, name)| !new || !made(name));
        Ok(counted(names.into_iter()))
    }
}

/// The names that count: whether a file is new, and its name.
fn counted(names: impl Iterator<Item = (bool, Vec<u8>)>) -> Vec<PathBuf> {
    let counts = |(new, name): &(bool, Vec<u8>)| {
        !is_own_state(name) && !(*new && (is_below(name, OWN_FOLDER) || is_secret(name)))
    };
    names.filter(counts).map(|(_, name)| shown_path(&name)).collect()
}

/// Reads `XY path` records: whether git does not know the file, and its name.
fn parse_status(printed: &[u8]) -> Vec<(bool, Vec<u8>)> {
    let whole = printed.strip_suffix(b"\0").unwrap_or_default();
    let records = whole.split(|byte| *byte == 0).filter_map(|record| match record {
        [x, y, b' ', name @ ..] if !name.is_empty() => Some(([*x, *y] == *b"??", name.to_vec())),
        _ => None,
    });
    records.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_and_half_ones_are_not() {
        let names = parse_status(b" M a b\0?? n\nm\0A  x\0");
        let expected = [(false, &b"a b"[..]), (true, b"n\nm"), (false, b"x")];
        assert_eq!(names, expected.map(|(new, name)| (new, name.to_vec())));
        assert!(parse_status(b"").is_empty() && parse_status(b"?? cut").is_empty());
    }
}
