//! OpenAI chat completions.

use serde_json::{Value, json};

use super::{Events, ModelReply, Refusal, kind, message, pieces};
use crate::model::ask::{Ask, Offered, Step, list, text_of, word};
use crate::model::script::Usage;
use crate::model::trouble::Status;

pub(super) fn read(body: &Value) -> Ask {
    let offered = list(&body["tools"]).iter().map(|tool| Offered {
        name: word(&tool["function"]["name"]),
        schema: tool["function"]["parameters"].clone(),
        ..Offered::default()
    });
    let mut ask = Ask {
        model: word(&body["model"]),
        tools: offered.collect(),
        wants_json: body["response_format"]["type"] == "json_schema",
        stream: body["stream"] == true,
        ..Ask::default()
    };
    ask.follow(list(&body["messages"]).iter().map(|message| match message["role"].as_str() {
        Some("assistant") => Step::Spoken,
        Some("user") => Step::Typed(text_of(&message["content"])),
        _ => Step::Other,
    }));
    ask
}

pub(super) fn document(ask: &Ask, answer: &ModelReply) -> Value {
    let calls: Vec<Value> = (0..answer.calls.len()).map(|number| call(answer, number, None)).collect();
    let mut said = json!({ "role": "assistant", "content": answer.text });
    if !calls.is_empty() {
        said["tool_calls"] = json!(calls);
    }
    let choice = json!({ "index": 0, "message": said, "finish_reason": finish(answer) });
    let mut whole = envelope(ask, answer, "chat.completion");
    whole["choices"] = json!([choice]);
    whole["usage"] = usage(answer.usage);
    whole
}

pub(super) fn events(ask: &Ask, answer: &ModelReply) -> Events {
    let mut events = Events::default();
    let chunk = |delta: Value, finish: Option<&str>| {
        let mut chunk = envelope(ask, answer, "chat.completion.chunk");
        chunk["choices"] = json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
        chunk
    };
    events.add(&chunk(json!({ "role": "assistant", "content": "" }), None));
    events.overload_here();
    for piece in pieces(&answer.thought) {
        events.add(&chunk(json!({ "reasoning_content": piece }), None));
    }
    for (number, piece) in pieces(&answer.text).into_iter().enumerate() {
        events.add(&chunk(json!({ "content": piece }), None));
        events.text_here(number == 0);
    }
    for (number, tool) in answer.calls.iter().enumerate() {
        events.add(&chunk(json!({ "tool_calls": [call(answer, number, Some(""))] }), None));
        for piece in pieces(&tool.text()) {
            let part = json!({ "index": number, "function": { "arguments": piece } });
            events.add(&chunk(json!({ "tool_calls": [part] }), None));
        }
    }
    events.add(&chunk(json!({}), Some(finish(answer))));
    let mut last = envelope(ask, answer, "chat.completion.chunk");
    last["choices"] = json!([]);
    last["usage"] = usage(answer.usage);
    events.add(&last);
    events.events.push("data: [DONE]\n\n".to_owned());
    events
}

/// A tool call, with these arguments instead of its own where it only begins.
fn call(answer: &ModelReply, number: usize, arguments: Option<&str>) -> Value {
    let tool = &answer.calls[number];
    let arguments = arguments.map_or_else(|| tool.text(), str::to_owned);
    json!({
        "index": number,
        "id": answer.call_id(number),
        "type": "function",
        "function": { "name": tool.name, "arguments": arguments },
    })
}

fn envelope(ask: &Ask, answer: &ModelReply, object: &str) -> Value {
    json!({
        "id": format!("chatcmpl-{}", answer.id),
        "object": object,
        "created": 1_700_000_000,
        "model": ask.model,
    })
}

fn finish(answer: &ModelReply) -> &'static str {
    if answer.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn usage(usage: Usage) -> Value {
    let input = usage.input + usage.cache_read;
    json!({
        "prompt_tokens": input,
        "completion_tokens": usage.output,
        "total_tokens": input + usage.output,
        "prompt_tokens_details": { "cached_tokens": usage.cache_read },
        "completion_tokens_details": { "reasoning_tokens": usage.reasoning },
    })
}

pub(super) fn overload() -> Value {
    json!({ "error": { "message": "Overloaded", "type": "server_error", "code": null } })
}

/// The same for both of OpenAI's services.
pub(super) fn refuse(status: &Status, now: u64) -> Refusal {
    let (usual_kind, code, usual_words) = match status.code {
        400 => ("invalid_request_error", None, "The request is not valid."),
        401 => ("invalid_request_error", Some("invalid_api_key"), "Incorrect API key provided."),
        429 if status.resets_in.is_some() => {
            ("usage_limit_reached", None, "The usage limit has been reached.")
        }
        429 => ("rate_limit_exceeded", Some("rate_limit_exceeded"), "Rate limit reached."),
        529 | 503 => ("server_error", Some("server_is_overloaded"), "The server is overloaded."),
        _ => ("server_error", None, "The server had an error."),
    };
    let mut error = json!({
        "message": message(status, usual_words),
        "type": kind(status, usual_kind),
        "param": null,
        "code": code,
    });
    let mut headers = Vec::new();
    if let Some(seconds) = status.resets_in {
        error["resets_at"] = json!(now + seconds);
        error["resets_in_seconds"] = json!(seconds);
        error["plan_type"] = json!("plus");
        headers.push(("x-ratelimit-remaining-requests".to_owned(), "0".to_owned()));
        headers.push(("x-ratelimit-reset-requests".to_owned(), format!("{seconds}s")));
    }
    Refusal { headers, body: json!({ "error": error }) }
}
