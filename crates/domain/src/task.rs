//! Tasks: the units of work a project is made of.

use serde::{Deserialize, Serialize};

use crate::ids::{SectionId, TaskId};
use crate::word::words;

words! {
    /// Where a task stands.
    TaskStatus {
        /// Not begun.
        Pending = "pending",
        /// Being worked on.
        InProgress = "in_progress",
        /// Waiting at a gate for a person.
        AwaitingApproval = "awaiting_approval",
        /// Finished and checked.
        Done = "done",
        /// Cannot go on without help.
        Blocked = "blocked",
        /// Will not be done.
        Cancelled = "cancelled",
    }
}

impl TaskStatus {
    /// Whether something is left to do: it is neither done nor cancelled.
    #[must_use]
    pub const fn is_unfinished(self) -> bool {
        !matches!(self, Self::Done | Self::Cancelled)
    }
}

words! {
    /// How much work a task is.
    TaskSize {
        /// One file, a quarter of an hour.
        S = "S",
        /// One or two files, half an hour.
        M = "M",
        /// Two or three files, three quarters of an hour.
        L = "L",
        /// More than one attempt should take: better split.
        XL = "XL",
    }
}

words! {
    /// What kind of work a task is.
    TaskKind {
        /// Something new.
        Feature = "feature",
        /// Something that does not work.
        Fix = "fix",
        /// Tests.
        Test = "test",
        /// The same in a better shape.
        Refactor = "refactor",
        /// Build, settings, tools.
        Config = "config",
        /// Documents.
        Docs = "docs",
        /// Making sure that something holds.
        Verification = "verification",
    }
}

/// The complexities a task can have: Fibonacci numbers, as in SCUD. 0 is not estimated.
pub const COMPLEXITIES: &[u32] = &[0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89];

/// The priority of a task that nobody gave one.
pub const DEFAULT_PRIORITY: u32 = 5;

/// Why a task is blocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Blocked {
    /// In words.
    pub reason: String,
    /// How often it had failed by then.
    pub attempts: u32,
    /// When.
    pub at: String,
}

/// What a person writes about a task: all of it can be edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskDraft {
    /// One line.
    pub title: String,
    /// What is to be done, in full.
    pub description: String,
    /// What must hold when it is done, one sentence each.
    pub acceptance: Vec<String>,
    /// How it is tested.
    pub test_strategy: String,
    /// Smaller is sooner.
    pub priority: u32,
    /// How much work it is.
    pub size: Option<TaskSize>,
    /// How hard it is: one of [`COMPLEXITIES`].
    pub complexity: u32,
    /// What kind of work it is.
    pub kind: Option<TaskKind>,
    /// The group it belongs to: a phase, a release, an epic.
    pub tag: Option<String>,
    /// The sections of the spec it carries out.
    pub sections: Vec<SectionId>,
    /// The tasks that must be done before it.
    pub depends_on: Vec<TaskId>,
    /// What people want to remember about it.
    pub notes: String,
}

impl TaskDraft {
    /// A draft with nothing but a title.
    #[must_use]
    pub fn titled(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            description: String::new(),
            acceptance: Vec::new(),
            test_strategy: String::new(),
            priority: DEFAULT_PRIORITY,
            size: None,
            complexity: 0,
            kind: None,
            tag: None,
            sections: Vec::new(),
            depends_on: Vec::new(),
            notes: String::new(),
        }
    }
}

/// A unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Task {
    /// Its number in the project.
    pub id: TaskId,
    /// What people wrote about it.
    #[serde(flatten)]
    pub draft: TaskDraft,
    /// Where it stands.
    pub status: TaskStatus,
    /// Why it is blocked; only then.
    pub blocked: Option<Blocked>,
    /// Attempts that were settled, over all runs; interruptions are none.
    pub attempts: u32,
    /// Of these, failed.
    pub failures: u32,
    /// What it is called where it was imported from.
    pub external: Option<String>,
    /// When it was added.
    pub created_at: String,
    /// When anything about it changed.
    pub updated_at: String,
}

impl Task {
    /// A task as it is when it is added.
    #[must_use]
    pub fn new(id: TaskId, draft: TaskDraft, at: impl Into<String>) -> Self {
        let at = at.into();
        Self {
            id,
            draft,
            status: TaskStatus::Pending,
            blocked: None,
            attempts: 0,
            failures: 0,
            external: None,
            created_at: at.clone(),
            updated_at: at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_names_agree_with_json_and_parse_back() {
        for status in TaskStatus::ALL {
            assert_eq!(serde_json::to_string(status).unwrap(), format!("\"{}\"", status.as_str()));
            assert_eq!(TaskStatus::parse(status.as_str()), Some(*status));
        }
        assert_eq!(TaskStatus::parse("finished"), None);
    }

    #[test]
    fn a_task_is_one_flat_object_in_json() {
        let task = Task::new(TaskId(3), TaskDraft::titled("Brew"), "2026-01-02T03:04:05Z");
        let json = serde_json::to_value(&task).unwrap();
        assert_eq!(json["title"], "Brew");
        assert_eq!(json["status"], "pending");
        assert_eq!(serde_json::from_value::<Task>(json).unwrap(), task);
    }
}
