//! Anthropic Messages.

use serde_json::{Value, json};

use super::{Events, ModelReply, Refusal, kind, message, pieces};
use crate::model::ask::{Ask, Offered, Step, list, text_of, word};
use crate::model::trouble::Status;

pub(super) fn read(body: &Value) -> Ask {
    let offered = list(&body["tools"]).iter().map(|tool| Offered {
        name: word(&tool["name"]),
        schema: tool["input_schema"].clone(),
        ..Offered::default()
    });
    let mut ask = Ask {
        model: word(&body["model"]),
        tools: offered.collect(),
        wants_json: body["output_config"]["format"]["type"] == "json_schema",
        stream: body["stream"] == true,
        ..Ask::default()
    };
    ask.follow(list(&body["messages"]).iter().map(step));
    ask
}

fn step(message: &Value) -> Step {
    let content = &message["content"];
    let holds_result = list(content).iter().any(|block| block["type"] == "tool_result");
    match message["role"].as_str() {
        Some("assistant") => Step::Spoken,
        Some("user") if !holds_result => Step::Typed(text_of(content)),
        _ => Step::Other,
    }
}

pub(super) fn document(ask: &Ask, answer: &ModelReply) -> Value {
    let blocks: Vec<Value> = blocks(answer).into_iter().map(|block| block.whole).collect();
    envelope(ask, answer, &json!(blocks), &json!(stop_reason(answer)), answer.usage.output)
}

pub(super) fn events(ask: &Ask, answer: &ModelReply) -> Events {
    let mut events = Events::default();
    // The count of tokens that a stream begins with is only where it begins.
    let start = envelope(ask, answer, &json!([]), &Value::Null, 1);
    events.add_named(&json!({ "type": "message_start", "message": start }));
    events.add_named(&json!({ "type": "ping" }));
    events.overload_here();
    for (index, block) in blocks(answer).into_iter().enumerate() {
        let is_text = block.whole["type"] == "text";
        events.add_named(
            &json!({ "type": "content_block_start", "index": index, "content_block": block.empty }),
        );
        for (number, delta) in block.deltas.iter().enumerate() {
            events.add_named(&json!({ "type": "content_block_delta", "index": index, "delta": delta }));
            events.text_here(is_text && number == 0);
        }
        events.add_named(&json!({ "type": "content_block_stop", "index": index }));
    }
    let delta = json!({ "stop_reason": stop_reason(answer), "stop_sequence": null });
    let end = json!({ "type": "message_delta", "delta": delta, "usage": usage(answer, answer.usage.output) });
    events.add_named(&end);
    events.add_named(&json!({ "type": "message_stop" }));
    events
}

/// A content block: in whole, as it begins in a stream, and the pieces that fill it.
struct Block {
    whole: Value,
    empty: Value,
    deltas: Vec<Value>,
}

fn blocks(answer: &ModelReply) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !answer.thought.is_empty() {
        let mut deltas: Vec<Value> = pieces(&answer.thought)
            .iter()
            .map(|piece| json!({ "type": "thinking_delta", "thinking": piece }))
            .collect();
        deltas.push(json!({ "type": "signature_delta", "signature": "c2lnbmVk" }));
        let block = |thought: &str, signature: &str| json!({ "type": "thinking", "thinking": thought, "signature": signature });
        blocks.push(Block { whole: block(&answer.thought, "c2lnbmVk"), empty: block("", ""), deltas });
    }
    if !answer.text.is_empty() {
        let pieces = pieces(&answer.text);
        let deltas = pieces.iter().map(|piece| json!({ "type": "text_delta", "text": piece })).collect();
        let block = |text: &str| json!({ "type": "text", "text": text });
        blocks.push(Block { whole: block(&answer.text), empty: block(""), deltas });
    }
    for (number, call) in answer.calls.iter().enumerate() {
        let pieces = pieces(&call.text());
        let deltas =
            pieces.iter().map(|piece| json!({ "type": "input_json_delta", "partial_json": piece })).collect();
        let block = |input: Value| json!({ "type": "tool_use", "id": answer.call_id(number), "name": call.name, "input": input });
        blocks.push(Block { whole: block(call.value()), empty: block(json!({})), deltas });
    }
    blocks
}

fn envelope(ask: &Ask, answer: &ModelReply, content: &Value, stop: &Value, output: u64) -> Value {
    json!({
        "id": format!("msg_{}", answer.id),
        "type": "message",
        "role": "assistant",
        "model": ask.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": usage(answer, output),
    })
}

fn usage(answer: &ModelReply, output: u64) -> Value {
    json!({
        "input_tokens": answer.usage.input,
        "cache_creation_input_tokens": answer.usage.cache_write,
        "cache_read_input_tokens": answer.usage.cache_read,
        "output_tokens": output,
        "service_tier": "standard",
    })
}

fn stop_reason(answer: &ModelReply) -> &'static str {
    if answer.calls.is_empty() { "end_turn" } else { "tool_use" }
}

pub(super) fn overload() -> Value {
    json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } })
}

pub(super) fn refuse(status: &Status, now: u64) -> Refusal {
    let (usual_kind, usual_words) = match status.code {
        400 => ("invalid_request_error", "The request is not valid."),
        401 => ("authentication_error", "invalid x-api-key"),
        403 => ("permission_error", "The key may not use this."),
        404 => ("not_found_error", "There is no such model."),
        429 => ("rate_limit_error", "This request would exceed the rate limit."),
        529 => ("overloaded_error", "Overloaded"),
        _ => ("api_error", "Internal server error"),
    };
    let error = json!({ "type": kind(status, usual_kind), "message": message(status, usual_words) });
    let headers = status.resets_in.map(|seconds| {
        let unified = |name: &str, value: String| (format!("anthropic-ratelimit-unified-{name}"), value);
        vec![
            unified("status", "rejected".to_owned()),
            unified("reset", (now + seconds).to_string()),
            unified("representative-claim", "five_hour".to_owned()),
        ]
    });
    let body = json!({ "type": "error", "error": error, "request_id": "req_scripted" });
    Refusal { headers: headers.unwrap_or_default(), body }
}
