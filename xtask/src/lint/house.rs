//! House rules no other tool checks: file length, left-overs, this machine's names, dead links in the docs, gaps in
//! the lock file.

use std::env;
use std::path::PathBuf;

use super::files::{self, SourceFile};
use super::{links, lock_file};
use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

/// Longer files have a seam somewhere.
const LONGEST_FILE: usize = 500;
const CODE: &[&str] = &[".rs", ".ts", ".svelte", ".js", ".mjs", ".css"];
/// Written by tools, so their form is not ours.
const GENERATED: &[&str] = &["ui/src/lib/backend/bindings.ts", "Cargo.lock", "ui/package-lock.json"];

/// Words that mark unfinished work or a test that does not run. Spelt in halves, so this file does not find itself.
const LEFT_OVERS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X:"),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[", "ignore]"),
    concat!("it", ".skip("),
    concat!("test", ".skip("),
    concat!("describe", ".skip("),
    concat!("it", ".only("),
    concat!("test", ".only("),
    concat!("describe", ".only("),
];

/// The check for placeholders and the rules about weakened tests name what they look for; there these words are the
/// subject, not left-overs.
const ABOUT_LEFT_OVERS: &[&str] = &[
    "crates/checks/src/builtin/",
    "crates/domain/src/code/",
    "crates/domain/src/risk/",
    "tests/tests/verdicts/scenarios/weakening.rs",
];

/// Checks every file of the project; the failure lists all findings.
pub(super) fn check(workspace: &Workspace) -> Outcome {
    let files = files::all(workspace)?;
    let machine = machine_paths(workspace);
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| !GENERATED.contains(&file.path.as_str())) {
        findings.extend(too_long(file));
        findings.extend(left_overs(file));
        findings.extend(named_paths(file, &machine));
        findings.extend(links::dead(file, &workspace.root));
    }
    findings.extend(files.iter().filter_map(pinned_registry));
    findings.extend(files.iter().flat_map(lock_file::gaps));
    if findings.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("{} finding(s)\n  {}", findings.len(), findings.join("\n  "))))
}

fn too_long(file: &SourceFile) -> Option<String> {
    let lines = file.text.lines().count();
    (file.ends_in(CODE) && lines > LONGEST_FILE)
        .then(|| format!("{}: {lines} lines, at most {LONGEST_FILE}; split it at a seam", file.path))
}

fn left_overs(file: &SourceFile) -> Vec<String> {
    let names_them = ABOUT_LEFT_OVERS.iter().any(|folder| file.path.starts_with(folder));
    if !file.ends_in(CODE) || names_them {
        return Vec::new();
    }
    lines_with(file, LEFT_OVERS.iter().copied(), "left-over")
}

/// Where this checkout and this person's files are: no committed file has a reason to name them.
fn machine_paths(workspace: &Workspace) -> Vec<String> {
    let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from);
    [Some(workspace.root.clone()), home]
        .into_iter()
        .flatten()
        .filter(|path| path.components().count() > 1)
        .map(|path| format!("{}{}", path.display(), std::path::MAIN_SEPARATOR))
        .collect()
}

fn named_paths(file: &SourceFile, machine: &[String]) -> Vec<String> {
    lines_with(file, machine.iter().map(String::as_str), "a path of this machine")
}

fn lines_with<'word>(
    file: &SourceFile,
    words: impl Iterator<Item = &'word str> + Clone,
    what: &str,
) -> Vec<String> {
    let found = |line: &str| words.clone().find(|word| line.contains(word)).map(str::to_owned);
    file.text
        .lines()
        .enumerate()
        .filter_map(|(index, line)| Some(format!("{}:{}: {what}: {}", file.path, index + 1, found(line)?)))
        .collect()
}

/// Lock files and tool settings must work with whatever registry a person has configured.
fn pinned_registry(file: &SourceFile) -> Option<String> {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let forbidden: &[&str] = match name {
        "package-lock.json" => &["\"resolved\": \"http"],
        ".npmrc" => &["registry=", "registry ="],
        "config.toml" if file.path.starts_with(".cargo/") => &["[registries", "[source", "replace-with"],
        _ => &[],
    };
    let word = forbidden.iter().find(|word| file.text.contains(*word))?;
    Some(format!("{}: names a registry ({word}); leave that to each person's own settings", file.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn long_code_is_found_and_long_prose_is_not() {
        let text = "line\n".repeat(LONGEST_FILE + 1);
        assert!(too_long(&file("a.rs", &text)).is_some_and(|finding| finding.contains("501 lines")));
        assert!(too_long(&file("a.md", &text)).is_none());
        assert!(too_long(&file("a.rs", &"line\n".repeat(LONGEST_FILE))).is_none());
    }

    #[test]
    fn left_overs_are_found_with_their_line() {
        let text = format!("fn a() {{}}\n// {}: later\n", LEFT_OVERS[0]);
        assert_eq!(left_overs(&file("a.rs", &text)), [format!("a.rs:2: left-over: {}", LEFT_OVERS[0])]);
        assert!(left_overs(&file("notes.md", &text)).is_empty());
    }

    #[test]
    fn paths_of_this_machine_are_found() {
        let machine = ["/somewhere/checkout/".to_owned()];
        assert_eq!(named_paths(&file("a.md", "see /somewhere/checkout/x"), &machine).len(), 1);
        assert!(named_paths(&file("a.md", "see /elsewhere/x"), &machine).is_empty());
    }

    #[test]
    fn pinned_registries_are_found() {
        assert!(
            pinned_registry(&file("ui/package-lock.json", "\"resolved\": \"https://mirror/x\"")).is_some()
        );
        assert!(pinned_registry(&file("ui/package-lock.json", "\"integrity\": \"sha512-x\"")).is_none());
        assert!(pinned_registry(&file("ui/.npmrc", "registry=https://mirror/")).is_some());
        assert!(pinned_registry(&file(".cargo/config.toml", "[alias]\n")).is_none());
    }
}
