//! Every rule of stop, retry, block, wait and cap, as examples.

use std::time::Duration;

use loopwright_domain::{
    CheckStatus, Claim, ControlKind, ErrorCode, ExitReason, Outcome, ProblemKind, RunStatus, TaskStatus,
    Usage, WaitReason,
};

use super::stub::{Play, Scene, Script, crash, done, endless};

const GOOD: Option<Outcome> = Some(Outcome::Succeeded);
const BAD: Option<Outcome> = Some(Outcome::Failed);
const VOID: Option<Outcome> = Some(Outcome::Interrupted);

fn red() -> Script {
    Script { check: CheckStatus::Failed, ..done() }
}

fn says(claim: Claim) -> Script {
    Script { claim, ..done() }
}

/// What a run over one task comes to: each row is a script for the first tries and one for all after them.
#[tokio::test]
async fn a_task_is_tried_again_and_blocked_by_rule() {
    type Row = (&'static str, Vec<Script>, Script, ExitReason, TaskStatus, Vec<Option<Outcome>>);
    let rows: Vec<Row> = vec![
        ("done at once", vec![], done(), ExitReason::Finished, TaskStatus::Done, vec![GOOD]),
        ("red, then green", vec![red()], done(), ExitReason::Finished, TaskStatus::Done, vec![BAD, GOOD]),
        ("a crash", vec![crash()], done(), ExitReason::Finished, TaskStatus::Done, vec![BAD, GOOD]),
        ("silent", vec![says(Claim::None)], done(), ExitReason::Finished, TaskStatus::Done, vec![BAD, GOOD]),
        ("always red", vec![], red(), ExitReason::Blocked, TaskStatus::Blocked, vec![BAD, BAD, BAD]),
        ("it says so", vec![], says(Claim::Blocked), ExitReason::Blocked, TaskStatus::Blocked, vec![BAD]),
    ];
    for (name, first, then, reason, status, outcomes) in rows {
        let scene = Scene::with_tasks(1).await;
        let script = move |_, count: u32| {
            let place = usize::try_from(count).unwrap() - 1;
            first.get(place).cloned().unwrap_or_else(|| then.clone())
        };
        let run = scene.play(Play::tasks().set("run.max_attempts", "3"), script).await;
        assert_eq!(run.reason, Some(reason), "{name}: {:?}", run.message);
        assert_eq!(scene.tasks().await[0].status, status, "{name}");
        assert_eq!(scene.outcomes().await, outcomes, "{name}");
    }
}

#[tokio::test]
async fn a_blocked_task_holds_no_other() {
    let scene = Scene::with_tasks(2).await;
    let script = |task, _| if task == 1 { red() } else { done() };
    let run = scene.play(Play::tasks().set("run.max_attempts", "2"), script).await;
    assert_eq!(run.reason, Some(ExitReason::Blocked));
    assert_eq!(scene.outcomes().await, [BAD, BAD, GOOD]);
}

#[tokio::test]
async fn a_failure_over_all_runs_is_chronic() {
    let scene = Scene::with_tasks(1).await;
    let settings = || Play::tasks().set("run.max_attempts", "0").set("run.max_total_failures", "2");
    let run = scene.play(settings(), |_, _| red()).await;
    assert_eq!(run.reason, Some(ExitReason::Blocked));
    assert_eq!(scene.outcomes().await, [BAD, BAD]);
    let blocked = scene.tasks().await.remove(0).blocked.unwrap();
    assert!(blocked.reason.contains("over all runs"), "{}", blocked.reason);
}

/// Limits stop a run before its next iteration.
#[tokio::test]
async fn a_run_stops_at_its_limits() {
    let spends =
        |tokens| Script { used: Usage { input: tokens, ..Usage::default() }, claim: Claim::None, ..done() };
    let costs = Script {
        used: Usage { cost_micros: Some(600_000), ..Usage::default() },
        claim: Claim::None,
        ..done()
    };
    let silent = says(Claim::None);
    let rows = [
        ("loop.max_iterations", "2", silent.clone(), ExitReason::MaxIterations, 2),
        ("loop.failure_threshold", "2", crash(), ExitReason::FailureThreshold, 2),
        ("loop.max_tokens", "100", spends(60), ExitReason::Tokens, 2),
        ("loop.max_cost", "1", costs, ExitReason::Money, 2),
        ("loop.max_iterations", "5", done(), ExitReason::Promise, 1),
    ];
    for (key, value, script, reason, iterations) in rows {
        let scene = Scene::new().await;
        let claim = if script.claim == Claim::Signal { Claim::Promise } else { script.claim };
        let script = Script { claim, ..script };
        let play = Play::prompt().set("loop.no_progress", "0").set(key, value);
        let run = scene.play(play, move |_, _| script.clone()).await;
        assert_eq!(run.reason, Some(reason), "{key}: {:?}", run.message);
        assert_eq!(run.progress.iteration, iterations, "{key}");
    }
}

#[tokio::test]
async fn a_cap_stops_an_agent_that_works() {
    let scene = Scene::new().await;
    let script = Script { used: Usage { input: 101, ..Usage::default() }, ..endless() };
    let run = scene.play(Play::prompt().set("loop.max_tokens", "100"), move |_, _| script.clone()).await;
    assert_eq!(run.reason, Some(ExitReason::Tokens));
    assert_eq!(scene.outcomes().await, [VOID]);
    assert_eq!(run.progress.usage.input, 101, "what was used stays used");
}

#[tokio::test]
async fn an_interrupted_run_counts_nothing_and_can_go_on() {
    let scene = Scene::with_tasks(1).await;
    let play = Play::tasks();
    let (stop, started) = (play.stop.clone(), play.started.clone());
    let interrupts = async {
        while started.load(std::sync::atomic::Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        stop.interrupt();
    };
    let (run, ()) = tokio::join!(scene.play(play, |_, _| endless()), interrupts);
    assert_eq!((run.status, run.reason), (RunStatus::Interrupted, Some(ExitReason::Interrupted)));
    assert_eq!(scene.outcomes().await, [VOID]);
    assert_eq!((run.progress.iteration, scene.tasks().await[0].status), (0, TaskStatus::Pending));
}

#[tokio::test]
async fn a_cancel_is_heard_however_much_an_agent_says() {
    let scene = Scene::with_tasks(1).await;
    let play = Play::tasks();
    let started = play.started.clone();
    let cancels = async {
        while started.load(std::sync::atomic::Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let run = scene.project.store().latest_run().await.unwrap().unwrap();
        scene.ask(run.id, ControlKind::Cancel).await;
    };
    let talker = || Script { talks: true, ..endless() };
    let (run, ()) = tokio::join!(scene.play(play, move |_, _| talker()), cancels);
    assert_eq!(run.reason, Some(ExitReason::Cancelled), "{:?}", run.message);
    assert_eq!(scene.outcomes().await, [VOID]);
}

#[tokio::test]
async fn to_stop_after_an_iteration_lets_it_be_settled() {
    let scene = Scene::with_tasks(2).await;
    let play = Play::tasks();
    let stop = play.stop.clone();
    let script = move |_, _| {
        stop.stop_after_iteration();
        done()
    };
    let run = scene.play(play, script).await;
    assert_eq!(run.reason, Some(ExitReason::Interrupted));
    assert_eq!(scene.outcomes().await, [GOOD], "the second was not begun");
}

/// Where a run waits: for a person, for the environment, for an agent.
#[tokio::test]
async fn a_run_waits_where_it_has_to() {
    type Row = (&'static str, &'static str, &'static str, Script, ExitReason, Option<WaitReason>);
    let broken = Script { check: CheckStatus::Broken, ..done() };
    let limit = Script { trouble: Some(ProblemKind::UsageLimit), ..done() };
    let rows: Vec<Row> = vec![
        ("a gate", "mode", "review_each", done(), ExitReason::NeedsPerson, Some(WaitReason::Approval)),
        ("a person's word", "loop.automation", "manual", done(), ExitReason::NeedsPerson, None),
        (
            "the environment",
            "mode",
            "autonomous",
            broken,
            ExitReason::Environment,
            Some(WaitReason::Environment),
        ),
        ("an agent, but not here", "on_limit", "stop", limit, ExitReason::AgentLimit, None),
    ];
    for (name, key, value, script, reason, waiting) in rows {
        let scene = Scene::with_tasks(1).await;
        let run = scene.play(Play::tasks().set(key, value), move |_, _| script.clone()).await;
        assert_eq!((run.reason, run.waiting), (Some(reason), waiting), "{name}: {:?}", run.message);
        assert_ne!(scene.tasks().await[0].status, TaskStatus::Blocked, "{name}");
    }
}

#[tokio::test]
async fn an_agent_that_rests_is_waited_for_and_costs_no_attempt() {
    let scene = Scene::with_tasks(1).await;
    let play = Play::tasks().set("limit.recheck", "20ms").set("limit.margin", "1ms");
    let script = |_, count| match count {
        1 => Script { trouble: Some(ProblemKind::UsageLimit), ..done() },
        _ => done(),
    };
    let run = scene.play(play, script).await;
    assert_eq!(run.reason, Some(ExitReason::Finished), "{:?}", run.message);
    assert_eq!(scene.outcomes().await, [VOID, GOOD]);
    let numbers: Vec<(u32, u32)> =
        scene.iterations().await.iter().map(|it| (it.number, it.attempt)).collect();
    assert_eq!(numbers, [(0, 1), (0, 2)]);
}

#[tokio::test]
async fn an_attempt_that_comes_to_nothing_ends_the_run() {
    let scene = Scene::with_tasks(1).await;
    let fault = Script { fault: Some(ErrorCode::GitFailed), ..done() };
    let run = scene.play(Play::tasks(), move |_, _| fault.clone()).await;
    assert_eq!((run.reason, run.code), (Some(ExitReason::Error), Some(ErrorCode::GitFailed)));
}
