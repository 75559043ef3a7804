//! Placeholders in new lines: notes that something is missing, and code that stands for code.
//!
//! The rules are in docs/checks.md. Only lines added since the base count, only in files of the languages read here;
//! names and texts may say TODO as often as they like.

use super::LineFinding;
use loopwright_domain::code::{Language, ScannedLine, scan};

use crate::diff::ChangedFile;

/// Finds the placeholders among a file's new lines.
pub(super) fn find(file: &ChangedFile, text: &str) -> Vec<LineFinding> {
    let Some(language) = language_of(&file.path) else { return Vec::new() };
    let lines = scan(language, text);
    let judge = |number: &u32| {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        let what = in_code(language, &lines, index).or_else(|| in_comment(&lines.get(index)?.comment))?;
        Some((*number, format!("placeholder: {what}")))
    };
    file.added.iter().filter_map(judge).collect()
}

/// The endings of the files that are looked at.
const ENDINGS: &[&str] =
    &["rs", "py", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "go", "java", "cs"];

fn language_of(path: &str) -> Option<Language> {
    let (_, ending) = path.rsplit_once('.')?;
    Language::of_path(path).filter(|_| ENDINGS.contains(&ending))
}

/// Words that mark what is missing.
const MARKS: &[&str] = &["TODO", "FIXME", "XXX"];
/// After one of these words a mark at a comment's beginning is a thing: a todo list is no placeholder.
const THINGS: &[&str] =
    &["list", "lists", "item", "items", "app", "apps", "entry", "entries", "task", "tasks"];
/// Comments that say nothing else.
const WHOLE_COMMENTS: &[&str] = &[
    "stub",
    "placeholder",
    "unimplemented",
    "not implemented",
    "not implemented yet",
    "not yet implemented",
    "implement me",
    "implement this",
    "implementation goes here",
    "your code here",
    "existing code",
    "rest of the code",
    "rest of the implementation",
    "rest of the file",
];
/// Comments that begin like this.
const BEGINNINGS: &[&str] = &[
    "stub implementation",
    "placeholder implementation",
    "placeholder for now",
    "dummy implementation",
    "in a real implementation",
    "in a real application",
];

fn in_comment(comment: &str) -> Option<String> {
    let said = comment.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if WHOLE_COMMENTS.contains(&said.as_str()) || BEGINNINGS.iter().any(|start| said.starts_with(start)) {
        return Some(format!("the comment says \"{}\"", said.chars().take(60).collect::<String>()));
    }
    let begin = comment.trim_start_matches(|c: char| !c.is_alphanumeric());
    MARKS
        .iter()
        .find(|mark| opens_with(begin, mark) || is_called_out(comment, mark))
        .map(|mark| format!("{mark} in a comment"))
}

/// Whether a comment begins with the mark, meant as one.
fn opens_with(comment: &str, mark: &str) -> bool {
    let Some((word, rest)) = comment.split_at_checked(mark.len()) else { return false };
    if word.eq_ignore_ascii_case(mark) && rest.starts_with([':', '(']) {
        return true;
    }
    let next = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let ends = rest.is_empty() || rest.starts_with(char::is_whitespace) || rest.starts_with(['!', ',', ';']);
    word == mark && ends && !THINGS.contains(&next.to_lowercase().as_str())
}

/// Whether the mark stands anywhere as `TODO:` or `TODO(name)`.
fn is_called_out(comment: &str, mark: &str) -> bool {
    comment.match_indices(mark).any(|(start, _)| {
        let before = comment.get(..start).and_then(|before| before.chars().next_back());
        let after = comment.get(start + mark.len()..).unwrap_or_default();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
            && after.starts_with([':', '('])
    })
}

/// Code that reports a failure, whose text may say that there is nothing yet.
const fn failing_code(language: Language) -> &'static [&'static str] {
    match language {
        Language::Rust => &["panic!", "bail!", "anyhow!", "Err("],
        Language::Python => &["raise "],
        Language::Script => &["throw ", "reject("],
        Language::Go => &["panic(", "errors.New(", "fmt.Errorf("],
        Language::Java | Language::CSharp => &["throw "],
        Language::Shell | Language::Other => &[],
    }
}

/// Code that says by its name alone that there is nothing yet.
const fn telling_names(language: Language) -> &'static [&'static str] {
    match language {
        Language::Rust => &["todo!", "unimplemented!"],
        Language::Script => &["throw new NotImplementedError", "throw new NotImplementedException"],
        Language::Java | Language::CSharp => {
            &["throw new NotImplementedException", "throw new NotImplementedError"]
        }
        Language::Python | Language::Go | Language::Shell | Language::Other => &[],
    }
}

fn in_code(language: Language, lines: &[ScannedLine], index: usize) -> Option<String> {
    let line = lines.get(index)?;
    if let Some(name) = telling_names(language).iter().find(|name| has_word(&line.code, name)) {
        return Some(format!("{name} in the code"));
    }
    if says_nothing_yet(language, lines, index) {
        return Some("the code fails with \"not implemented\"".to_owned());
    }
    (language == Language::Python).then(|| super::python::placeholder(lines, index)).flatten()
}

/// Whether code holds a name that is not the end of a longer one.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(start, _)| {
        let before = code.get(..start).and_then(|before| before.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// Whether a failure is reported whose text says that there is nothing yet. The text may stand on the next line.
/// Answering 501 to a request is something else.
fn says_nothing_yet(language: Language, lines: &[ScannedLine], index: usize) -> bool {
    let Some(line) = lines.get(index).filter(|line| line.texts.iter().any(|text| is_excuse(text))) else {
        return false;
    };
    let fails = |code: &str| failing_code(language).iter().any(|start| has_word(code, start));
    let before = index.checked_sub(1).and_then(|before| lines.get(before));
    let opened = before.is_some_and(|before| before.code.trim_end().ends_with('(') && fails(&before.code));
    (fails(&line.code) || opened) && !line.code.contains("501")
}

fn is_excuse(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let begins =
        ["not implemented", "unimplemented", "not yet implemented", "implement me", "todo:", "fixme:"];
    text == "todo" || text == "stub" || begins.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
#[path = "placeholders_tests.rs"]
mod tests;
