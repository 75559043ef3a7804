//! What a line is, told from the line alone.

use std::borrow::Cow;

use loopwright_domain::CheckStatus;
use serde::Deserialize;

use super::model::EntryKind;

/// A transcript's line that is longer than this is no line of ours.
pub(super) const LONGEST: usize = 16 * 1024 * 1024;
/// How much of a plain line tells what it is.
pub(super) const TELLING: usize = 64;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// One event of an agent or of the host per line, as JSON.
    Transcript,
    /// Anything.
    Plain,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) kind: EntryKind,
    /// Whether it tells of a failure.
    pub(super) failed: bool,
    /// Whether it goes on with the message before it.
    pub(super) continues: bool,
}

impl Class {
    const fn of(kind: EntryKind) -> Self {
        Self { kind, failed: false, continues: false }
    }
}

impl Format {
    /// How much of a line has to be read to tell what it is.
    pub(super) const fn telling(self) -> usize {
        match self {
            Self::Transcript => LONGEST,
            Self::Plain => TELLING,
        }
    }

    /// What a line of a length is, told from its beginning; nothing for one that is no entry.
    pub(super) fn classify(self, bytes: &[u8], length: u64) -> Option<Class> {
        let whole = bytes.len() as u64 == length;
        match self {
            Self::Transcript if whole && bytes.trim_ascii().is_empty() => None,
            Self::Transcript if whole => Some(event(bytes)),
            Self::Transcript => Some(Class::of(EntryKind::Note)),
            Self::Plain if whole && left_out(bytes) => Some(Class::of(EntryKind::Note)),
            Self::Plain => Some(Class::of(EntryKind::Line)),
        }
    }
}

/// The line that [`CappedLog`](loopwright_process::CappedLog) puts where it left something out.
fn left_out(bytes: &[u8]) -> bool {
    let number =
        bytes.strip_prefix(b"[loopwright: ").and_then(|rest| rest.strip_suffix(b" bytes left out here]"));
    number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// What decides about a transcript's line. All other fields are only looked at for being JSON.
#[derive(Deserialize)]
struct Peek<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default)]
    continues: bool,
    #[serde(default)]
    failed: bool,
    #[serde(default)]
    denied: bool,
    #[serde(default)]
    fatal: bool,
    #[serde(default, borrow)]
    status: Option<Cow<'a, str>>,
}

fn event(bytes: &[u8]) -> Class {
    let Ok(peek) = serde_json::from_slice::<Peek<'_>>(bytes) else { return Class::of(EntryKind::Note) };
    let (kind, failed) = match &*peek.kind {
        "message" => (EntryKind::Message, false),
        "aside" => (EntryKind::Aside, false),
        "tool_call" => (EntryKind::ToolCall, false),
        "tool_result" if peek.denied => (EntryKind::Error, true),
        "tool_result" => (EntryKind::ToolResult, peek.failed),
        "retry" => (EntryKind::Error, false),
        "error" => (EntryKind::Error, peek.fatal),
        "check_started" => (EntryKind::Check, false),
        "check_ended" => {
            let status = peek.status.as_deref().and_then(CheckStatus::parse);
            (EntryKind::Check, status.is_some_and(CheckStatus::is_failure))
        }
        _ => (EntryKind::Note, false),
    };
    Class { kind, failed, continues: kind == EntryKind::Message && peek.continues }
}
