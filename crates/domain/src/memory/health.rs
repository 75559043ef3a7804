//! How well a project is doing: six factors, and what would raise them.

use serde::{Deserialize, Serialize};

use crate::word::words;

words! {
    /// What health is made of.
    HealthFactorKind {
        /// How many of the last iterations passed.
        SuccessRate = "success_rate",
        /// Whether that rises or falls.
        SuccessTrend = "success_trend",
        /// How far solutions are trusted.
        SolutionTrust = "solution_trust",
        /// How many tasks are not blocked.
        UnblockedTasks = "unblocked_tasks",
        /// How many learnings were in a prompt.
        LearningsUsed = "learnings_used",
        /// How many failures were resolved.
        FailuresResolved = "failures_resolved",
    }
}

words! {
    /// Where health is going.
    HealthDirection {
        /// Up by more than five points.
        Improving = "improving",
        /// Within five points.
        Stable = "stable",
        /// Down by more than five points.
        Declining = "declining",
    }
}

/// One factor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct HealthFactor {
    /// Which.
    pub factor: HealthFactorKind,
    /// Its share of the whole, in percent.
    pub weight: u32,
    /// 0 to 100; none when there is not enough data.
    pub score: Option<u32>,
    /// How many cases it stands on.
    pub n: u32,
    /// How many it needs.
    pub needed: u32,
    /// What it stands on, in words.
    pub detail: String,
    /// What would raise it, in words.
    pub raise: Option<String>,
    /// How many points of the whole that would give at most.
    pub gain: u32,
}

/// How well a project is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct HealthReport {
    /// 0 to 100: the mean of the factors that have enough data, by weight; none when those are less than half.
    pub score: Option<u32>,
    /// The score of seven days ago.
    pub week_ago: Option<u32>,
    /// Where it is going; none where one of the two is not known.
    pub direction: Option<HealthDirection>,
    /// All six.
    pub factors: Vec<HealthFactor>,
    /// What would raise it most.
    pub best: Option<HealthFactorKind>,
    /// The score at the end of each of the last 30 days that has one, the oldest first.
    pub history: Vec<HealthPoint>,
}

/// The score of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct HealthPoint {
    /// The day in UTC.
    pub date: String,
    /// 0 to 100.
    pub score: u32,
}
