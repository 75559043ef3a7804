//! The graph of a crate's top-level modules, read from its sources.
//!
//! A module depends on another when a file of it names the other, by `crate::other`, by `super::other` from its top, or
//! by something that the crate's root re-exports from there. Tests, comments and documentation do not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of one crate, each with those it names and the file that does.
#[derive(Debug, Default)]
pub(crate) struct Graph(BTreeMap<String, BTreeMap<String, String>>);

impl Graph {
    /// Reads the modules below the folder of a crate's root.
    pub(crate) fn read(source: &Path) -> Self {
        let files = files_below(source);
        let modules: BTreeSet<String> = files.iter().filter_map(|file| file.module()).collect();
        let exports: BTreeMap<String, String> = files
            .iter()
            .filter(|file| file.module().is_none())
            .flat_map(|root| exports(&root.text, &modules))
            .collect();
        let mut graph = Self::default();
        for file in &files {
            let Some(module) = file.module() else { continue };
            let named = names(&file.text, file.parts.len());
            let used = named.iter().filter_map(|name| modules.get(name).or_else(|| exports.get(name)));
            let edges = graph.0.entry(module.clone()).or_default();
            for used in used.filter(|used| **used != module) {
                edges.entry(used.clone()).or_insert_with(|| file.parts.join("/"));
            }
        }
        graph
    }

    /// The modules that lie on some cycle.
    pub(crate) fn cyclic(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).filter(|module| self.way_back(module).is_some()).collect()
    }

    /// The shortest cycle, with the file behind each step.
    pub(crate) fn shortest_cycle(&self) -> Option<String> {
        let cycles = self.0.keys().filter_map(|module| self.way_back(module));
        let cycle = cycles.min_by_key(Vec::len)?;
        let first = cycle.first()?.clone();
        let steps = cycle.iter().zip(cycle.iter().skip(1).chain([&first]));
        let step = |(from, to): (&String, &String)| {
            let file = self.0.get(from).and_then(|edges| edges.get(to)).cloned().unwrap_or_default();
            format!("{from} → {to} (in {file})")
        };
        Some(steps.map(step).collect::<Vec<_>>().join(", "))
    }

    /// The shortest way from a module back to itself.
    fn way_back(&self, start: &str) -> Option<Vec<String>> {
        let mut queue = VecDeque::from([vec![start.to_owned()]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = queue.pop_front() {
            let edges = way.last().and_then(|last| self.0.get(last));
            for next in edges.into_iter().flat_map(BTreeMap::keys) {
                if next == start {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    queue.push_back(way.iter().cloned().chain([next.clone()]).collect());
                }
            }
        }
        None
    }
}

/// A source file: its path as names of modules, without the root's own, and its code.
struct SourceFile {
    parts: Vec<String>,
    text: String,
}

impl SourceFile {
    /// The top-level module it belongs to; none for a crate's root.
    fn module(&self) -> Option<String> {
        self.parts.first().cloned()
    }
}

fn files_below(source: &Path) -> Vec<SourceFile> {
    let mut paths = Vec::new();
    super::collect(source, &mut paths);
    paths.sort();
    let below = |path: &PathBuf| path.strip_prefix(source).unwrap().to_path_buf();
    paths.iter().map(below).filter(|path| !is_test(path)).map(|path| read_file(source, &path)).collect()
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    let in_tests = path.components().any(|part| part.as_os_str() == "tests");
    in_tests || name == "tests.rs" || name == "test_support.rs" || name.ends_with("_tests.rs")
}

fn read_file(source: &Path, path: &Path) -> SourceFile {
    let name = path.with_extension("");
    let mut parts: Vec<String> =
        name.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    let is_root = parts.len() == 1 && matches!(parts[0].as_str(), "lib" | "main");
    if is_root || parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    let text = fs::read_to_string(source.join(path)).unwrap();
    // In a root, test modules stand among the others.
    let text = if is_root { text.as_str() } else { without_tests(&text) };
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    SourceFile { parts, text: code.collect::<Vec<_>>().join("\n") }
}

/// A file's text up to its tests.
fn without_tests(text: &str) -> &str {
    let begins = ["\n#[cfg(test)]\nmod ", "\n#[cfg(test)]\n#[path", "\n#[cfg(all(test"];
    let end = begins.iter().filter_map(|begin| text.find(begin)).min();
    text.get(..end.unwrap_or(text.len())).unwrap()
}

/// What a file names of its crate's root. `depth` is how far below the root it is.
fn names(text: &str, depth: usize) -> BTreeSet<String> {
    let from_top = "super::".repeat(depth);
    let mut found = BTreeSet::new();
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$');
    for prefix in ["crate::", from_top.as_str()] {
        for (at, _) in text.match_indices(prefix) {
            let (before, rest) = (&text[..at], &text[at + prefix.len()..]);
            if !before.ends_with(goes_on) {
                found.extend(first_names(rest));
            }
        }
    }
    found
}

/// The names a path goes on with: one, or each of a list in braces.
fn first_names(rest: &str) -> Vec<String> {
    match rest.strip_prefix('{') {
        Some(list) => parts_of_list(list).iter().map(|part| identifier(part.trim())).collect(),
        None => vec![identifier(rest)],
    }
}

/// The parts of a list up to its closing brace, split at its own commas.
fn parts_of_list(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&list[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// What a root takes up from its modules by name, with the module it is from.
fn exports(root: &str, modules: &BTreeSet<String>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for statement in root.split(';') {
        let Some((_, path)) = statement.rsplit_once("use ") else { continue };
        let path = path.trim().trim_start_matches("self::").trim_start_matches("crate::");
        let Some(module) = path.split("::").next().filter(|first| modules.contains(*first)) else { continue };
        // The last word of each leaf is its name, or the one it is given.
        let leaves = path.split(['{', '}', ',']).filter_map(|leaf| leaf.split([':', ' ']).next_back());
        found.extend(leaves.filter(|name| !name.is_empty()).map(|name| (name.to_owned(), module.to_owned())));
    }
    found
}
