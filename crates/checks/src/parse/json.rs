//! Issues in JSON: a document, or one value per line.

use loopwright_config::check::{FieldPaths, JsonIssues, JsonPath};
use loopwright_domain::{Issue, Severity};
use serde_json::Value;

use super::{MOST_ISSUES, issue, severity};

const FILE_NAMES: &[&str] = &["file", "path", "filename", "filePath", "file_name", "file_path"];
const LINE_NAMES: &[&str] = &["line", "row", "lineNumber", "line_number", "line_start", "startLine"];
const MESSAGE_NAMES: &[&str] = &["message", "msg", "text", "description", "summary", "title"];
const SEVERITY_NAMES: &[&str] = &["severity", "level", "type"];

/// Finds the issues; none when the text holds no JSON.
pub(super) fn parse(place: &JsonIssues, text: &str) -> Option<Vec<Issue>> {
    let documents = documents(text)?;
    let mut found = Vec::new();
    for document in &documents {
        walk(place, &mut vec![document], place.issues.names(), &mut found);
    }
    Some(found)
}

/// Follows the path from the last of `around`; the values before it are those it lies in.
fn walk(place: &JsonIssues, around: &mut Vec<&Value>, path: &[String], found: &mut Vec<Issue>) {
    let Some(here) = around.last().copied().filter(|_| found.len() < MOST_ISSUES) else { return };
    if let Value::Array(items) = here {
        for item in items {
            around.push(item);
            walk(place, around, path, found);
            around.pop();
        }
    } else if let Some((name, rest)) = path.split_first() {
        if let Some(next) = here.get(name) {
            around.push(next);
            walk(place, around, rest, found);
            around.pop();
        }
    } else {
        found.extend(read_issue(&place.fields, around));
    }
}

fn read_issue(fields: &FieldPaths, around: &[&Value]) -> Option<Issue> {
    let here = around.last()?;
    if let Value::String(message) = here {
        return issue(None, None, None, message);
    }
    // A file is often named once for all issues in it, so the objects around are asked too.
    let outwards =
        |path: &JsonPath, names: &[&str]| around.iter().rev().find_map(|value| field(value, path, names));
    let message = field(here, &fields.message, MESSAGE_NAMES).and_then(text)?;
    let file = outwards(&fields.file, FILE_NAMES).and_then(text);
    let line = field(here, &fields.line, LINE_NAMES).and_then(number).and_then(|n| u32::try_from(n).ok());
    let severity = field(here, &fields.severity, SEVERITY_NAMES).and_then(severity_of);
    issue(severity, file.as_deref(), line, &message)
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
    if path.names().is_empty() {
        return names.iter().find_map(|name| scalar(value.get(name)?));
    }
    scalar(path.names().iter().try_fold(value, |value, name| first(value).get(name))?)
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
