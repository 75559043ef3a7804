//! Gemini's generateContent and streamGenerateContent.

use serde_json::{Value, json};

use super::{Events, ModelReply, Refusal, kind, message, pieces};
use crate::model::ask::{Ask, Offered, Step, list, text_of, word};
use crate::model::trouble::Status;

pub(super) fn read(path: &str, body: &Value) -> Ask {
    let declared = list(&body["tools"]).iter().flat_map(|tool| list(&tool["functionDeclarations"]));
    let offered = declared.map(|tool| {
        let plain = &tool["parametersJsonSchema"];
        let schema = if plain.is_null() { &tool["parameters"] } else { plain };
        Offered { name: word(&tool["name"]), schema: schema.clone(), ..Offered::default() }
    });
    let model = path.rsplit('/').next().and_then(|last| last.split(':').next()).unwrap_or_default();
    let mut ask = Ask {
        model: model.to_owned(),
        tools: offered.collect(),
        wants_json: body["generationConfig"]["responseMimeType"] == "application/json",
        stream: path.ends_with(":streamGenerateContent"),
        ..Ask::default()
    };
    ask.follow(list(&body["contents"]).iter().map(|content| {
        let holds_result = list(&content["parts"]).iter().any(|part| !part["functionResponse"].is_null());
        match content["role"].as_str() {
            Some("model") => Step::Spoken,
            _ if holds_result => Step::Other,
            _ => Step::Typed(text_of(&content["parts"])),
        }
    }));
    ask
}

pub(super) fn document(ask: &Ask, answer: &ModelReply) -> Value {
    let mut parts = Vec::new();
    if !answer.text.is_empty() {
        parts.push(json!({ "text": answer.text }));
    }
    parts.extend(calls(answer));
    candidate(ask, answer, &parts, true)
}

pub(super) fn events(ask: &Ask, answer: &ModelReply) -> Events {
    let mut events = Events::default();
    events.overload_here();
    if !answer.thought.is_empty() {
        let thought = json!({ "text": answer.thought, "thought": true });
        events.add(&candidate(ask, answer, &[thought], false));
    }
    for (number, piece) in pieces(&answer.text).into_iter().enumerate() {
        events.add(&candidate(ask, answer, &[json!({ "text": piece })], false));
        events.text_here(number == 0);
    }
    let calls = calls(answer);
    let last = if calls.is_empty() { vec![json!({ "text": "" })] } else { calls };
    events.add(&candidate(ask, answer, &last, true));
    events
}

fn calls(answer: &ModelReply) -> Vec<Value> {
    let call = |number: usize| {
        let tool = &answer.calls[number];
        let call = json!({ "id": answer.call_id(number), "name": tool.name, "args": tool.value() });
        json!({ "functionCall": call, "thoughtSignature": "c2lnbmVk" })
    };
    (0..answer.calls.len()).map(call).collect()
}

fn candidate(ask: &Ask, answer: &ModelReply, parts: &[Value], is_last: bool) -> Value {
    let mut candidate = json!({ "content": { "role": "model", "parts": parts }, "index": 0 });
    if is_last {
        candidate["finishReason"] = json!("STOP");
    }
    let usage = &answer.usage;
    let input = usage.input + usage.cache_read;
    json!({
        "candidates": [candidate],
        "modelVersion": ask.model,
        "responseId": answer.id,
        "usageMetadata": {
            "promptTokenCount": input,
            "candidatesTokenCount": usage.output,
            "totalTokenCount": input + usage.output + usage.reasoning,
            "cachedContentTokenCount": usage.cache_read,
            "thoughtsTokenCount": usage.reasoning,
        },
    })
}

pub(super) fn overload() -> Value {
    json!({ "error": { "code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE" } })
}

pub(super) fn refuse(status: &Status) -> Refusal {
    let (usual_kind, usual_words) = match status.code {
        400 => ("INVALID_ARGUMENT", "The request is not valid."),
        401 => ("UNAUTHENTICATED", "API key not valid."),
        403 => ("PERMISSION_DENIED", "The key may not use this."),
        404 => ("NOT_FOUND", "There is no such model."),
        429 => ("RESOURCE_EXHAUSTED", "You exceeded your current quota."),
        503 | 529 => ("UNAVAILABLE", "The model is overloaded."),
        _ => ("INTERNAL", "An internal error has occurred."),
    };
    let mut error = json!({
        "code": status.code,
        "message": message(status, usual_words),
        "status": kind(status, usual_kind),
    });
    if let Some(seconds) = status.resets_in {
        error["details"] = json!([
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{seconds}s") },
        ]);
    }
    Refusal { headers: Vec::new(), body: json!({ "error": error }) }
}
