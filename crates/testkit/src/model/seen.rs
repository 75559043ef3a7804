//! What a server was asked, for assertions. Never a key: only whether there was one.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::Serialize;

use super::ask::Ask;
use super::http::Request;
use super::wire::Api;

/// Headers that carry keys.
const KEYS: &[&str] = &["authorization", "x-api-key", "x-goog-api-key", "api-key"];

/// As much of a request is kept.
const MOST_BODY: usize = 4 * 1024 * 1024;

/// One request.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Seen {
    /// `POST /v1/messages`.
    pub line: String,
    /// The service that it speaks; empty when it asks no model.
    pub api: &'static str,
    /// The model that it names.
    pub model: String,
    /// The text that was typed last.
    #[serde(skip)]
    pub prompt: String,
    /// All that was sent, up to 4 MiB.
    #[serde(skip)]
    pub body: String,
    /// The prompt's length in bytes.
    pub prompt_bytes: usize,
    /// Tells one prompt from another.
    pub prompt_digest: String,
    /// How often the model has spoken since the prompt.
    pub depth: usize,
    /// Messages before the prompt: none in a fresh context.
    pub earlier: usize,
    /// The tools that were offered.
    pub tools: Vec<String>,
    /// Whether the answer came as events.
    pub stream: bool,
    /// Whether there was a key.
    pub has_key: bool,
    /// The turn of the script that was due; none when it was answered aside.
    pub turn: Option<String>,
}

impl Seen {
    /// A request that asks no model.
    pub(super) fn aside(request: &Request) -> Self {
        Self {
            line: format!("{} {}", request.method, request.path),
            body: String::from_utf8_lossy(&request.body[..request.body.len().min(MOST_BODY)]).into_owned(),
            has_key: KEYS.iter().any(|name| request.header(name).is_some()),
            ..Self::default()
        }
    }

    pub(super) fn of(request: &Request, api: Api, ask: &Ask, turn: Option<String>) -> Self {
        let mut hasher = DefaultHasher::new();
        ask.prompt.hash(&mut hasher);
        Self {
            api: api.name(),
            model: ask.model.clone(),
            prompt: ask.prompt.clone(),
            prompt_bytes: ask.prompt.len(),
            prompt_digest: format!("{:016x}", hasher.finish()),
            depth: ask.depth,
            earlier: ask.earlier,
            tools: ask.tools.iter().map(|tool| tool.name.clone()).collect(),
            stream: ask.stream,
            turn,
            ..Self::aside(request)
        }
    }
}
