//! Issues by a regular expression of the user's own.

use loopwright_domain::Issue;
use regex::{Captures, Regex, RegexBuilder};

use super::{MOST_ISSUES, issue, severity};
use crate::config::schema::nearest;

const GROUPS: &[&str] = &["file", "line", "message", "severity"];
/// Keeps a compiled pattern from filling the memory.
const SIZE_LIMIT: usize = 1024 * 1024;

/// A regular expression with the named groups file, line, message and severity; `^` and `$` are a line's ends.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
}

/// Two patterns are the same when they are written the same.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.regex.as_str() == other.regex.as_str()
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// It is no regular expression, or it has a group of another name; the text ends a sentence about it.
    pub fn new(text: &str) -> Result<Self, String> {
        let regex = RegexBuilder::new(text)
            .multi_line(true)
            .size_limit(SIZE_LIMIT)
            .build()
            .map_err(|error| format!("is not a pattern that can be read: {}", summary(&error)))?;
        if let Some(unknown) = regex.capture_names().flatten().find(|name| !GROUPS.contains(name)) {
            let near = nearest(unknown, GROUPS.iter().copied());
            let help = near.map_or_else(
                || format!("use {}", GROUPS.join(", ")),
                |near| format!("did you mean \"{near}\"?"),
            );
            return Err(format!("names the unknown group \"{unknown}\"; {help}"));
        }
        Ok(Self { regex })
    }

    /// The pattern as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.regex.as_str()
    }

    pub(super) fn parse(&self, text: &str) -> Vec<Issue> {
        self.regex.captures_iter(text).filter_map(|found| one(&found)).take(MOST_ISSUES).collect()
    }
}

fn one(found: &Captures<'_>) -> Option<Issue> {
    let part = |name: &str| found.name(name).map(|part| part.as_str());
    let whole = found.get(0).map_or("", |whole| whole.as_str());
    let line = part("line").and_then(|digits| digits.trim().parse().ok());
    issue(part("severity").and_then(severity::of_word), part("file"), line, part("message").unwrap_or(whole))
}

/// The last line of the library's report says what is wrong; the others point at the place.
fn summary(error: &regex::Error) -> String {
    let text = error.to_string();
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
