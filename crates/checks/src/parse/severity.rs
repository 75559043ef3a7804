//! The words tools use for how bad something is.

use loopwright_domain::Severity;

const ERRORS: &[&str] =
    &["error", "err", "fatal", "critical", "blocker", "failure", "failed", "fail", "high", "major", "e", "f"];
const WARNINGS: &[&str] = &["warning", "warn", "medium", "minor", "w"];
const INFOS: &[&str] = &[
    "info",
    "information",
    "note",
    "notice",
    "hint",
    "help",
    "low",
    "style",
    "convention",
    "refactor",
    "suggestion",
    "i",
];

/// The severity a word stands for, in whatever case.
pub(super) fn of_word(word: &str) -> Option<Severity> {
    let word = word.trim().to_ascii_lowercase();
    let is_in = |words: &[&str]| words.contains(&word.as_str());
    match () {
        () if is_in(ERRORS) => Some(Severity::Error),
        () if is_in(WARNINGS) => Some(Severity::Warning),
        () if is_in(INFOS) => Some(Severity::Info),
        () => None,
    }
}

/// The severity a number stands for: 2 and above an error, 1 a warning, 0 worth knowing.
pub(super) const fn of_number(number: u64) -> Severity {
    match number {
        0 => Severity::Info,
        1 => Severity::Warning,
        _ => Severity::Error,
    }
}

/// A severity at the beginning of a message, as in `error[E0308]: mismatched types`, and the message after it.
pub(super) fn split(message: &str) -> (Option<Severity>, &str) {
    let message = message.trim_start();
    let end = message.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(message.len());
    let (word, rest) = message.split_at(end);
    // One letter is a severity only inside a code, as in E501.
    let severity = of_word(word).filter(|_| word.len() > 1);
    let after_code = match rest.strip_prefix('[').and_then(|code| code.split_once(']')) {
        Some((_, after)) => after,
        None => rest,
    };
    match (severity, after_code.strip_prefix(':')) {
        (Some(severity), Some(after)) if after_code.len() == rest.len() => {
            (Some(severity), after.trim_start())
        }
        // The code in brackets tells what to look up, so it stays.
        (Some(severity), Some(_)) => (Some(severity), message),
        (Some(severity), None) if rest.starts_with(' ') => (Some(severity), message),
        _ => (None, message),
    }
}
