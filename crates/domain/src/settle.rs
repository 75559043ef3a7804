//! What becomes of a task after an attempt at it: pure functions over plain data.

use crate::baseline::Baseline;
use crate::change::Change;
use crate::check::{CheckResult, Verdict};
use crate::decide::{Facts, judge};
use crate::gate::{GateDecision, GateKind, GateReason};
use crate::iteration::{Claim, FailureCause, Outcome};
use crate::task::TaskStatus;

/// What is known about an attempt at a task after agent and checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptFacts {
    /// What agent and checks came to.
    pub facts: Facts,
    /// Whether the agent was to plan and change nothing.
    pub plan_only: bool,
    /// Whether an agent has to say that the task is done.
    pub require_signal: bool,
    /// Whether a person did the work, and so says with it that it is done.
    pub by_hand: bool,
    /// Whether an earlier attempt in this run put its claim on the wrong line too.
    pub misplaced_before: bool,
}

/// How often a task has failed before this attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// In this run.
    pub in_run: u32,
    /// Over all runs, without those a person has forgiven.
    pub in_all: u32,
}

/// When a task is given up. 0 is never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskLimits {
    /// Failed attempts in one run.
    pub max_attempts: u32,
    /// Failures over all runs.
    pub max_total_failures: u32,
}

/// Why a task is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockCause {
    /// The agent says that it needs a person.
    Said,
    /// It failed this often in this run.
    Attempts(u32),
    /// It failed this often over all runs.
    Chronic(u32),
    /// A person put it aside.
    PutAside,
}

/// What becomes of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// Commit the work: the task is done.
    Done,
    /// Its plan is approved; the next attempt carries it out.
    Planned,
    /// A person decides first, for these reasons.
    Gate(Vec<GateReason>),
    /// Put the files back and try again.
    Retry(FailureCause),
    /// Put the files back; the task waits for a person.
    Block(FailureCause, BlockCause),
    /// It was stopped from outside: put the files back, nothing counts.
    Again,
}

impl Settlement {
    /// Where the task stands after it.
    #[must_use]
    pub const fn status(&self) -> TaskStatus {
        match self {
            Self::Done => TaskStatus::Done,
            Self::Gate(_) => TaskStatus::AwaitingApproval,
            Self::Block(..) => TaskStatus::Blocked,
            Self::Planned | Self::Retry(_) | Self::Again => TaskStatus::Pending,
        }
    }

    /// How the iteration ended; none while a person has to decide.
    #[must_use]
    pub const fn outcome(&self) -> Option<(Outcome, Option<FailureCause>)> {
        match self {
            Self::Done | Self::Planned => Some((Outcome::Succeeded, None)),
            Self::Gate(_) => None,
            Self::Retry(cause) | Self::Block(cause, _) => Some((Outcome::Failed, Some(*cause))),
            Self::Again => Some((Outcome::Interrupted, None)),
        }
    }

    /// The checks for which a run waits for a person instead of spending other tasks on them: those that fail just as
    /// before the run, when a task is blocked by failing checks.
    #[must_use]
    pub fn held_by<'a>(&self, baseline: &Baseline, results: &'a [CheckResult]) -> Vec<&'a CheckResult> {
        match self {
            Self::Block(FailureCause::Checks, _) => baseline.still_red(results),
            _ => Vec::new(),
        }
    }
}

/// Judges an attempt at a task: as any iteration, and the agent has to say that the task is done and to have changed
/// something for it or to name what satisfies it already; or to have changed nothing when it was to plan.
#[must_use]
pub fn judge_attempt(attempt: &AttemptFacts) -> (Outcome, Option<FailureCause>) {
    let judged = judge(&attempt.facts);
    let failed = |cause| (Outcome::Failed, Some(cause));
    if judged.0 != Outcome::Succeeded {
        return judged;
    }
    match attempt {
        AttemptFacts { plan_only: true, facts: Facts { change: Change::Made, .. }, .. } => {
            failed(FailureCause::PlanChangedFiles)
        }
        AttemptFacts { plan_only: true, .. } | AttemptFacts { by_hand: true, .. } => judged,
        // The second time a person looks.
        AttemptFacts { require_signal: true, misplaced_before: true, .. }
            if attempt.facts.claim == Claim::Misplaced && attempt.facts.change != Change::Nothing =>
        {
            judged
        }
        AttemptFacts { require_signal: true, .. }
            if matches!(attempt.facts.claim, Claim::None | Claim::Misplaced) =>
        {
            failed(FailureCause::NoSignal)
        }
        AttemptFacts { facts: Facts { change: Change::Nothing, .. }, .. } => {
            failed(FailureCause::NothingChanged)
        }
        _ => judged,
    }
}

/// What becomes of a task after an attempt. `gates` are the reasons for which a person has to look at good work.
#[must_use]
pub fn settle(
    attempt: &AttemptFacts,
    gates: &[GateReason],
    failures: Failures,
    limits: TaskLimits,
) -> Settlement {
    match judge_attempt(attempt) {
        (Outcome::Interrupted, _) => Settlement::Again,
        (Outcome::Failed, cause) => failed(cause.unwrap_or(FailureCause::AgentError), failures, limits),
        (Outcome::Succeeded, _) if attempt.plan_only => Settlement::Gate(vec![GateReason::Plan]),
        (Outcome::Succeeded, _) => {
            let mut reasons = gates.to_vec();
            let proven = attempt.facts.verdict != Verdict::Unchecked || attempt.by_hand;
            match attempt.facts.change {
                Change::Already => reasons.push(GateReason::AlreadySatisfied),
                Change::NotNeeded | Change::Unknown if !proven => reasons.push(GateReason::Unproven),
                _ => {}
            }
            if attempt.require_signal && attempt.facts.claim == Claim::Misplaced {
                reasons.push(GateReason::MisplacedClaim);
            }
            if reasons.is_empty() { Settlement::Done } else { Settlement::Gate(reasons) }
        }
    }
}

/// What becomes of a task that failed.
#[must_use]
pub fn failed(cause: FailureCause, before: Failures, limits: TaskLimits) -> Settlement {
    let reached = |count: u32, limit: u32| limit > 0 && count >= limit;
    let (in_run, in_all) = (before.in_run.saturating_add(1), before.in_all.saturating_add(1));
    match cause {
        FailureCause::Blocked => Settlement::Block(cause, BlockCause::Said),
        FailureCause::Skipped => Settlement::Block(cause, BlockCause::PutAside),
        _ if reached(in_all, limits.max_total_failures) => {
            Settlement::Block(cause, BlockCause::Chronic(in_all))
        }
        _ if reached(in_run, limits.max_attempts) => Settlement::Block(cause, BlockCause::Attempts(in_run)),
        _ => Settlement::Retry(cause),
    }
}

/// What becomes of a task after a person's decision at its gate.
#[must_use]
pub fn after_decision(
    kind: GateKind,
    decision: &GateDecision,
    failures: Failures,
    limits: TaskLimits,
) -> Settlement {
    match decision {
        GateDecision::Approve | GateDecision::ApproveWithEdits => match kind {
            GateKind::Plan => Settlement::Planned,
            GateKind::Work | GateKind::Review => Settlement::Done,
        },
        GateDecision::Reject { .. } => failed(FailureCause::Rejected, failures, limits),
        GateDecision::Skip { .. } => failed(FailureCause::Skipped, failures, limits),
    }
}

/// Why a task is blocked, in words; `told` is why its last attempt failed.
#[must_use]
pub fn block_words(cause: BlockCause, told: &str) -> String {
    match cause {
        BlockCause::Said | BlockCause::PutAside => told.to_owned(),
        BlockCause::Attempts(1) => format!("failed; {told}"),
        BlockCause::Attempts(times) => format!("failed {times} times in this run; the last time: {told}"),
        BlockCause::Chronic(times) => format!("failed {times} times over all runs; the last time: {told}"),
    }
}

#[cfg(test)]
#[path = "settle_tests.rs"]
mod tests;
