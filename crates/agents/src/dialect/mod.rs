//! Dialects: what the values that an agent CLI prints mean. Each is a pure function from one JSON value to notices;
//! none means that the value is not of this dialect.

mod claude;
mod codex;
mod codex_log;
mod copilot;
mod cursor;
mod gemini;
mod inside;
mod logfmt;
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
pub(crate) type Dialect = fn(&str, &Value) -> Option<Vec<Notice>>;

/// The dialects whose values are unmistakable: each begins with a `type` and has fields of its own around it.
pub(crate) const ENVELOPES: &[Dialect] =
    &[claude::read, codex::read, copilot::read, opencode::read, gemini::read, cursor::read, pi::read];

pub(crate) const CLAUDE: &[Dialect] = &[claude::read];
pub(crate) const CODEX: &[Dialect] = &[codex::read];
pub(crate) const COPILOT: &[Dialect] = &[copilot::read];
pub(crate) const CURSOR: &[Dialect] = &[claude::read, cursor::read];
pub(crate) const GEMINI: &[Dialect] = &[gemini::read];
pub(crate) const OPENCODE: &[Dialect] = &[opencode::read];
pub(crate) const PI: &[Dialect] = &[pi::read];

/// Codex's log: what it is asked for, and what a line of it says.
pub(crate) use codex_log::{LEVELS as CODEX_LEVELS, log as codex_log};
/// Reads a line that a script of our own prints inside a CLI.
pub(crate) use inside::read as inside;

/// Read the files in which copilot tells what it used: at its end, and as it works.
pub(crate) use copilot::{span, usage_report};
/// Reads a value of a program that is no known CLI.
pub(crate) use plain::read as read_plain;

/// Reads a value that cannot be anything but an event in one of these dialects.
pub(crate) fn read_envelope(dialects: &[Dialect], value: &Value) -> Option<Vec<Notice>> {
    let kind = value.get("type")?.as_str()?;
    dialects.iter().find_map(|dialect| dialect(kind, value))
}
