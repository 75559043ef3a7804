//! Every reason with every status: words that say something, and only steps that can be done.

use super::*;
use crate::ids::{IterationId, RunId};
use crate::origin::Origin;
use crate::run::{Limits, Progress, RunKind};

fn run(status: RunStatus, reason: Option<ExitReason>) -> Run {
    Run {
        id: RunId::from_parts(1, [0; 10]),
        kind: RunKind::Loop,
        title: "tea".to_owned(),
        procedure: None,
        harness: "rehearsal".to_owned(),
        status,
        waiting: None,
        reason,
        code: None,
        message: None,
        limits: Limits::default(),
        progress: Progress { consecutive_failures: 3, unchanged: 3, ..Progress::default() },
        goal: true,
        origin: Origin::Cli,
        started_at: String::new(),
        last_iteration_at: None,
        ended_at: None,
        head: None,
        tree: None,
        baseline: None,
        start_tree: None,
        approved_tree: None,
        holds: Vec::new(),
        options: "{}".to_owned(),
    }
}

fn iteration(cause: Option<FailureCause>, saved: bool) -> Iteration {
    let mut iteration = Iteration::planned(
        IterationId::from_parts(2, [0; 10]),
        RunId::from_parts(1, [0; 10]),
        0,
        1,
        String::new(),
    );
    iteration.cause = cause;
    iteration.message = cause.map(|cause| format!("it was {cause}"));
    if saved {
        iteration.tree_before = Some("aa".to_owned());
        iteration.tree_after = Some("bb".to_owned());
    }
    iteration
}

fn steps(ending: &Ending) -> Vec<NextAction> {
    ending.steps.iter().map(|step| step.action).collect()
}

fn every_run() -> Vec<Run> {
    let mut runs = Vec::new();
    for status in RunStatus::ALL {
        let reasons = ExitReason::ALL.iter().copied().map(Some).chain([None]);
        for reason in reasons {
            for message in [None, Some(String::new()), Some("the kettle broke".to_owned())] {
                for waiting in WaitReason::ALL.iter().copied().map(Some).chain([None]) {
                    for goal in [true, false] {
                        runs.push(Run { message: message.clone(), waiting, goal, ..run(*status, reason) });
                    }
                }
            }
        }
    }
    runs
}

#[test]
fn there_are_words_for_everything_and_no_step_that_cannot_be_done() {
    let causes = FailureCause::ALL.iter().copied().map(Some).chain([None]);
    let mut lasts = vec![None];
    lasts.extend(causes.flat_map(|cause| [true, false].map(|saved| Some(iteration(cause, saved)))));
    for run in every_run() {
        for last in &lasts {
            let case = format!("{} {:?} {last:?}", run.status, run.reason);
            let Some(ending) = ending(&run, run.status, last.as_ref()) else {
                assert_eq!(run.status, RunStatus::Running, "{case}");
                continue;
            };
            assert_ne!(run.status, RunStatus::Running, "{case}");
            assert!(
                !ending.headline.trim().is_empty() && ending.headline.len() < 60,
                "{case}: {}",
                ending.headline
            );
            assert!(
                ending.explanation.ends_with(['.', '!', '?', '…', ':']),
                "{case}: {}",
                ending.explanation
            );
            assert!(ending.explanation.len() > 5, "{case}: {}", ending.explanation);
            let actions = steps(&ending);
            let mut once = actions.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), actions.len(), "{case}: a step twice");
            assert!(ending.steps.iter().all(|step| !step.text.is_empty()), "{case}");
            let offers = |action| actions.contains(&action);
            assert!(
                !(offers(NextAction::Resume) && run.status.is_over()),
                "{case}: what is over is not resumed"
            );
            let again = offers(NextAction::StartAgain) || offers(NextAction::RaiseLimit);
            assert!(!again || run.status.is_over(), "{case}: what can be resumed is not started again");
            assert!(!offers(NextAction::ReadIteration) || last.is_some(), "{case}");
            let saved = last.as_ref().is_some_and(|last| last.tree_after.is_some());
            assert!(!offers(NextAction::ReviewChanges) || saved, "{case}");
            let checks = last.as_ref().and_then(|last| last.cause);
            let checks = matches!(checks, Some(FailureCause::Checks | FailureCause::NotImproved));
            assert!(!offers(NextAction::ReadChecks) || checks, "{case}");
        }
    }
}

#[test]
fn each_reason_leads_to_its_own_steps() {
    use NextAction::{
        AgentSettings, RaiseLimit, ReadChecks, ReadIteration, Recover, Resume, ReviewChanges, StartAgain,
    };
    let cases: [(ExitReason, Option<FailureCause>, &str, &[NextAction]); 15] = [
        (ExitReason::Promise, None, "The agent says it is done", &[ReviewChanges]),
        (ExitReason::ExitSignal, None, "The agent says it is done", &[ReviewChanges]),
        (ExitReason::ProcessSuccess, None, "Done", &[ReviewChanges]),
        (ExitReason::ChecksPass, None, "All required checks pass", &[ReviewChanges]),
        (ExitReason::Finished, None, "All work is done", &[ReviewChanges]),
        (
            ExitReason::MaxIterations,
            None,
            "Used all 20 iterations without finishing",
            &[RaiseLimit, StartAgain, ReadIteration],
        ),
        (
            ExitReason::FailureThreshold,
            Some(FailureCause::Checks),
            "Stopped after 3 failures in a row",
            &[ReadIteration, ReadChecks, StartAgain],
        ),
        (
            ExitReason::FailureThreshold,
            Some(FailureCause::NotStarted),
            "Stopped after 3 failures in a row",
            &[ReadIteration, AgentSettings, StartAgain],
        ),
        (ExitReason::Time, None, "Used all 8h00m of work", &[RaiseLimit, ReviewChanges]),
        (ExitReason::Money, None, "Used all $25.00", &[RaiseLimit, ReviewChanges]),
        (ExitReason::Tokens, None, "Used all 20,000,000 tokens", &[RaiseLimit, ReviewChanges]),
        (ExitReason::Blocked, None, "The agent needs your help", &[ReadIteration, StartAgain]),
        (ExitReason::NeedsPerson, None, "Your turn", &[Resume, ReviewChanges]),
        (ExitReason::Interrupted, None, "Interrupted", &[Resume, ReviewChanges]),
        (ExitReason::WorkspaceDamaged, None, "The repository or the state was damaged", &[Recover]),
    ];
    for (reason, cause, headline, actions) in cases {
        let run = run(reason.status(true), Some(reason));
        let ending = ending(&run, run.status, Some(&iteration(cause, true))).unwrap();
        assert_eq!((ending.headline.as_str(), steps(&ending)), (headline, actions.to_vec()), "{reason}");
    }
}

#[test]
fn the_agents_own_words_and_those_of_the_run_are_passed_on() {
    let mut last = iteration(Some(FailureCause::Blocked), true);
    last.claim_text = Some("which tea do you mean".to_owned());
    let blocked = run(RunStatus::Aborted, Some(ExitReason::Blocked));
    let told = ending(&blocked, blocked.status, Some(&last)).unwrap();
    assert_eq!(told.explanation, "It says: Which tea do you mean.");
    let failed = run(RunStatus::Aborted, Some(ExitReason::FailureThreshold));
    let told = ending(&failed, failed.status, Some(&iteration(Some(FailureCause::AgentExit), true))).unwrap();
    assert_eq!(told.explanation, "The last time it was agent_exit.");
    let broken = Run {
        message: Some("the disk is full".to_owned()),
        ..run(RunStatus::Interrupted, Some(ExitReason::Error))
    };
    let told = ending(&broken, broken.status, None).unwrap();
    assert_eq!(
        (told.headline.as_str(), told.explanation.as_str()),
        ("Something went wrong", "The disk is full.")
    );
    // A process that vanished wrote nothing: only the status seen from now tells.
    let gone = run(RunStatus::Running, None);
    assert_eq!(ending(&gone, RunStatus::Interrupted, None).unwrap().headline, "Interrupted");
}

#[test]
fn a_waiting_run_says_what_it_waits_for() {
    let waits = |waiting| Run { waiting, ..run(RunStatus::Waiting, None) };
    let disk = waits(Some(WaitReason::Disk));
    assert_eq!(steps(&ending(&disk, disk.status, None).unwrap()), [NextAction::FreeSpace]);
    let limit = waits(Some(WaitReason::Limit));
    let told = ending(&limit, limit.status, None).unwrap();
    assert_eq!(steps(&told), [NextAction::Resume, NextAction::AgentSettings]);
    let goalless = Run { goal: false, ..run(RunStatus::Completed, Some(ExitReason::MaxIterations)) };
    assert_eq!(ending(&goalless, goalless.status, None).unwrap().headline, "20 iterations done");
}

#[test]
fn a_run_says_for_whom_it_waits_and_who_cannot_work() {
    use crate::agent_event::ProblemKind;
    use crate::agent_facts::Hold;
    let hold = |kind, until: Option<&str>| Hold {
        agent: "claude/opus".to_owned(),
        kind,
        code: None,
        message: String::new(),
        since: String::new(),
        until: until.map(str::to_owned),
        tries: 0,
    };
    let headline = |run: &Run| ending(run, run.status, None).unwrap().headline;
    let mut waiting = Run {
        waiting: Some(WaitReason::Limit),
        holds: vec![hold(ProblemKind::UsageLimit, Some("2026-11-16T18:00:00Z"))],
        ..run(RunStatus::Waiting, None)
    };
    assert_eq!(headline(&waiting), "Waiting for claude/opus's limit");
    waiting.holds[0].kind = ProblemKind::Overload;
    assert_eq!(headline(&waiting), "Waiting for claude/opus's service");
    let unable = Run {
        holds: vec![hold(ProblemKind::Login, None)],
        ..run(RunStatus::Interrupted, Some(ExitReason::Error))
    };
    let told = ending(&unable, unable.status, None).unwrap();
    assert_eq!(told.headline, "The agent claude/opus cannot work");
    assert_eq!(steps(&told), [NextAction::Resume, NextAction::AgentSettings]);
    let stopped = run(RunStatus::Interrupted, Some(ExitReason::AgentLimit));
    assert_eq!(headline(&stopped), "Stopped at the agent's limit");
}
