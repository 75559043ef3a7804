//! `claude -p --output-format stream-json`: one line per content block; the last line repeats the answer and has the
//! sums. Also what qwen prints.

use loopwright_domain::UsageLimit;
use serde_json::Value;

use super::problem::{problem, status};
use super::usage;
use super::value::{as_text, at, first_text, is_true, number, text, time};
use crate::cli_event::{CliEvent, ToolOutcome};

pub(super) fn read(kind: &str, value: &Value) -> Option<Vec<CliEvent>> {
    match kind {
        "system" => Some(system(value)),
        "assistant" if at(value, "message.content").is_some() => Some(assistant(value)),
        "user" if at(value, "message").is_some() => Some(user(value)),
        "stream_event" if at(value, "event").is_some() => Some(piece(value)),
        "rate_limit_event" => Some(limit(value).into_iter().collect()),
        "result" if value.get("is_error").is_some() || value.get("subtype").is_some() => Some(result(value)),
        _ => None,
    }
}

fn system(value: &Value) -> Vec<CliEvent> {
    match text(value, "subtype").as_deref() {
        Some("init") => {
            vec![CliEvent::Session { id: text(value, "session_id"), model: text(value, "model") }]
        }
        Some("api_retry") => {
            let error = text(value, "error");
            let message = error.clone().unwrap_or_else(|| "the model's service refused".into());
            vec![CliEvent::Retry {
                attempt: number(value, "attempt"),
                attempts: number(value, "max_retries"),
                wait_ms: number(value, "retry_delay_ms"),
                problem: problem(message, error.as_deref(), status(value, "error_status")),
            }]
        }
        _ => Vec::new(),
    }
}

/// News about the account's limits. Only a refusal that no paid overage makes up for is a limit that was reached.
fn limit(value: &Value) -> Option<CliEvent> {
    let info = value.get("rate_limit_info")?;
    let allowed = |path: &str| text(info, path).is_some_and(|status| status.starts_with("allowed"));
    if text(info, "status").as_deref() != Some("rejected") || allowed("overageStatus") {
        return None;
    }
    let which = text(info, "rateLimitType").map(|kind| format!(" ({})", kind.replace('_', " ")));
    let message = format!("the account's limit is reached{}", which.unwrap_or_default());
    Some(CliEvent::Limit(UsageLimit { message, resets_at: at(info, "resetsAt").and_then(time) }))
}

/// One content block, or several. A helper's words come with the tool call they belong to; words with an error code are
/// the CLI's own about a request that failed.
fn assistant(value: &Value) -> Vec<CliEvent> {
    if let Some(code) = text(value, "error") {
        let words = blocks(value).find_map(|block| text(block, "text"));
        return vec![CliEvent::Warning(problem(words.unwrap_or_else(|| code.clone()), Some(&code), None))];
    }
    let message = text(value, "message.id");
    let own = at(value, "parent_tool_use_id").is_none();
    let mut cli_events = Vec::new();
    for block in blocks(value) {
        match text(block, "type").as_deref() {
            Some("text") => {
                let text = text(block, "text").unwrap_or_default();
                cli_events.push(match own {
                    true => CliEvent::Whole { message: message.clone(), text },
                    false => CliEvent::Aside { text },
                });
            }
            Some("thinking") => {
                cli_events.push(CliEvent::Aside { text: text(block, "thinking").unwrap_or_default() });
            }
            Some("tool_use") => cli_events.push(CliEvent::ToolCall {
                id: text(block, "id"),
                name: text(block, "name").unwrap_or_default(),
                input: as_text(block.get("input")),
            }),
            _ => {}
        }
    }
    if let Some(usage) = at(value, "message.usage").and_then(usage::tokens) {
        cli_events.push(CliEvent::Used { response: message, usage });
    }
    cli_events
}

fn user(value: &Value) -> Vec<CliEvent> {
    let results = blocks(value).filter(|block| text(block, "type").as_deref() == Some("tool_result"));
    results
        .map(|block| CliEvent::ToolResult {
            id: text(block, "tool_use_id"),
            output: as_text(block.get("content")),
            outcome: ToolOutcome::failed(is_true(block, "is_error")),
        })
        .collect()
}

fn blocks(value: &Value) -> impl Iterator<Item = &Value> {
    at(value, "message.content").and_then(Value::as_array).into_iter().flatten()
}

fn piece(value: &Value) -> Vec<CliEvent> {
    let own = at(value, "parent_tool_use_id").is_none();
    let is_text = text(value, "event.delta.type").as_deref() == Some("text_delta");
    match text(value, "event.delta.text") {
        Some(text) if own && is_text => vec![CliEvent::Piece { message: None, text }],
        _ => Vec::new(),
    }
}

/// The last line. It says "success" even for errors; `is_error` decides.
fn result(value: &Value) -> Vec<CliEvent> {
    let answer = text(value, "result").unwrap_or_default();
    let subtype = text(value, "subtype").unwrap_or_default();
    let mut cli_events = vec![CliEvent::Session { id: text(value, "session_id"), model: None }];
    let told = first_text(value, &["error.message", "result"]).filter(|told| is_api_error(value, told));
    if is_true(value, "is_error") || subtype.starts_with("error") || told.is_some() {
        let http = status(value, "api_error_status").or_else(|| told.as_deref().and_then(api_error_status));
        let message = told.or_else(|| first_text(value, &["result"])).unwrap_or_else(|| subtype.clone());
        cli_events.push(CliEvent::Failed(problem(message, Some(&subtype), http)));
    } else {
        cli_events.push(CliEvent::Answer { text: answer });
        cli_events.push(CliEvent::Succeeded);
    }
    if let Some(usage) = usage::of(value) {
        cli_events.push(CliEvent::UsedInAll { usage });
    }
    let structured = at(value, "structured_output").or_else(|| at(value, "structured_result"));
    cli_events.extend(structured.map(|answer| CliEvent::Structured(answer.to_string())));
    cli_events.extend(number(value, "num_turns").map(CliEvent::Turns));
    let denials = at(value, "permission_denials").and_then(Value::as_array).into_iter().flatten();
    cli_events
        .extend(denials.filter_map(|denial| Some(CliEvent::Denied { tool: text(denial, "tool_name")? })));
    cli_events
}

/// How qwen begins its own words about a request that failed. It puts them where the answer would be.
const API_ERROR: &str = "[API Error: ";

/// Whether an answer is qwen's own about a request that failed: no model was asked for it.
fn is_api_error(value: &Value, told: &str) -> bool {
    told.starts_with(API_ERROR) && usage::of(value).is_none_or(|usage| usage.tokens() == 0)
}

fn api_error_status(told: &str) -> Option<u16> {
    let status = told.strip_prefix(API_ERROR)?.get(..3)?.parse().ok()?;
    (400..600).contains(&status).then_some(status)
}
