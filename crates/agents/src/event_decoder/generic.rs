//! What a simple program prints when it has JSON of its own: `{"text": "…"}`, `{"type": "message", …}`,
//! `{"role": "assistant", …}`, `{"result": "…", "usage": {…}}`. Also pi's messages and gemini's `-o json` object.

use loopwright_domain::UsageLimit;
use serde_json::Value;

use super::problem::of_error;
use super::usage;
use super::value::{as_text, at, first_text, is_true, number, text, time};
use crate::cli_event::{CliEvent, ToolOutcome};

/// Where the words of a message are.
const WORDS: &[&str] = &["text", "content", "message", "delta", "response", "output"];
/// Where the answer of a closing line is, or of an object that does not say what it is.
const ANSWERS: &[&str] = &["result", "response", "answer", "completion", "text", "content"];

/// Reads an object of no known CLI; none when nothing in it makes sense.
pub(crate) fn read(value: &Value) -> Option<Vec<CliEvent>> {
    let cli_events = match (role(value), text(value, "type")) {
        (Some(Role::Other), _) => Vec::new(),
        (Some(Role::Agent), _) => said(value, WORDS),
        (None, Some(kind)) => typed(&kind.to_ascii_lowercase(), value)?,
        (None, None) => untyped(value)?,
    };
    Some(cli_events)
}

enum Role {
    Agent,
    Other,
}

fn role(value: &Value) -> Option<Role> {
    let role = first_text(value, &["role", "message.role"])?;
    Some(match role.as_str() {
        "assistant" | "agent" | "model" | "ai" => Role::Agent,
        _ => Role::Other,
    })
}

fn typed(kind: &str, value: &Value) -> Option<Vec<CliEvent>> {
    Some(match kind {
        "message" | "assistant" | "agent" | "text" | "answer" | "response" | "output" => said(value, WORDS),
        "delta" | "chunk" | "message_delta" | "text_delta" => pieces(value),
        "thinking" | "reasoning" => {
            vec![CliEvent::Aside { text: first_text(value, &["text", "content", "thinking"])? }]
        }
        "user" | "prompt" | "input" | "system" => Vec::new(),
        "session" | "init" | "start" => vec![session(value)],
        "tool_call" | "tool_use" | "function_call" => vec![CliEvent::ToolCall {
            id: first_text(value, &["id", "call_id", "tool_call_id"]),
            name: first_text(value, &["name", "tool", "tool_name"]).unwrap_or_default(),
            input: as_text(
                ["input", "arguments", "args", "parameters"].iter().find_map(|key| at(value, key)),
            ),
        }],
        "tool_result" | "tool_output" | "function_call_output" => vec![tool_result(value)],
        "usage" => vec![CliEvent::Used {
            response: response(value),
            usage: usage::of(value).or_else(|| usage::tokens(value))?,
        }],
        "limit" | "usage_limit" => vec![CliEvent::Limit(limit(value))],
        "error" => vec![CliEvent::Failed(of_error(at(value, "error").unwrap_or(value)))],
        "result" | "final" | "done" | "complete" | "completed" | "end" => closing(value),
        _ => return None,
    })
}

/// An object that does not say what it is. Only words that mean an answer are taken: a log line has a `message` too.
fn untyped(value: &Value) -> Option<Vec<CliEvent>> {
    if let Some(error) = at(value, "error").filter(|error| error.is_string() || error.is_object()) {
        return Some(vec![CliEvent::Failed(of_error(error))]);
    }
    let mut cli_events = said(value, ANSWERS);
    if first_text(value, &["session_id", "sessionId", "session"]).is_some() {
        cli_events.push(session(value));
    }
    (!cli_events.is_empty()).then_some(cli_events)
}

/// The agent's words in an object, and what they cost.
fn said(value: &Value, places: &[&str]) -> Vec<CliEvent> {
    if is_true(value, "delta") || is_true(value, "partial") {
        return pieces(value);
    }
    let words = places.iter().filter_map(|place| words(at(value, place)?)).find(|words| !words.is_empty());
    let message = words.map(|text| CliEvent::Whole { message: response(value), text });
    let used = usage::of(value).or_else(|| usage::of(at(value, "message")?));
    let used = used.map(|usage| CliEvent::Used { response: response(value), usage });
    message.into_iter().chain(used).collect()
}

fn pieces(value: &Value) -> Vec<CliEvent> {
    let text = first_text(value, &["text", "content", "delta.text", "delta", "message"]);
    text.map(|text| CliEvent::Piece { message: response(value), text }).into_iter().collect()
}

/// A text, or the text blocks of a message.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let is_text = |block: &&Value| text(block, "type").is_none_or(|kind| kind == "text");
            let texts: Vec<String> =
                blocks.iter().filter(is_text).filter_map(|block| text(block, "text")).collect();
            Some(texts.join("\n"))
        }
        Value::Object(_) => at(value, "content").or_else(|| at(value, "text")).and_then(words),
        _ => None,
    }
}

/// A last line: the answer, and the sums of everything.
fn closing(value: &Value) -> Vec<CliEvent> {
    let mut cli_events = Vec::new();
    let failed =
        is_true(value, "is_error") || at(value, "error").is_some_and(|error| error != &Value::Bool(false));
    if failed {
        cli_events.push(CliEvent::Failed(of_error(
            at(value, "error").filter(|error| !error.is_boolean()).unwrap_or(value),
        )));
    } else {
        let answer =
            ANSWERS.iter().filter_map(|place| words(at(value, place)?)).find(|words| !words.is_empty());
        cli_events.extend(answer.map(|text| CliEvent::Answer { text }));
        cli_events.push(CliEvent::Succeeded);
    }
    cli_events.extend(usage::of(value).map(|usage| CliEvent::UsedInAll { usage }));
    cli_events.extend(number(value, "num_turns").or_else(|| number(value, "turns")).map(CliEvent::Turns));
    cli_events
}

fn session(value: &Value) -> CliEvent {
    CliEvent::Session {
        id: first_text(value, &["session_id", "sessionId", "session", "id"]),
        model: text(value, "model"),
    }
}

fn response(value: &Value) -> Option<String> {
    first_text(value, &["message_id", "messageId", "response_id", "id", "message.id"])
}

fn tool_result(value: &Value) -> CliEvent {
    let output = ["output", "content", "result", "error"].iter().find_map(|key| at(value, key));
    let outcome = match is_true(value, "denied") {
        true => ToolOutcome::Denied,
        false => ToolOutcome::failed(
            is_true(value, "is_error") || is_true(value, "failed") || at(value, "error").is_some(),
        ),
    };
    CliEvent::ToolResult {
        id: first_text(value, &["id", "call_id", "tool_call_id", "tool_use_id"]),
        output: as_text(output),
        outcome,
    }
}

fn limit(value: &Value) -> UsageLimit {
    let message =
        first_text(value, &["message", "text"]).unwrap_or_else(|| "the usage limit is reached".into());
    UsageLimit { message, resets_at: at(value, "resets_at").and_then(time) }
}
