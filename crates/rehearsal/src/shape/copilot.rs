//! `copilot --output-format json`: many events, the prompt echoed, messages also in pieces. It prints no
//! token counts, so usage is not shown here either.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::stamp::Stamp;
use super::tools::{Action, ToolNames};
use super::{MODEL, Message, SceneEnding, Shape, ToolCall, Usage, pieces};

const TOOLS: ToolNames = ToolNames {
    write: "create",
    edit: "edit",
    run: "bash",
    path: "path",
    content: "file_text",
    old: "old_str",
    new: "new_str",
};

/// A session of this shape. Each event names the one before it that was kept.
pub(super) struct Copilot {
    stamp: Stamp,
    parent: String,
    interaction: String,
    turns: u64,
    changed: BTreeSet<String>,
}

impl Copilot {
    pub(super) fn new(mut stamp: Stamp) -> Self {
        let (parent, interaction) = (stamp.uuid(), stamp.uuid());
        Self { stamp, parent, interaction, turns: 0, changed: BTreeSet::new() }
    }

    /// An event that stays in the session's history.
    fn kept(&mut self, kind: &str, data: &Value) -> String {
        let id = self.stamp.uuid();
        let parent = std::mem::replace(&mut self.parent, id.clone());
        json!({ "type": kind, "data": data, "id": id, "timestamp": self.stamp.time(), "parentId": parent })
            .to_string()
    }

    /// An event that only matters while it happens.
    fn passing(&mut self, kind: &str, data: &Value) -> String {
        let (id, time) = (self.stamp.uuid(), self.stamp.time());
        json!({ "type": kind, "data": data, "ephemeral": true, "id": id, "timestamp": time,
                "parentId": self.parent })
        .to_string()
    }

    fn turn(&self) -> String {
        self.turns.to_string()
    }

    fn begin_turn(&mut self, lines: &mut Vec<String>) {
        let data = json!({ "turnId": self.turn(), "interactionId": self.interaction });
        lines.push(self.kept("assistant.turn_start", &data));
        lines.push(self.passing("model.call_start", &json!({ "turnId": self.turn(), "model": MODEL })));
    }

    fn end_turn(&mut self, lines: &mut Vec<String>) {
        lines.push(self.kept("assistant.turn_end", &json!({ "turnId": self.turn() })));
        self.turns += 1;
    }

    fn say(&mut self, lines: &mut Vec<String>, texts: &[String], requests: &Value) {
        let id = self.stamp.uuid();
        lines.push(self.passing("assistant.message_start", &json!({ "messageId": id })));
        for text in texts {
            let data = json!({ "messageId": id, "deltaContent": text });
            lines.push(self.passing("assistant.message_delta", &data));
        }
        let data = json!({ "messageId": id, "model": MODEL, "content": texts.concat(), "toolRequests": requests,
                           "interactionId": self.interaction, "turnId": self.turn() });
        lines.push(self.kept("assistant.message", &data));
    }
}

impl Shape for Copilot {
    fn open(&mut self, prompt: &str) -> Vec<String> {
        let message = self.stamp.uuid();
        let data = json!({ "content": prompt, "transformedContent": prompt, "messageId": message,
                           "interactionId": self.interaction, "turnId": self.turn() });
        vec![
            self.passing("session.mcp_servers_loaded", &json!({ "servers": [] })),
            self.passing("session.tools_updated", &json!({ "model": MODEL })),
            self.kept("user.message", &data),
        ]
    }

    fn message(&mut self, message: &Message) -> Vec<String> {
        let mut lines = Vec::new();
        self.begin_turn(&mut lines);
        self.say(&mut lines, &pieces(message), &json!([]));
        self.end_turn(&mut lines);
        lines
    }

    fn tool(&mut self, call: &ToolCall) -> Vec<String> {
        if let Action::Write { path, .. } | Action::Edit { path, .. } = &call.action {
            self.changed.insert(self.stamp.full(path));
        }
        let (name, arguments) = TOOLS.describe(&call.action, &self.stamp);
        let id = self.stamp.id("call_");
        let request = json!({ "toolCallId": id, "name": name, "arguments": arguments, "type": "function" });
        let mut done = json!({ "toolCallId": id, "model": MODEL, "interactionId": self.interaction,
                               "turnId": self.turn(), "success": !call.failed });
        if let Some(code) = call.exit_code {
            done["shellExecution"] = json!({ "exitCode": code });
        }
        if call.failed && call.exit_code.is_none() {
            done["error"] = json!({ "message": call.output });
        } else {
            done["result"] = json!({ "content": call.output, "detailedContent": call.output });
        }
        let start = json!({ "toolCallId": id, "toolName": name, "arguments": arguments, "turnId": self.turn(),
                            "model": MODEL });
        let mut lines = Vec::new();
        self.begin_turn(&mut lines);
        self.say(&mut lines, &[], &json!([request]));
        lines.push(self.kept("tool.execution_start", &start));
        lines.push(self.kept("tool.execution_complete", &done));
        self.end_turn(&mut lines);
        lines
    }

    fn usage(&mut self, _usage: &Usage) -> Vec<String> {
        Vec::new()
    }

    fn close(&mut self, ending: &SceneEnding<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        if ending.code != 0 {
            let data = json!({ "errorType": "query", "message": ending.reason() });
            lines.push(self.kept("session.error", &data));
        }
        lines.push(self.passing("assistant.idle", &json!({})));
        let usage = json!({ "premiumRequests": 0, "totalApiDurationMs": 0, "sessionDurationMs": 0,
                            "codeChanges": { "linesAdded": 0, "linesRemoved": 0, "filesModified": self.changed } });
        lines.push(
            json!({ "type": "result", "timestamp": self.stamp.time(), "sessionId": self.stamp.session(),
                    "exitCode": ending.code, "usage": usage })
            .to_string(),
        );
        lines
    }
}
