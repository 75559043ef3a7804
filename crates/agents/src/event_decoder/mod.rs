//! Event decoders: what the JSON values that an agent CLI prints mean. Each is a pure function from one value to CLI
//! events; none means that the value is not of this CLI.

mod claude;
mod codex;
mod codex_log;
mod copilot;
mod cursor;
mod gemini;
mod generic;
mod injected;
mod logfmt;
mod opencode;
mod pi;
mod problem;
mod usage;
mod value;

use serde_json::Value;

use crate::cli_event::CliEvent;

pub(crate) use usage::{cost_micros, count};
pub(crate) use value::at;

/// Decodes a value whose `type` is given.
pub(crate) type EventDecoder = fn(&str, &Value) -> Option<Vec<CliEvent>>;

/// The decoders whose values are unmistakable: each begins with a `type` and has fields of its own around it.
pub(crate) const ENVELOPES: &[EventDecoder] =
    &[claude::read, codex::read, copilot::read, opencode::read, gemini::read, cursor::read, pi::read];

pub(crate) const CLAUDE: &[EventDecoder] = &[claude::read];
pub(crate) const CODEX: &[EventDecoder] = &[codex::read];
pub(crate) const COPILOT: &[EventDecoder] = &[copilot::read];
pub(crate) const CURSOR: &[EventDecoder] = &[claude::read, cursor::read];
pub(crate) const GEMINI: &[EventDecoder] = &[gemini::read];
pub(crate) const OPENCODE: &[EventDecoder] = &[opencode::read];
pub(crate) const PI: &[EventDecoder] = &[pi::read];

/// Codex's log: what it is asked for, and what a line of it says.
pub(crate) use codex_log::{LEVELS as CODEX_LEVELS, log as codex_log};
/// Reads a line that a script of our own prints inside a CLI.
pub(crate) use injected::read as injected_log;

/// Read the files in which copilot tells what it used: at its end, and as it works.
pub(crate) use copilot::{span, usage_report};
/// Reads a value of a program that is no known CLI.
pub(crate) use generic::read as read_generic;
/// A problem out of an error object, or out of a text.
pub(crate) use problem::of_error;

/// Reads a value that cannot be anything but an event of one of these CLIs.
pub(crate) fn read_envelope(decoders: &[EventDecoder], value: &Value) -> Option<Vec<CliEvent>> {
    let kind = value.get("type")?.as_str()?;
    decoders.iter().find_map(|decoder| decoder(kind, value))
}
