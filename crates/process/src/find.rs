//! Finding a program on the search path, without ever taking one from the current folder.

use std::env;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::system;

/// Finds a program by its name in `path` (a `PATH` value), or checks an absolute path.
///
/// The result is absolute and names an executable file. Relative entries of `path`, empty ones included, are
/// skipped and a relative name with folders in it is refused: what is found does not depend on the current folder,
/// so a file that a project brings along is never taken for the program.
#[must_use]
pub fn find_program(name: impl AsRef<Path>, path: &OsStr) -> Option<PathBuf> {
    let name = name.as_ref();
    if name.is_absolute() {
        return executable(name);
    }
    if !is_bare_name(name) {
        return None;
    }
    env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .find_map(|folder| executable(&folder.join(name)))
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
