//! `pi -p --mode json`: messages in pieces and whole, each with its own tokens and price; the prompt echoed; no last
//! line with sums. Its exit code is 0 whatever happened.

use loopwright_domain::AgentProblem;
use serde_json::Value;

use super::problem::{of_service, problem};
use super::usage;
use super::value::{as_text, at, is_true, number, text};
use crate::cli_event::{CliEvent, ToolOutcome};

pub(super) fn read(kind: &str, value: &Value) -> Option<Vec<CliEvent>> {
    Some(match kind {
        "session" if value.get("cwd").is_some() => {
            vec![CliEvent::Session { id: text(value, "id"), model: None }]
        }
        "agent_start" | "agent_end" | "turn_start" | "message_start" | "tool_execution_update" => Vec::new(),
        "message_update" => piece(value),
        "message_end" if is_own(value) => message(value.get("message")?),
        "message_end" => Vec::new(),
        "turn_end" => turn_ended(value),
        "tool_execution_start" => vec![CliEvent::ToolCall {
            id: text(value, "toolCallId"),
            name: text(value, "toolName").unwrap_or_default(),
            input: as_text(value.get("args")),
        }],
        "tool_execution_end" => vec![CliEvent::ToolResult {
            id: text(value, "toolCallId"),
            output: as_text(at(value, "result.content")),
            outcome: ToolOutcome::failed(is_true(value, "isError")),
        }],
        "auto_retry_start" => vec![CliEvent::Retry {
            attempt: number(value, "attempt"),
            attempts: number(value, "maxAttempts"),
            wait_ms: number(value, "delayMs"),
            problem: told(&text(value, "errorMessage").unwrap_or_default()),
        }],
        _ => return None,
    })
}

fn is_own(value: &Value) -> bool {
    text(value, "message.role").as_deref() == Some("assistant")
}

fn piece(value: &Value) -> Vec<CliEvent> {
    let event = |path: &str| text(value, &format!("assistantMessageEvent.{path}"));
    match (event("type").as_deref(), event("delta")) {
        (Some("text_delta"), Some(text)) => vec![CliEvent::Piece { message: None, text }],
        _ => Vec::new(),
    }
}

fn message(message: &Value) -> Vec<CliEvent> {
    let blocks = || at(message, "content").and_then(Value::as_array).into_iter().flatten();
    let of_kind = |block: &&Value, kind: &str| text(block, "type").as_deref() == Some(kind);
    let words: String = blocks().filter(|b| of_kind(b, "text")).filter_map(|b| text(b, "text")).collect();
    let thoughts = blocks().filter(|b| of_kind(b, "thinking")).filter_map(|b| text(b, "thinking"));
    let mut cli_events = vec![CliEvent::Session { id: None, model: text(message, "model") }];
    cli_events.extend(thoughts.map(|text| CliEvent::Aside { text }));
    cli_events.push(CliEvent::Whole { message: None, text: words });
    cli_events.extend(usage::of_response(message).map(|usage| CliEvent::Used { response: None, usage }));
    cli_events
}

/// Whether the model stopped by itself is told in its last message.
fn turn_ended(value: &Value) -> Vec<CliEvent> {
    match text(value, "message.stopReason").as_deref() {
        Some("stop") => vec![CliEvent::Turn, CliEvent::Succeeded],
        Some("error" | "aborted") => {
            vec![CliEvent::Failed(told(&text(value, "message.errorMessage").unwrap_or_default()))]
        }
        Some(_) => vec![CliEvent::Turn],
        None => Vec::new(),
    }
}

/// A problem of which pi gives the status at the beginning of the error's text, or hands on the service's own answer.
fn told(message: &str) -> AgentProblem {
    let status = message.get(..3).and_then(|digits| digits.parse().ok());
    let words = if message.is_empty() { "the model's service refused" } else { message };
    of_service(problem(words, None, status.filter(|status| (400..600).contains(status))))
}
