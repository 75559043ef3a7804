//! `claude -p --output-format stream-json --verbose`: one line per content block, usage in the last line.

use serde_json::{Value, json};

use super::stamp::Stamp;
use super::tools::{Action, ToolNames};
use super::{MODEL, Message, SceneEnding, Shape, ToolCall, Usage, add};

const TOOLS: ToolNames = ToolNames {
    write: "Write",
    edit: "Edit",
    run: "Bash",
    path: "file_path",
    content: "content",
    old: "old_string",
    new: "new_string",
};

/// A session of this shape. A turn ends with a tool's result, as in the real stream.
pub(super) struct Claude {
    stamp: Stamp,
    message_id: Option<String>,
    turns: u64,
    last_text: String,
    total: Usage,
}

impl Claude {
    pub(super) fn new(stamp: Stamp) -> Self {
        Self { stamp, message_id: None, turns: 0, last_text: String::new(), total: Usage::default() }
    }

    fn assistant(&mut self, block: &Value) -> String {
        if self.message_id.is_none() {
            self.turns += 1;
            self.message_id = Some(self.stamp.id("msg_"));
        }
        json!({
            "type": "assistant",
            "message": {
                "id": self.message_id,
                "type": "message",
                "role": "assistant",
                "model": MODEL,
                "content": [block],
                "stop_reason": null,
                "stop_sequence": null,
                // Only the last line counts usage; here it is the value at the start of the message.
                "usage": { "input_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
                           "output_tokens": 1, "service_tier": "standard" },
                "context_management": null,
            },
            "parent_tool_use_id": null,
            "session_id": self.stamp.session(),
            "uuid": self.stamp.uuid(),
        })
        .to_string()
    }

    fn tool_result(&mut self, id: &str, call: &ToolCall) -> String {
        self.message_id = None;
        json!({
            "type": "user",
            "message": {
                "role": "user",
                "content": [{ "tool_use_id": id, "type": "tool_result", "content": call.output,
                              "is_error": call.failed }],
            },
            "parent_tool_use_id": null,
            "session_id": self.stamp.session(),
            "uuid": self.stamp.uuid(),
            "timestamp": self.stamp.time(),
            "tool_use_result": self.structured_result(call),
        })
        .to_string()
    }

    fn structured_result(&self, call: &ToolCall) -> Value {
        match &call.action {
            Action::Write { path, content, created } => json!({
                "type": if *created { "create" } else { "update" },
                "filePath": self.stamp.full(path),
                "content": content,
                "structuredPatch": [],
            }),
            Action::Edit { path, find, replace } => json!({
                "filePath": self.stamp.full(path),
                "oldString": find,
                "newString": replace,
                "structuredPatch": [],
            }),
            Action::Delete { .. } | Action::Run { .. } | Action::Other { .. } => json!({
                "stdout": call.output,
                "stderr": "",
                "interrupted": false,
                "isImage": false,
            }),
        }
    }
}

impl Shape for Claude {
    fn open(&mut self, _prompt: &str) -> Vec<String> {
        let line = json!({
            "type": "system",
            "subtype": "init",
            "cwd": self.stamp.folder(),
            "session_id": self.stamp.session(),
            "tools": [TOOLS.run, TOOLS.edit, TOOLS.write],
            "mcp_servers": [],
            "model": MODEL,
            "permissionMode": "bypassPermissions",
            "apiKeySource": "none",
            "uuid": self.stamp.uuid(),
        });
        vec![line.to_string()]
    }

    fn message(&mut self, message: &Message) -> Vec<String> {
        self.last_text.clone_from(&message.text);
        vec![self.assistant(&json!({ "type": "text", "text": message.text }))]
    }

    fn tool(&mut self, call: &ToolCall) -> Vec<String> {
        let id = self.stamp.id("toolu_");
        let (name, input) = TOOLS.describe(&call.action, &self.stamp);
        let block = json!({ "type": "tool_use", "id": id, "name": name, "input": input });
        vec![self.assistant(&block), self.tool_result(&id, call)]
    }

    fn usage(&mut self, usage: &Usage) -> Vec<String> {
        add(&mut self.total, usage);
        Vec::new()
    }

    fn close(&mut self, ending: &SceneEnding<'_>) -> Vec<String> {
        let failed = ending.code != 0;
        let total = &self.total;
        let line = json!({
            "type": "result",
            // The real CLI says "success" here even for errors; is_error decides.
            "subtype": "success",
            "is_error": failed,
            "num_turns": self.turns,
            "result": if failed { ending.reason() } else { self.last_text.clone() },
            "stop_reason": "end_turn",
            "session_id": self.stamp.session(),
            "total_cost_usd": total.cost_usd,
            "usage": { "input_tokens": total.input, "cache_creation_input_tokens": 0,
                       "cache_read_input_tokens": total.cached, "output_tokens": total.output,
                       "service_tier": "standard" },
            "modelUsage": { MODEL: { "inputTokens": total.input, "outputTokens": total.output,
                                     "cacheReadInputTokens": total.cached, "cacheCreationInputTokens": 0,
                                     "costUSD": total.cost_usd } },
            "permission_denials": [],
            "terminal_reason": "completed",
            "uuid": self.stamp.uuid(),
        });
        vec![line.to_string()]
    }
}
