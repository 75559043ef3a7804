//! OpenAI Responses.

use serde_json::{Value, json};

use super::{Events, ModelReply, pieces};
use crate::model::ask::{Ask, Offered, Step, list, text_of, word};
use crate::model::tools::{Input, ToolUse};

pub(super) fn read(body: &Value) -> Ask {
    let mut ask = Ask {
        model: word(&body["model"]),
        wants_json: body["text"]["format"]["type"] == "json_schema",
        stream: body["stream"] == true,
        ..Ask::default()
    };
    let items = list(&body["input"]);
    let later = items.iter().filter(|item| item["type"] == "additional_tools");
    for tool in list(&body["tools"]).iter().chain(later.flat_map(|item| list(&item["tools"]))) {
        offer(tool, None, &mut ask.tools);
    }
    if let Some(text) = body["input"].as_str() {
        ask.follow([Step::Typed(text.to_owned())]);
    }
    ask.follow(steps(items));
    ask
}

fn offer(tool: &Value, namespace: Option<&str>, tools: &mut Vec<Offered>) {
    if tool["type"] == "namespace" {
        list(&tool["tools"]).iter().for_each(|inner| offer(inner, tool["name"].as_str(), tools));
        return;
    }
    tools.push(Offered {
        name: word(if tool["name"].is_null() { &tool["type"] } else { &tool["name"] }),
        schema: tool["parameters"].clone(),
        is_free: tool["type"] == "custom",
        namespace: namespace.map(str::to_owned),
    });
}

/// One answer of the model is several items here: thoughts, text and calls up to the first result count once.
fn steps(items: &[Value]) -> Vec<Step> {
    let mut is_speaking = false;
    let step = |item: &Value| {
        let is_message = item["type"].is_null() || item["type"] == "message";
        let is_typed = is_message && item["role"] == "user";
        let kind = item["type"].as_str().unwrap_or_default();
        let is_spoken =
            is_message && item["role"] == "assistant" || kind.ends_with("_call") || kind == "reasoning";
        let began = is_spoken && !is_speaking;
        is_speaking = is_spoken;
        match () {
            () if is_typed => Step::Typed(text_of(&item["content"])),
            () if began => Step::Spoken,
            () => Step::Other,
        }
    };
    items.iter().map(step).collect()
}

pub(super) fn document(ask: &Ask, answer: &ModelReply) -> Value {
    envelope(ask, answer, "completed", &items(answer))
}

pub(super) fn events(ask: &Ask, answer: &ModelReply) -> Events {
    let mut stream = ResponseStream::default();
    stream.add("response.created", json!({ "response": envelope(ask, answer, "in_progress", &[]) }));
    stream.events.overload_here();
    let items = items(answer);
    for (index, item) in items.iter().enumerate() {
        stream.item(index, item);
    }
    stream.add("response.completed", json!({ "response": envelope(ask, answer, "completed", &items) }));
    stream.events
}

/// Events with their numbers.
#[derive(Default)]
struct ResponseStream {
    events: Events,
}

impl ResponseStream {
    fn add(&mut self, kind: &str, mut data: Value) {
        data["type"] = json!(kind);
        data["sequence_number"] = json!(self.events.events.len());
        self.events.add_named(&data);
    }

    fn item(&mut self, index: usize, item: &Value) {
        let id = &item["id"];
        self.add("response.output_item.added", json!({ "output_index": index, "item": begun(item) }));
        match item["type"].as_str().unwrap_or_default() {
            "message" => self.text(index, id, &item["content"][0]),
            "reasoning" => self.thought(index, id, &item["summary"][0]),
            "custom_tool_call" => self.call("response.custom_tool_call_input", "input", index, item),
            _ => self.call("response.function_call_arguments", "arguments", index, item),
        }
        self.add("response.output_item.done", json!({ "output_index": index, "item": item }));
    }

    fn text(&mut self, index: usize, id: &Value, part: &Value) {
        let at = json!({ "item_id": id, "output_index": index, "content_index": 0 });
        let mut empty = part.clone();
        empty["text"] = json!("");
        self.add("response.content_part.added", with(&at, "part", &empty));
        for (number, piece) in pieces(&word(&part["text"])).into_iter().enumerate() {
            self.add("response.output_text.delta", with(&at, "delta", &json!(piece)));
            self.events.text_here(number == 0);
        }
        self.add("response.output_text.done", with(&at, "text", &part["text"]));
        self.add("response.content_part.done", with(&at, "part", part));
    }

    fn thought(&mut self, index: usize, id: &Value, part: &Value) {
        let at = json!({ "item_id": id, "output_index": index, "summary_index": 0 });
        let empty = json!({ "type": "summary_text", "text": "" });
        self.add("response.reasoning_summary_part.added", with(&at, "part", &empty));
        for piece in pieces(&word(&part["text"])) {
            self.add("response.reasoning_summary_text.delta", with(&at, "delta", &json!(piece)));
        }
        self.add("response.reasoning_summary_text.done", with(&at, "text", &part["text"]));
        self.add("response.reasoning_summary_part.done", with(&at, "part", part));
    }

    fn call(&mut self, kind: &str, field: &str, index: usize, item: &Value) {
        let at = json!({ "item_id": item["id"], "output_index": index });
        for piece in pieces(&word(&item[field])) {
            self.add(&format!("{kind}.delta"), with(&at, "delta", &json!(piece)));
        }
        self.add(&format!("{kind}.done"), with(&at, field, &item[field]));
    }
}

fn with(at: &Value, field: &str, value: &Value) -> Value {
    let mut data = at.clone();
    data[field] = value.clone();
    data
}

/// An item as it begins: without what the events bring.
fn begun(item: &Value) -> Value {
    let mut begun = item.clone();
    begun["status"] = json!("in_progress");
    for (field, nothing) in
        [("content", json!([])), ("summary", json!([])), ("arguments", json!("")), ("input", json!(""))]
    {
        if !begun[field].is_null() {
            begun[field] = nothing;
        }
    }
    begun
}

fn items(answer: &ModelReply) -> Vec<Value> {
    let mut items = Vec::new();
    if !answer.thought.is_empty() {
        let summary = json!([{ "type": "summary_text", "text": answer.thought }]);
        items.push(json!({ "type": "reasoning", "id": format!("rs_{}", answer.id), "summary": summary }));
    }
    if !answer.text.is_empty() {
        let content = json!([{ "type": "output_text", "text": answer.text, "annotations": [] }]);
        items.push(json!({
            "type": "message",
            "id": format!("msg_{}", answer.id),
            "role": "assistant",
            "status": "completed",
            "content": content,
        }));
    }
    items.extend(
        answer.calls.iter().enumerate().map(|(number, call)| tool_item(call, &answer.call_id(number))),
    );
    items
}

fn tool_item(call: &ToolUse, id: &str) -> Value {
    let (kind, field) = match call.input {
        Input::Arguments(_) => ("function_call", "arguments"),
        Input::Free(_) => ("custom_tool_call", "input"),
    };
    let mut item = json!({ "type": kind, "id": format!("item_{id}"), "call_id": id, "name": call.name, "status": "completed" });
    item[field] = json!(call.text());
    if let Some(namespace) = &call.namespace {
        item["namespace"] = json!(namespace);
    }
    item
}

fn envelope(ask: &Ask, answer: &ModelReply, status: &str, items: &[Value]) -> Value {
    let usage = &answer.usage;
    let input = usage.input + usage.cache_read;
    let spent = json!({
        "input_tokens": input,
        "input_tokens_details": { "cached_tokens": usage.cache_read },
        "output_tokens": usage.output,
        "output_tokens_details": { "reasoning_tokens": usage.reasoning },
        "total_tokens": input + usage.output,
    });
    json!({
        "id": format!("resp_{}", answer.id),
        "object": "response",
        "created_at": 1_700_000_000,
        "status": status,
        "model": ask.model,
        "output": items,
        "usage": if status == "completed" { spent } else { Value::Null },
        "error": null,
    })
}

pub(super) fn overload() -> Value {
    let error = json!({ "code": "server_is_overloaded", "message": "The server is overloaded." });
    let response =
        json!({ "id": "resp_overloaded", "object": "response", "status": "failed", "error": error });
    json!({ "type": "response.failed", "response": response, "sequence_number": 1 })
}
