//! A repository's own configuration, read from its files without git.
//!
//! Other files that the configuration includes are followed only while they belong to the folder itself; those
//! elsewhere are the business of whoever owns them, and reading them could touch anything. Conditions of includes are
//! taken as met, since what could be in effect is what matters here.

mod parse;

use std::path::{Path, PathBuf};

pub(crate) use parse::{Entry, is_no, parse, split_key};

use crate::limited_read::{ReadError, read};
use crate::repository::Repository;

/// The size of a configuration file that is still read.
pub(crate) const FILE_LIMIT: u64 = 1024 * 1024;
/// As many files as are read for one repository, each counted as often as it is included.
const MAX_FILES: usize = 64;
/// How deep includes may go; git's own limit.
const MAX_DEPTH: usize = 10;

/// One setting and where it comes from.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The setting itself.
    pub(crate) entry: Entry,
    /// The file it is in.
    pub(crate) file: PathBuf,
    /// Whether it is in effect only under a condition.
    pub(crate) conditional: bool,
}

/// A file that could not be read, or not to its end.
#[derive(Debug)]
pub(crate) struct Trouble {
    /// The file.
    pub(crate) file: PathBuf,
    /// What is wrong with it, as the end of a sentence that begins with its name.
    pub(crate) what: String,
}

/// All settings of a repository, in the order in which git reads them: the last one of a name counts.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(crate) settings: Vec<Setting>,
    pub(crate) troubles: Vec<Trouble>,
    files: usize,
}

impl Config {
    /// Reads the configuration of a repository.
    pub(crate) fn of(repository: &Repository) -> Self {
        let folders = [&*repository.work_tree, &*repository.common_dir, &*repository.git_dir];
        let mut config = Self::default();
        config.add(&repository.common_dir.join("config"), &folders, false, 0);
        let per_worktree =
            config.settings.iter().rfind(|setting| setting.entry.is("extensions.worktreeconfig"));
        if per_worktree.is_some_and(|setting| setting.entry.is_true()) {
            config.add(&repository.git_dir.join("config.worktree"), &folders, false, 0);
        }
        config
    }

    /// Reads a single file in the same format. What it includes is not followed.
    pub(crate) fn of_file(path: &Path) -> Self {
        let mut config = Self::default();
        config.add(path, &[], false, 0);
        config
    }

    /// Adds a file's settings, each include replaced by what it includes. A file that is not there says nothing.
    fn add(&mut self, path: &Path, folders: &[&Path], conditional: bool, depth: usize) {
        if self.files >= MAX_FILES || depth > MAX_DEPTH {
            return;
        }
        self.files += 1;
        let parsed = match read(path, FILE_LIMIT) {
            Ok(bytes) => parse(&bytes),
            Err(ReadError::Missing) => return,
            Err(error) => return self.trouble(path, format!("cannot be read: {error}")),
        };
        if let Some(line) = parsed.damaged_at {
            self.trouble(path, format!("is damaged in line {line}"));
        }
        for entry in parsed.entries {
            let include = include_kind(&entry).zip(entry.path());
            self.settings.push(Setting { entry, file: path.to_owned(), conditional });
            if let Some((condition, target)) = include
                && let Some(target) = inside(folders, path, &target)
            {
                self.add(&target, folders, conditional || condition, depth + 1);
            }
        }
    }

    fn trouble(&mut self, file: &Path, what: String) {
        self.troubles.push(Trouble { file: file.to_owned(), what });
    }
}

/// Whether an include is a conditional one, when this setting is an include at all.
pub(crate) fn include_kind(entry: &Entry) -> Option<bool> {
    include_kind_of(&entry.key)
}

/// The same by the setting's key, as git lists it.
pub(crate) fn include_kind_of(key: &[u8]) -> Option<bool> {
    match split_key(key)? {
        (b"include", None, b"path") => Some(false),
        (b"includeif", Some(_), b"path") => Some(true),
        _ => None,
    }
}

/// An included file, when it exists and lies in one of the folders.
fn inside(folders: &[&Path], including: &Path, target: &Path) -> Option<PathBuf> {
    let target = dunce::canonicalize(including.parent()?.join(target)).ok()?;
    folders.iter().any(|folder| target.starts_with(folder)).then_some(target)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::tempdir;

    use super::*;

    /// The values of `a.b` in a repository whose configuration consists of these files.
    fn values(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (name, content) in files {
            fs::write(root.join(name), content.replace("ROOT", root.to_str().unwrap())).unwrap();
        }
        let repository = Repository {
            work_tree: root.clone(),
            git_dir: root.clone(),
            common_dir: root,
            project: PathBuf::new(),
        };
        let settings = Config::of(&repository).settings;
        let wanted = settings.into_iter().filter(|setting| setting.entry.is("a.b"));
        wanted.map(|setting| String::from_utf8(setting.entry.value.unwrap()).unwrap()).collect()
    }

    #[test]
    fn an_include_takes_effect_where_it_stands() {
        let config = "[a]\nb = 1\n[include]\npath = other\n[a]\nb = 3\n";
        assert_eq!(values(&[("config", config), ("other", "[a]\nb = 2\n")]), ["1", "2", "3"]);
        let absolute = "[include]\npath = ROOT/other\npath = missing\npath = /etc/passwd\npath\n";
        assert_eq!(values(&[("config", absolute), ("other", "[a]\nb = 2\n")]), ["2"]);
    }

    #[test]
    fn the_file_of_the_work_tree_counts_only_when_switched_on() {
        let own = ("config.worktree", "[a]\nb = own\n");
        assert_eq!(values(&[("config", "[a]\nb = shared\n"), own]), ["shared"]);
        let on = "[extensions]\nworktreeConfig\n[a]\nb = shared\n";
        assert_eq!(values(&[("config", on), own]), ["shared", "own"]);
    }

    #[test]
    fn circles_end() {
        let circle = "[a]\nb = x\n[include]\npath = config\npath = config\n";
        assert!(values(&[("config", circle)]).len() <= MAX_FILES);
    }
}
