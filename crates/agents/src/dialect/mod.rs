//! Dialects: what the values that an agent CLI prints mean. Each is a pure function from one JSON value to notices;
//! none means that the value is not of this dialect.

mod claude;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod opencode;
mod pi;
mod plain;
mod problem;
mod usage;
mod value;

use serde_json::Value;

use crate::notice::Notice;

pub(crate) use usage::{cost_micros, count};
pub(crate) use value::at;

/// Reads a value of this type.
type Dialect = fn(&str, &Value) -> Option<Vec<Notice>>;

/// The dialects whose values are unmistakable: each begins with a `type` and has fields of its own around it.
const ENVELOPES: &[Dialect] =
    &[claude::read, codex::read, copilot::read, opencode::read, gemini::read, cursor::read, pi::read];

/// Reads the file in which copilot tells what it used.
pub(crate) use copilot::usage_report;

/// Reads a value that is certainly an event: in any dialect, the plain one at last.
pub(crate) fn read(value: &Value) -> Option<Vec<Notice>> {
    read_envelope(value).or_else(|| plain::read(value))
}

/// Reads a value that was found inside a damaged line: only when it cannot be a part of another event.
pub(crate) fn read_envelope(value: &Value) -> Option<Vec<Notice>> {
    let kind = value.get("type")?.as_str()?;
    ENVELOPES.iter().find_map(|dialect| dialect(kind, value))
}
