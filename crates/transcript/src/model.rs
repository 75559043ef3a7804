//! Entries, pages, filters.

use loopwright_domain::IterationId;
use serde::{Deserialize, Serialize};

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// The agent's own words.
    Message,
    /// What it thinks, and what helpers of its own say.
    Aside,
    /// It uses a tool. The tool's answer belongs to the entry.
    ToolCall,
    /// A tool has answered a call that is not known, or that lies far back.
    ToolResult,
    /// Something went wrong: an error, a retry, a denial that belongs to no known call.
    Error,
    /// A check of the host began or ended.
    Check,
    /// Anything else worth knowing: session, usage, limit, what was left out.
    Note,
    /// A plain line of a raw file.
    Line,
}

/// One thing that was printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Entry {
    /// Its place among all entries, counted from 0.
    pub n: u32,
    /// What it is.
    pub kind: EntryKind,
    /// The tool, the check, or what else names it.
    pub name: Option<String>,
    /// The text: plain, without control characters, cut when it is long.
    pub text: String,
    /// Whether a tool or check failed, or an error ended the agent.
    pub failed: bool,
    /// Whether there is more of the text than is here.
    pub cut: bool,
    /// What the tool answered, as soon as it has.
    pub answer: Option<ToolAnswer>,
    /// Whether a check that ended here failed before the run, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red_before: Option<bool>,
    /// When it was written, in milliseconds since 1970; none in plain files and in transcripts of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "specta", specta(type = Option<f64>))]
    pub at: Option<u64>,
}

/// What a tool answered to its call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ToolAnswer {
    /// The text: plain, without control characters, cut when it is long.
    pub text: String,
    /// How many lines the transcript has of it, whether they are here or not.
    pub lines: u32,
    /// Whether the agent was not allowed to use the tool.
    pub denied: bool,
    /// Whether there is more of the text than is here.
    pub cut: bool,
    /// Whether the tool said more than the transcript has of it.
    pub clipped: bool,
}

/// How many entries there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct KindCounts {
    /// The agent's own words.
    pub message: u32,
    /// What it thinks.
    pub aside: u32,
    /// Uses of tools.
    pub tool_call: u32,
    /// Answers of tools that are entries of their own.
    pub tool_result: u32,
    /// Errors.
    pub error: u32,
    /// Checks.
    pub check: u32,
    /// Notes.
    pub note: u32,
    /// Plain lines.
    pub line: u32,
}

impl EntryKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Message,
        Self::Aside,
        Self::ToolCall,
        Self::ToolResult,
        Self::Error,
        Self::Check,
        Self::Note,
        Self::Line,
    ];
}

impl KindCounts {
    /// The count of one kind.
    #[must_use]
    pub const fn get(&self, kind: EntryKind) -> u32 {
        match kind {
            EntryKind::Message => self.message,
            EntryKind::Aside => self.aside,
            EntryKind::ToolCall => self.tool_call,
            EntryKind::ToolResult => self.tool_result,
            EntryKind::Error => self.error,
            EntryKind::Check => self.check,
            EntryKind::Note => self.note,
            EntryKind::Line => self.line,
        }
    }

    pub(crate) const fn add(&mut self, kind: EntryKind) {
        let count = match kind {
            EntryKind::Message => &mut self.message,
            EntryKind::Aside => &mut self.aside,
            EntryKind::ToolCall => &mut self.tool_call,
            EntryKind::ToolResult => &mut self.tool_result,
            EntryKind::Error => &mut self.error,
            EntryKind::Check => &mut self.check,
            EntryKind::Note => &mut self.note,
            EntryKind::Line => &mut self.line,
        };
        *count = count.saturating_add(1);
    }
}

/// Which file of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OutputSource {
    /// What was understood: messages, tools, errors, checks.
    Transcript,
    /// What the agent printed.
    Stdout,
    /// What it printed on its error stream.
    Stderr,
    /// What a check printed on its output.
    CheckStdout {
        /// The check's place in the order of checks.
        position: u32,
    },
    /// What a check printed on its error stream.
    CheckStderr {
        /// The check's place in the order of checks.
        position: u32,
    },
}

/// A file of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct OutputTarget {
    /// The iteration.
    pub iteration: IterationId,
    /// The file.
    pub source: OutputSource,
}

/// Which entries are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct OutputFilter {
    /// Only these kinds; all when there are none.
    pub kinds: Vec<EntryKind>,
}

/// How much there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct OutputInfo {
    /// How many entries.
    pub total: u32,
    /// How many of each kind.
    pub counts: KindCounts,
    /// How large the file is, in bytes.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub bytes: u64,
    /// Whether the file is there; one that was never written has no entries.
    pub exists: bool,
    /// Whether nothing more will come.
    pub finished: bool,
}

/// Some entries, one after another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct OutputPage {
    /// The place of the first entry among those the filter lets through.
    pub first: u32,
    /// How many the filter lets through.
    pub total: u32,
    /// The entries; each also knows its place among all.
    pub entries: Vec<Entry>,
}

/// Where a text was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct OutputMatches {
    /// Places among the entries the filter lets through, in order.
    pub places: Vec<u32>,
    /// Whether there are more than these.
    pub more: bool,
}
