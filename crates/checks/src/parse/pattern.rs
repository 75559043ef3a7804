//! Issues by a regular expression of the user's own.

use loopwright_config::check::Pattern;
use loopwright_domain::Issue;
use regex::Captures;

use super::{MOST_ISSUES, issue, severity};

/// Reads every match.
pub(super) fn parse(pattern: &Pattern, text: &str) -> Vec<Issue> {
    pattern.regex().captures_iter(text).filter_map(|found| one(&found)).take(MOST_ISSUES).collect()
}

fn one(found: &Captures<'_>) -> Option<Issue> {
    let part = |name: &str| found.name(name).map(|part| part.as_str());
    let whole = found.get(0).map_or("", |whole| whole.as_str());
    let line = part("line").and_then(|digits| digits.trim().parse().ok());
    issue(part("severity").and_then(severity::of_word), part("file"), line, part("message").unwrap_or(whole))
}
