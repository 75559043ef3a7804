//! `copilot --output-format json`: very many events; the prompt echoed; messages in pieces and whole; no tokens.

use loopwright_domain::Usage;
use serde_json::Value;

use super::problem::{of_error, problem, status, words_of_service};
use super::usage::count;
use super::value::{as_text, at, is_true, number, text};
use crate::cli_event::{CliEvent, ToolOutcome};

pub(super) fn read(kind: &str, value: &Value) -> Option<Vec<CliEvent>> {
    if kind == "result" {
        return value.get("exitCode").map(|_| result(value));
    }
    let data = value.get("data")?;
    let family = kind.split_once('.')?.0;
    if !matches!(family, "session" | "user" | "assistant" | "tool" | "model") {
        return None;
    }
    Some(event(kind, data))
}

fn event(kind: &str, data: &Value) -> Vec<CliEvent> {
    let message = text(data, "messageId");
    match kind {
        "assistant.message_delta" => {
            vec![CliEvent::Piece { message, text: text(data, "deltaContent").unwrap_or_default() }]
        }
        "assistant.message" => vec![
            CliEvent::Session { id: None, model: text(data, "model") },
            CliEvent::Whole { message, text: text(data, "content").unwrap_or_default() },
        ],
        "assistant.reasoning" => vec![CliEvent::Aside { text: text(data, "content").unwrap_or_default() }],
        "assistant.turn_end" => turns(data),
        "tool.execution_start" => vec![CliEvent::ToolCall {
            id: text(data, "toolCallId"),
            name: text(data, "toolName").unwrap_or_default(),
            input: as_text(data.get("arguments")),
        }],
        "tool.execution_complete" => vec![tool_result(data)],
        "model.call_failure" => vec![CliEvent::Retry {
            attempt: number(data, "retryAttempt").map(|before| before.saturating_add(1)),
            attempts: None,
            wait_ms: None,
            problem: problem(
                words_of_service(text(data, "errorMessage").unwrap_or_default()),
                None,
                status(data, "statusCode"),
            ),
        }],
        "session.error" => vec![CliEvent::Failed(of_error(data))],
        _ => Vec::new(),
    }
}

/// Turns are counted from 0.
fn turns(data: &Value) -> Vec<CliEvent> {
    let turn = text(data, "turnId").and_then(|turn| turn.parse::<u32>().ok());
    turn.map(|turn| CliEvent::Turns(turn.saturating_add(1))).into_iter().collect()
}

fn tool_result(data: &Value) -> CliEvent {
    let output = at(data, "result.content").or_else(|| at(data, "error.message"));
    let outcome = match text(data, "error.code").as_deref() {
        Some("denied") => ToolOutcome::Denied,
        _ => ToolOutcome::failed(!is_true(data, "success")),
    };
    CliEvent::ToolResult { id: text(data, "toolCallId"), output: as_text(output), outcome }
}

fn result(value: &Value) -> Vec<CliEvent> {
    let mut cli_events = vec![CliEvent::Session { id: text(value, "sessionId"), model: None }];
    if number(value, "exitCode") == Some(0) {
        cli_events.push(CliEvent::Succeeded);
    }
    cli_events
}

/// What a line of its telemetry (OpenTelemetry as JSON lines) says: what one response used, where it is about one. Cached
/// tokens are counted among the tokens read.
pub(crate) fn span(line: &[u8]) -> Vec<CliEvent> {
    let Ok(span) = serde_json::from_slice::<Value>(line) else { return Vec::new() };
    let Some(about) = span.get("attributes").filter(|about| is(about, "gen_ai.operation.name", "chat"))
    else {
        return Vec::new();
    };
    let tokens = |name: &str| about.get(format!("gen_ai.usage.{name}_tokens")).and_then(count);
    let (Some(input), Some(output)) = (tokens("input"), tokens("output")) else { return Vec::new() };
    let cache_read = tokens("cache_read.input").unwrap_or(0);
    let usage = Usage {
        input: input.saturating_sub(cache_read),
        output,
        cache_read,
        cache_write: tokens("cache_write.input").unwrap_or(0),
        ..Usage::default()
    };
    let response =
        ["gen_ai.response.id", "spanId"].iter().find_map(|name| about.get(name).or(span.get(name)));
    vec![CliEvent::Used { response: response.and_then(Value::as_str).map(str::to_owned), usage }]
}

fn is(value: &Value, name: &str, expected: &str) -> bool {
    value.get(name).and_then(Value::as_str) == Some(expected)
}

/// What the file of `--usage-output-file` says: tokens by model, cached ones counted among the tokens read.
pub(crate) fn usage_report(content: &[u8]) -> Vec<CliEvent> {
    let Ok(report) = serde_json::from_slice::<Value>(content) else { return Vec::new() };
    let models = at(&report, "modelMetrics").and_then(Value::as_object).into_iter().flatten();
    let mut sum = None;
    for (_, metrics) in models {
        let tokens = |name: &str| at(metrics, "usage").and_then(|usage| count(usage.get(name)?)).unwrap_or(0);
        let usage = Usage {
            input: tokens("inputTokens").saturating_sub(tokens("cacheReadTokens")),
            output: tokens("outputTokens"),
            cache_read: tokens("cacheReadTokens"),
            cache_write: tokens("cacheWriteTokens"),
            ..Usage::default()
        };
        sum = Some(sum.unwrap_or(Usage::default()).plus(&usage));
    }
    let requests = at(&report, "modelMetrics").and_then(Value::as_object).into_iter().flatten();
    let turns: u32 = requests.filter_map(|(_, metrics)| number(metrics, "requests.count")).sum();
    let told = sum.map(|usage| CliEvent::UsedInAll { usage });
    told.into_iter().chain((turns > 0).then_some(CliEvent::Turns(turns))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn about(operation: &str, usage: &Value) -> Vec<u8> {
        let mut attributes = json!({ "gen_ai.operation.name": operation, "gen_ai.response.id": "r-1" });
        for (name, tokens) in usage.as_object().into_iter().flatten() {
            attributes[format!("gen_ai.usage.{name}_tokens")] = tokens.clone();
        }
        json!({ "type": "span", "spanId": "s-1", "attributes": attributes }).to_string().into_bytes()
    }

    #[test]
    fn an_answer_counts_and_the_sum_over_all_of_them_does_not() {
        let tokens = json!({ "input": 1200, "output": 70, "cache_read.input": 200 });
        let usage = Usage { input: 1000, output: 70, cache_read: 200, ..Usage::default() };
        let response = Some("r-1".to_owned());
        assert_eq!(span(&about("chat", &tokens)), [CliEvent::Used { response, usage }]);
        assert_eq!(span(&about("invoke_agent", &tokens)), []);
        assert_eq!(span(&about("chat", &json!({}))), [], "one that was refused");
        assert_eq!(span(br#"{"type":"metric","name":"gen_ai.client.inference.usage.input_tokens"}"#), []);
    }

    proptest! {
        #[test]
        fn any_line_can_be_read(line in prop::collection::vec(any::<u8>(), 0..200), tokens in any::<f64>()) {
            span(&line);
            span(&about("chat", &json!({ "input": tokens, "output": tokens })));
        }
    }
}
