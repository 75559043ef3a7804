//! What a person may do to a task's status, and when.

use serde::{Deserialize, Serialize};

use crate::task::TaskStatus;

/// What a person wants a task's status to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskMove {
    /// A person says that it is done.
    Done,
    /// It cannot go on.
    Block {
        /// Why.
        reason: String,
    },
    /// It can go on again; what failed before no longer counts against it.
    Unblock,
    /// It will not be done.
    Cancel,
    /// It is to be done again, or after all.
    Reopen,
}

impl TaskMove {
    /// Where it leads.
    #[must_use]
    pub const fn target(&self) -> TaskStatus {
        match self {
            Self::Done => TaskStatus::Done,
            Self::Block { .. } => TaskStatus::Blocked,
            Self::Unblock | Self::Reopen => TaskStatus::Pending,
            Self::Cancel => TaskStatus::Cancelled,
        }
    }

    /// Whether a task that stands at `from` may be moved. One that is there already may: nothing changes.
    ///
    /// What is worked on or waits at a gate is moved by the run or by the gate, and what is over is reopened first.
    #[must_use]
    pub fn is_allowed(&self, from: TaskStatus) -> bool {
        match from {
            TaskStatus::Pending | TaskStatus::Blocked => true,
            TaskStatus::InProgress | TaskStatus::AwaitingApproval => false,
            TaskStatus::Done | TaskStatus::Cancelled => *self == Self::Reopen || self.target() == from,
        }
    }

    /// Whether earlier failures no longer count against the task.
    #[must_use]
    pub const fn forgives(&self) -> bool {
        matches!(self, Self::Unblock | Self::Reopen)
    }

    /// The reason that goes with it.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Block { reason } => Some(reason),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_allows_what_makes_sense_there() {
        let block = TaskMove::Block { reason: "no key".into() };
        let moves = [TaskMove::Done, block, TaskMove::Unblock, TaskMove::Cancel, TaskMove::Reopen];
        let table = [
            (TaskStatus::Pending, [true, true, true, true, true]),
            (TaskStatus::InProgress, [false; 5]),
            (TaskStatus::AwaitingApproval, [false; 5]),
            (TaskStatus::Done, [true, false, false, false, true]),
            (TaskStatus::Blocked, [true, true, true, true, true]),
            (TaskStatus::Cancelled, [false, false, false, true, true]),
        ];
        assert_eq!(table.len(), TaskStatus::ALL.len());
        for (from, expected) in table {
            assert_eq!(moves.each_ref().map(|to| to.is_allowed(from)), expected, "{from}");
        }
        assert_eq!(moves.each_ref().map(TaskMove::forgives), [false, false, true, false, true]);
    }
}
