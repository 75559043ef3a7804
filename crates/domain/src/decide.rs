//! What an iteration means for its run: pure functions over plain data.

use crate::caps::reached as reached_cap;
use crate::change::Change;
use crate::check::Verdict;
use crate::gate::GateReason;
use crate::iteration::{Claim, EndCause, FailureCause, Iteration, Outcome};
use crate::run::{ExitReason, Limits, Progress, RunKind};
use crate::word::words;

words! {
    /// What a run is there to reach.
    Goal {
        /// The agent's completion promise.
        Promise = "promise",
        /// An agent that ends well.
        ProcessSuccess = "process_success",
        /// Passing checks.
        Checks = "checks",
        /// Every task done.
        Tasks = "tasks",
        /// Nothing but its iterations: a procedure without a promise.
        Iterations = "iterations",
    }
}

/// What is known after agent and checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The source of the work.
    pub kind: RunKind,
    /// How the agent came to its end; none when it could not be started.
    pub end: Option<EndCause>,
    /// The agent's exit code; none when a signal ended it.
    pub exit_code: Option<i32>,
    /// Why the agent could not do its work, by what it told whatever its exit code: an error, a denial.
    pub told: Option<FailureCause>,
    /// What the agent said about its work.
    pub claim: Claim,
    /// What the checks say.
    pub verdict: Verdict,
    /// Whether fewer things fail than before.
    pub improved: bool,
    /// What stands behind a claim: in a run over tasks the attempt's change, else that of the whole run.
    pub change: Change,
}

/// Judges an iteration. An exit code other than 0 is a failure whatever was claimed; a claim never outweighs a
/// failing check, and a claim without a change names what satisfies the work already. What `fix` reaches is claimed by
/// the checks, not by the agent.
#[must_use]
pub fn judge(facts: &Facts) -> (Outcome, Option<FailureCause>) {
    let failed = |cause| (Outcome::Failed, Some(cause));
    match facts.end {
        None => return failed(FailureCause::NotStarted),
        Some(EndCause::Interrupted | EndCause::Killed) => return (Outcome::Interrupted, None),
        Some(EndCause::WallTimeout) => return failed(FailureCause::WallTimeout),
        Some(EndCause::IdleTimeout) => return failed(FailureCause::IdleTimeout),
        Some(EndCause::StartTimeout) => return failed(FailureCause::StartTimeout),
        Some(EndCause::Exited) => {}
    }
    if let Some(cause) = facts.told {
        return failed(cause);
    }
    if facts.exit_code != Some(0) {
        return failed(FailureCause::AgentExit);
    }
    match (facts.claim, facts.verdict) {
        (Claim::Failure, _) => failed(FailureCause::Reported),
        (Claim::Blocked, _) => failed(FailureCause::Blocked),
        (_, Verdict::Stopped) => (Outcome::Interrupted, None),
        (_, Verdict::Failed) if facts.kind == RunKind::Fix && facts.improved => (Outcome::Succeeded, None),
        (_, Verdict::Failed) if facts.kind == RunKind::Fix => failed(FailureCause::NotImproved),
        (_, Verdict::Failed) => failed(FailureCause::Checks),
        (Claim::Promise | Claim::Signal, _)
            if facts.change == Change::Nothing && facts.kind != RunKind::Fix =>
        {
            failed(FailureCause::NothingChanged)
        }
        (_, Verdict::Passed | Verdict::Unchecked) => (Outcome::Succeeded, None),
    }
}

/// Why a person has to look at the work of `loop` or `fix` before it is committed or ends the run well. `found` are the
/// reasons in the work itself.
#[must_use]
pub fn gate_reasons(kind: RunKind, change: Change, found: &[GateReason]) -> Vec<GateReason> {
    let mut reasons = found.to_vec();
    match (kind, change) {
        (_, Change::Already) => reasons.push(GateReason::AlreadySatisfied),
        // Checks that failed pass now, and no file says why.
        (RunKind::Fix, Change::Nothing) => reasons.push(GateReason::Unproven),
        _ => {}
    }
    reasons
}

/// Whether a settled iteration ends the run well, or shows that it cannot go on.
#[must_use]
pub fn finish(goal: Goal, iteration: &Iteration, verdict: Verdict) -> Option<ExitReason> {
    if iteration.cause == Some(FailureCause::Blocked) && goal != Goal::Tasks {
        return Some(ExitReason::Blocked);
    }
    if iteration.outcome != Some(Outcome::Succeeded) || verdict == Verdict::Failed {
        return None;
    }
    match (goal, iteration.claim) {
        (Goal::Checks, _) => Some(ExitReason::ChecksPass),
        (Goal::Tasks, _) => None,
        (_, Claim::Signal) => Some(ExitReason::ExitSignal),
        (_, Claim::Promise) => Some(ExitReason::Promise),
        (Goal::ProcessSuccess, _) => Some(ExitReason::ProcessSuccess),
        (Goal::Promise | Goal::Iterations, _) => None,
    }
}

/// The run's progress after a settled iteration. An interruption changes only what was used: it is no failure, and
/// its place is taken by the next one.
#[must_use]
pub fn advance(
    progress: &Progress,
    iteration: &Iteration,
    verdict: Verdict,
    same_failures: bool,
) -> Progress {
    let mut next = progress.clone();
    next.usage = next.usage.plus(&iteration.usage);
    next.worked_ms = next.worked_ms.saturating_add(iteration.elapsed_ms);
    match iteration.outcome {
        None | Some(Outcome::Interrupted) => return next,
        Some(Outcome::Failed) => next.consecutive_failures = next.consecutive_failures.saturating_add(1),
        Some(Outcome::Succeeded) if verdict != Verdict::Failed => next.consecutive_failures = 0,
        Some(Outcome::Succeeded) => {}
    }
    next.iteration = next.iteration.saturating_add(1);
    let unchanged = iteration.changed_tree() == Some(false) && same_failures;
    next.unchanged = if unchanged { next.unchanged.saturating_add(1) } else { 0 };
    next
}

/// Why the next iteration must not start, if so. Failures are named before limits: they say more.
#[must_use]
pub fn stop_reason(progress: &Progress, limits: &Limits) -> Option<ExitReason> {
    let reached = |value: u32, limit: u32| limit > 0 && value >= limit;
    let worked = limits.max_runtime_ms.is_some_and(|limit| progress.worked_ms >= limit);
    let rules = [
        (reached(progress.consecutive_failures, limits.failure_threshold), ExitReason::FailureThreshold),
        (reached(progress.unchanged, limits.no_progress), ExitReason::NoProgress),
        (reached(progress.iteration, limits.max_iterations), ExitReason::MaxIterations),
        (worked, ExitReason::Time),
    ];
    let first = rules.into_iter().find_map(|(applies, reason)| applies.then_some(reason));
    first.or_else(|| reached_cap(&progress.usage, limits))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ids::{IterationId, RunId};
    use crate::usage::Usage;

    fn facts() -> Facts {
        Facts {
            kind: RunKind::Loop,
            end: Some(EndCause::Exited),
            exit_code: Some(0),
            told: None,
            claim: Claim::None,
            verdict: Verdict::Unchecked,
            improved: false,
            change: Change::Made,
        }
    }

    fn settled(outcome: Outcome, claim: Claim) -> Iteration {
        let run = RunId::from_parts(1, [0; 10]);
        let mut iteration = Iteration::planned(IterationId::from_parts(1, [0; 10]), run, 0, 1, String::new());
        iteration.outcome = Some(outcome);
        iteration.claim = claim;
        iteration
    }

    #[test]
    fn an_exit_code_outweighs_every_claim() {
        let crashed = Facts { exit_code: Some(7), claim: Claim::Signal, ..facts() };
        assert_eq!(judge(&crashed), (Outcome::Failed, Some(FailureCause::AgentExit)));
        let signalled = Facts { exit_code: None, claim: Claim::Promise, ..facts() };
        assert_eq!(judge(&signalled), (Outcome::Failed, Some(FailureCause::AgentExit)));
    }

    #[test]
    fn a_failing_check_outweighs_the_promise_and_nothing_finishes() {
        let claimed = Facts { claim: Claim::Promise, verdict: Verdict::Failed, ..facts() };
        let (outcome, cause) = judge(&claimed);
        assert_eq!((outcome, cause), (Outcome::Failed, Some(FailureCause::Checks)));
        assert_eq!(finish(Goal::Promise, &settled(outcome, Claim::Promise), Verdict::Failed), None);
    }

    #[test]
    fn a_claim_without_a_change_or_a_reason_has_failed() {
        let cases = [
            (Claim::Promise, Change::Nothing, Some(FailureCause::NothingChanged)),
            (Claim::Signal, Change::Nothing, Some(FailureCause::NothingChanged)),
            (Claim::None, Change::Nothing, None),
            (Claim::Promise, Change::Already, None),
            (Claim::Promise, Change::NotNeeded, None),
            (Claim::Promise, Change::Unknown, None),
            (Claim::Promise, Change::Made, None),
        ];
        for (claim, change, cause) in cases {
            for verdict in [Verdict::Passed, Verdict::Unchecked] {
                let facts = Facts { claim, change, verdict, ..facts() };
                assert_eq!(judge(&facts).1, cause, "{facts:?}");
            }
            let failing = Facts { claim, change, verdict: Verdict::Failed, ..facts() };
            assert_eq!(judge(&failing).1, Some(FailureCause::Checks), "a failing check says more");
        }
        let fix = Facts { kind: RunKind::Fix, change: Change::Nothing, claim: Claim::Signal, ..facts() };
        assert_eq!(judge(&fix).1, None);
    }

    #[test]
    fn what_no_change_stands_behind_is_looked_at() {
        let risk = [GateReason::Risk];
        let cases = [
            (RunKind::Loop, Change::Made, vec![]),
            (RunKind::Loop, Change::Already, vec![GateReason::AlreadySatisfied]),
            (RunKind::Fix, Change::Already, vec![GateReason::AlreadySatisfied]),
            (RunKind::Fix, Change::Nothing, vec![GateReason::Unproven]),
            (RunKind::Fix, Change::Made, vec![]),
            (RunKind::Loop, Change::Unknown, vec![]),
        ];
        for (kind, change, reasons) in cases {
            assert_eq!(gate_reasons(kind, change, &[]), reasons, "{kind} {change:?}");
            let with_risk = gate_reasons(kind, change, &risk);
            assert_eq!(with_risk, [&risk[..], &reasons[..]].concat(), "{kind} {change:?}");
        }
    }

    #[test]
    fn each_way_of_ending_has_its_cause() {
        let cases = [
            (Facts { end: None, ..facts() }, Some(FailureCause::NotStarted)),
            (Facts { end: Some(EndCause::WallTimeout), ..facts() }, Some(FailureCause::WallTimeout)),
            (Facts { end: Some(EndCause::IdleTimeout), ..facts() }, Some(FailureCause::IdleTimeout)),
            (Facts { end: Some(EndCause::StartTimeout), ..facts() }, Some(FailureCause::StartTimeout)),
            (Facts { told: Some(FailureCause::AgentError), ..facts() }, Some(FailureCause::AgentError)),
            (
                Facts { told: Some(FailureCause::Denied), exit_code: Some(1), ..facts() },
                Some(FailureCause::Denied),
            ),
            (Facts { claim: Claim::Failure, ..facts() }, Some(FailureCause::Reported)),
            (Facts { claim: Claim::Blocked, ..facts() }, Some(FailureCause::Blocked)),
            (facts(), None),
        ];
        for (facts, cause) in cases {
            assert_eq!(judge(&facts).1, cause, "{facts:?}");
        }
        let stopped = Facts { end: Some(EndCause::Interrupted), exit_code: Some(1), ..facts() };
        assert_eq!(judge(&stopped), (Outcome::Interrupted, None));
    }

    #[test]
    fn in_fix_fewer_failures_are_no_failure_and_do_not_reset_the_count() {
        let fix = Facts { kind: RunKind::Fix, verdict: Verdict::Failed, ..facts() };
        assert_eq!(judge(&fix), (Outcome::Failed, Some(FailureCause::NotImproved)));
        let better = Facts { improved: true, ..fix };
        assert_eq!(judge(&better), (Outcome::Succeeded, None));
        let before = Progress { consecutive_failures: 2, ..Progress::default() };
        let after = advance(&before, &settled(Outcome::Succeeded, Claim::None), Verdict::Failed, false);
        assert_eq!(after.consecutive_failures, 2);
        assert_eq!(finish(Goal::Checks, &settled(Outcome::Succeeded, Claim::None), Verdict::Failed), None);
    }

    #[test]
    fn goals_end_runs_for_their_own_reasons() {
        let good = |claim| settled(Outcome::Succeeded, claim);
        let cases = [
            (Goal::Promise, Claim::None, None),
            (Goal::Promise, Claim::Promise, Some(ExitReason::Promise)),
            (Goal::Promise, Claim::Signal, Some(ExitReason::ExitSignal)),
            (Goal::ProcessSuccess, Claim::None, Some(ExitReason::ProcessSuccess)),
            (Goal::Iterations, Claim::None, None),
            (Goal::Checks, Claim::None, Some(ExitReason::ChecksPass)),
        ];
        for (goal, claim, reason) in cases {
            assert_eq!(finish(goal, &good(claim), Verdict::Passed), reason, "{goal} {claim}");
        }
        let mut blocked = settled(Outcome::Failed, Claim::Blocked);
        blocked.cause = Some(FailureCause::Blocked);
        assert_eq!(finish(Goal::Promise, &blocked, Verdict::Unchecked), Some(ExitReason::Blocked));
    }

    #[test]
    fn limits_of_zero_or_none_never_stop() {
        let limits = Limits {
            max_iterations: 0,
            failure_threshold: 0,
            no_progress: 0,
            max_runtime_ms: None,
            max_cost_micros: None,
            max_tokens: None,
        };
        let usage = Usage { input: u64::MAX, cost_micros: Some(u64::MAX), ..Usage::default() };
        let progress = Progress {
            iteration: u32::MAX,
            consecutive_failures: u32::MAX,
            unchanged: u32::MAX,
            worked_ms: u64::MAX,
            usage,
        };
        assert_eq!(stop_reason(&progress, &limits), None);
    }

    #[test]
    fn each_limit_stops_exactly_when_it_is_reached() {
        let limits = Limits { max_cost_micros: Some(10), max_tokens: Some(10), ..Limits::default() };
        let cases = [
            (Progress { iteration: 19, ..Progress::default() }, None),
            (Progress { iteration: 20, ..Progress::default() }, Some(ExitReason::MaxIterations)),
            (Progress { consecutive_failures: 2, ..Progress::default() }, None),
            (Progress { consecutive_failures: 3, ..Progress::default() }, Some(ExitReason::FailureThreshold)),
            (Progress { unchanged: 3, ..Progress::default() }, Some(ExitReason::NoProgress)),
            (Progress { worked_ms: 28_800_000, ..Progress::default() }, Some(ExitReason::Time)),
            (
                Progress {
                    usage: Usage { cost_micros: Some(10), ..Usage::default() },
                    ..Progress::default()
                },
                Some(ExitReason::Money),
            ),
            (
                Progress { usage: Usage { cache_read: 10, ..Usage::default() }, ..Progress::default() },
                Some(ExitReason::Tokens),
            ),
        ];
        for (progress, reason) in cases {
            assert_eq!(stop_reason(&progress, &limits), reason, "{progress:?}");
        }
    }

    proptest! {
        /// Whatever happens, an interruption costs no iteration and no failure, and use never shrinks.
        #[test]
        fn interruptions_cost_nothing(outcomes in proptest::collection::vec(0u8..3, 0..60)) {
            let mut progress = Progress::default();
            let mut real = 0;
            for outcome in outcomes {
                let outcome = [Outcome::Succeeded, Outcome::Failed, Outcome::Interrupted][outcome as usize];
                let mut iteration = settled(outcome, Claim::None);
                iteration.elapsed_ms = 5;
                let next = advance(&progress, &iteration, Verdict::Passed, true);
                if outcome == Outcome::Interrupted {
                    prop_assert_eq!(next.iteration, progress.iteration);
                    prop_assert_eq!(next.consecutive_failures, progress.consecutive_failures);
                } else {
                    real += 1;
                }
                prop_assert_eq!(next.worked_ms, progress.worked_ms + 5);
                progress = next;
            }
            prop_assert_eq!(progress.iteration, real);
            prop_assert!(progress.consecutive_failures <= real);
        }
    }
}
