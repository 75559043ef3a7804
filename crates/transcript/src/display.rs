//! A line of a transcript in words for people.

use loopwright_domain::figures::{cost, elapsed, grouped};
use loopwright_domain::{AgentEvent, Usage};
use serde_json::{Map, Value};

use crate::writer::HostEvent;

/// What a line says.
pub(crate) struct Shown {
    /// The tool, the check, or what else names it.
    pub(crate) name: Option<String>,
    pub(crate) text: String,
    /// Whether the line holds more than the text.
    pub(crate) more: bool,
    /// Whether a check that ended failed before the run.
    pub(crate) red_before: Option<bool>,
}

impl Shown {
    fn new(name: Option<&str>, text: impl Into<String>) -> Self {
        Self { name: name.map(str::to_owned), text: text.into(), more: false, red_before: None }
    }
}

/// What a line of a transcript says, briefly or in full; nothing when it cannot be read.
pub(crate) fn event(bytes: &[u8], whole: bool) -> Option<Shown> {
    match serde_json::from_slice::<AgentEvent>(bytes) {
        Ok(event) => Some(agent(event, whole)),
        Err(_) => serde_json::from_slice::<HostEvent>(bytes).ok().map(host),
    }
}

/// When a line of a transcript was written, in milliseconds since 1970; nothing where it does not say so at its end.
pub(crate) fn written_at(bytes: &[u8]) -> Option<u64> {
    let digits = bytes.trim_ascii_end().strip_suffix(b"}")?;
    let begin = digits.iter().rposition(|byte| !byte.is_ascii_digit())? + 1;
    let (before, digits) = digits.split_at_checked(begin)?;
    before.ends_with(b",\"at\":").then(|| std::str::from_utf8(digits).ok()?.parse().ok()).flatten()
}

fn agent(event: AgentEvent, whole: bool) -> Shown {
    match event {
        AgentEvent::Message { text, .. } | AgentEvent::Aside { text } => Shown::new(None, text),
        AgentEvent::ToolCall { name, input, .. } => {
            let (text, more) = if whole { (pretty(input), false) } else { brief(input) };
            Shown { name: Some(name), text, more, red_before: None }
        }
        AgentEvent::ToolResult { tool, output, denied, .. } => {
            let name = if denied { Some("denied".to_owned()) } else { tool };
            Shown::new(name.as_deref(), output)
        }
        AgentEvent::Session { id, model } => Shown::new(Some("session"), joined([model, id])),
        AgentEvent::Usage { usage } => Shown::new(Some("usage"), used(&usage)),
        AgentEvent::Limit { limit } => {
            let until = limit.resets_at.map(|at| format!("until {at}"));
            Shown::new(Some("limit"), joined([Some(limit.message), until]))
        }
        AgentEvent::Retry { attempt, attempts, wait_ms, problem } => {
            Shown::new(Some("retry"), problem.retried(attempt, attempts, wait_ms))
        }
        AgentEvent::Error { problem, .. } => Shown::new(Some(problem.kind.as_str()), problem.told()),
        AgentEvent::Skipped { bytes } => {
            Shown::new(Some("left out"), format!("{} bytes are left out here", grouped(bytes)))
        }
        AgentEvent::Unknown { kind, text } => Shown::new(kind.as_deref(), text),
    }
}

fn host(event: HostEvent) -> Shown {
    match event {
        HostEvent::CheckStarted { name } => Shown::new(Some(&name), "started"),
        HostEvent::CheckEnded { name, status, elapsed_ms, detail, red_before } => {
            let word = status.as_str().replace('_', " ");
            let detail = detail.map(|detail| format!(": {detail}")).unwrap_or_default();
            let text = format!("{word} in {}{detail}", elapsed(elapsed_ms));
            Shown { red_before, ..Shown::new(Some(&name), text) }
        }
        HostEvent::Committed { commit } => Shown::new(Some("commit"), commit),
    }
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> String {
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn used(usage: &Usage) -> String {
    let tokens = format!("{} tokens so far", grouped(usage.tokens()));
    joined([Some(tokens), cost(usage)])
}

fn pretty(input: String) -> String {
    let parsed =
        serde_json::from_str::<Value>(&input).ok().filter(|value| value.is_object() || value.is_array());
    parsed.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or(input)
}

/// What a tool is asked for in a few words, from the JSON of its call: its command, its file, what it looks for.
#[must_use]
pub fn tool_brief(input: &str) -> String {
    brief(input.to_owned()).0
}

/// What a tool is asked for in a few words, and whether there is more: its command, its file, what it looks for.
fn brief(input: String) -> (String, bool) {
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(&input) else { return (input, false) };
    let found = command(&fields)
        .or_else(|| pattern(&fields))
        .or_else(|| {
            text_of(&fields, &["file_path", "filePath", "path", "notebook_path", "file", "url", "query"])
        })
        .or_else(|| text_of(&fields, &["description", "title", "prompt"]));
    match found {
        Some(text) => {
            let more = fields.values().filter(|value| !value.is_null()).count() > 1;
            (text, more)
        }
        None if fields.is_empty() => (String::new(), false),
        None => (input, false),
    }
}

/// A command line: a text, or words.
fn command(fields: &Map<String, Value>) -> Option<String> {
    let Some(Value::Array(words)) = fields.get("command") else {
        return text_of(fields, &["command", "cmd", "script"]);
    };
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    match words[..] {
        [] => None,
        [_, "-c" | "-lc", script] => Some(script.to_owned()),
        _ => Some(words.join(" ")),
    }
}

fn pattern(fields: &Map<String, Value>) -> Option<String> {
    let pattern = text_of(fields, &["pattern", "regex", "glob"])?;
    match text_of(fields, &["path", "dir", "directory"]) {
        Some(place) => Some(format!("{pattern} in {place}")),
        None => Some(pattern),
    }
}

fn text_of(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let text = names.iter().find_map(|name| fields.get(*name)?.as_str())?;
    (!text.is_empty()).then(|| text.to_owned())
}
