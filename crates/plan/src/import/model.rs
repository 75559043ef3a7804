//! Tasks as documents hold them, whatever their format.

use loopwright_domain::task::COMPLEXITIES;
use loopwright_domain::{TaskDraft, TaskStatus};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The tasks of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// How it is written.
    pub format: super::Format,
    /// Its groups; one without a tag where the format has none.
    pub groups: Vec<Group>,
}

/// Tasks that stand together under one tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The tag.
    pub tag: Option<String>,
    /// Its tasks, in order.
    pub items: Vec<Item>,
    /// What the document holds about it beside its tasks.
    pub raw: Map<String, Value>,
}

/// One task of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What it is called there; no other task of the document has that name.
    pub id: String,
    /// What people wrote about it. What it waits for is in `depends_on`, by name.
    pub draft: TaskDraft,
    /// Where it stands.
    pub status: TaskStatus,
    /// The task it is a part of.
    pub parent: Option<String>,
    /// The tasks it waits for, as the document says it.
    pub depends_on: Vec<String>,
    /// What the document holds about it, in its own words.
    pub raw: Map<String, Value>,
}

impl Item {
    /// A pending task with nothing but a name and a title.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            draft: TaskDraft::titled(title),
            status: TaskStatus::Pending,
            parent: None,
            depends_on: Vec::new(),
            raw: Map::new(),
        }
    }
}

impl Document {
    /// All tasks, in order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.groups.iter().flat_map(|group| &group.items)
    }
}

/// A task's name in its document: with its group where there is one, so that it is the only one of that name.
pub(super) fn qualified(tag: Option<&str>, local: &str) -> String {
    match tag {
        Some(tag) if !local.contains(':') => format!("{tag}:{local}"),
        _ => local.to_owned(),
    }
}

/// What a word of another tool says about a task's status.
pub(super) fn status_of(word: &str) -> Option<TaskStatus> {
    Some(match word.trim().to_ascii_lowercase().replace('_', "-").as_str() {
        "" | "pending" | "todo" | "p" => TaskStatus::Pending,
        "in-progress" | "doing" | "i" => TaskStatus::InProgress,
        "review" | "awaiting-approval" | "r" => TaskStatus::AwaitingApproval,
        // An expanded task is done as its parts: whoever waits for it waits for them.
        "done" | "completed" | "complete" | "d" | "expanded" | "x" => TaskStatus::Done,
        "blocked" | "deferred" | "awaiting-tune" | "failed" | "b" | "f" => TaskStatus::Blocked,
        "cancelled" | "canceled" | "c" => TaskStatus::Cancelled,
        _ => return None,
    })
}

/// The word for a status in SCUD and task-master files.
pub(super) const fn status_word(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Pending => "pending",
        TaskStatus::InProgress => "in-progress",
        TaskStatus::AwaitingApproval => "review",
        TaskStatus::Done => "done",
        TaskStatus::Blocked => "blocked",
        TaskStatus::Cancelled => "cancelled",
    }
}

/// What a word says about a task's priority.
pub(super) fn priority_of(word: &str) -> Option<u32> {
    Some(match word.trim().to_ascii_lowercase().as_str() {
        "critical" | "c" => 1,
        "high" | "h" => 3,
        "" | "medium" | "m" => 5,
        "low" | "l" => 7,
        _ => return None,
    })
}

/// The word for a priority.
pub(super) const fn priority_word(priority: u32) -> &'static str {
    match priority {
        0..=2 => "critical",
        3..=4 => "high",
        5..=6 => "medium",
        _ => "low",
    }
}

/// The estimate that is meant by any number: the next one of the row.
pub(super) fn complexity_of(number: u64) -> u32 {
    let next = COMPLEXITIES.iter().copied().find(|known| u64::from(*known) >= number);
    next.or(COMPLEXITIES.last().copied()).unwrap_or_default()
}

/// A description and the details that some formats keep apart, as one text.
pub(super) fn joined(description: &str, details: &str) -> String {
    match (description.trim().is_empty(), details.trim().is_empty()) {
        (_, true) => description.to_owned(),
        (true, false) => details.to_owned(),
        (false, false) => format!("{description}\n\n{details}"),
    }
}

/// One text as description and details: the details stay as they were where the text still ends with them.
pub(super) fn parted(text: &str, details: &str) -> (String, String) {
    match text.strip_suffix(details) {
        Some("") if !details.is_empty() => (String::new(), details.to_owned()),
        Some(rest) if !details.is_empty() && rest.ends_with("\n\n") => {
            (rest.get(..rest.len() - 2).unwrap_or_default().to_owned(), details.to_owned())
        }
        _ => (text.to_owned(), String::new()),
    }
}

/// A title as one line.
pub(super) fn one_line(title: &str) -> String {
    if title.contains(['\n', '\r']) {
        title.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        title.to_owned()
    }
}
