//! Which files of a diff are not shown unasked, by what their paths and numbers say. What the repository's own
//! attributes say does not count: changes could hide behind them.

use serde::{Deserialize, Serialize};

/// Why a file's lines are not shown unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Folded {
    /// A package manager wrote it.
    Lock,
    /// A program wrote it: minified, generated, vendored.
    Generated,
    /// So many lines changed that nobody reads them.
    Huge,
    /// It is no text.
    Binary,
}

/// More changed lines than anybody reads.
const HUGE: u32 = 2_000;
/// A line that no person writes.
const LONG_LINE: usize = 5_000;

/// Files that package managers write.
const LOCKS: &[&str] = &[
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "composer.lock",
    "conan.lock",
    "deno.lock",
    "flake.lock",
    "gemfile.lock",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.resolved",
    "packages.lock.json",
    "paket.lock",
    "pdm.lock",
    "pipfile.lock",
    "pnpm-lock.yaml",
    "podfile.lock",
    "poetry.lock",
    "pubspec.lock",
    "uv.lock",
    "yarn.lock",
];
/// Folders of what others wrote or a program made.
const FOLDERS: &[&str] = &["__generated__", "__snapshots__", "dist", "node_modules", "third_party", "vendor"];
/// How generated and minified files end.
const ENDINGS: &[&str] = &[
    ".bundle.js",
    ".designer.cs",
    ".freezed.dart",
    ".g.cs",
    ".g.dart",
    ".generated.cs",
    ".min.css",
    ".min.js",
    ".min.mjs",
    ".pb.cc",
    ".pb.go",
    ".pb.h",
    ".snap",
    "_pb2.py",
    "_pb2_grpc.py",
];

/// Why a file's lines are not shown unasked, as far as its path and its numbers tell.
pub(crate) fn folded(path: &str, binary: bool, added: u32, removed: u32) -> Option<Folded> {
    let path = path.to_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    if binary {
        Some(Folded::Binary)
    } else if LOCKS.contains(&name) {
        Some(Folded::Lock)
    } else if is_generated(folders, name) {
        Some(Folded::Generated)
    } else {
        (added.saturating_add(removed) > HUGE).then_some(Folded::Huge)
    }
}

/// Whether no person reads a file line by line: it is no text, or a program wrote it.
pub(crate) fn is_read_by_nobody(path: &str, binary: bool) -> bool {
    folded(path, binary, 0, 0).is_some()
}

fn is_generated(folders: &str, name: &str) -> bool {
    let (stem, _) = name.split_once('.').unwrap_or((name, ""));
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || stem.ends_with("_generated")
        || name.contains(".generated.")
}

/// Whether no person wrote a line of this length.
pub(crate) const fn is_written_by_a_program(line_bytes: usize) -> bool {
    line_bytes > LONG_LINE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_fold_by_what_they_are() {
        let cases = [
            ("Cargo.lock", Some(Folded::Lock)),
            ("web/package-lock.json", Some(Folded::Lock)),
            ("go.sum", Some(Folded::Lock)),
            ("src/lock.rs", None),
            ("web/dist/app.js", Some(Folded::Generated)),
            ("vendor/github.com/x/y.go", Some(Folded::Generated)),
            ("api/tea.pb.go", Some(Folded::Generated)),
            ("src/schema_generated.rs", Some(Folded::Generated)),
            ("src/api.generated.ts", Some(Folded::Generated)),
            ("site.min.js", Some(Folded::Generated)),
            ("distance/admin.js", None),
            ("src/vendor.rs", None),
            ("", None),
        ];
        for (path, expected) in cases {
            assert_eq!(folded(path, false, 3, 4), expected, "{path}");
        }
        assert_eq!(folded("src/main.rs", false, 1_500, 501), Some(Folded::Huge));
        assert_eq!(folded("src/main.rs", false, u32::MAX, u32::MAX), Some(Folded::Huge));
        assert_eq!(folded("src/main.rs", false, 1_500, 500), None);
        assert_eq!(folded("vendor/tea.png", true, 0, 0), Some(Folded::Binary));
    }
}
