//! What the model is to say: rules, their turns, and the troubles in between.

use std::time::Duration;

use serde::Deserialize;

use super::call::Call;
use super::trouble::{Status, Trouble};
/// Everything a server answers by. The first rule whose words are in the prompt speaks.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    /// Tried in order.
    pub rules: Vec<Rule>,
    /// What a turn costs that names no usage of its own.
    pub usage: Usage,
    /// Whether requests that offer no tools take turns too. CLIs ask for titles that way, so these are otherwise
    /// answered aside; aider knows no tools at all.
    pub without_tools: bool,
}

impl Script {
    /// One rule for every prompt.
    #[must_use]
    pub fn always(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self::from(vec![Rule::any().turns(turns)])
    }

    /// The same, with requests without tools taken for real ones.
    #[must_use]
    pub fn without_tools(mut self) -> Self {
        self.without_tools = true;
        self
    }
}

impl From<Vec<Rule>> for Script {
    fn from(rules: Vec<Rule>) -> Self {
        Self { rules, ..Self::default() }
    }
}

/// What is said to one kind of prompt. Which turn is due follows from the conversation that the request brings along
/// (how often the model has spoken since the prompt), so agents side by side do not disturb each other.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    /// Words that the prompt has in it; none match every prompt.
    pub when: String,
    /// The model that has to be asked for; none is any.
    pub model: Option<String>,
    /// How many conversations it leads to their end before the next rule takes over; none is all of them.
    pub times: Option<u32>,
    /// In order. Beyond the last one, the last one that says something is said again.
    pub turns: Vec<Turn>,
}

impl Rule {
    /// A rule for every prompt.
    #[must_use]
    pub fn any() -> Self {
        Self::default()
    }

    /// A rule for prompts with these words in them.
    #[must_use]
    pub fn when(words: impl Into<String>) -> Self {
        Self { when: words.into(), ..Self::default() }
    }

    /// For one model only.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// For so many conversations only.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// Adds turns.
    #[must_use]
    pub fn turns(mut self, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.turns.extend(turns);
        self
    }
}

/// One answer: thoughts, text and tool calls, or trouble.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Turn {
    /// Reasoning, before anything else.
    pub think: String,
    /// Text. Without tool calls it ends the conversation.
    pub say: String,
    /// Tool calls, after the text.
    pub call: Vec<Call>,
    /// What goes wrong instead. Trouble leaves no trace in the conversation, so it is no step of it.
    pub trouble: Option<Trouble>,
    /// How often trouble strikes before the next turn is due; none is for ever.
    pub times: Option<u32>,
    /// Milliseconds before the first byte of the answer.
    pub delay_ms: u64,
    /// What the answer costs; none is the script's own.
    pub usage: Option<Usage>,
}

impl Turn {
    /// Text, and the end of the conversation.
    #[must_use]
    pub fn say(text: impl Into<String>) -> Self {
        Self { say: text.into(), ..Self::default() }
    }

    /// One tool call.
    #[must_use]
    pub fn call(call: Call) -> Self {
        Self { call: vec![call], ..Self::default() }
    }

    /// Trouble, for ever unless [`Turn::times`] says otherwise.
    #[must_use]
    pub fn trouble(trouble: Trouble) -> Self {
        Self { trouble: Some(trouble), ..Self::default() }
    }

    /// An HTTP error without anything special about it.
    #[must_use]
    pub fn fail(code: u16) -> Self {
        Self::trouble(Trouble::Status(Status::new(code)))
    }

    /// Trouble only so often.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// Reasoning before the rest.
    #[must_use]
    pub fn thinking(mut self, thought: impl Into<String>) -> Self {
        self.think = thought.into();
        self
    }

    /// The text that the trouble cuts off, or that goes before the tool calls.
    #[must_use]
    pub fn saying(mut self, text: impl Into<String>) -> Self {
        self.say = text.into();
        self
    }

    /// A pause before the answer.
    #[must_use]
    pub fn after(mut self, pause: Duration) -> Self {
        self.delay_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        self
    }

    /// What it costs.
    #[must_use]
    pub fn costing(mut self, usage: Usage) -> Self {
        self.usage = Some(usage);
        self
    }
}

/// Tokens of one answer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Usage {
    /// Read afresh.
    pub input: u64,
    /// Written.
    pub output: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written to the cache.
    pub cache_write: u64,
    /// Of those written, spent on reasoning.
    pub reasoning: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self { input: 1_200, output: 80, cache_read: 1_000, cache_write: 0, reasoning: 0 }
    }
}
