//! How the output of a check is read, as the configuration says it. Reading itself is done where checks are run.

use regex::{Regex, RegexBuilder};

use crate::schema::nearest;

/// How issues are found in the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parser {
    /// Not at all: the output is one text.
    Text,
    /// Every line that is not blank is one.
    Lines,
    /// They are objects in JSON, or in JSON lines.
    Json(JsonIssues),
    /// Every match of a pattern is one.
    Regex(Pattern),
}

impl Parser {
    /// The words in the configuration for all of them.
    pub const WORDS: &[&str] = &["text", "lines", "json", "regex"];

    /// The word in the configuration.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Lines => "lines",
            Self::Json(_) => "json",
            Self::Regex(_) => "regex",
        }
    }
}

/// Where the issues are in a document, and what their parts are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonIssues {
    /// The array of issues; empty for the document itself.
    pub issues: JsonPath,
    /// The parts of an issue.
    pub fields: FieldPaths,
}

/// Names from the outside in. Arrays on the way are gone through, so `a.b` also finds the `b` of every item of `a`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonPath(Vec<String>);

impl JsonPath {
    /// Reads `a.b`, `$.a.b` or `a[*].b`; none when a name is empty.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let bare = text.strip_prefix('$').map_or(text, |rest| rest.strip_prefix('.').unwrap_or(rest));
        if bare.is_empty() {
            return (!text.is_empty()).then(Self::default);
        }
        let names = bare.split('.').map(|name| name.strip_suffix("[*]").unwrap_or(name).to_owned());
        let names: Vec<String> = names.collect();
        names.iter().all(|name| !name.is_empty() && !name.contains(['[', ']'])).then_some(Self(names))
    }

    /// The names, from the outside in.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }
}

/// Where an issue's parts are, from the issue. An empty path looks under the usual names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPaths {
    /// The file.
    pub file: JsonPath,
    /// The line.
    pub line: JsonPath,
    /// What is wrong.
    pub message: JsonPath,
    /// How bad it is.
    pub severity: JsonPath,
}

impl FieldPaths {
    /// Each path with its name in the configuration.
    pub fn by_name(&mut self) -> [(&'static str, &mut JsonPath); 4] {
        [
            ("file", &mut self.file),
            ("line", &mut self.line),
            ("message", &mut self.message),
            ("severity", &mut self.severity),
        ]
    }
}

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

    /// The compiled pattern.
    #[must_use]
    pub const fn regex(&self) -> &Regex {
        &self.regex
    }
}

/// The last line of the library's report says what is wrong; the others point at the place.
fn summary(error: &regex::Error) -> String {
    let text = error.to_string();
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
