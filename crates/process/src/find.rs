//! Finding a program on the search path, without ever taking one from the current folder.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use crate::system;

/// Finds a program by its name in `path` (a `PATH` value), or checks an absolute path.
///
/// The result is absolute and names an executable file. Relative entries of `path`, empty ones included, are
/// skipped and a relative name with folders in it is refused: what is found does not depend on the current folder,
/// so a file that a project brings along is never taken for the program.
#[must_use]
pub fn find_program(name: impl AsRef<Path>, path: &OsStr) -> Option<PathBuf> {
    find_program_outside(name, path, None)
}

/// As [`find_program`], but a program that lies in `folder`, by its name or by where its links lead, is passed over:
/// for programs that must be the machine's own even where the search path names a folder of a project. An absolute
/// path is somebody's choice, and is taken wherever it lies.
#[must_use]
pub fn find_program_outside(name: impl AsRef<Path>, path: &OsStr, folder: Option<&Path>) -> Option<PathBuf> {
    let name = name.as_ref();
    if name.is_absolute() {
        return executable(name);
    }
    if !is_bare_name(name) {
        return None;
    }
    env::split_paths(path)
        .filter(|entry| entry.is_absolute())
        .filter_map(|entry| executable(&entry.join(name)))
        .find(|program| folder.is_none_or(|folder| !lies_in(program, folder)))
}

/// The entries of a search path that are absolute and do not lie in `folder`: for programs that look up others.
#[must_use]
pub fn search_path_outside(path: &OsStr, folder: Option<&Path>) -> OsString {
    let outside =
        |entry: &PathBuf| entry.is_absolute() && folder.is_none_or(|folder| !lies_in(entry, folder));
    env::join_paths(env::split_paths(path).filter(outside)).unwrap_or_default()
}

/// Whether a path lies in a folder, by its name or by where its links lead.
fn lies_in(path: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.starts_with(folder) || real(path).starts_with(real(folder))
}

/// The executable file at this path, with an ending added where the system wants one.
fn executable(path: &Path) -> Option<PathBuf> {
    system::spellings(path).into_iter().find(|spelling| spelling.is_file() && system::is_executable(spelling))
}

fn is_bare_name(name: &Path) -> bool {
    let mut components = name.components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(only)), None) => only == name.as_os_str(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_file_name_is_searched_for() {
        assert!(is_bare_name(Path::new("git")));
        for name in ["", ".", "..", "./git", "bin/git", "../git", "git/", "git/."] {
            assert!(!is_bare_name(Path::new(name)), "{name}");
        }
    }
}
