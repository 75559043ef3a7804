//! Gates: where a person looks before anything goes on. A gate is bound to one tree, and what is decided is decided
//! once.

use serde::{Deserialize, Serialize};

use crate::ids::{GateId, IterationId, RunId, TaskId};
use crate::origin::Origin;
use crate::word::words;

words! {
    /// What a gate asks about.
    GateKind {
        /// An iteration's work, before it is committed.
        Work = "work",
        /// A plan an agent made, before it is carried out.
        Plan = "plan",
        /// Several finished tasks that are committed already.
        Review = "review",
    }
}

words! {
    /// What became of a gate.
    GateStatus {
        /// It waits for a person.
        Open = "open",
        /// Somebody approved it.
        Approved = "approved",
        /// Somebody rejected it.
        Rejected = "rejected",
        /// Somebody put the task aside.
        Skipped = "skipped",
        /// The files changed, and another gate shows them as they are now; or its run was cancelled.
        Replaced = "replaced",
    }
}

words! {
    /// Why a gate was opened.
    GateReason {
        /// The review mode asks for it.
        Mode = "mode",
        /// What changed is risky.
        Risk = "risk",
        /// Nothing shows that the work is done: no file changed and no check says anything, or checks that failed
        /// pass although no file changed.
        Unproven = "unproven",
        /// The agent was asked for a plan first.
        Plan = "plan",
        /// For the second time the agent said that it is done, and not on the last line of its last message.
        MisplacedClaim = "misplaced_claim",
        /// Nothing changed, and the agent names what satisfies the work already.
        AlreadySatisfied = "already_satisfied",
        /// The agent says that a failing check is wrong.
        WrongCheck = "wrong_check",
        /// HEAD was moved while the agent worked in the user's own repository.
        Commits = "commits",
    }
}

words! {
    /// What can be risky about a change. Each can be switched off by taking it out of `gate.always`.
    RiskKind {
        /// Tests are gone.
        TestsDeleted = "tests_deleted",
        /// Tests ask for less than before: fewer assertions, skipped, looser.
        TestsWeakened = "tests_weakened",
        /// Checks, continuous integration or Loopwright's own files were edited.
        ChecksEdited = "checks_edited",
        /// A protected path was changed.
        ProtectedPath = "protected_path",
        /// More lines than a person should have to take on trust.
        LargeDiff = "large_diff",
        /// Something that looks like a password or a key.
        Secret = "secret",
        /// A check may have used something that the commit lacks.
        LeftOut = "left_out",
    }
}

/// One risky thing about a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RiskFlag {
    /// What kind of risk it is.
    pub kind: RiskKind,
    /// The file; none when it is about the whole change.
    pub path: Option<String>,
    /// The line on the newer side, or on the older side when lines were removed; counted from 1.
    pub line: Option<u32>,
    /// What was seen, in words. Never the secret itself.
    pub detail: String,
}

/// What a person says about a line of the change. It goes into the next prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct LineComment {
    /// Its number within the gate; 0 for one that is not stored yet.
    pub id: u32,
    /// The file.
    pub path: String,
    /// The line, counted from 1; none is about the whole file.
    pub line: Option<u32>,
    /// Whether the line is on the older side.
    pub old_side: bool,
    /// The line itself, so that the remark is understood without the diff.
    pub quoted: String,
    /// The remark.
    pub text: String,
}

/// What a person decides at a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GateDecision {
    /// Commit exactly what was shown.
    Approve,
    /// Take the tree as it is now, with the person's own edits: checked again, then committed.
    ApproveWithEdits,
    /// The reason goes into the next prompt. In a run over tasks the tree is put back; in `loop` and `fix` the work
    /// stays, and the next iteration sees it.
    Reject {
        /// Why.
        reason: String,
    },
    /// Put the tree back and the task aside: it is blocked until a person takes it up again.
    Skip {
        /// Why.
        reason: String,
    },
}

impl GateDecision {
    /// What a gate has become by this.
    #[must_use]
    pub const fn status(&self) -> GateStatus {
        match self {
            Self::Approve | Self::ApproveWithEdits => GateStatus::Approved,
            Self::Reject { .. } => GateStatus::Rejected,
            Self::Skip { .. } => GateStatus::Skipped,
        }
    }
}

/// A stop where a person decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Gate {
    /// Its number in the project.
    pub id: GateId,
    /// What it asks about.
    pub kind: GateKind,
    /// The run.
    pub run: RunId,
    /// The iteration whose work it is; the last one of a review.
    pub iteration: IterationId,
    /// The task.
    pub task: Option<TaskId>,
    /// Why it was opened.
    pub reasons: Vec<GateReason>,
    /// What is risky about the change.
    pub flags: Vec<RiskFlag>,
    /// The tree before the work; none in a folder without git.
    pub from: Option<String>,
    /// The tree that is shown. A decision holds for this tree and no other.
    pub tree: Option<String>,
    /// What the agent said it did; of a plan, the plan.
    pub summary: String,
    /// What became of it.
    pub status: GateStatus,
    /// When it was opened.
    pub opened_at: String,
    /// What was decided.
    pub decision: Option<GateDecision>,
    /// When it was decided.
    pub decided_at: Option<String>,
    /// By whom.
    pub decided_by: Option<Origin>,
    /// Remarks on lines.
    pub comments: Vec<LineComment>,
}
