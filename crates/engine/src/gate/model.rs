//! Gates as they are shown and answered.

use loopwright_domain::{
    CheckResult, Gate, GateId, GateKind, GateReason, GateStatus, IterationId, RiskFlag, Task, TaskId,
};
use serde::{Deserialize, Serialize};

use crate::watch::diff_model::Comparison;
use crate::watch::run_state::RunSummary;

/// A gate in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct GateSummary {
    /// The gate.
    pub id: GateId,
    /// What it asks about.
    pub kind: GateKind,
    /// What became of it.
    pub status: GateStatus,
    /// The task.
    pub task: Option<TaskId>,
    /// What it is about, in one line.
    pub title: String,
    /// Why it was opened.
    pub reasons: Vec<GateReason>,
    /// What is risky about the change.
    pub flags: Vec<RiskFlag>,
    /// How many files changed.
    pub files: u32,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// When it was opened.
    pub opened_at: String,
    /// When it was decided.
    pub decided_at: Option<String>,
}

/// What waits for a person, and what was decided lately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct GateInbox {
    /// Open gates, oldest first.
    pub open: Vec<GateSummary>,
    /// Gates decided lately, newest first.
    pub decided: Vec<GateSummary>,
}

/// Finished work that a review looks back at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ReviewedWork {
    /// The iteration.
    pub iteration: IterationId,
    /// Its task.
    pub task: Option<TaskId>,
    /// The task's title.
    pub title: String,
    /// Its commit.
    pub commit: String,
    /// Whether the commit has been reverted and the task put back.
    pub reverted: bool,
}

/// Something that the commit of the shown work would lack and a check may have used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct LeftOutFile {
    /// The path, from the top of the repository.
    pub path: String,
    /// Why it is left out.
    pub detail: String,
    /// Whether it can be in the commit all the same.
    pub can_be_included: bool,
}

/// One gate in full, but for its diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct GateDetail {
    /// The gate.
    pub gate: Gate,
    /// The run.
    pub run: RunSummary,
    /// The task with its acceptance criteria.
    pub task: Option<Task>,
    /// What the agent names as satisfying the work already, and the host found to be so.
    pub satisfied_by: Vec<String>,
    /// How the checks went.
    pub checks: Vec<CheckResult>,
    /// What to compare for the diff; none where nothing was saved.
    pub comparison: Option<Comparison>,
    /// What the commit would lack; whoever approves says what of it goes in.
    pub left_out: Vec<LeftOutFile>,
    /// Whether the files are still those that are shown. When not, only a decision that says so is taken.
    pub unchanged: bool,
    /// The files that differ from what is shown, at most 100.
    pub edited: Vec<String>,
    /// Whether a process waits for the decision; else it is carried out by whoever decides.
    pub live: bool,
    /// The finished work of a review.
    pub work: Vec<ReviewedWork>,
}

/// What became of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GateAnswer {
    /// A live process was told and carries it out.
    Told,
    /// It was carried out here: committed.
    Committed {
        /// The commit; none where nothing changed, nothing is to be committed, or there is no git.
        commit: Option<String>,
    },
    /// It was carried out here: the files are as they were before the work.
    PutBack {
        /// Where the rejected work is kept.
        kept: Option<String>,
        /// Files that are not as they were: they were changed after the work was shown.
        left: Vec<String>,
    },
    /// It was carried out here: what a commit hook made of a wave's work is put back. The work itself stays in the files,
    /// and is committed when the run is resumed.
    HookEditsPutBack {
        /// Files that are not as they were: they were changed after the edits were shown.
        left: Vec<String>,
    },
    /// It was carried out here: rejected in a run without tasks. The work stays in the files, and the next iteration is
    /// told why.
    Kept,
    /// The person's edits do not pass the checks; the gate is still open.
    ChecksFailed {
        /// The failing ones.
        checks: Vec<String>,
        /// The end of what they printed, each below its name.
        output: String,
    },
}
