//! What a request asks, in words that hold for every service.

use serde_json::Value;

/// A request to a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Ask {
    pub(super) model: String,
    /// The text that was typed last.
    pub(super) prompt: String,
    /// How often the model has spoken since.
    pub(super) depth: usize,
    /// Messages before the prompt that a person or a model wrote.
    pub(super) earlier: usize,
    pub(super) tools: Vec<Offered>,
    /// Whether the answer is to be JSON by a schema.
    pub(super) wants_json: bool,
    /// Whether the answer is to come as events.
    pub(super) stream: bool,
}

/// A tool that the CLI offers.
#[derive(Clone, Debug, Default)]
pub(super) struct Offered {
    pub(super) name: String,
    /// The names of its arguments, with the types where they are told.
    pub(super) schema: Value,
    /// Takes a text instead of arguments.
    pub(super) is_free: bool,
    /// What the service keeps it under.
    pub(super) namespace: Option<String>,
}

/// A step of a conversation, whatever its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Typed(String),
    Spoken,
    /// Tool results, instructions and whatever else is neither.
    Other,
}

impl Ask {
    /// Takes in a conversation: the last thing typed is the prompt, and what the model said afterwards its depth.
    pub(super) fn follow(&mut self, steps: impl IntoIterator<Item = Step>) {
        let mut said = 0;
        for step in steps {
            match step {
                Step::Typed(text) if is_of_the_cli(&text) => {}
                Step::Typed(text) => {
                    self.earlier += self.depth + usize::from(!self.prompt.is_empty());
                    self.prompt = text;
                    said = 0;
                }
                Step::Spoken => said += 1,
                Step::Other => {}
            }
            self.depth = said;
        }
    }
}

/// Tags around what CLIs put into a person's place by themselves.
const OWN_WORDS: &[&str] = &[
    "system-reminder",
    "environment_context",
    "user_instructions",
    "INSTRUCTIONS",
    "permissions instructions",
    "system_notification",
    "session_context",
    "skills_instructions",
];

/// Whether nobody typed this: reminders and notes of the CLI, and nothing else.
fn is_of_the_cli(text: &str) -> bool {
    let mut rest = text.trim().to_owned();
    if rest.starts_with("# AGENTS.md instructions") {
        return true;
    }
    for tag in OWN_WORDS {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        while let Some(start) = rest.find(&open) {
            let end = rest[start..].find(&close).map_or(rest.len(), |at| start + at + close.len());
            rest.replace_range(start..end, "");
        }
    }
    rest.trim().is_empty()
}

/// The text of a message: a string, or the text parts of a list.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str().or_else(|| part.as_str()));
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The elements of a list; none when it is no list.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text, or an empty one.
pub(super) fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Step {
        Step::Typed(text.to_owned())
    }

    #[test]
    fn depth_counts_what_was_said_since_the_last_prompt() {
        let mut ask = Ask::default();
        ask.follow([
            typed("one"),
            Step::Spoken,
            Step::Other,
            typed("two"),
            Step::Spoken,
            Step::Other,
            Step::Spoken,
        ]);
        assert_eq!((ask.prompt.as_str(), ask.depth, ask.earlier), ("two", 2, 2));
    }

    #[test]
    fn what_the_cli_adds_by_itself_is_no_prompt() {
        let mut ask = Ask::default();
        let reminder =
            "<system-reminder>be kind</system-reminder>\n<system-reminder>be quick</system-reminder>";
        ask.follow([
            typed("<environment_context>x</environment_context>"),
            typed("do it"),
            Step::Spoken,
            typed(reminder),
        ]);
        assert_eq!((ask.prompt.as_str(), ask.depth, ask.earlier), ("do it", 1, 0));
        let mixed = "<system-reminder>be kind</system-reminder>do it";
        assert!(!is_of_the_cli(mixed));
    }
}
