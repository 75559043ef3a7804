//! Paths a scenario may name: always inside the working folder.

use std::fmt;
use std::path::{Component, Path};

/// A relative path with `/` between its parts that names something below the working folder, on every system.
/// Symlinks are looked at when the path is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelativePath(String);

impl RelativePath {
    /// Checks a path.
    ///
    /// # Errors
    /// Says in a short sentence why the path is refused.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            return Err("is empty");
        }
        if text.contains(['\\', '\0']) {
            return Err("may not hold \\ or NUL: write / between folders");
        }
        // A drive letter such as C: leaves the folder on Windows, wherever the scenario was written.
        if text.starts_with('/') || text.as_bytes().get(1) == Some(&b':') {
            return Err("must be relative to the working folder");
        }
        let stays = Path::new(text).components().all(|part| matches!(part, Component::Normal(_)));
        if !stays || text.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err("must stay inside the working folder, without \".\" or \"..\"");
        }
        Ok(Self(text.to_owned()))
    }

    /// The path as written in the scenario.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The parts of the path, outermost first.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_the_folder_are_taken() {
        for good in ["a", "a/b.txt", ".git/config", "a b/ü.txt", "..a"] {
            assert_eq!(RelativePath::new(good).map(|place| place.as_str().to_owned()), Ok(good.to_owned()));
        }
        for bad in
            ["", "/etc/passwd", "..", "a/../../b", "./a", "a//b", "a/", "C:x", "C:/x", "a\\b", "a\0b", "."]
        {
            assert!(RelativePath::new(bad).is_err(), "{bad:?} was taken");
        }
    }
}
