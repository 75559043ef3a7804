//! `gemini -o stream-json`: the prompt echoed, messages in pieces without ids. Also its `-o json` object.

use serde_json::Value;

use super::problem::{of_error, of_service};
use super::usage;
use super::value::{as_text, at, is_true, text};
use crate::notice::{Notice, ToolOutcome};

pub(super) fn read(kind: &str, value: &Value) -> Option<Vec<Notice>> {
    match kind {
        "init" => Some(vec![Notice::Session { id: text(value, "session_id"), model: text(value, "model") }]),
        "message" => message(value),
        "tool_use" if value.get("tool_name").is_some() => Some(vec![Notice::ToolCall {
            id: text(value, "tool_id"),
            name: text(value, "tool_name").unwrap_or_default(),
            input: as_text(value.get("parameters")),
        }]),
        "tool_result" if value.get("tool_id").is_some() => Some(vec![Notice::ToolResult {
            id: text(value, "tool_id"),
            output: as_text(at(value, "output").or_else(|| at(value, "error.message"))),
            outcome: outcome(value),
        }]),
        "result" if value.get("status").is_some() => Some(result(value)),
        _ => None,
    }
}

/// A tool that is not offered in this mode is one that it may not use.
fn outcome(value: &Value) -> ToolOutcome {
    match text(value, "error.type").as_deref() {
        Some("tool_not_registered" | "policy_violation" | "execution_denied") => ToolOutcome::Denied,
        _ => ToolOutcome::failed(text(value, "status").as_deref() == Some("error")),
    }
}

fn message(value: &Value) -> Option<Vec<Notice>> {
    let (role, text) = (text(value, "role")?, text(value, "content")?);
    if role != "assistant" {
        return Some(Vec::new());
    }
    let message = None;
    Some(vec![match is_true(value, "delta") {
        true => Notice::Piece { message, text },
        false => Notice::Whole { message, text },
    }])
}

fn result(value: &Value) -> Vec<Notice> {
    let ended = match at(value, "error") {
        Some(error) => Notice::Failed(of_service(of_error(error))),
        None if text(value, "status").as_deref() == Some("error") => Notice::Failed(of_error(value)),
        None => Notice::Succeeded,
    };
    let used = usage::of(value).map(|usage| Notice::UsedInAll { usage });
    used.into_iter().chain([ended]).collect()
}
