//! What a prompt is made of: each item with why it is there, its size, its trust and its price.

use serde::{Deserialize, Serialize};

use crate::ids::{IterationId, TaskId};
use crate::memory::solution_trust::SolutionTrust;
use crate::word::words;

words! {
    /// What an item of a prompt is, in the order in which they stand in it.
    PromptItemKind {
        /// The rules of the work. Always in.
        Rules = "rules",
        /// The task with its description and acceptance criteria. Always in.
        Task = "task",
        /// A section of the spec that the task is linked to.
        LinkedSection = "linked_section",
        /// The task's part of a plan file.
        Plan = "plan",
        /// A document that the run was given.
        Document = "document",
        /// A section of the spec with words of the task.
        RelatedSection = "related_section",
        /// Why the last attempt failed, and what a person said about it.
        LastError = "last_error",
        /// What the last attempt had changed.
        LastDiff = "last_diff",
        /// What fixed the failure that the task had last.
        KnownFix = "known_fix",
        /// A trusted solution of a pattern that is frequent here.
        Solution = "solution",
        /// A solution that still has to show that it helps.
        TrialSolution = "trial_solution",
        /// What a task came to that this one depends on.
        Dependency = "dependency",
        /// A finished task with words of this one.
        SimilarTask = "similar_task",
        /// A failure that nothing has resolved yet.
        RecentFailure = "recent_failure",
        /// Something that was learned.
        Learning = "learning",
        /// A plan that a person approved. Always in.
        ApprovedPlan = "approved_plan",
        /// How to report, and which checks follow. Always in.
        Ending = "ending",
    }
}

words! {
    /// What items belong together on a screen.
    PromptGroup {
        /// Items that are in every prompt.
        Always = "always",
        /// The spec and other documents.
        Spec = "spec",
        /// The last attempt.
        LastAttempt = "last_attempt",
        /// Solutions, failures and learnings.
        Memory = "memory",
        /// Other tasks.
        RelatedWork = "related_work",
    }
}

impl PromptItemKind {
    /// The group it belongs to.
    #[must_use]
    pub const fn group(self) -> PromptGroup {
        match self {
            Self::Rules | Self::Task | Self::ApprovedPlan | Self::Ending => PromptGroup::Always,
            Self::LinkedSection | Self::Plan | Self::Document | Self::RelatedSection => PromptGroup::Spec,
            Self::LastError | Self::LastDiff => PromptGroup::LastAttempt,
            Self::KnownFix | Self::Solution | Self::TrialSolution | Self::RecentFailure | Self::Learning => {
                PromptGroup::Memory
            }
            Self::Dependency | Self::SimilarTask => PromptGroup::RelatedWork,
        }
    }

    /// Whether it is in every prompt, whatever a person chooses and whatever the budget is.
    #[must_use]
    pub const fn is_always_in(self) -> bool {
        matches!(self.group(), PromptGroup::Always)
    }
}

words! {
    /// Whether an item is in a prompt.
    ItemState {
        /// Whole.
        In = "in",
        /// Its beginning.
        Cut = "cut",
        /// Not at all.
        Out = "out",
    }
}

words! {
    /// What a person chose for an item of a task's prompts.
    ItemChoice {
        /// In, if the budget has room.
        In = "in",
        /// Out.
        Out = "out",
        /// In before anything else that is not always in.
        Pinned = "pinned",
    }
}

/// A choice for one item, remembered for a task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PromptChoice {
    /// The item's key.
    pub key: String,
    /// What was chosen.
    pub choice: ItemChoice,
}

/// One item of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PromptItem {
    /// What it is known by from prompt to prompt: its kind and number, such as `solution:3`.
    pub key: String,
    /// What it is.
    pub kind: PromptItemKind,
    /// The group it belongs to.
    pub group: PromptGroup,
    /// What it is called.
    pub title: String,
    /// Why it is here, or why it is out, in words.
    pub why: String,
    /// Whether it is in.
    pub state: ItemState,
    /// What a person chose.
    pub choice: Option<ItemChoice>,
    /// How many tokens it takes in the prompt; of one that is out, what it would take.
    pub tokens: u32,
    /// How many it would take whole.
    pub whole_tokens: u32,
    /// How far it is trusted, where it is a solution.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub trust: Option<SolutionTrust>,
    /// What it costs to send once, in millionths of a US dollar; none where the model's price is not known.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub cost_micros: Option<u64>,
    /// In how many of the agent's messages its words come up again; none where no agent has worked yet.
    pub cited: Option<u32>,
    /// Its text: as it is in the prompt, or whole where it is out.
    pub text: String,
}

/// A solution that fits, with whether it is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SuggestedSolution {
    /// Its number.
    pub id: u32,
    /// The pattern it fixes.
    pub pattern: String,
    /// What it is.
    pub title: String,
    /// How far it is trusted.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub trust: SolutionTrust,
    /// Whether it is in the prompt.
    pub included: bool,
}

/// A prompt, taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PromptPreview {
    /// The task it is for.
    pub task: Option<TaskId>,
    /// The iteration that was asked with it; none for the next one.
    pub iteration: Option<IterationId>,
    /// The model whose prices are used.
    pub model: Option<String>,
    /// All items, in the prompt's order; those that are out stand where they would be.
    pub items: Vec<PromptItem>,
    /// What the items take that the budget counts: all but those that are always in.
    pub context_tokens: u32,
    /// The budget of these; 0 is none.
    pub budget: u32,
    /// What the whole prompt takes.
    pub prompt_tokens: u32,
    /// What sending it once costs, in millionths of a US dollar.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub cost_micros: Option<u64>,
    /// What a person should know about it.
    pub warnings: Vec<String>,
    /// Solutions that fit the task's last failure, the best first.
    pub suggested: Vec<SuggestedSolution>,
    /// Tasks that have to be done before this one and are not.
    pub waits_for: Vec<TaskId>,
    /// The prompt itself.
    pub prompt: String,
}
