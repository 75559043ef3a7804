//! Solutions: what fixed failures of a pattern.

use serde::{Deserialize, Serialize};

use crate::failure::FailureCategory;
use crate::ids::{IterationId, TaskId};
use crate::memory::solution_trust::{SolutionState, SolutionTrust, TrustChange};
use crate::word::words;

words! {
    /// Where a solution or a learning came from.
    MemoryOrigin {
        /// The loop made it by rule, from a failure and what fixed it.
        Loop = "loop",
        /// An agent recorded it.
        Agent = "agent",
        /// An agent distilled it from an attempt's record.
        Distilled = "distilled",
        /// A person wrote it.
        Person = "person",
        /// It was made from a learning.
        Learning = "learning",
        /// It came from a file of another project.
        Import = "import",
    }
}

/// What fixed a failure, as the loop saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Fix {
    /// The failure's pattern.
    pub pattern: String,
    /// That pattern's category.
    pub category: FailureCategory,
    /// The failure's cause.
    pub cause: String,
    /// What it is, in a few words.
    pub title: String,
    /// What was done, in the words of who did it.
    pub text: String,
    /// The files that were changed.
    pub files: Vec<String>,
}

/// What fixed a failure, as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Solution {
    /// Its number in the project.
    pub id: u32,
    /// The pattern of failures that it fixes.
    pub pattern: String,
    /// That pattern's category.
    pub category: FailureCategory,
    /// What it is, in a few words.
    pub title: String,
    /// What to do, in the words of who did it.
    pub text: String,
    /// The files that were changed.
    pub files: Vec<String>,
    /// The cause of the failure it was made from: what it is compared with when another one like it comes.
    pub cause: String,
    /// How far it is trusted.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub trust: SolutionTrust,
    /// Where it stands.
    pub state: SolutionState,
    /// Where it came from.
    pub origin: MemoryOrigin,
    /// Where an imported one came from, in words.
    pub provenance: Option<String>,
    /// The task it was made at.
    pub task: Option<TaskId>,
    /// The iteration that it was made from.
    pub iteration: Option<IterationId>,
    /// When it was made, as RFC 3339 in UTC.
    pub created_at: String,
    /// From when on it counts as idle: when it was last made, helped, failed or was refreshed.
    pub validated_at: String,
    /// How many prompts it was in.
    pub included: u32,
    /// How many attempts it was credited for.
    pub helped: u32,
    /// How many attempts it was debited for.
    pub failed: u32,
    /// How many failures were resolved with it.
    pub resolved: u32,
}

/// What a solution changes: attempts from the first failure of its pattern until the task passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct MemoryEffect {
    /// The mean with it in the prompt.
    pub with: Option<f64>,
    /// The mean without it.
    pub without: Option<f64>,
    /// How many tasks it was measured at, with it.
    pub n: u32,
    /// How many tasks without it.
    pub n_without: u32,
}

impl MemoryEffect {
    /// Fewer than this say nothing.
    pub const ENOUGH: u32 = 5;

    /// Whether there are enough cases on both sides to say something.
    #[must_use]
    pub const fn is_measured(&self) -> bool {
        self.n >= Self::ENOUGH && self.n_without >= Self::ENOUGH
    }

    /// In words: the two means, or that there are too few.
    #[must_use]
    pub fn words(&self) -> String {
        match (self.is_measured(), self.without, self.with) {
            (true, Some(without), Some(with)) => {
                format!("attempts {without:.1} without it, {with:.1} with it, n = {}", self.n)
            }
            _ if self.n == 0 => "not used yet".to_owned(),
            _ => {
                let tasks = if self.n == 1 { "1 task".to_owned() } else { format!("{} tasks", self.n) };
                let what = if self.n < Self::ENOUGH { "to measure" } else { "without it to compare" };
                format!("used at {tasks}; too few {what}")
            }
        }
    }
}

/// A solution with all that is known about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SolutionDetail {
    /// The solution.
    #[serde(flatten)]
    pub solution: Solution,
    /// What it changes.
    pub effect: MemoryEffect,
    /// The effect in words.
    pub effect_text: String,
    /// Every change, the newest first.
    pub history: Vec<TrustChange>,
}

/// A solution that a person writes or changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct SolutionDraft {
    /// The pattern it fixes.
    pub pattern: String,
    /// What it is, in a few words.
    pub title: String,
    /// What to do.
    pub text: String,
    /// The files it is about.
    pub files: Vec<String>,
}
