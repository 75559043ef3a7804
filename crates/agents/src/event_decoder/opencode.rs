//! `opencode run --format json`: steps with parts. Each step has its own tokens and its own price; there is no last
//! line. That it waits for its service a plugin of ours tells.

use serde_json::Value;

use super::problem::of_error;
use super::usage;
use super::value::{as_text, at, text};
use crate::cli_event::{CliEvent, ToolOutcome};

pub(super) fn read(kind: &str, value: &Value) -> Option<Vec<CliEvent>> {
    let session = || CliEvent::Session { id: text(value, "sessionID"), model: None };
    if kind == "error" {
        let error = value.get("error").filter(|error| error.get("name").is_some())?;
        return Some(vec![session(), CliEvent::Failed(of_error(error))]);
    }
    let part = value.get("part")?;
    let mut cli_events = vec![session()];
    match kind {
        "step_start" => {}
        "text" => cli_events.push(CliEvent::Whole {
            message: text(part, "id"),
            text: text(part, "text").unwrap_or_default(),
        }),
        "reasoning" => cli_events.push(CliEvent::Aside { text: text(part, "text").unwrap_or_default() }),
        "tool_use" => cli_events.extend(tool(part)),
        "step_finish" => {
            cli_events.push(CliEvent::Turn);
            if let Some(usage) = usage::of_response(part) {
                cli_events.push(CliEvent::Used { response: text(part, "id"), usage });
            }
            if text(part, "reason").as_deref() == Some("stop") {
                cli_events.push(CliEvent::Succeeded);
            }
        }
        _ => return None,
    }
    Some(cli_events)
}

/// How opencode begins what it says to a call that a rule of the user's, or nobody at the keyboard, does not allow. Its
/// only signs of that: fixed texts in fields that no model writes.
const DENIALS: &[&str] = &["The user rejected permission", "The user has specified a rule which prevents"];
/// The tool it puts in the place of one that cannot be called, with what was asked for and why it cannot.
const INVALID: &str = "invalid";
/// How the reason begins for a tool that is not offered: a rule that denies all of a tool's calls takes it away.
const NOT_OFFERED: &str = "Model tried to call unavailable tool";

/// A tool call is told when it is over, with its result.
fn tool(part: &Value) -> [CliEvent; 2] {
    let id = text(part, "callID");
    let name = text(part, "tool").unwrap_or_default();
    let invalid = name == INVALID;
    let error = text(part, if invalid { "state.input.error" } else { "state.error" });
    let begins = |starts: &[&str]| {
        starts.iter().any(|start| error.as_deref().is_some_and(|error| error.starts_with(start)))
    };
    let exit = at(part, "state.metadata.exit").and_then(Value::as_i64).unwrap_or(0);
    let outcome = match begins(if invalid { &[NOT_OFFERED] } else { DENIALS }) {
        true => ToolOutcome::Denied,
        false => ToolOutcome::failed(error.is_some() || exit != 0),
    };
    let wanted = text(part, "state.input.tool").filter(|_| invalid);
    let call = CliEvent::ToolCall {
        id: id.clone(),
        name: wanted.unwrap_or(name),
        input: as_text(at(part, "state.input")),
    };
    let output = error.unwrap_or_else(|| as_text(at(part, "state.output")));
    [call, CliEvent::ToolResult { id, output, outcome }]
}
