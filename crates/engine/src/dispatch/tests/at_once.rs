//! Three attempts at once: what ends one, and what ends all.

use std::sync::atomic::Ordering;
use std::time::Duration;

use loopwright_domain::{ControlKind, ErrorCode, ExitReason, Outcome, TaskStatus, Usage};

use super::stub::{Play, Scene, Script, crash, done, endless};

const LANES: usize = 3;

#[tokio::test]
async fn three_attempts_work_at_once_and_all_are_settled() {
    let scene = Scene::with_tasks(3).await;
    let run = scene.play(Play::tasks().at_once(LANES), |_, _| done()).await;
    assert_eq!(run.reason, Some(ExitReason::Finished), "{:?}", run.message);
    assert_eq!(run.progress.iteration, 3);
    assert!(scene.tasks().await.iter().all(|task| task.status == TaskStatus::Done));
    let mut numbers: Vec<u32> = scene.iterations().await.iter().map(|it| it.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2]);
}

#[tokio::test]
async fn to_cancel_ends_all_of_them_and_none_counts() {
    let scene = Scene::with_tasks(3).await;
    let play = Play::tasks().at_once(LANES);
    let started = play.started.clone();
    let cancels = async {
        while started.load(Ordering::SeqCst) < 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let run = scene.project.store().latest_run().await.unwrap().unwrap();
        scene.ask(run.id, ControlKind::Cancel).await;
    };
    let (run, ()) = tokio::join!(scene.play(play, |_, _| endless()), cancels);
    assert_eq!(run.reason, Some(ExitReason::Cancelled), "{:?}", run.message);
    assert_eq!(scene.outcomes().await, [Some(Outcome::Interrupted); 3]);
    assert!(scene.tasks().await.iter().all(|task| task.status == TaskStatus::Pending));
}

#[tokio::test]
async fn an_agent_that_crashes_is_tried_again_and_disturbs_no_other() {
    let scene = Scene::with_tasks(3).await;
    let play = Play { lanes: LANES, ..Play::tasks() };
    let run = scene.play(play, |task, count| if (task, count) == (2, 1) { crash() } else { done() }).await;
    assert_eq!(run.reason, Some(ExitReason::Finished), "{:?}", run.message);
    let outcomes = scene.outcomes().await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Some(Outcome::Succeeded)).count(), 3);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Some(Outcome::Failed)).count(), 1);
}

#[tokio::test]
async fn a_fault_of_one_ends_the_run_and_interrupts_the_others() {
    let scene = Scene::with_tasks(3).await;
    let script = |task, _| match task {
        2 => Script { fault: Some(ErrorCode::GitFailed), ..done() },
        _ => endless(),
    };
    let run = scene.play(Play::tasks().at_once(LANES), script).await;
    assert_eq!((run.reason, run.code), (Some(ExitReason::Error), Some(ErrorCode::GitFailed)));
    let settled = scene.outcomes().await.iter().filter(|it| **it == Some(Outcome::Interrupted)).count();
    assert_eq!(settled, 2, "nobody is left at work");
}

#[tokio::test]
async fn caps_count_all_lanes() {
    let scene = Scene::with_tasks(3).await;
    let script = Script { used: Usage { input: 40, ..Usage::default() }, ..endless() };
    let play = Play::tasks().at_once(LANES).set("loop.max_tokens", "100");
    let run = scene.play(play, move |_, _| script.clone()).await;
    assert_eq!(run.reason, Some(ExitReason::Tokens), "{:?}", run.message);
    assert_eq!(scene.outcomes().await, [Some(Outcome::Interrupted); 3]);
    assert_eq!(run.progress.usage.input, 120);
}

#[tokio::test]
async fn no_more_are_begun_than_the_run_may_have() {
    let scene = Scene::with_tasks(5).await;
    let play = Play { lanes: LANES, ..Play::tasks().set("run.max_iterations", "2") };
    let run = scene.play(play, |_, _| done()).await;
    assert_eq!(run.reason, Some(ExitReason::MaxIterations), "{:?}", run.message);
    assert_eq!(run.progress.iteration, 2);
}
