//! `codex exec --json`: a thread of items. Usage is a sum over the whole thread.

use loopwright_domain::AgentProblem;
use serde_json::Value;

use super::problem::problem;
use super::usage;
use super::value::{as_text, at, text};
use crate::cli_event::{CliEvent, ToolOutcome};

pub(super) fn read(kind: &str, value: &Value) -> Option<Vec<CliEvent>> {
    match kind {
        "thread.started" => Some(vec![CliEvent::Session { id: text(value, "thread_id"), model: None }]),
        "turn.started" | "item.updated" => Some(Vec::new()),
        "item.started" => Some(item_started(value.get("item")?)),
        "item.completed" => Some(item_completed(value.get("item")?)),
        "turn.completed" => Some(turn_completed(value)),
        "turn.failed" => {
            Some(vec![CliEvent::Failed(told(&text(value, "error.message").unwrap_or_default()))])
        }
        "error" => {
            let message = text(value, "message")?;
            Some(vec![reconnecting(&message).unwrap_or_else(|| CliEvent::Warning(told(&message)))])
        }
        _ => None,
    }
}

fn turn_completed(value: &Value) -> Vec<CliEvent> {
    let used = usage::of(value).map(|usage| CliEvent::UsedInAll { usage });
    used.into_iter().chain([CliEvent::Succeeded]).collect()
}

fn item_started(item: &Value) -> Vec<CliEvent> {
    match call(item) {
        Some((name, input)) => vec![CliEvent::ToolCall { id: text(item, "id"), name, input }],
        None => Vec::new(),
    }
}

/// A finished item. Those of tools were told when they began, or, when they were not, begin and end here.
fn item_completed(item: &Value) -> Vec<CliEvent> {
    let id = text(item, "id");
    match text(item, "type").as_deref() {
        Some("agent_message") => {
            vec![CliEvent::Whole { message: id, text: text(item, "text").unwrap_or_default() }]
        }
        Some("reasoning") => vec![CliEvent::Aside { text: text(item, "text").unwrap_or_default() }],
        Some("error") => vec![CliEvent::Warning(told(&text(item, "message").unwrap_or_default()))],
        _ if call(item).is_some() => {
            let exit = at(item, "exit_code").and_then(Value::as_i64).unwrap_or(0);
            let outcome = match text(item, "status").as_deref() {
                Some("declined") => ToolOutcome::Denied,
                status => ToolOutcome::failed(status == Some("failed") || exit != 0),
            };
            let output = ["aggregated_output", "result", "error.message", "changes"]
                .iter()
                .find_map(|key| at(item, key));
            vec![CliEvent::ToolResult { id, output: as_text(output), outcome }]
        }
        _ => Vec::new(),
    }
}

/// The tool that an item is about, and what it is asked for.
fn call(item: &Value) -> Option<(String, String)> {
    let kind = text(item, "type")?;
    let (name, input) = match kind.as_str() {
        "command_execution" => (kind, item.get("command")),
        "file_change" => (kind, item.get("changes")),
        "mcp_tool_call" => (text(item, "tool").unwrap_or(kind), item.get("arguments")),
        "collab_tool_call" => (text(item, "tool").unwrap_or(kind), item.get("prompt")),
        "web_search" => (kind, item.get("query")),
        _ => return None,
    };
    Some((name, as_text(input)))
}

/// How codex begins its own sentences about troubles that it gives no code for. They stand in its error events only.
const SENTENCES: &[(&str, &str)] = &[
    ("You've hit your usage limit", "usage_limit"),
    ("You’ve hit your usage limit", "usage_limit"),
    ("Quota exceeded.", "insufficient_quota"),
    ("We're currently experiencing high demand", "overloaded"),
    ("We’re currently experiencing high demand", "overloaded"),
    ("stream disconnected before completion", "connection"),
];

/// A problem of which codex gives the status only inside the error's text, or says by a sentence of its own.
fn told(message: &str) -> AgentProblem {
    let status = message
        .split_once("status")
        .map(|(_, rest)| rest.trim_start_matches([':', ' ']))
        .and_then(|rest| rest.get(..3)?.parse().ok())
        .filter(|status| (400..600).contains(status));
    let code = SENTENCES.iter().find(|(sentence, _)| message.starts_with(sentence)).map(|(_, code)| *code);
    problem(message, code, status)
}

/// `Reconnecting... 2/5 (why)`.
fn reconnecting(message: &str) -> Option<CliEvent> {
    let rest = message.strip_prefix("Reconnecting...")?.trim_start();
    let (counts, why) = rest.split_once(' ').unwrap_or((rest, ""));
    let counts = counts.split_once('/')?;
    let why = why.trim().strip_prefix('(').and_then(|why| why.strip_suffix(')'));
    Some(CliEvent::Retry {
        attempt: counts.0.parse().ok(),
        attempts: counts.1.parse().ok(),
        wait_ms: None,
        problem: told(why.unwrap_or(message)),
    })
}
