//! How strict tests and linters are configured to be.

use super::change::{ChangedFile, Line};
use super::tokens::{numbers, without_literals};

/// Words of lines that leave something out or let failures through.
pub(crate) const LENIENT: &[&str] = &[
    "|| true",
    "|| :",
    "; exit 0",
    "|| exit 0",
    "set +e",
    "continue-on-error",
    "allow_failure",
    "passWithNoTests",
    "pass-with-no-tests",
    "--no-verify",
    "--deselect",
    "--ignore",
    "-k \"not",
    "-k 'not",
    "collect_ignore",
    "testPathIgnorePatterns",
    "coveragePathIgnorePatterns",
    "norecursedirs",
    "per-file-ignores",
    "ignore_errors",
    "ignore_missing_imports",
    "disable_error_code",
    "ignoreFailures",
    "testFailureIgnore",
    "skipTests",
    "maven.test.skip",
    "maven.test.failure.ignore",
    "DskipTests",
    "-x test",
    "\"off\"",
    "'off'",
    "= \"allow\"",
    "--cap-lints",
    "-A clippy",
    "-A warnings",
    "max-warnings",
    "exclude",
    "omit",
    "ignore = ",
    "ignore=",
    "ignores:",
    "disable",
    "<skip>true",
    "onlyIf",
    "enabled = false",
    "Compile Remove",
    "IsTestProject>false",
    "TreatWarningsAsErrors>false",
    "WILL_FAIL",
    "--reruns",
    "script-shell",
    "ignore-scripts",
    "runner =",
    "rustc-wrapper",
    "python -O",
];
/// What is left out by everybody.
const USUAL: &[&str] = &[
    "node_modules",
    "dist",
    "build",
    "coverage",
    ".venv",
    "venv",
    "target",
    "vendor",
    ".git",
    "__pycache__",
    "out",
];
/// The first line that makes a configuration less strict.
pub(crate) fn looser_line<'a>(file: &'a ChangedFile, name: &str) -> Option<(&'a Line, &'static str)> {
    let removed: Vec<&Line> = file.removed_lines().collect();
    let lenient = file.added_lines().find(|line| {
        let text = line.text.trim();
        let words = || LENIENT.iter().filter(|word| text.contains(*word));
        let only_usual = USUAL.iter().any(|usual| text.contains(usual));
        let was_there = |word: &str| {
            removed.iter().any(|before| before.text.contains(word) && before.text.len() >= text.len())
        };
        !is_comment(text) && !is_dependency(text, name) && words().any(|word| !was_there(word)) && !only_usual
    });
    if let Some(line) = lenient {
        return Some((line, "something is left out of the checks, or may fail"));
    }
    let less = file.added_lines().find(|line| is_less_strict(&removed, &line.text));
    if let Some(line) = less {
        return Some((line, "tests or linters are less strict"));
    }
    let gone = removed.iter().find(|line| is_strict(&line.text) && !has_replacement(file, &line.text));
    gone.map(|line| (*line, "a strict setting of tests or linters was removed"))
}

/// A name and a version, as the files of package managers have them.
fn is_dependency(text: &str, name: &str) -> bool {
    let is_manifest = ["package.json", "Cargo.toml", "pyproject.toml", "pom.xml"].contains(&name);
    let value = text
        .split_once([':', '='])
        .map_or("", |(_, value)| value.trim().trim_start_matches(['"', '^', '~', '>', '=', '<', 'v', ' ']));
    let is_version = value.starts_with(|first: char| first.is_ascii_digit())
        || value.starts_with('{')
        || value.starts_with("workspace:");
    is_manifest && is_version && !is_threshold(text)
}

pub(crate) fn is_comment(text: &str) -> bool {
    ["#", "//", "<!--"].iter().any(|mark| text.starts_with(mark))
}

/// The settings of a line: names and values, in whatever notation.
fn settings(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split([',', '{', '}']);
    parts
        .filter_map(|part| part.split_once([':', '=']))
        .map(|(key, value)| (key.trim().trim_matches(['"', '\'']), value.trim()))
        .collect()
}

/// A switch that was turned off, a level that was lowered, a threshold that sank.
fn is_less_strict(removed: &[&Line], text: &str) -> bool {
    let is_off =
        |value: &str| ["false", "False", "off", "no", "0"].contains(&value.trim_matches(['"', '\'', ';']));
    let is_on =
        |value: &str| ["true", "True", "on", "yes", "1"].contains(&value.trim_matches(['"', '\'', ';']));
    settings(text).into_iter().any(|(key, value)| {
        let mut before = removed
            .iter()
            .flat_map(|line| settings(&line.text))
            .filter(|(other, _)| *other == key)
            .peekable();
        if is_tries(key) {
            let tries = |value: &str| numbers(value).iter().sum::<f64>();
            let was = before.map(|(_, old)| tries(old)).fold(0.0, f64::max);
            return tries(value) > was;
        }
        if before.peek().is_none() {
            // What was on by itself, or by a configuration that this one extends.
            return is_default_strictness(key) && is_off(value);
        }
        before.any(|(_, old)| {
            (is_strict_key(key) && is_on(old) && is_off(value))
                || level(old).zip(level(value)).is_some_and(|(was, is)| is > was)
                || (is_threshold(key) && is_lower(old, value))
        })
    })
}

fn level(value: &str) -> Option<usize> {
    let levels = [
        ["\"forbid\"", "'forbid'"],
        ["\"deny\"", "'deny'"],
        ["\"error\"", "'error'"],
        ["\"warn\"", "'warn'"],
        ["\"allow\"", "'allow'"],
        ["\"off\"", "'off'"],
    ];
    // `deny` and `error` are the same in different programs.
    levels.iter().position(|names| names.iter().any(|name| value.contains(name)))
}

fn is_lower(old: &str, new: &str) -> bool {
    without_literals(old) == without_literals(new)
        && numbers(old).iter().zip(&numbers(new)).any(|(was, is)| is < was)
}

/// Settings that are on where nobody says otherwise, or that others build on.
fn is_default_strictness(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key.starts_with("strict")
        || ["noimplicit", "nounchecked", "xfail_strict", "disallow_"].iter().any(|word| key.contains(word))
}

fn is_strict_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    [
        "strict",
        "noimplicit",
        "nounused",
        "nounchecked",
        "nofallthrough",
        "disallow",
        "warn",
        "fail",
        "error",
        "check",
        "exact",
    ]
    .iter()
    .any(|word| key.contains(word))
}

/// Settings of how often a test that fails is tried again.
fn is_tries(key: &str) -> bool {
    ["retries", "reruns"].contains(&key)
}

fn is_threshold(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    [
        "threshold",
        "fail_under",
        "fail-under",
        "branches",
        "functions",
        "lines",
        "statements",
        "minimum",
        "coverage",
    ]
    .iter()
    .any(|word| key.contains(word))
}

/// Whether a line by itself asks for strictness.
fn is_strict(text: &str) -> bool {
    let key = text.split(['=', ':']).next().unwrap_or_default();
    let on = ["true", "True", "\"deny\"", "\"forbid\"", "\"error\"", "'error'"]
        .iter()
        .any(|word| text.contains(word));
    let is_on = |(key, value): (&str, &str)| is_strict_key(key) && value.starts_with("true");
    !is_comment(text.trim()) && ((is_strict_key(key) && on) || settings(text).into_iter().any(is_on))
        || (is_threshold(key) && !numbers(text).is_empty())
}

fn has_replacement(file: &ChangedFile, text: &str) -> bool {
    let strict = |text: &str| -> Vec<String> {
        let strict = settings(text).into_iter().filter(|(key, _)| is_strict_key(key) || is_threshold(key));
        strict.map(|(key, _)| key.to_owned()).collect()
    };
    let key = |text: &str| text.split(['=', ':']).next().unwrap_or_default().trim().to_owned();
    let (own, wanted) = (key(text), strict(text));
    file.added_lines().any(|line| {
        let is = strict(&line.text);
        key(&line.text) == own && wanted.iter().all(|key| is.contains(key))
    })
}
