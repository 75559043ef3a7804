//! Issues in JSON: a document, or one value per line.

use loopwright_domain::{Issue, Severity};
use serde_json::Value;

use super::{MOST_ISSUES, issue, severity};

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
    pub(crate) fn by_name(&mut self) -> [(&'static str, &mut JsonPath); 4] {
        [
            ("file", &mut self.file),
            ("line", &mut self.line),
            ("message", &mut self.message),
            ("severity", &mut self.severity),
        ]
    }
}

const FILE_NAMES: &[&str] = &["file", "path", "filename", "filePath", "file_name", "file_path"];
const LINE_NAMES: &[&str] = &["line", "row", "lineNumber", "line_number", "line_start", "startLine"];
const MESSAGE_NAMES: &[&str] = &["message", "msg", "text", "description", "summary", "title"];
const SEVERITY_NAMES: &[&str] = &["severity", "level", "type"];

impl JsonIssues {
    /// Finds the issues; none when the text holds no JSON.
    pub(super) fn parse(&self, text: &str) -> Option<Vec<Issue>> {
        let documents = documents(text)?;
        let mut found = Vec::new();
        for document in &documents {
            self.walk(&mut vec![document], &self.issues.0, &mut found);
        }
        Some(found)
    }

    /// Follows the path from the last of `around`; the values before it are those it lies in.
    fn walk(&self, around: &mut Vec<&Value>, path: &[String], found: &mut Vec<Issue>) {
        let Some(here) = around.last().copied().filter(|_| found.len() < MOST_ISSUES) else { return };
        if let Value::Array(items) = here {
            for item in items {
                around.push(item);
                self.walk(around, path, found);
                around.pop();
            }
        } else if let Some((name, rest)) = path.split_first() {
            if let Some(next) = here.get(name) {
                around.push(next);
                self.walk(around, rest, found);
                around.pop();
            }
        } else {
            found.extend(self.issue(around));
        }
    }

    fn issue(&self, around: &[&Value]) -> Option<Issue> {
        let here = around.last()?;
        if let Value::String(message) = here {
            return issue(None, None, None, message);
        }
        // A file is often named once for all issues in it, so the objects around are asked too.
        let outwards =
            |path: &JsonPath, names: &[&str]| around.iter().rev().find_map(|value| field(value, path, names));
        let message = field(here, &self.fields.message, MESSAGE_NAMES).and_then(text)?;
        let file = outwards(&self.fields.file, FILE_NAMES).and_then(text);
        let line =
            field(here, &self.fields.line, LINE_NAMES).and_then(number).and_then(|n| u32::try_from(n).ok());
        let severity = field(here, &self.fields.severity, SEVERITY_NAMES).and_then(severity_of);
        issue(severity, file.as_deref(), line, &message)
    }
}

/// The whole text as one document, else each line that is one.
fn documents(text: &str) -> Option<Vec<Value>> {
    if let Ok(document) = serde_json::from_str::<Value>(text) {
        return is_container(&document).then(|| vec![document]);
    }
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line.trim()).ok());
    let values: Vec<Value> = lines.filter(is_container).collect();
    (!values.is_empty()).then_some(values)
}

/// A number or a word alone is text that happens to be JSON.
fn is_container(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// The value at a path, or under the first of the usual names that is there.
fn field<'a>(value: &'a Value, path: &JsonPath, names: &[&str]) -> Option<&'a Value> {
    if path.0.is_empty() {
        return names.iter().find_map(|name| scalar(value.get(name)?));
    }
    scalar(path.0.iter().try_fold(value, |value, name| first(value).get(name))?)
}

/// Of several the first is taken.
fn first(value: &Value) -> &Value {
    value.as_array().and_then(|items| items.first()).unwrap_or(value)
}

fn scalar(value: &Value) -> Option<&Value> {
    let value = first(value);
    (value.is_string() || value.is_number()).then_some(value)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn severity_of(value: &Value) -> Option<Severity> {
    number(value).map(severity::of_number).or_else(|| severity::of_word(value.as_str()?))
}
