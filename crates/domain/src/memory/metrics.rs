//! Figures of a project: what passed, what it took, what it cost.

use serde::{Deserialize, Serialize};

use crate::failure::FailureCategory;
use crate::memory::user_pattern::PatternStatus;
use crate::usage::Usage;

/// Fewer attempts than this say nothing about an agent.
pub const ENOUGH_ATTEMPTS: u32 = 10;

/// Sums over a stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct MetricTotals {
    /// Iterations that were judged.
    pub iterations: u32,
    /// Those that passed.
    pub passed: u32,
    /// Those that failed.
    pub failed: u32,
    /// What agents used.
    pub usage: Usage,
    /// How long iterations took, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub elapsed_ms: u64,
}

impl MetricTotals {
    /// How many of a hundred passed; none where there were none.
    #[must_use]
    pub fn pass_rate(&self) -> Option<f64> {
        (self.iterations > 0).then(|| 100.0 * f64::from(self.passed) / f64::from(self.iterations))
    }
}

/// One day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct DayMetrics {
    /// The day in UTC, such as `2026-11-18`.
    pub date: String,
    /// Its sums.
    #[serde(flatten)]
    pub totals: MetricTotals,
    /// The money of that day by harness, in millionths of a US dollar.
    pub cost_by_harness: Vec<HarnessCost>,
}

/// What a harness cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct HarnessCost {
    /// The harness.
    pub harness: String,
    /// In millionths of a US dollar.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub cost_micros: u64,
}

/// How one harness with one model does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentMetrics {
    /// The harness.
    pub harness: String,
    /// The model, where it is known.
    pub model: Option<String>,
    /// Its sums.
    #[serde(flatten)]
    pub totals: MetricTotals,
    /// Tasks that it finished.
    pub finished: u32,
    /// How many of a hundred attempts passed; none below [`ENOUGH_ATTEMPTS`].
    pub pass_rate: Option<f64>,
    /// Attempts for a finished task; none below [`ENOUGH_ATTEMPTS`].
    pub attempts_per_task: Option<f64>,
    /// Minutes of an attempt.
    pub minutes: Option<f64>,
    /// Money for a finished task, in millionths of a US dollar; none below [`ENOUGH_ATTEMPTS`] or where nobody knows it.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub cost_per_task_micros: Option<u64>,
}

/// How often a pattern was met, and what that took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PatternMetrics {
    /// The pattern's name.
    pub pattern: String,
    /// Its category.
    pub category: FailureCategory,
    /// What it means, in one line.
    pub about: String,
    /// Whether it is built in, or how far a person's own has come.
    pub status: PatternStatus,
    /// How many failures have it.
    pub failures: u32,
    /// How many of these the same task got over.
    pub resolved: u32,
    /// How many of these with a solution in the prompt.
    pub resolved_by_solution: u32,
    /// How many of these by a person's own work.
    pub resolved_by_hand: u32,
    /// When it was met first.
    pub first_at: String,
    /// When it was met last.
    pub last_at: String,
    /// How many attempts it took from a failure until the task passed, on average.
    pub attempts_until_resolved: Option<f64>,
    /// What the failed attempts used.
    pub usage: Usage,
    /// How long they took, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub elapsed_ms: u64,
    /// How many there were in each tenth of the time, the oldest first.
    pub trend: Vec<u32>,
    /// How many solutions it has that are in use.
    pub solutions: u32,
}

/// How many tasks were left at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct BurndownPoint {
    /// When, as RFC 3339 in UTC.
    pub at: String,
    /// Tasks that were neither done nor cancelled.
    pub left: u32,
}

/// All figures of a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Metrics {
    /// Over how many days, counted back from now; none is all time.
    pub days: Option<u32>,
    /// How many runs.
    pub runs: u32,
    /// Sums.
    pub totals: MetricTotals,
    /// Tasks in all, without cancelled ones.
    pub tasks: u32,
    /// Tasks that are done.
    pub tasks_done: u32,
    /// Tasks that are blocked.
    pub tasks_blocked: u32,
    /// Failures.
    pub failures: u32,
    /// Failures that were resolved.
    pub failures_resolved: u32,
    /// Solutions in use.
    pub solutions: u32,
    /// Learnings.
    pub learnings: u32,
    /// Each day that something happened on, the oldest first.
    pub per_day: Vec<DayMetrics>,
    /// Each harness and model, the most used first.
    pub agents: Vec<AgentMetrics>,
    /// Each pattern, the costliest first.
    pub patterns: Vec<PatternMetrics>,
    /// Tasks left over time, the oldest first.
    pub burndown: Vec<BurndownPoint>,
}
