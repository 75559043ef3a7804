//! `codex exec --json`: a thread with one turn of items.

use serde_json::{Value, json};

use super::stamp::Stamp;
use super::tools::{Action, command_line};
use super::{Message, SceneEnding, Shape, ToolCall, Usage, add};

/// A session of this shape. Items are counted from 0.
pub(super) struct Codex {
    stamp: Stamp,
    items: u64,
    total: Usage,
}

impl Codex {
    pub(super) fn new(stamp: Stamp) -> Self {
        Self { stamp, items: 0, total: Usage::default() }
    }

    fn next_item(&mut self) -> String {
        self.items += 1;
        format!("item_{}", self.items - 1)
    }
}

fn command_item(id: &str, command: &str, output: &str, exit_code: Option<i32>, status: &str) -> Value {
    json!({ "id": id, "type": "command_execution", "command": command, "aggregated_output": output,
            "exit_code": exit_code, "status": status })
}

fn file_item(id: &str, path: &str, kind: &str, status: &str) -> Value {
    json!({ "id": id, "type": "file_change", "changes": [{ "path": path, "kind": kind }], "status": status })
}

impl Shape for Codex {
    fn open(&mut self, _prompt: &str) -> Vec<String> {
        vec![
            json!({ "type": "thread.started", "thread_id": self.stamp.session() }).to_string(),
            json!({ "type": "turn.started" }).to_string(),
        ]
    }

    fn message(&mut self, message: &Message) -> Vec<String> {
        let item = json!({ "id": self.next_item(), "type": "agent_message", "text": message.text });
        vec![json!({ "type": "item.completed", "item": item }).to_string()]
    }

    fn tool(&mut self, call: &ToolCall) -> Vec<String> {
        let id = self.next_item();
        let status = if call.failed { "failed" } else { "completed" };
        let change = |path: &str, kind: &str| {
            let path = self.stamp.full(path);
            (file_item(&id, &path, kind, "in_progress"), file_item(&id, &path, kind, status))
        };
        let (started, completed) = match &call.action {
            Action::Write { path, created, .. } => change(path, if *created { "add" } else { "update" }),
            Action::Edit { path, .. } => change(path, "update"),
            Action::Delete { path } => change(path, "delete"),
            Action::Run { .. } | Action::Other { .. } => {
                let command = command_line(&call.action);
                let code = call.exit_code.or(Some(i32::from(call.failed)));
                (
                    command_item(&id, &command, "", None, "in_progress"),
                    command_item(&id, &command, &call.output, code, status),
                )
            }
        };
        vec![
            json!({ "type": "item.started", "item": started }).to_string(),
            json!({ "type": "item.completed", "item": completed }).to_string(),
        ]
    }

    fn usage(&mut self, usage: &Usage) -> Vec<String> {
        add(&mut self.total, usage);
        Vec::new()
    }

    fn close(&mut self, ending: &SceneEnding<'_>) -> Vec<String> {
        if ending.code != 0 {
            let reason = ending.reason();
            return vec![
                json!({ "type": "error", "message": reason }).to_string(),
                json!({ "type": "turn.failed", "error": { "message": reason } }).to_string(),
            ];
        }
        let usage = json!({
            // Here the input counts the cached tokens too.
            "input_tokens": self.total.input + self.total.cached,
            "cached_input_tokens": self.total.cached,
            "cache_write_input_tokens": 0,
            "output_tokens": self.total.output,
            "reasoning_output_tokens": 0,
        });
        vec![json!({ "type": "turn.completed", "usage": usage }).to_string()]
    }
}
