//! What a line is, told from the line alone.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use loopwright_domain::CheckStatus;
use serde::Deserialize;

use crate::model::EntryKind;

/// A transcript's line that is longer than this is no line of ours.
pub(crate) const LONGEST: usize = 16 * 1024 * 1024;
/// How much of a plain line tells what it is.
pub(crate) const TELLING: usize = 64;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// One event of an agent or of the host per line, as JSON.
    Transcript,
    /// Anything.
    Plain,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) kind: EntryKind,
    /// Whether it tells of a failure.
    pub(crate) failed: bool,
    /// Whether it goes on with the message before it.
    pub(crate) continues: bool,
    /// The key of the tool call that it is, or that it answers. Calls without an id share one.
    call: Option<u64>,
}

impl Class {
    const fn of(kind: EntryKind) -> Self {
        Self { kind, failed: false, continues: false, call: None }
    }

    /// The key of the tool call that it is.
    pub(crate) fn calls(self) -> Option<u64> {
        self.call.filter(|_| self.kind == EntryKind::ToolCall)
    }

    /// The key of the tool call that it answers.
    pub(crate) fn answers(self) -> Option<u64> {
        self.call.filter(|_| self.kind != EntryKind::ToolCall)
    }
}

impl Format {
    /// How much of a line has to be read to tell what it is.
    pub(crate) const fn telling(self) -> usize {
        match self {
            Self::Transcript => LONGEST,
            Self::Plain => TELLING,
        }
    }

    /// What a line of a length is, told from its beginning; nothing for one that is no entry.
    pub(crate) fn classify(self, bytes: &[u8], length: u64) -> Option<Class> {
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

/// The line that `CappedLog` of the process crate puts where it left something out.
fn left_out(bytes: &[u8]) -> bool {
    let number =
        bytes.strip_prefix(b"[loopwright: ").and_then(|rest| rest.strip_suffix(b" bytes left out here]"));
    number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// What decides about a transcript's line. All other fields are only looked at for being JSON.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
struct Peek<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    id: Option<Cow<'a, str>>,
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

/// Almost all lines are as we write them, and a long transcript has very many: only others are parsed with care.
fn event(bytes: &[u8]) -> Class {
    let Some(peek) = glance(bytes).or_else(|| serde_json::from_slice(bytes).ok()) else {
        return Class::of(EntryKind::Note);
    };
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
    let of_tool = matches!(&*peek.kind, "tool_call" | "tool_result");
    let call = of_tool.then(|| key(peek.id.as_deref()));
    Class { kind, failed, continues: kind == EntryKind::Message && peek.continues, call }
}

fn key(id: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Reads a line in which only texts, whole numbers and words stand, without blanks; nothing of any other. Inside of
/// texts nothing is looked at but where they end.
fn glance(bytes: &[u8]) -> Option<Peek<'_>> {
    let mut peek = Peek::default();
    let mut rest = bytes.strip_prefix(b"{")?;
    loop {
        let (name, after) = text(rest)?;
        let after = after.strip_prefix(b":")?;
        let quoted = after.starts_with(b"\"");
        let (value, after) = value(after)?;
        let says = value == b"true";
        match name {
            b"type" => peek.kind = Cow::Borrowed(word(value)?),
            b"id" if quoted => peek.id = Some(Cow::Borrowed(word(value)?)),
            b"id" if value != b"null" => return None,
            b"continues" => peek.continues = says,
            b"failed" => peek.failed = says,
            b"denied" => peek.denied = says,
            b"fatal" => peek.fatal = says,
            b"status" => peek.status = Some(Cow::Borrowed(word(value)?)),
            _ => {}
        }
        rest = match after.split_first()? {
            (b',', rest) => rest,
            (b'}', []) => return (!peek.kind.is_empty()).then_some(peek),
            _ => return None,
        };
    }
}

/// A text that stands as it is.
fn word(text: &[u8]) -> Option<&str> {
    std::str::from_utf8(text).ok().filter(|text| !text.contains('\\'))
}

/// A text without its quotes, or a word or number, and what follows it.
fn value(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.first() == Some(&b'"') {
        return text(bytes);
    }
    let end = bytes.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
    let (value, after) = bytes.split_at(end);
    let number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    (number || matches!(value, b"true" | b"false" | b"null")).then_some((value, after))
}

/// A text without its quotes, and what follows it.
fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = bytes.strip_prefix(b"\"")?;
    let mut from = 0;
    loop {
        let end = from + memchr::memchr2(b'"', b'\\', inner.get(from..)?)?;
        if inner[end] == b'"' {
            return Some((&inner[..end], &inner[end + 1..]));
        }
        from = end + 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is told at a glance is what parsing tells.
        #[test]
        fn a_glance_tells_the_same_as_parsing(
            words in ".{0,30}",
            kind in "[a-z_\"\\\\]{0,12}",
            id in proptest::option::of("[a-z\"]{0,4}"),
            (continues, failed) in any::<(bool, bool)>(),
            nested in any::<bool>(),
        ) {
            let more = if nested { serde_json::json!({ "a": [1, words.clone()] }) } else { serde_json::json!(7) };
            let line = serde_json::json!({
                "type": kind, "id": id, "text": words, "continues": continues, "failed": failed, "more": more, "none": null
            });
            let line = line.to_string();
            let parsed: Peek<'_> = serde_json::from_str(&line).unwrap();
            match glance(line.as_bytes()) {
                Some(seen) => prop_assert_eq!(seen, parsed),
                None => prop_assert!(
                    nested || kind.is_empty() || kind.contains(['"', '\\']) || id.is_some_and(|id| id.contains('"'))
                ),
            }
        }

        #[test]
        fn nothing_makes_it_stumble(bytes in proptest::collection::vec(prop_oneof![
            Just(b'{'), Just(b'"'), Just(b'\\'), Just(b':'), Just(b','), Just(b'}'), Just(b't'), any::<u8>()
        ], 0..40)) {
            let _ = event(&bytes);
        }
    }

    #[test]
    fn what_is_cut_off_or_goes_on_is_no_line_of_ours() {
        for line in
            [r#"{"type":"message""#, r#"{"type":"message"}}"#, r#"{"type":"message","text":"\"#, "{}", "{"]
        {
            assert_eq!(event(line.as_bytes()), Class::of(EntryKind::Note), "{line}");
        }
    }
}
