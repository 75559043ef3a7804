//! A source file as the graph of modules sees it: what it names of its crate, which methods it adds to types of other
//! modules, and which methods it calls.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// A method, by its type and its name.
pub(crate) type Method = (String, String);

static IMPL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^impl(?:<[^>]*>)? (\w+)[^{;]*\{").unwrap());
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^    (?:pub(?:\([^)]*\))? )?(?:const )?(?:async )?fn (\w+)").unwrap());
static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:async )?(?:fn|struct|enum|const|static|type|trait) (\w+)")
        .unwrap()
});
/// A call of a method: the receiver's last name, whether that is itself a call without arguments, and the method. The
/// receiver is looked for again in front of each name, since calls are chained.
static CALL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\w+)(\(\))?\s*(?:\.|::)\s*(\w+)\(").unwrap());

/// A source file: its path as names of modules, without the root's own, and its code without tests and comments.
pub(crate) struct SourceFile {
    pub(crate) parts: Vec<String>,
    pub(crate) text: String,
}

impl SourceFile {
    /// All files below the folder of a crate's root, without those of tests.
    pub(crate) fn all_below(source: &Path) -> Vec<Self> {
        let mut paths = Vec::new();
        super::collect(source, &mut paths);
        paths.sort();
        let below = |path: &PathBuf| path.strip_prefix(source).unwrap().to_path_buf();
        paths.iter().map(below).filter(|path| !is_test(path)).map(|path| Self::read(source, &path)).collect()
    }

    fn read(source: &Path, path: &Path) -> Self {
        let name = path.with_extension("");
        let mut parts: Vec<String> =
            name.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let is_root = parts.len() == 1 && matches!(parts[0].as_str(), "lib" | "main");
        if is_root || parts.last().is_some_and(|last| last == "mod") {
            parts.pop();
        }
        let text = fs::read_to_string(source.join(path)).unwrap();
        let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
        Self { parts, text: without_tests(&code.join("\n")) }
    }

    /// The top-level module it belongs to; none for a crate's root.
    pub(crate) fn module(&self) -> Option<String> {
        self.parts.first().cloned()
    }

    /// What it names of its crate's root: whole paths, with lists in braces taken apart.
    pub(crate) fn paths(&self) -> BTreeSet<Vec<String>> {
        let from_top = "super::".repeat(self.parts.len());
        let mut found = BTreeSet::new();
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        for prefix in ["crate::", from_top.as_str()] {
            for (at, _) in self.text.match_indices(prefix) {
                if !self.text[..at].ends_with(goes_on) {
                    expand(&self.text[at + prefix.len()..], &[], &mut found);
                }
            }
        }
        found
    }

    /// The names that a root makes visible, each with the path it stands for.
    pub(crate) fn re_exports(&self) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        for statement in self.text.split(';') {
            let Some((_, path)) = statement.rsplit_once("use ") else { continue };
            let path = path.trim().trim_start_matches("self::").trim_start_matches("crate::");
            let mut paths = BTreeSet::new();
            expand(path, &[], &mut paths);
            found.extend(paths.into_iter().filter_map(|path| Some((path.last()?.clone(), path))));
        }
        found
    }

    /// What the file itself defines at its top.
    pub(crate) fn definitions(&self) -> BTreeSet<String> {
        DEFINITION.captures_iter(&self.text).map(|found| found[1].to_owned()).collect()
    }

    /// The types it has inherent methods for, with these methods.
    pub(crate) fn methods(&self) -> Vec<Method> {
        let mut found = Vec::new();
        for block in IMPL.captures_iter(&self.text) {
            let whole = block.get(0).unwrap();
            if whole.as_str().contains(" for ") {
                continue;
            }
            let body = &self.text[whole.end()..];
            let body = &body[..body.find("\n}").unwrap_or(body.len())];
            let name = &block[1];
            found.extend(FUNCTION.captures_iter(body).map(|method| (name.to_owned(), method[1].to_owned())));
        }
        found
    }

    /// The calls of methods in it.
    pub(crate) fn calls(&self) -> BTreeSet<Call> {
        let mut calls = BTreeSet::new();
        let mut at = 0;
        while let Some(found) = CALL.captures_at(&self.text, at) {
            calls.insert(Call {
                receiver: found[1].to_owned(),
                is_call: found.get(2).is_some(),
                method: found[3].to_owned(),
            });
            at = found.get(1).unwrap().end();
        }
        calls
    }
}

/// A call of a method.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Call {
    /// The last name of what it is called on.
    receiver: String,
    /// Whether that is itself a call, without arguments.
    is_call: bool,
    method: String,
}

impl Call {
    /// Whether it may be one of this method: on `self` in a file that has methods of the type (`own`), on something that is
    /// named like the type, or on what an accessor named like the type gives (`project.runs().start()` is of
    /// `ProjectRuns`).
    pub(crate) fn may_be(&self, (type_name, method): &Method, own: &[Method]) -> bool {
        let snake = snake_case(type_name);
        let last_word = snake.rsplit('_').next().unwrap_or_default();
        let receiver_fits = match (self.receiver.as_str(), self.is_call) {
            ("self" | "Self", false) => own.iter().any(|(own, _)| own == type_name),
            (receiver, false) => receiver == snake || receiver == type_name,
            (accessor, true) => accessor == snake || accessor == last_word,
        };
        self.method == *method && receiver_fits
    }
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    let in_tests = path.components().any(|part| part.as_os_str() == "tests");
    in_tests || name == "tests.rs" || name == "test_support.rs" || name.ends_with("_tests.rs")
}

/// A text without what is only compiled for tests, wherever it stands.
fn without_tests(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = ["#[cfg(test)]", "#[cfg(all(test"].iter().filter_map(|mark| rest.find(mark)).min() {
        kept.push_str(&rest[..at]);
        let item = &rest[at..];
        let end = match (item.find(';'), item.find('{')) {
            (Some(semicolon), brace) if brace.is_none_or(|brace| semicolon < brace) => semicolon + 1,
            // Items of a file's top end with a brace at the beginning of a line.
            _ => item.find("\n}").map_or(item.len(), |end| end + 2),
        };
        rest = &item[end..];
    }
    kept + rest
}

/// Takes a path with lists in braces apart into plain paths. A name that is given another is known by that.
fn expand(text: &str, before: &[String], found: &mut BTreeSet<Vec<String>>) {
    let text = text.trim_start();
    if let Some(list) = text.strip_prefix('{') {
        for part in parts_of_list(list) {
            expand(part, before, found);
        }
        return;
    }
    let name = identifier(text);
    if name.is_empty() {
        return;
    }
    let rest = &text[name.len()..];
    let mut path = before.to_vec();
    match rest.strip_prefix("::") {
        Some(below) if below.starts_with(['{', '_']) || below.starts_with(char::is_alphabetic) => {
            path.push(name);
            expand(below, &path, found);
        }
        _ => {
            let renamed = rest.trim_start().strip_prefix("as ").map(identifier);
            path.push(name);
            found.insert(path.clone());
            if let Some(renamed) = renamed {
                path.push(renamed);
                found.insert(path);
            }
        }
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

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
