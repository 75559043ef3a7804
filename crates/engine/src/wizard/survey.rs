//! What the code in a folder is, told in Markdown: languages, manifests, entry points, tests, documents, size. The folder
//! is only read, and nothing in it is executed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use loopwright_config::{PROJECT_DIR, text_file};
use loopwright_domain::Fault;

/// More files than these are not counted.
const MOST_FILES: usize = 20_000;
/// Deeper folders are not looked into.
const DEEPEST: usize = 12;
/// How much of a document is taken over, in characters.
const DOCUMENT_CHARACTERS: usize = 4_000;
/// How many names of each kind are listed.
const MOST_NAMES: usize = 30;
const FILE_LIMIT: u64 = 1024 * 1024;

/// Folders that hold what others wrote, or what was built.
const SKIPPED: &[&str] = &[
    ".git",
    "node_modules",
    "target",
    "vendor",
    "dist",
    "build",
    "out",
    ".venv",
    "venv",
    "__pycache__",
    ".idea",
    ".vscode",
    "coverage",
    ".next",
    ".svelte-kit",
    ".gradle",
    ".tox",
    "Pods",
];

const LANGUAGES: &[(&str, &[&str])] = &[
    ("Rust", &["rs"]),
    ("TypeScript", &["ts", "tsx", "mts"]),
    ("JavaScript", &["js", "jsx", "mjs", "cjs"]),
    ("Python", &["py"]),
    ("Go", &["go"]),
    ("Java", &["java"]),
    ("Kotlin", &["kt", "kts"]),
    ("C#", &["cs"]),
    ("C", &["c", "h"]),
    ("C++", &["cc", "cpp", "cxx", "hpp"]),
    ("Ruby", &["rb"]),
    ("PHP", &["php"]),
    ("Swift", &["swift"]),
    ("Svelte", &["svelte"]),
    ("Vue", &["vue"]),
    ("Shell", &["sh", "bash"]),
    ("SQL", &["sql"]),
    ("HTML", &["html"]),
    ("CSS", &["css", "scss"]),
];

const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Makefile",
    "CMakeLists.txt",
    "Gemfile",
    "composer.json",
    "Dockerfile",
    "docker-compose.yml",
    "deno.json",
    "justfile",
    "Package.swift",
];

const ENTRY_POINTS: &[&str] = &[
    "main.rs",
    "lib.rs",
    "main.py",
    "__main__.py",
    "app.py",
    "main.go",
    "index.ts",
    "index.js",
    "main.ts",
    "main.js",
    "server.ts",
    "server.js",
    "Main.java",
    "Program.cs",
    "index.html",
    "index.php",
];

/// Documents whose beginning is taken over.
const DOCUMENTS: &[&str] =
    &["README.md", "README", "README.txt", "AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md"];

#[derive(Debug, Default)]
struct Seen {
    files: usize,
    cut: bool,
    lines: BTreeMap<&'static str, (usize, usize)>,
    manifests: Vec<String>,
    entry_points: Vec<String>,
    tests: Vec<String>,
    folders: Vec<String>,
}

/// Whether a folder holds any source file or manifest.
pub(super) fn has_code(root: &Path) -> bool {
    let mut seen = Seen::default();
    walk(root, root, 0, &mut seen);
    !seen.lines.is_empty() || !seen.manifests.is_empty()
}

/// Tells what the code in a folder is.
///
/// # Errors
/// The folder cannot be read.
pub(super) fn survey(root: &Path) -> Result<String, Fault> {
    let mut seen = Seen::default();
    fs::read_dir(root).map_err(|error| text_file::io_fault("read", root, &error))?;
    walk(root, root, 0, &mut seen);
    let mut text = String::new();
    let more = if seen.cut { " or more" } else { "" };
    let _ = writeln!(text, "Files: {}{more}", seen.files);
    let mut languages: Vec<(&str, (usize, usize))> =
        seen.lines.iter().map(|(name, count)| (*name, *count)).collect();
    languages.sort_by_key(|(name, (_, lines))| (std::cmp::Reverse(*lines), *name));
    let languages: Vec<String> = languages
        .iter()
        .map(|(name, (files, lines))| format!("{name} ({files} files, {lines} lines)"))
        .collect();
    for (title, names) in [
        ("Languages", languages),
        ("Manifests", seen.manifests),
        ("Folders", seen.folders),
        ("Entry points", seen.entry_points),
        ("Tests", seen.tests),
    ] {
        if !names.is_empty() {
            let more = names.len().saturating_sub(MOST_NAMES);
            let shown: Vec<String> = names.into_iter().take(MOST_NAMES).collect();
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(text, "{title}: {}{rest}", shown.join(", "));
        }
    }
    for name in DOCUMENTS {
        let path = root.join(name);
        if text_file::leads_out(root, &path) {
            continue;
        }
        if let Ok(Some(content)) = text_file::read(&path, FILE_LIMIT) {
            let kept: String = content.chars().take(DOCUMENT_CHARACTERS).collect();
            let _ = write!(text, "\n{name}:\n\n{}\n", kept.trim_end());
        }
    }
    Ok(text)
}

/// Looks into a folder, in the order of names. Links are not followed.
fn walk(root: &Path, folder: &Path, depth: usize, seen: &mut Seen) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let Ok(metadata) = path.symlink_metadata() else { continue };
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if seen.files >= MOST_FILES {
            seen.cut = true;
            return;
        }
        if metadata.is_dir() {
            let hidden = name.starts_with('.') && name != ".github";
            if !hidden && !SKIPPED.contains(&name) && name != PROJECT_DIR && depth < DEEPEST {
                if depth == 0 {
                    seen.folders.push(format!("{name}/"));
                }
                walk(root, &path, depth + 1, seen);
            }
        } else if metadata.is_file() {
            look_at(root, &path, name, metadata.len(), seen);
        }
    }
}

fn look_at(root: &Path, path: &Path, name: &str, size: u64, seen: &mut Seen) {
    seen.files += 1;
    let shown = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if MANIFESTS.contains(&name) || matches!(extension, "csproj" | "sln") {
        seen.manifests.push(shown.clone());
    }
    if ENTRY_POINTS.contains(&name) {
        seen.entry_points.push(shown.clone());
    }
    let Some((language, _)) = LANGUAGES.iter().find(|(_, known)| known.contains(&extension)) else { return };
    let lower = shown.to_lowercase();
    if ["test", "spec"].iter().any(|word| lower.contains(word)) {
        seen.tests.push(shown);
    }
    let lines = (size <= FILE_LIMIT).then(|| fs::read(path).ok()).flatten();
    let lines = lines.map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count());
    let count = seen.lines.entry(language).or_default();
    *count = (count.0 + 1, count.1 + lines);
}
