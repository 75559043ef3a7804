//! The services' own forms: requests in, answers out. All pure; the server sends.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use serde_json::Value;

use super::ask::Ask;
use super::script::Usage;
use super::tools::ToolUse;
use super::trouble::Status;

/// Characters of text in one event: few, so that a signal is always cut in two.
const PIECE: usize = 12;

/// The services that are spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Api {
    Anthropic,
    Responses,
    Chat,
    Gemini,
}

/// What the model answers.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelReply {
    /// Different for every answer.
    pub(super) id: String,
    pub(super) thought: String,
    pub(super) text: String,
    pub(super) calls: Vec<ToolUse>,
    pub(super) usage: Usage,
}

impl ModelReply {
    /// The id of one of its tool calls.
    fn call_id(&self, number: usize) -> String {
        format!("call_{}_{number}", self.id)
    }
}

/// An answer as events.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    pub(super) events: Vec<String>,
    /// How many of them hold the beginning up to the first piece of the text.
    pub(super) to_text: usize,
    /// How many of them there are before the service could say that it is overloaded.
    pub(super) to_overload: usize,
}

impl Events {
    /// Adds an event without a name.
    fn add(&mut self, data: &Value) {
        self.events.push(format!("data: {data}\n\n"));
    }

    /// Adds an event that is named by its own type.
    fn add_named(&mut self, data: &Value) {
        let name = data["type"].as_str().unwrap_or_default();
        self.events.push(format!("event: {name}\ndata: {data}\n\n"));
    }

    /// What has been added so far is what goes before an overload.
    fn overload_here(&mut self) {
        self.to_overload = self.events.len();
        self.to_text = self.events.len();
    }

    /// The first piece of text was added, if it is the first.
    fn text_here(&mut self, is_first: bool) {
        if is_first {
            self.to_text = self.events.len();
        }
    }
}

/// A refusal: headers and body beside the status.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusal {
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Value,
}

impl Api {
    /// The service that a path belongs to.
    pub(super) fn of(path: &str) -> Option<Self> {
        if path.ends_with("/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with("/responses") {
            Some(Self::Responses)
        } else if path.ends_with("/chat/completions") {
            Some(Self::Chat)
        } else if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") {
            Some(Self::Gemini)
        } else {
            None
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Responses => "responses",
            Self::Chat => "chat",
            Self::Gemini => "gemini",
        }
    }

    pub(super) fn read(self, path: &str, body: &Value) -> Ask {
        match self {
            Self::Anthropic => anthropic::read(body),
            Self::Responses => responses::read(body),
            Self::Chat => chat::read(body),
            Self::Gemini => gemini::read(path, body),
        }
    }

    pub(super) fn document(self, ask: &Ask, answer: &ModelReply) -> Value {
        match self {
            Self::Anthropic => anthropic::document(ask, answer),
            Self::Responses => responses::document(ask, answer),
            Self::Chat => chat::document(ask, answer),
            Self::Gemini => gemini::document(ask, answer),
        }
    }

    pub(super) fn events(self, ask: &Ask, answer: &ModelReply) -> Events {
        match self {
            Self::Anthropic => anthropic::events(ask, answer),
            Self::Responses => responses::events(ask, answer),
            Self::Chat => chat::events(ask, answer),
            Self::Gemini => gemini::events(ask, answer),
        }
    }

    /// The event by which a stream that began well says that the service is overloaded.
    pub(super) fn overload(self) -> String {
        let mut events = Events::default();
        match self {
            Self::Anthropic => events.add_named(&anthropic::overload()),
            Self::Responses => events.add_named(&responses::overload()),
            Self::Chat => events.add(&chat::overload()),
            Self::Gemini => events.add(&gemini::overload()),
        }
        events.events.concat()
    }

    /// A status in the service's form. `now` is in seconds since 1970, for those who tell times.
    pub(super) fn refuse(self, status: &Status, now: u64) -> Refusal {
        let mut refusal = match self {
            Self::Anthropic => anthropic::refuse(status, now),
            Self::Responses | Self::Chat => chat::refuse(status, now),
            Self::Gemini => gemini::refuse(status),
        };
        if let Some(seconds) = status.retry_after {
            refusal.headers.push(("retry-after".to_owned(), seconds.to_string()));
        }
        refusal.headers.extend(status.headers.iter().map(|(name, value)| (name.clone(), value.clone())));
        refusal
    }
}

/// A text in pieces.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

/// What is said unless the script has words of its own.
fn message(status: &Status, usual: &str) -> String {
    if status.message.is_empty() { usual.to_owned() } else { status.message.clone() }
}

/// The kind of error unless the script has a word of its own.
fn kind(status: &Status, usual: &str) -> String {
    if status.kind.is_empty() { usual.to_owned() } else { status.kind.clone() }
}
