//! Programs on PATH and their versions.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::step::Step;

/// First match for `name` on PATH.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    find_in(name, &env::var_os("PATH").unwrap_or_default())
}

fn find_in(name: &str, path: &OsStr) -> Option<PathBuf> {
    env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| file_names(name).into_iter().map(move |file| folder.join(file)))
        .find(|candidate| is_program(candidate))
}

/// The first of several programs that is on PATH.
pub(crate) fn find_any(names: &[&str]) -> Option<PathBuf> {
    names.iter().find_map(|name| find(name))
}

/// npm's program name: on Windows it is a command script, which has to be named in full.
pub(crate) fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

fn file_names(name: &str) -> Vec<String> {
    if cfg!(windows) && Path::new(name).extension().is_none() {
        return [".exe", ".cmd", ".bat"].iter().map(|suffix| format!("{name}{suffix}")).collect();
    }
    vec![name.to_owned()]
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// A version as numbers, compared part by part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) [u32; 3]);

impl Version {
    /// Reads the first version in a text such as `v20.19.2` or `rustc 1.95.0 (abc 2026-03-21)`.
    pub(crate) fn first_in(text: &str) -> Option<Self> {
        text.split_whitespace().find_map(|word| Self::parse(word.trim_start_matches('v')))
    }

    fn parse(word: &str) -> Option<Self> {
        let mut numbers = [0; 3];
        let core = word.split(['-', '+']).next()?;
        if !core.contains('.') {
            return None;
        }
        for (slot, part) in numbers.iter_mut().zip(core.split('.')) {
            *slot = part.parse().ok()?;
        }
        Some(Self(numbers))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        write!(formatter, "{major}.{minor}.{patch}")
    }
}

/// The version `program --version` reports; nothing when it is missing or says something else.
pub(crate) fn version_of(program: impl AsRef<Path>) -> Option<Version> {
    let captured = Step::new(program).arg("--version").capture().ok()?;
    captured.status.success().then(|| Version::first_in(&captured.stdout)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        assert_eq!(Version::first_in("v20.19.2\n"), Some(Version([20, 19, 2])));
        assert_eq!(Version::first_in("rustc 1.95.0-nightly (abc 2026-03-21)"), Some(Version([1, 95, 0])));
        assert_eq!(Version::first_in("1.94"), Some(Version([1, 94, 0])));
        assert_eq!(Version::first_in("no version"), None);
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(Version([1, 100, 0]) > Version([1, 94, 9]));
        assert!(Version([20, 18, 3]) < Version([20, 19, 0]));
    }

    #[test]
    fn programs_are_looked_for_in_absolute_folders_only() {
        assert!(find("cargo").is_some_and(|cargo| cargo.is_absolute()));
        assert_eq!(find_in("Cargo.toml", OsStr::new(".")), None);
    }
}
