//! The rules for tasks as a table of examples, and what holds whatever happens.

use proptest::prelude::*;

use super::*;
use crate::iteration::EndCause;
use crate::run::RunKind;

const LIMITS: TaskLimits = TaskLimits { max_attempts: 3, max_total_failures: 10 };

fn facts() -> Facts {
    Facts {
        kind: RunKind::Run,
        end: Some(EndCause::Exited),
        exit_code: Some(0),
        told: None,
        claim: Claim::Signal,
        verdict: Verdict::Passed,
        improved: false,
        change: Change::Made,
    }
}

fn good() -> AttemptFacts {
    AttemptFacts {
        facts: facts(),
        plan_only: false,
        require_signal: true,
        by_hand: false,
        misplaced_before: false,
    }
}

fn with(facts: Facts) -> AttemptFacts {
    AttemptFacts { facts, ..good() }
}

fn settled(attempt: &AttemptFacts) -> Settlement {
    settle(attempt, &[], Failures::default(), LIMITS)
}

#[test]
fn each_attempt_comes_to_what_the_table_says() {
    use FailureCause as Cause;
    let unchecked = Facts { verdict: Verdict::Unchecked, ..facts() };
    let silent = Facts { claim: Claim::None, ..facts() };
    let misplaced = Facts { claim: Claim::Misplaced, ..facts() };
    let again = AttemptFacts { misplaced_before: true, ..with(misplaced) };
    let red = Facts { verdict: Verdict::Failed, ..misplaced };
    let changed = |change, facts| with(Facts { change, ..facts });
    let table = [
        (with(misplaced), Settlement::Retry(Cause::NoSignal)),
        (again, Settlement::Gate(vec![GateReason::MisplacedClaim])),
        (AttemptFacts { facts: red, ..again }, Settlement::Retry(Cause::Checks)),
        (AttemptFacts { facts: silent, ..again }, Settlement::Retry(Cause::NoSignal)),
        (AttemptFacts { facts: facts(), ..again }, Settlement::Done),
        (AttemptFacts { require_signal: false, ..again }, Settlement::Done),
        (good(), Settlement::Done),
        (with(unchecked), Settlement::Done),
        // Nothing changed is not done by itself, whatever the checks say.
        (changed(Change::Nothing, facts()), Settlement::Retry(Cause::NothingChanged)),
        (changed(Change::Nothing, unchecked), Settlement::Retry(Cause::NothingChanged)),
        (
            AttemptFacts { require_signal: false, ..changed(Change::Nothing, silent) },
            Settlement::Retry(Cause::NothingChanged),
        ),
        (changed(Change::Nothing, silent), Settlement::Retry(Cause::NoSignal)),
        (
            changed(Change::Nothing, Facts { verdict: Verdict::Failed, ..facts() }),
            Settlement::Retry(Cause::Checks),
        ),
        (changed(Change::Already, facts()), Settlement::Gate(vec![GateReason::AlreadySatisfied])),
        (changed(Change::Already, unchecked), Settlement::Gate(vec![GateReason::AlreadySatisfied])),
        // A verification may change nothing; then a check has to say something.
        (changed(Change::NotNeeded, facts()), Settlement::Done),
        (changed(Change::NotNeeded, unchecked), Settlement::Gate(vec![GateReason::Unproven])),
        // Without git it is not known.
        (changed(Change::Unknown, facts()), Settlement::Done),
        (changed(Change::Unknown, unchecked), Settlement::Gate(vec![GateReason::Unproven])),
        (AttemptFacts { by_hand: true, ..changed(Change::NotNeeded, unchecked) }, Settlement::Done),
        (with(silent), Settlement::Retry(Cause::NoSignal)),
        (AttemptFacts { require_signal: false, ..with(silent) }, Settlement::Done),
        (AttemptFacts { by_hand: true, ..with(silent) }, Settlement::Done),
        (with(Facts { claim: Claim::Promise, ..facts() }), Settlement::Done),
        (with(Facts { verdict: Verdict::Failed, ..facts() }), Settlement::Retry(Cause::Checks)),
        (with(Facts { exit_code: Some(7), ..facts() }), Settlement::Retry(Cause::AgentExit)),
        (with(Facts { claim: Claim::Failure, ..facts() }), Settlement::Retry(Cause::Reported)),
        (
            with(Facts { claim: Claim::Blocked, ..facts() }),
            Settlement::Block(Cause::Blocked, BlockCause::Said),
        ),
        (with(Facts { end: Some(EndCause::Interrupted), ..facts() }), Settlement::Again),
        (with(Facts { verdict: Verdict::Stopped, ..facts() }), Settlement::Again),
        (
            AttemptFacts { plan_only: true, ..changed(Change::NotNeeded, silent) },
            Settlement::Gate(vec![GateReason::Plan]),
        ),
        (AttemptFacts { plan_only: true, ..with(silent) }, Settlement::Retry(Cause::PlanChangedFiles)),
    ];
    for (attempt, settlement) in table {
        assert_eq!(settled(&attempt), settlement, "{attempt:?}");
    }
}

#[test]
fn good_work_waits_when_somebody_has_to_look_and_bad_work_never_does() {
    let reasons = [GateReason::Mode, GateReason::Risk];
    let gate = settle(&good(), &reasons, Failures::default(), LIMITS);
    assert_eq!(gate, Settlement::Gate(reasons.to_vec()));
    let bad = with(Facts { verdict: Verdict::Failed, ..facts() });
    let retry = settle(&bad, &reasons, Failures::default(), LIMITS);
    assert_eq!(retry, Settlement::Retry(FailureCause::Checks));
}

#[test]
fn a_task_is_given_up_exactly_at_its_limits() {
    let failing = |in_run, in_all, limits| failed(FailureCause::Checks, Failures { in_run, in_all }, limits);
    assert_eq!(failing(1, 1, LIMITS), Settlement::Retry(FailureCause::Checks));
    assert_eq!(failing(2, 2, LIMITS), Settlement::Block(FailureCause::Checks, BlockCause::Attempts(3)));
    assert_eq!(failing(0, 9, LIMITS), Settlement::Block(FailureCause::Checks, BlockCause::Chronic(10)));
    let never = TaskLimits { max_attempts: 0, max_total_failures: 0 };
    assert_eq!(failing(99, 999, never), Settlement::Retry(FailureCause::Checks));
}

#[test]
fn a_decision_is_carried_out_as_it_says() {
    let decide = |kind, decision: &GateDecision| after_decision(kind, decision, Failures::default(), LIMITS);
    let reject = GateDecision::Reject { reason: "no".into() };
    let skip = GateDecision::Skip { reason: "later".into() };
    assert_eq!(decide(GateKind::Work, &GateDecision::Approve), Settlement::Done);
    assert_eq!(decide(GateKind::Work, &GateDecision::ApproveWithEdits), Settlement::Done);
    assert_eq!(decide(GateKind::Plan, &GateDecision::Approve), Settlement::Planned);
    assert_eq!(decide(GateKind::Plan, &reject), Settlement::Retry(FailureCause::Rejected));
    assert_eq!(decide(GateKind::Work, &skip), Settlement::Block(FailureCause::Skipped, BlockCause::PutAside));
}

#[test]
fn a_block_says_why() {
    assert_eq!(
        block_words(BlockCause::Said, "the agent needs a person: no key"),
        "the agent needs a person: no key"
    );
    let words = block_words(BlockCause::Attempts(3), "checks failed: tests");
    assert_eq!(words, "failed 3 times in this run; the last time: checks failed: tests");
    assert!(block_words(BlockCause::Chronic(10), "x").contains("10 times over all runs"));
}

/// A project of tasks, each waiting for some before it, and a run over them.
struct World {
    status: Vec<TaskStatus>,
    after: Vec<Vec<usize>>,
    failures: Vec<u32>,
    attempts: Vec<u32>,
    reasons: Vec<Option<BlockCause>>,
}

impl World {
    fn next(&self) -> Option<usize> {
        let ready = |task: &usize| {
            self.status[*task] == TaskStatus::Pending
                && self.after[*task].iter().all(|before| self.status[*before] == TaskStatus::Done)
        };
        (0..self.status.len()).find(ready)
    }

    /// What an attempt at a task comes to, at a gate too.
    fn attempt(&mut self, task: usize, outcome: u8, decision: u8) {
        self.status[task] = TaskStatus::InProgress;
        let failures = Failures { in_run: self.failures[task], in_all: self.failures[task] };
        let (attempt, gates) = match outcome {
            0 | 1 => (good(), vec![]),
            2 => (good(), vec![GateReason::Risk]),
            3 => (with(Facts { claim: Claim::Blocked, ..facts() }), vec![]),
            4 => (with(Facts { end: Some(EndCause::Killed), ..facts() }), vec![]),
            5 => (with(Facts { change: Change::Already, ..facts() }), vec![]),
            6 => (with(Facts { change: Change::Nothing, ..facts() }), vec![]),
            _ => (with(Facts { verdict: Verdict::Failed, ..facts() }), vec![]),
        };
        let mut settlement = settle(&attempt, &gates, failures, LIMITS);
        if let Settlement::Gate(_) = settlement {
            self.status[task] = settlement.status();
            let decision = match decision {
                0 => GateDecision::Approve,
                1 => GateDecision::Reject { reason: "no".into() },
                _ => GateDecision::Skip { reason: "later".into() },
            };
            settlement = after_decision(GateKind::Work, &decision, failures, LIMITS);
        }
        match settlement.outcome() {
            Some((Outcome::Succeeded, _)) => self.attempts[task] += 1,
            Some((Outcome::Failed, _)) => {
                self.attempts[task] += 1;
                self.failures[task] += 1;
            }
            _ => {}
        }
        if let Settlement::Block(_, cause) = settlement {
            self.reasons[task] = Some(cause);
        }
        self.status[task] = settlement.status();
    }
}

proptest! {
    /// Whatever agent and checks say: work for which nothing changed is never done without a person, unless it needs
    /// no change and a check or a person stands for it.
    #[test]
    fn nothing_changed_is_never_done_by_itself(
        claim in proptest::sample::select(Claim::ALL.to_vec()),
        verdict in proptest::sample::select(Verdict::ALL.to_vec()),
        already in any::<bool>(),
        require_signal in any::<bool>(),
    ) {
        let change = if already { Change::Already } else { Change::Nothing };
        let attempt = AttemptFacts { require_signal, ..with(Facts { claim, verdict, change, ..facts() }) };
        prop_assert_ne!(settled(&attempt), Settlement::Done);
    }

    /// Any graph and any sequence of outcomes: one task at a time, none is lost, counters are right, nothing starts
    /// before what it waits for, and every task ends where it says why.
    #[test]
    fn any_sequence_of_outcomes_keeps_every_task(
        edges in proptest::collection::vec((0usize..12, 0usize..12), 0..30),
        steps in proptest::collection::vec((0u8..9, 0u8..3), 0..200),
    ) {
        let mut after = vec![Vec::new(); 12];
        for (a, b) in edges {
            if a != b {
                after[a.max(b)].push(a.min(b));
            }
        }
        let mut world = World {
            status: vec![TaskStatus::Pending; 12],
            after,
            failures: vec![0; 12],
            attempts: vec![0; 12],
            reasons: vec![None; 12],
        };
        let mut counted = 0;
        for (outcome, decision) in steps {
            let Some(task) = world.next() else { break };
            let before: u32 = world.attempts.iter().sum();
            world.attempt(task, outcome, decision);
            counted += u32::from(outcome != 4);
            prop_assert_eq!(world.attempts.iter().sum::<u32>(), counted);
            prop_assert!(world.attempts.iter().sum::<u32>() - before <= 1);
            let between = |status: &&TaskStatus| {
                matches!(status, TaskStatus::InProgress | TaskStatus::AwaitingApproval)
            };
            prop_assert_eq!(world.status.iter().filter(between).count(), 0);
        }
        for task in 0..12 {
            let waits = &world.after[task];
            let all_done = waits.iter().all(|before| world.status[*before] == TaskStatus::Done);
            match world.status[task] {
                TaskStatus::Done => prop_assert!(all_done && world.attempts[task] > world.failures[task]),
                TaskStatus::Blocked => {
                    let cause = world.reasons[task];
                    prop_assert!(cause.is_some());
                    if let Some(BlockCause::Attempts(times)) = cause {
                        prop_assert_eq!(times, world.failures[task]);
                    }
                }
                TaskStatus::Pending => prop_assert!(world.failures[task] < LIMITS.max_attempts),
                status => prop_assert!(false, "left as {}", status),
            }
        }
    }
}
