//! Plain lines for people.

use super::tools::{Action, command_line};
use super::{Message, SceneEnding, Shape, ToolCall, Usage};

/// Text has no state: each thing that happens is a line or a few.
pub(super) struct Text;

impl Shape for Text {
    fn open(&mut self, _prompt: &str) -> Vec<String> {
        Vec::new()
    }

    fn message(&mut self, message: &Message) -> Vec<String> {
        vec![message.text.clone()]
    }

    fn tool(&mut self, call: &ToolCall) -> Vec<String> {
        let verb = match &call.action {
            Action::Delete { path } => format!("delete {path}"),
            Action::Run { .. } => format!("run {}", command_line(&call.action)),
            other => command_line(other),
        };
        let failed = if call.failed { " (failed)" } else { "" };
        let mut lines = vec![format!("> {verb}{failed}")];
        lines.extend(call.output.lines().map(|line| format!("  {line}")));
        lines
    }

    fn usage(&mut self, usage: &Usage) -> Vec<String> {
        vec![format!("tokens: {} in, {} cached, {} out", usage.input, usage.cached, usage.output)]
    }

    fn close(&mut self, ending: &SceneEnding<'_>) -> Vec<String> {
        ending.message.map(str::to_owned).into_iter().collect()
    }
}
