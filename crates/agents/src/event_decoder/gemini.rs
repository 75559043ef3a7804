//! `gemini -o stream-json`: the prompt echoed, messages in pieces without ids. Also its `-o json` object.

use loopwright_domain::Usage;
use serde_json::Value;

use super::problem::{of_error, of_service};
use super::usage::{self, count};
use super::value::{as_text, at, is_true, text};
use crate::cli_event::{CliEvent, ToolOutcome};

pub(super) fn read(kind: &str, value: &Value) -> Option<Vec<CliEvent>> {
    match kind {
        "init" => Some(vec![CliEvent::Session { id: text(value, "session_id"), model: chosen(value) }]),
        "message" => message(value),
        "tool_use" if value.get("tool_name").is_some() => Some(vec![CliEvent::ToolCall {
            id: text(value, "tool_id"),
            name: text(value, "tool_name").unwrap_or_default(),
            input: as_text(value.get("parameters")),
        }]),
        "tool_result" if value.get("tool_id").is_some() => Some(vec![CliEvent::ToolResult {
            id: text(value, "tool_id"),
            output: as_text(at(value, "output").or_else(|| at(value, "error.message"))),
            outcome: outcome(value),
        }]),
        "result" if value.get("status").is_some() => Some(result(value)),
        _ => None,
    }
}

/// The model that was chosen; none where that is left to it ("auto").
fn chosen(value: &Value) -> Option<String> {
    text(value, "model").filter(|model| !model.starts_with("auto"))
}

/// A tool that is not offered in this mode is one that it may not use.
fn outcome(value: &Value) -> ToolOutcome {
    match text(value, "error.type").as_deref() {
        Some("tool_not_registered" | "policy_violation" | "execution_denied") => ToolOutcome::Denied,
        _ => ToolOutcome::failed(text(value, "status").as_deref() == Some("error")),
    }
}

fn message(value: &Value) -> Option<Vec<CliEvent>> {
    let (role, text) = (text(value, "role")?, text(value, "content")?);
    if role != "assistant" {
        return Some(Vec::new());
    }
    let message = None;
    Some(vec![match is_true(value, "delta") {
        true => CliEvent::Piece { message, text },
        false => CliEvent::Whole { message, text },
    }])
}

fn result(value: &Value) -> Vec<CliEvent> {
    let ended = match at(value, "error") {
        Some(error) => CliEvent::Failed(of_service(of_error(error))),
        None if text(value, "status").as_deref() == Some("error") => CliEvent::Failed(of_error(value)),
        None => CliEvent::Succeeded,
    };
    let used = used(value).map(|usage| CliEvent::UsedInAll { usage });
    used.into_iter().chain(busiest(value).map(CliEvent::Model)).chain([ended]).collect()
}

/// What everything used. Thoughts are in its sum and nowhere else, and cost what written tokens cost.
fn used(value: &Value) -> Option<Usage> {
    let tokens = |name: &str| at(value, "stats")?.get(name).and_then(count);
    let known = tokens("input_tokens").unwrap_or(0).saturating_add(tokens("output_tokens").unwrap_or(0));
    let thoughts = tokens("total_tokens").unwrap_or(0).saturating_sub(known);
    usage::of(value).map(|usage| Usage { output: usage.output.saturating_add(thoughts), ..usage })
}

/// The model that used most: a smaller one may have looked at the task first.
fn busiest(value: &Value) -> Option<String> {
    let models = at(value, "stats.models")?.as_object()?;
    let tokens = |usage: &Value| usage.get("total_tokens").and_then(count);
    let most = models.iter().max_by_key(|(_, usage)| tokens(usage))?;
    Some(most.0.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn thoughts_are_paid_for_and_the_busiest_model_is_the_one() {
        let models = json!({ "small": { "total_tokens": 13 }, "large": { "total_tokens": 900 } });
        let stats = json!({ "total_tokens": 913, "input_tokens": 800, "output_tokens": 60, "cached": 300,
                            "input": 500, "models": models });
        let told = read("result", &json!({ "type": "result", "status": "success", "stats": stats }));
        let usage = Usage { input: 500, output: 60 + 53, cache_read: 300, ..Usage::default() };
        let model = CliEvent::Model("large".to_owned());
        assert_eq!(told, Some(vec![CliEvent::UsedInAll { usage }, model, CliEvent::Succeeded]));
    }

    #[test]
    fn a_model_that_is_left_to_it_is_no_model() {
        let told = |model: &str| read("init", &json!({ "session_id": "s", "model": model }));
        let session = |model: Option<&str>| {
            Some(vec![CliEvent::Session { id: Some("s".to_owned()), model: model.map(str::to_owned) }])
        };
        assert_eq!(told("auto"), session(None));
        assert_eq!(told("gemini-3-pro"), session(Some("gemini-3-pro")));
    }
}
