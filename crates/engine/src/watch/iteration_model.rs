//! Iterations as they are listed, and one of them in full.

use loopwright_domain::{
    CheckResult, EventEnvelope, FailureCause, Fault, Iteration, IterationId, Outcome, Phase, TaskId,
};
use serde::{Deserialize, Serialize};

use crate::watch::run_state::RunSummary;

/// What iterations are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum IterationColumn {
    /// The number.
    Number,
    /// When it began.
    Started,
    /// How long it took.
    Duration,
    /// The agent's exit code.
    Exit,
    /// How it ended.
    Outcome,
    /// How many tokens it used.
    Tokens,
    /// How much it cost.
    Cost,
}

/// The order of a list of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct IterationSort {
    /// By what.
    pub column: IterationColumn,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct IterationRow {
    /// Its id.
    pub id: IterationId,
    /// Its number, counted from 0; shown from 1.
    pub number: u32,
    /// Which try at this number it is, counted from 1.
    pub attempt: u32,
    /// The task it works on, in a run over tasks.
    pub task: Option<TaskId>,
    /// How far it has come.
    pub phase: Phase,
    /// The agent that worked; none before one was chosen.
    pub harness: Option<String>,
    /// The model that answered, else the one that was asked for.
    pub model: Option<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why it failed.
    pub cause: Option<FailureCause>,
    /// The same in words.
    pub message: Option<String>,
    /// The required checks that failed, in their order; empty when it failed otherwise.
    pub failed_checks: Vec<String>,
    /// When it began.
    pub started_at: String,
    /// How long it took, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub elapsed_ms: u64,
    /// The agent's exit code.
    pub exit_code: Option<i32>,
    /// The signal that ended the agent.
    pub exit_signal: Option<i32>,
    /// All tokens it used.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub tokens: u64,
    /// What it cost, in millionths of a US dollar; none where nobody said.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub cost_micros: Option<u64>,
    /// Whether the money is computed from a price list.
    pub estimated: bool,
    /// The beginning of the agent's last message.
    pub preview: String,
    /// The commit that holds its work.
    pub commit: Option<String>,
}

/// A part of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct IterationPage {
    /// How many there are in all.
    pub total: u32,
    /// These.
    pub rows: Vec<IterationRow>,
}

/// A text that may be too long to be shown whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct KeptText {
    /// Its beginning.
    pub text: String,
    /// How long it is, in bytes.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub bytes: u64,
    /// Whether there is more than is here.
    pub cut: bool,
}

/// One iteration in full, but for its output and its diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct IterationDetail {
    /// The iteration.
    pub iteration: Iteration,
    /// Its run.
    pub run: RunSummary,
    /// The one before it in the same run.
    pub previous: Option<IterationId>,
    /// The one after it.
    pub next: Option<IterationId>,
    /// What the agent was asked.
    pub prompt: KeptText,
    /// The agent's own last words.
    pub response: KeptText,
    /// How its checks went.
    pub checks: Vec<CheckResult>,
    /// What was written down about it.
    pub journal: Vec<EventEnvelope>,
    /// Why its diff cannot be shown or its tree restored; none when both can.
    pub no_tree: Option<Fault>,
}
