//! Learnings: what an agent or a person found out and wants to be remembered.

use serde::{Deserialize, Serialize};

use crate::ids::{IterationId, TaskId};
use crate::memory::solution::MemoryOrigin;
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

words! {
    /// Where a learning holds.
    LearningScope {
        /// In this project.
        Project = "project",
        /// In every project of the same stack, such as `rust`.
        Stack = "stack",
        /// Everywhere.
        Everywhere = "everywhere",
    }
}

/// Something worth remembering: a short card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Learning {
    /// Its number in the project.
    pub id: u32,
    /// What it is about.
    pub category: LearningCategory,
    /// What it is, in a few words.
    pub title: String,
    /// When it applies; empty where nobody said.
    pub when: String,
    /// What was learned: what to do or to avoid.
    pub text: String,
    /// Where it holds.
    pub scope: LearningScope,
    /// The stack it holds in, for one that holds in a stack.
    pub stack: Option<String>,
    /// The failure pattern it is about.
    pub pattern: Option<String>,
    /// Where it came from.
    pub origin: MemoryOrigin,
    /// The task it was learned at.
    pub task: Option<TaskId>,
    /// The iteration it was learned in.
    pub iteration: Option<IterationId>,
    /// When.
    pub at: String,
    /// How often nearly the same was learned, this one included.
    pub learned: u32,
    /// How many prompts it was in.
    pub included: u32,
    /// How many of these attempts passed.
    pub passed: u32,
}

/// A learning that somebody writes or changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct LearningDraft {
    /// What it is about.
    pub category: LearningCategory,
    /// What it is, in a few words; made from the text where it is empty.
    pub title: String,
    /// When it applies.
    pub when: String,
    /// What to do or to avoid.
    pub text: String,
    /// Where it holds.
    pub scope: LearningScope,
    /// The failure pattern it is about; found from the text where it is none.
    pub pattern: Option<String>,
}

impl Default for LearningDraft {
    fn default() -> Self {
        Self {
            category: LearningCategory::Other,
            title: String::new(),
            when: String::new(),
            text: String::new(),
            scope: LearningScope::Project,
            pattern: None,
        }
    }
}
