//! How the agent's words look on standard output: plain text, or the JSON lines of a known agent CLI.
//! Every shape is a small state machine that turns what happened into lines; it prints nothing itself.

mod claude;
mod codex;
mod copilot;
mod gemini;
mod opencode;
mod stamp;
mod text;
mod tools;

pub use tools::{Action, ToolCall};

use crate::scenario::{Message, ShapeName, Usage};
use stamp::Stamp;

/// The model every shape names: nobody shall take this for a real one.
const MODEL: &str = "loopwright-rehearsal";

/// Starts a session in this shape.
#[must_use]
pub fn begin(shape: ShapeName, session: Session) -> Box<dyn Shape> {
    let stamp = Stamp::new(session);
    match shape {
        ShapeName::Text => Box::new(text::Text),
        ShapeName::Claude => Box::new(claude::Claude::new(stamp)),
        ShapeName::Codex => Box::new(codex::Codex::new(stamp)),
        ShapeName::Gemini => Box::new(gemini::Gemini::new(stamp)),
        ShapeName::Copilot => Box::new(copilot::Copilot::new(stamp)),
        ShapeName::Opencode => Box::new(opencode::Opencode::new(stamp)),
    }
}

/// What the JSON shapes say about themselves.
#[derive(Clone, Debug)]
pub struct Session {
    /// The session's id.
    pub id: String,
    /// The working folder.
    pub folder: String,
}

/// How a scene ends.
#[derive(Clone, Copy, Debug)]
pub struct SceneEnding<'a> {
    /// The exit code.
    pub code: u8,
    /// Why, when the scenario says so.
    pub message: Option<&'a str>,
}

impl SceneEnding<'_> {
    fn reason(&self) -> String {
        self.message.map_or_else(|| format!("exit code {}", self.code), str::to_owned)
    }
}

/// Turns what happens into lines of output, without newlines at their ends.
pub trait Shape {
    /// The lines before anything happens.
    fn open(&mut self, prompt: &str) -> Vec<String>;
    /// The agent says something.
    fn message(&mut self, message: &Message) -> Vec<String>;
    /// The agent used a tool.
    fn tool(&mut self, call: &ToolCall) -> Vec<String>;
    /// Tokens and money were used.
    fn usage(&mut self, usage: &Usage) -> Vec<String>;
    /// The lines after everything.
    fn close(&mut self, ending: &SceneEnding<'_>) -> Vec<String>;
}

/// Adds up usage.
fn add(total: &mut Usage, more: &Usage) {
    total.input += more.input;
    total.cached += more.cached;
    total.output += more.output;
    total.cost_usd += more.cost_usd;
}

/// Cuts a text into `parts` pieces of about equal length, never inside a character.
fn pieces(message: &Message) -> Vec<String> {
    let letters: Vec<char> = message.text.chars().collect();
    let parts = usize::try_from(message.parts).unwrap_or(1).clamp(1, letters.len().max(1));
    (0..parts)
        .map(|part| {
            let (from, to) = (part * letters.len() / parts, (part + 1) * letters.len() / parts);
            letters.iter().take(to).skip(from).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_to_the_whole() {
        for (text, parts, count) in [("", 3, 1), ("äöü", 2, 2), ("abc", 9, 3), ("<promise>COMPLETE", 2, 2)]
        {
            let cut = pieces(&Message { text: text.into(), parts });
            assert_eq!((cut.len(), cut.concat()), (count, text.to_owned()));
        }
    }
}
