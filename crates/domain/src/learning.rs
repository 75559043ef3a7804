//! Learnings: what an agent or a person found out and wants to be remembered.

use serde::{Deserialize, Serialize};

use crate::ids::{IterationId, TaskId};
use crate::word::words;

words! {
    /// What a learning is about.
    LearningCategory {
        /// Building the project.
        Build = "build",
        /// Testing it.
        Test = "test",
        /// Setting it up.
        Setup = "setup",
        /// A trap.
        Gotcha = "gotcha",
        /// A way of doing things here.
        Pattern = "pattern",
        /// A tool.
        Tool = "tool",
        /// Anything else.
        Other = "other",
    }
}

impl LearningCategory {
    /// The category somebody named; a word that is none is `other`.
    #[must_use]
    pub fn named(word: &str) -> Self {
        Self::parse(word.trim().to_lowercase().as_str()).unwrap_or(Self::Other)
    }
}

/// Something worth remembering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Learning {
    /// Its number in the project.
    pub id: u32,
    /// What it is about.
    pub category: LearningCategory,
    /// What was learned.
    pub text: String,
    /// The task it was learned at.
    pub task: Option<TaskId>,
    /// The iteration it was learned in.
    pub iteration: Option<IterationId>,
    /// When.
    pub at: String,
}
