//! One issue per line, with a place at its beginning where there is one.

use std::sync::LazyLock;

use loopwright_domain::Issue;
use regex::Regex;

use super::{MOST_ISSUES, issue, severity};

/// `file:line: message`, `file:line:column: message`, `file(line,column): message`.
static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let file = r"(?<file>(?:[A-Za-z]:)?[^:()\n]*[^:()\s])";
    let pattern =
        format!(r"^{file}(?::(?<line>\d+)(?::\d+)?|\((?<cell>\d+)(?:,\d+)?\))(?::|\s+-)\s*(?<message>.*)$");
    Regex::new(&pattern).ok()
});

/// Reads the lines of one stream.
pub(super) fn parse(text: &str) -> Vec<Issue> {
    text.lines().filter_map(one).take(MOST_ISSUES).collect()
}

fn one(line: &str) -> Option<Issue> {
    let line = line.trim();
    let found = PLACE.as_ref().and_then(|place| place.captures(line));
    let Some(found) = found else {
        let (severity, message) = severity::split(line);
        return issue(severity, None, None, message);
    };
    let part = |name: &str| found.name(name).map(|part| part.as_str());
    let number = part("line").or_else(|| part("cell")).and_then(|digits| digits.parse().ok());
    let (severity, message) = severity::split(part("message").unwrap_or_default());
    let message = if message.is_empty() { line } else { message };
    issue(severity, part("file"), number, message)
}
