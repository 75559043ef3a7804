//! What happened in a project, as far as figures are made from it: plain data, in the order in which it happened.

use std::collections::BTreeMap;

use crate::failure::FailureCategory;
use crate::ids::{IterationId, TaskId};
use crate::memory::solution_trust::{SolutionTrust, TrustReason};
use crate::task::TaskStatus;
use crate::usage::Usage;

/// A moment: seconds since 1970, which rules count with.
pub type Seconds = i64;

/// How many seconds a day has.
pub const DAY: Seconds = 86_400;

/// An iteration that was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptFact {
    /// The iteration.
    pub iteration: IterationId,
    /// The task it worked on.
    pub task: Option<TaskId>,
    /// The harness.
    pub harness: String,
    /// The model, where the agent said.
    pub model: Option<String>,
    /// When it ended.
    pub at: Seconds,
    /// The day of that in UTC, such as `2026-11-18`.
    pub date: String,
    /// Whether it passed.
    pub passed: bool,
    /// Whether a person worked instead of an agent.
    pub by_hand: bool,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// What the agent used.
    pub usage: Usage,
}

/// A failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureFact {
    /// Its pattern.
    pub pattern: String,
    /// Its category.
    pub category: FailureCategory,
    /// The iteration that failed.
    pub iteration: IterationId,
    /// The task.
    pub task: Option<TaskId>,
    /// When.
    pub at: Seconds,
    /// The same as RFC 3339 in UTC.
    pub at_text: String,
    /// The iteration that passed at the same task afterwards.
    pub resolved_by: Option<IterationId>,
    /// When that was.
    pub resolved_at: Option<Seconds>,
    /// Whether its solution was in that iteration's prompt.
    pub with_solution: bool,
    /// Whether a person did it.
    pub by_hand: bool,
}

/// A task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskFact {
    /// The task.
    pub id: TaskId,
    /// Where it stands now.
    pub status: TaskStatus,
    /// When it was added.
    pub created: Seconds,
}

/// A change of a task's status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskChangeFact {
    /// The task.
    pub task: TaskId,
    /// When.
    pub at: Seconds,
    /// The same as RFC 3339 in UTC.
    pub at_text: String,
    /// Where it stands since then.
    pub to: TaskStatus,
}

/// A change of a solution's record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionFact {
    /// The solution.
    pub solution: u32,
    /// What it is called.
    pub title: String,
    /// Its pattern.
    pub pattern: String,
    /// When the change was.
    pub at: Seconds,
    /// The trust since then.
    pub trust: SolutionTrust,
    /// Why.
    pub reason: TrustReason,
}

/// A learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearningFact {
    /// When it was learned.
    pub at: Seconds,
    /// When it was first in a prompt.
    pub first_used: Option<Seconds>,
}

/// Everything that figures are made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetricFacts {
    /// When each run began.
    pub runs: Vec<Seconds>,
    /// Iterations that were judged.
    pub attempts: Vec<AttemptFact>,
    /// Failures.
    pub failures: Vec<FailureFact>,
    /// Tasks.
    pub tasks: Vec<TaskFact>,
    /// Changes of their status.
    pub task_changes: Vec<TaskChangeFact>,
    /// Changes of the records of solutions.
    pub solutions: Vec<SolutionFact>,
    /// Learnings.
    pub learnings: Vec<LearningFact>,
}

/// The record of each solution that was in use at a time: its last change until then.
#[must_use]
pub(crate) fn solutions_at(changes: &[SolutionFact], at: Seconds) -> Vec<&SolutionFact> {
    let mut records: BTreeMap<u32, (&SolutionFact, bool)> = BTreeMap::new();
    for change in changes.iter().filter(|change| change.at <= at) {
        let retired = match change.reason {
            TrustReason::Retired => true,
            TrustReason::Restored => false,
            _ => records.get(&change.solution).is_some_and(|(_, retired)| *retired),
        };
        records.insert(change.solution, (change, retired));
    }
    records.into_values().filter(|(_, retired)| !retired).map(|(change, _)| change).collect()
}
