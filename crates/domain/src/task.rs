//! Tasks: the units of work a project is made of.

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Waiting at a gate for a person.
    AwaitingApproval,
    /// Finished and checked.
    Done,
    /// Cannot go on without help.
    Blocked,
    /// Will not be done.
    Cancelled,
}

impl TaskStatus {
    /// Every status, in the order people meet them.
    pub const ALL: &[Self] = &[
        Self::Pending,
        Self::InProgress,
        Self::AwaitingApproval,
        Self::Done,
        Self::Blocked,
        Self::Cancelled,
    ];

    /// The name used in JSON and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::AwaitingApproval => "awaiting_approval",
            Self::Done => "done",
            Self::Blocked => "blocked",
            Self::Cancelled => "cancelled",
        }
    }

    /// The status with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.as_str() == name)
    }
}

/// A unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Task {
    /// Its number in the project.
    pub id: TaskId,
    /// One line.
    pub title: String,
    /// What is to be done, in full.
    pub description: String,
    /// Smaller is sooner.
    pub priority: u32,
    /// Where it stands.
    pub status: TaskStatus,
    /// The tasks that must be done before it.
    pub depends_on: Vec<TaskId>,
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
}
