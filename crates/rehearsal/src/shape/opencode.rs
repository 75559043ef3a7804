//! `opencode run --format json`: steps with parts. There is no first and no last line; a run that went well
//! ends with a step that finished for the reason "stop".

use serde_json::{Value, json};

use super::stamp::Stamp;
use super::tools::{ToolNames, command_line};
use super::{Message, SceneEnding, Shape, ToolCall, Usage, add};

const TOOLS: ToolNames = ToolNames {
    write: "write",
    edit: "edit",
    run: "bash",
    path: "filePath",
    content: "content",
    old: "oldString",
    new: "newString",
};

/// A session of this shape. `step` is the open step's message id; `spent` has not been printed yet.
pub(super) struct Opencode {
    stamp: Stamp,
    step: Option<String>,
    spent: Usage,
}

impl Opencode {
    pub(super) fn new(stamp: Stamp) -> Self {
        Self { stamp, step: None, spent: Usage::default() }
    }

    fn line(&mut self, kind: &str, mut part: Value, message: &str) -> String {
        part["id"] = json!(self.stamp.id("prt_"));
        part["messageID"] = json!(message);
        part["sessionID"] = json!(self.stamp.session());
        json!({ "type": kind, "timestamp": self.stamp.millis(), "sessionID": self.stamp.session(), "part": part })
            .to_string()
    }

    /// The open step's message id; begins a step when none is open.
    fn in_step(&mut self, lines: &mut Vec<String>) -> String {
        if let Some(message) = &self.step {
            return message.clone();
        }
        let message = self.stamp.id("msg_");
        lines.push(self.line("step_start", json!({ "type": "step-start" }), &message));
        self.step = Some(message.clone());
        message
    }

    fn finish(&mut self, reason: &str, message: &str) -> String {
        self.step = None;
        let spent = std::mem::take(&mut self.spent);
        let part = json!({
            "type": "step-finish",
            "reason": reason,
            "tokens": { "total": spent.input + spent.cached + spent.output, "input": spent.input,
                        "output": spent.output, "reasoning": 0,
                        "cache": { "write": 0, "read": spent.cached } },
            "cost": spent.cost_usd,
        });
        self.line("step_finish", part, message)
    }
}

impl Shape for Opencode {
    fn open(&mut self, _prompt: &str) -> Vec<String> {
        Vec::new()
    }

    fn message(&mut self, message: &Message) -> Vec<String> {
        let mut lines = Vec::new();
        let step = self.in_step(&mut lines);
        let now = self.stamp.millis();
        let part = json!({ "type": "text", "text": message.text, "time": { "start": now, "end": now } });
        lines.push(self.line("text", part, &step));
        lines
    }

    fn tool(&mut self, call: &ToolCall) -> Vec<String> {
        let mut lines = Vec::new();
        let step = self.in_step(&mut lines);
        let (tool, input) = TOOLS.describe(&call.action, &self.stamp);
        let now = self.stamp.millis();
        let mut state = json!({ "input": input, "title": command_line(&call.action),
                                "time": { "start": now, "end": now } });
        if call.failed && call.exit_code.is_none() {
            state["status"] = json!("error");
            state["error"] = json!(call.output);
        } else {
            state["status"] = json!("completed");
            state["output"] = json!(call.output);
            state["metadata"] = json!({ "exit": call.exit_code, "truncated": false });
        }
        let part = json!({ "type": "tool", "tool": tool, "callID": self.stamp.id("call_"), "state": state });
        lines.push(self.line("tool_use", part, &step));
        lines.push(self.finish("tool-calls", &step));
        lines
    }

    fn usage(&mut self, usage: &Usage) -> Vec<String> {
        add(&mut self.spent, usage);
        Vec::new()
    }

    fn close(&mut self, ending: &SceneEnding<'_>) -> Vec<String> {
        if ending.code != 0 {
            let error =
                json!({ "name": "APIError", "data": { "message": ending.reason(), "isRetryable": false } });
            let line = json!({ "type": "error", "timestamp": self.stamp.millis(),
                               "sessionID": self.stamp.session(), "error": error });
            return vec![line.to_string()];
        }
        let mut lines = Vec::new();
        let step = self.in_step(&mut lines);
        lines.push(self.finish("stop", &step));
        lines
    }
}
