//! A repository's own configuration, read from its files without git.
//!
//! Other files that the configuration includes are followed only while they belong to the folder itself; those
//! elsewhere are the business of whoever owns them, and reading them could touch anything. Conditions of includes are
//! taken as met, since what could be in effect is what matters here.

mod parse;

use std::path::{Path, PathBuf};

pub(crate) use parse::{Entry, parse, split_key};

use crate::discover::Repository;
use crate::read::{ReadError, read};

/// The size of a configuration file that is still read.
pub(crate) const FILE_LIMIT: u64 = 1024 * 1024;
/// As many files as are read for one repository, included ones counted.
const MAX_FILES: usize = 64;

/// One file of the configuration, in the order in which git reads them.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Whether it is in effect only under a condition.
    pub(crate) conditional: bool,
    /// What it says, or why it could not be read.
    pub(crate) content: Result<parse::Parsed, ReadError>,
}

impl ConfigFile {
    /// The settings that could be read.
    pub(crate) fn entries(&self) -> &[Entry] {
        self.content.as_ref().map_or(&[], |parsed| &parsed.entries)
    }
}

/// Reads the repository's configuration files. A file that is not there is left out.
pub(crate) fn read_all(repository: &Repository) -> Vec<ConfigFile> {
    let mut files = Vec::new();
    let mut reading = Reading { repository, files: &mut files };
    reading.add(&repository.common_dir.join("config"), false);
    let per_worktree = |entry: &Entry| entry.is("extensions.worktreeconfig");
    let last = reading.files.iter().flat_map(ConfigFile::entries).rfind(|entry| per_worktree(entry));
    if last.is_some_and(Entry::is_true) {
        reading.add(&repository.git_dir.join("config.worktree"), false);
    }
    files
}

/// Whether an include is a plain or a conditional one, when this setting is one.
pub(crate) fn include_kind(entry: &Entry) -> Option<bool> {
    match split_key(&entry.key)? {
        (b"include", None, b"path") => Some(false),
        (b"includeif", Some(_), b"path") => Some(true),
        _ => None,
    }
}

struct Reading<'a> {
    repository: &'a Repository,
    files: &'a mut Vec<ConfigFile>,
}

impl Reading<'_> {
    fn add(&mut self, path: &Path, conditional: bool) {
        let known = self.files.iter().any(|file| file.path == path);
        if known || self.files.len() >= MAX_FILES {
            return;
        }
        let content = match read(path, FILE_LIMIT) {
            Err(ReadError::Missing) => return,
            content => content.map(|bytes| parse(&bytes)),
        };
        let included: Vec<(PathBuf, bool)> = content
            .iter()
            .flat_map(|parsed| &parsed.entries)
            .filter_map(|entry| Some((self.inside(path, &entry.path()?)?, include_kind(entry)?)))
            .collect();
        self.files.push(ConfigFile { path: path.to_owned(), conditional, content });
        for (target, condition) in included {
            self.add(&target, conditional || condition);
        }
    }

    /// An included file, when it exists and lies in the folder or in git's own.
    fn inside(&self, including: &Path, target: &Path) -> Option<PathBuf> {
        let target = dunce::canonicalize(including.parent()?.join(target)).ok()?;
        let folders = [&self.repository.work_tree, &self.repository.common_dir, &self.repository.git_dir];
        folders.into_iter().any(|folder| target.starts_with(folder)).then_some(target)
    }
}
