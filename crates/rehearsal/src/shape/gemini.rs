//! `gemini -o stream-json`: the prompt is echoed, messages come in pieces, usage is in the last line.

use serde_json::{Value, json};

use super::stamp::Stamp;
use super::tools::ToolNames;
use super::{MODEL, Message, SceneEnding, Shape, ToolCall, Usage, add, pieces};

const TOOLS: ToolNames = ToolNames {
    write: "write_file",
    edit: "replace",
    run: "run_shell_command",
    path: "file_path",
    content: "content",
    old: "old_string",
    new: "new_string",
};

/// A session of this shape.
pub(super) struct Gemini {
    stamp: Stamp,
    tools: u64,
    total: Usage,
}

impl Gemini {
    pub(super) fn new(stamp: Stamp) -> Self {
        Self { stamp, tools: 0, total: Usage::default() }
    }

    /// A line of this type with the time and some fields.
    fn line(&self, kind: &str, fields: Value) -> String {
        let mut line = json!({ "type": kind, "timestamp": self.stamp.time() });
        if let (Value::Object(line), Value::Object(fields)) = (&mut line, fields) {
            line.extend(fields);
        }
        line.to_string()
    }

    fn counts(&self) -> Value {
        let total = &self.total;
        let input = total.input + total.cached;
        json!({ "total_tokens": input + total.output, "input_tokens": input, "output_tokens": total.output,
                "cached": total.cached, "input": total.input })
    }
}

impl Shape for Gemini {
    fn open(&mut self, prompt: &str) -> Vec<String> {
        vec![
            self.line("init", json!({ "session_id": self.stamp.session(), "model": MODEL })),
            self.line("message", json!({ "role": "user", "content": prompt })),
        ]
    }

    fn message(&mut self, message: &Message) -> Vec<String> {
        let piece =
            |text| self.line("message", json!({ "role": "assistant", "content": text, "delta": true }));
        pieces(message).into_iter().map(piece).collect()
    }

    fn tool(&mut self, call: &ToolCall) -> Vec<String> {
        self.tools += 1;
        let (name, parameters) = TOOLS.describe(&call.action, &self.stamp);
        let id = self.stamp.id(&format!("{name}__call_"));
        let mut result = json!({ "tool_id": id, "status": if call.failed { "error" } else { "success" } });
        if !call.output.is_empty() {
            result["output"] = json!(call.output);
        }
        if call.failed {
            result["error"] = json!({ "type": "tool_failed", "message": call.output });
        }
        vec![
            self.line("tool_use", json!({ "tool_name": name, "tool_id": id, "parameters": parameters })),
            self.line("tool_result", result),
        ]
    }

    fn usage(&mut self, usage: &Usage) -> Vec<String> {
        add(&mut self.total, usage);
        Vec::new()
    }

    fn close(&mut self, ending: &SceneEnding<'_>) -> Vec<String> {
        let mut stats = self.counts();
        stats["duration_ms"] = json!(0);
        stats["tool_calls"] = json!(self.tools);
        stats["models"] = json!({ MODEL: self.counts() });
        let mut fields = json!({ "status": "success" });
        if ending.code != 0 {
            fields["status"] = json!("error");
            fields["error"] = json!({ "type": "unknown", "message": ending.reason() });
        }
        fields["stats"] = stats;
        vec![self.line("result", fields)]
    }
}
