//! Output as text: escapes taken out, cuts only between characters, and what differs from run to run made the same.

use std::path::Path;
use std::sync::LazyLock;

use loopwright_domain::sanitize;
use regex::Regex;

/// Bytes of a program as plain text: lossy where they are not UTF-8, without terminal escapes and other controls.
/// A line that was overwritten by carriage returns keeps its last state.
#[must_use]
pub fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let line = line.trim_end_matches('\r');
        let shown = line.rsplit('\r').next().unwrap_or(line);
        plain.push_str(&sanitize::strip(shown));
        plain.push_str(end);
    }
    plain
}

/// The beginning of a text, at most so many characters, with a mark where it was cut.
#[must_use]
pub fn cut_end(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let end = text.char_indices().nth(most.saturating_sub(1)).map_or(0, |(end, _)| end);
            format!("{}…", &text[..end])
        }
    }
}

/// The end of a text, at most so many characters.
#[must_use]
pub fn cut_start(text: &str, most: usize) -> &str {
    match most.checked_sub(1) {
        None => "",
        Some(back) => text.char_indices().nth_back(back).map_or(text, |(start, _)| &text[start..]),
    }
}

/// The last lines of a text, at most so many characters; a cut line is left out unless it is the only one.
#[must_use]
pub fn tail(text: &str, most: usize) -> &str {
    let text = text.trim_end();
    let end = cut_start(text, most);
    if end.len() == text.len() {
        return end.trim_start_matches('\n');
    }
    let whole = end.split_once('\n').map_or("", |(_, whole)| whole);
    if whole.trim().is_empty() { end } else { whole }
}

/// What a pattern is replaced by, in this order.
const UNSTEADY: &[(&str, &str)] = &[
    (r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?", "<time>"),
    (r"\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b", "<time>"),
    (
        r"(?i)\b(in|took|time:?|duration:?|elapsed:?|real|user|sys)(\s+)\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|secs?|seconds?|s|minutes?|min|m)\b",
        "$1$2<duration>",
    ),
    (r"([(\[])\s*\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|secs?|seconds?|s)\s*([)\]])", "$1<duration>$2"),
    (r"(thread '[^'\n]*') \(\d+\)", "$1"),
    (r"\b0x[0-9a-fA-F]{6,16}\b", "<address>"),
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<id>"),
    (r"-[0-9a-f]{16}\b", "-<hash>"),
    (r"(?i)\bpid([ =:]+)\d+\b", "pid$1<number>"),
    (r"==\d+==", "==<number>=="),
    (r"(?:/private)?(?:/tmp|/var/tmp|/var/folders)/[^\s\x22'`:;,)\]]+", "<temporary>"),
];

static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    UNSTEADY.iter().filter_map(|(pattern, with)| Some((Regex::new(pattern).ok()?, *with))).collect()
});

/// Takes out of a check's output what differs between two runs over the same files: where the project lies, temporary
/// files, times, durations, addresses, process numbers.
#[must_use]
pub fn steady(text: &str, root: &Path, temporary: &Path) -> String {
    let text = without_folder(text, root, "", ".");
    let mut text = without_folder(&text, temporary, "<temporary>/", "<temporary>");
    for (pattern, with) in PATTERNS.iter() {
        if let std::borrow::Cow::Owned(new) = pattern.replace_all(&text, *with) {
            text = new;
        }
    }
    text
}

/// Replaces a folder's path: `inside` where it leads to something in the folder, `alone` where it stands for itself. A
/// longer path that only looks alike stays.
fn without_folder(text: &str, folder: &Path, inside: &str, alone: &str) -> String {
    let folder = folder.display().to_string();
    if folder.len() < 2 {
        return text.to_owned();
    }
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(&folder) {
        let (before, found) = rest.split_at(start);
        let after = &found[folder.len()..];
        let begins = !before.chars().next_back().is_some_and(goes_on);
        replaced.push_str(before);
        rest = after;
        match after.chars().next() {
            Some('/' | '\\') if begins => {
                replaced.push_str(inside);
                rest = &after[1..];
            }
            next if begins && !next.is_some_and(goes_on) => replaced.push_str(alone),
            _ => replaced.push_str(&folder),
        }
    }
    replaced.push_str(rest);
    replaced
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
