//! `cursor-agent -p --output-format stream-json`: claude's events, and tool calls of its own kind.

use serde_json::Value;

use super::value::{as_text, at, text};
use crate::cli_event::{CliEvent, ToolOutcome};

pub(super) fn read(kind: &str, value: &Value) -> Option<Vec<CliEvent>> {
    if kind != "tool_call" {
        return None;
    }
    let (name, call) = value.get("tool_call")?.as_object()?.iter().next()?;
    let id = text(value, "call_id");
    match text(value, "subtype")?.as_str() {
        "started" => {
            let name = name.strip_suffix("ToolCall").unwrap_or(name).to_owned();
            Some(vec![CliEvent::ToolCall { id, name, input: as_text(call.get("args")) }])
        }
        "completed" => {
            let outcome = match () {
                () if at(call, "result.rejected").is_some() => ToolOutcome::Denied,
                () => ToolOutcome::failed(at(call, "result.success").is_none()),
            };
            Some(vec![CliEvent::ToolResult { id, output: as_text(call.get("result")), outcome }])
        }
        _ => Some(Vec::new()),
    }
}
