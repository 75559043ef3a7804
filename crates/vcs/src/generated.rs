//! What compilers, package managers and test runners make, by its names.

/// Folders, in lower case.
const FOLDERS: &[&str] = &[
    "node_modules",
    "bower_components",
    "jspm_packages",
    "target",
    "dist",
    "build",
    "_build",
    "out",
    "bin",
    "obj",
    "__pycache__",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".eggs",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".ipynb_checkpoints",
    "htmlcov",
    "coverage",
    ".nyc_output",
    ".cache",
    ".gradle",
    ".next",
    ".nuxt",
    ".svelte-kit",
    ".turbo",
    ".parcel-cache",
    ".angular",
    ".dart_tool",
    ".bundle",
    ".build",
    ".stack-work",
    ".elixir_ls",
    ".idea",
    ".vs",
    "tmp",
    "temp",
    "logs",
    ".terraform",
    ".serverless",
    ".vite",
    ".output",
    "cmakefiles",
    "zig-cache",
    ".zig-cache",
    "zig-out",
    ".metals",
    ".bloop",
];
/// Endings of files and folders, in lower case.
const ENDINGS: &[&str] = &[
    ".pyc",
    ".pyo",
    ".o",
    ".obj",
    ".a",
    ".lib",
    ".so",
    ".dylib",
    ".dll",
    ".exe",
    ".class",
    ".jar",
    ".war",
    ".log",
    ".tmp",
    ".swp",
    ".swo",
    "~",
    ".egg-info",
    ".tsbuildinfo",
    ".beam",
    ".gcda",
    ".gcno",
    ".profraw",
    ".pid",
    ".test",
    ".out",
];
/// Whole names, in lower case.
const NAMES: &[&str] = &[
    ".ds_store",
    "thumbs.db",
    ".coverage",
    "coverage.xml",
    "lcov.info",
    ".eslintcache",
    ".stylelintcache",
    ".testmondata",
];

/// Whether a path, as git writes it, is something that is made again from other files: build output, downloaded
/// packages, caches, logs.
#[must_use]
pub fn is_generated(path: &[u8]) -> bool {
    let path = String::from_utf8_lossy(path).to_ascii_lowercase();
    path.split('/').filter(|part| !part.is_empty()).any(|part| {
        FOLDERS.contains(&part)
            || NAMES.contains(&part)
            || ENDINGS.iter().any(|ending| part.ends_with(ending) && part.len() > ending.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_output_is_known_and_sources_are_not() {
        for made in [
            "target/",
            "a/node_modules/x/index.js",
            "pkg/__pycache__/a.cpython.pyc",
            "debug.log",
            "x.egg-info/",
        ] {
            assert!(is_generated(made.as_bytes()), "{made}");
        }
        for own in
            ["src/a.rs", "config.json", ".env", "data/input.csv", "targets.txt", ".out", "secrets/", ""]
        {
            assert!(!is_generated(own.as_bytes()), "{own}");
        }
    }
}
