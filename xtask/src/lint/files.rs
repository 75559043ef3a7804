//! The files that belong to the project.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Outcome;
use crate::workspace::Workspace;

/// A text file of the project, by its path from the root with forward slashes.
#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) text: String,
}

impl SourceFile {
    /// Whether the file's name ends in one of these.
    pub(super) fn ends_in(&self, suffixes: &[&str]) -> bool {
        suffixes.iter().any(|suffix| self.path.ends_with(suffix))
    }
}

/// Every text file that git tracks or would track.
pub(super) fn all(workspace: &Workspace) -> Outcome<Vec<SourceFile>> {
    let listed = workspace
        .step("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"])
        .capture_success()?;
    Ok(listed.split('\0').filter_map(|path| read(&workspace.root, path)).collect())
}

/// Binary files are left out, as are files deleted but not yet committed so.
fn read(root: &Path, path: &str) -> Option<SourceFile> {
    let full: PathBuf = root.join(path);
    let text = full.is_file().then(|| fs::read_to_string(full).ok()).flatten()?;
    Some(SourceFile { path: path.to_owned(), text })
}
