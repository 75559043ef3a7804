//! Proposes checks from what a folder already says about itself. Nothing is run and nothing is enabled:
//! a person picks.

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml_edit::{Document, TableLike};

use loopwright_config::text_file;

const FILE_LIMIT: u64 = 512 * 1024;
const MOST: usize = 24;

/// A check that could be switched on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckSuggestion {
    /// A name for it.
    pub name: String,
    /// The command.
    pub command: String,
    /// The file that names it.
    pub source: String,
    /// Why it is proposed.
    pub why: String,
}

/// The checks a folder's files speak of, each command once.
#[must_use]
pub fn suggest(root: &Path) -> Vec<CheckSuggestion> {
    let mut list = Suggestions::default();
    from_agents_file(root, &mut list);
    from_cargo(root, &mut list);
    from_package_json(root, &mut list);
    from_makefile(root, &mut list);
    from_pyproject(root, &mut list);
    from_go(root, &mut list);
    from_java(root, &mut list);
    from_dotnet(root, &mut list);
    list.0
}

#[derive(Default)]
struct Suggestions(Vec<CheckSuggestion>);

impl Suggestions {
    fn add(&mut self, name: &str, command: &str, source: &str, why: &str) {
        let known = self.0.iter().any(|other| other.command == command);
        if known || self.0.len() >= MOST || shell_words::split(command).is_err() {
            return;
        }
        let names: Vec<&str> = self.0.iter().map(|other| other.name.as_str()).collect();
        let mut unique = name.to_owned();
        let mut number = 2;
        while names.contains(&unique.as_str()) {
            unique = format!("{name}-{number}");
            number += 1;
        }
        self.0.push(CheckSuggestion {
            name: unique,
            command: command.to_owned(),
            source: source.to_owned(),
            why: why.to_owned(),
        });
    }
}

fn file(root: &Path, name: &str) -> Option<String> {
    text_file::read(&root.join(name), FILE_LIMIT).ok().flatten()
}

/// Programs whose commands in AGENTS.md are worth proposing.
const TOOLS: &[&str] = &[
    "cargo",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "make",
    "just",
    "pytest",
    "python",
    "python3",
    "uv",
    "ruff",
    "mypy",
    "tox",
    "go",
    "golangci-lint",
    "gradle",
    "./gradlew",
    "mvn",
    "dotnet",
    "swift",
    "mix",
    "bundle",
    "rake",
    "composer",
    "zig",
    "ctest",
    "bazel",
    "task",
    "mise",
];
/// Words that tell a check from a command that starts or installs something, with the name it gives.
const PURPOSES: &[(&str, &str)] = &[
    ("typecheck", "typecheck"),
    ("type-check", "typecheck"),
    ("mypy", "typecheck"),
    ("clippy", "lint"),
    ("lint", "lint"),
    ("ruff", "lint"),
    ("fmt", "format"),
    ("format", "format"),
    ("test", "test"),
    ("check", "check"),
    ("verify", "check"),
    ("build", "build"),
];
/// Signs that a line does more than check.
const NOT_A_CHECK: &[&str] = &[
    "install", "&&", "||", "|", ";", ">", "$(", "`", "--fix", "--write", "watch", "publish", "deploy",
    " add ",
];

fn from_agents_file(root: &Path, list: &mut Suggestions) {
    let source = "AGENTS.md";
    let Some(text) = file(root, source) else { return };
    for command in code_in_markdown(&text) {
        if let Some(name) = purpose(command) {
            list.add(name, command, source, "it tells agents to run this");
        }
    }
}

fn purpose(command: &str) -> Option<&'static str> {
    let program = command.split_whitespace().next()?;
    if !TOOLS.contains(&program) || NOT_A_CHECK.iter().any(|sign| command.contains(sign)) {
        return None;
    }
    PURPOSES.iter().find(|(word, _)| command.contains(word)).map(|(_, name)| *name)
}

/// Lines of fenced blocks and the insides of single backticks.
fn code_in_markdown(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        } else if fenced {
            let command = trimmed.strip_prefix("$ ").unwrap_or(trimmed);
            found.push(command.split(" #").next().unwrap_or(command).trim());
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::trim));
        }
    }
    found
}

fn from_cargo(root: &Path, list: &mut Suggestions) {
    let source = "Cargo.toml";
    if file(root, source).is_none() {
        return;
    }
    list.add("test", "cargo test", source, "the package's tests");
    list.add("lint", "cargo clippy --all-targets -- -D warnings", source, "the package's lints");
    list.add("format", "cargo fmt --check", source, "the package's formatting");
}

fn from_package_json(root: &Path, list: &mut Suggestions) {
    let source = "package.json";
    let Some(text) = file(root, source) else { return };
    let Ok(package) = serde_json::from_str::<serde_json::Value>(&text) else { return };
    let runner =
        [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun")]
            .iter()
            .find(|(lock, _)| root.join(lock).is_file())
            .map_or("npm", |(_, runner)| *runner);
    for script in ["test", "lint", "typecheck", "check", "build"] {
        let Some(body) = package.pointer(&format!("/scripts/{script}")).and_then(|body| body.as_str()) else {
            continue;
        };
        // What npm writes into a new package is no test.
        if body.contains("no test specified") {
            continue;
        }
        list.add(script, &format!("{runner} run {script}"), source, &format!("the script \"{script}\""));
    }
}

fn from_makefile(root: &Path, list: &mut Suggestions) {
    let files = [
        ("make", ["GNUmakefile", "makefile", "Makefile"].as_slice()),
        ("just", &["justfile", "Justfile", ".justfile"]),
    ];
    for (program, names) in files {
        let found = names.iter().find_map(|name| Some((*name, file(root, name)?)));
        let Some((source, text)) = found else { continue };
        for target in ["test", "check", "lint", "build"] {
            if text.lines().any(|line| is_rule(line, target)) {
                list.add(target, &format!("{program} {target}"), source, &format!("the target \"{target}\""));
            }
        }
    }
}

/// Whether a line of a makefile or justfile begins the rule for a target.
fn is_rule(line: &str, target: &str) -> bool {
    line.split_once(':').is_some_and(|(names, rest)| {
        !rest.starts_with('=')
            && !line.starts_with([' ', '\t'])
            && names.split_whitespace().any(|name| name == target)
    })
}

fn from_pyproject(root: &Path, list: &mut Suggestions) {
    let source = "pyproject.toml";
    let Some(text) = file(root, source) else { return };
    let Ok(document) = Document::parse(text.as_str()) else { return };
    let tools = document.get("tool").and_then(|item| item.as_table_like());
    let configured = |name: &str| tools.is_some_and(|tools: &dyn TableLike| tools.contains_key(name));
    let runner = if root.join("uv.lock").is_file() { "uv run " } else { "" };
    let named = |name: &str| text.contains(&format!("\"{name}")) || text.contains(&format!("'{name}"));
    let candidates =
        [("test", "pytest", "pytest"), ("lint", "ruff", "ruff check ."), ("typecheck", "mypy", "mypy .")];
    for (name, tool, command) in candidates {
        if configured(tool) || named(tool) {
            list.add(name, &format!("{runner}{command}"), source, &format!("{tool} is set up there"));
        }
    }
}

fn from_go(root: &Path, list: &mut Suggestions) {
    let source = "go.mod";
    if file(root, source).is_some() {
        list.add("test", "go test ./...", source, "the module's tests");
        list.add("lint", "go vet ./...", source, "Go's own look at the module");
    }
}

fn from_java(root: &Path, list: &mut Suggestions) {
    if file(root, "pom.xml").is_some() {
        list.add("test", "mvn --batch-mode --quiet test", "pom.xml", "the project's tests");
    }
    if let Some(source) =
        ["build.gradle.kts", "build.gradle"].into_iter().find(|name| root.join(name).is_file())
    {
        let program = if root.join("gradlew").is_file() { "./gradlew" } else { "gradle" };
        list.add("check", &format!("{program} check"), source, "the project's tests and other checks");
    }
}

fn from_dotnet(root: &Path, list: &mut Suggestions) {
    let Ok(entries) = std::fs::read_dir(root) else { return };
    let is_project =
        |name: &String| [".sln", ".slnx", ".csproj", ".fsproj"].iter().any(|end| name.ends_with(end));
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    if let Some(source) = names.filter(is_project).min() {
        list.add("test", "dotnet test", &source, "the project's tests");
    }
}

#[cfg(test)]
#[path = "suggest_tests.rs"]
mod tests;
