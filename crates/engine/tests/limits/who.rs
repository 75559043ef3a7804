//! Who works: the chosen agent, one that takes over, a stronger one.

use loopwright_domain::{ExitReason, Outcome, RunStatus};
use loopwright_engine::run::{IterationColumn, IterationSort};

use crate::scene::{DONE, LIMIT, Scene, WORKED};

#[tokio::test]
async fn another_agent_takes_over_and_the_first_comes_back() {
    let scene = Scene::new(&["first", "second"]).await;
    scene.says("first", 1, LIMIT, 0);
    scene.says("second", 1, WORKED, 0);
    scene.does("second", 1, "sleep 2.2");
    let run = scene.run(&[("fallback", "second"), ("limit.recheck", "2s")]).await;
    assert_eq!((run.reason, run.progress.iteration), (Some(ExitReason::Promise), 2));
    assert_eq!((scene.starts("first"), scene.starts("second")), (2, 1));
    let told = scene.told().await;
    assert_eq!(
        told[1..3],
        ["second goes on: first rests, its account is used up for now", "first goes on again"],
        "{told:#?}"
    );
    assert!(!told.iter().any(|line| line.starts_with("waiting")), "somebody could work: {told:#?}");
    assert_eq!(scene.prompt("first", 1), scene.prompt("second", 1), "the prompt stays the same");
    assert_eq!((run.harness.as_str(), run.holds.len()), ("first", 0));
    let workers: Vec<String> =
        scene.iterations().await.into_iter().filter_map(|iteration| iteration.agent.harness).collect();
    assert_eq!(workers, ["first", "second", "first"], "each iteration says who did it");
    let by_number = IterationSort { column: IterationColumn::Number, descending: false };
    let listed = scene.project.iterations().page(None, by_number, 0, 10).await.unwrap().rows;
    let listed: Vec<Option<String>> = listed.into_iter().map(|row| row.harness).collect();
    assert_eq!(
        listed,
        workers.into_iter().map(Some).collect::<Vec<_>>(),
        "and so does each line of the list"
    );
}

#[tokio::test]
async fn where_nobody_can_work_the_run_waits_for_the_first_who_can() {
    let scene = Scene::new(&["first", "second"]).await;
    let refused = r#"{"type":"error","error":{"type":"authentication_error","message":"no key"}}"#;
    scene.says("first", 1, refused, 1);
    scene.says("second", 1, LIMIT, 0);
    let settings =
        [("fallback", "[\"second\", \"nobody\"]"), ("on_limit", "fallback"), ("limit.recheck", "2s")];
    let run = scene.run(&settings).await;
    assert_eq!(run.reason, Some(ExitReason::Promise));
    assert_eq!((scene.starts("first"), scene.starts("second")), (1, 2));
    let told = scene.told().await;
    assert!(told.iter().any(|line| line.starts_with("nobody cannot take over: ")), "{told:#?}");
    assert!(told.iter().any(|line| line.starts_with("waiting: second rests")), "{told:#?}");
    let resting: Vec<&str> = run.holds.iter().map(|hold| hold.agent.as_str()).collect();
    assert_eq!(resting, ["first", "nobody"], "they need a person");
}

#[tokio::test]
async fn a_stronger_agent_takes_over_after_failures_and_never_for_limits() {
    let scene = Scene::new(&["weak", "strong"]).await;
    scene.says("weak", 1, LIMIT, 0);
    scene.says("weak", 2, WORKED, 1);
    scene.says("weak", 3, WORKED, 1);
    scene.says("strong", 1, WORKED, 1);
    scene.says("strong", 2, DONE, 0);
    let settings = [("escalation", "strong"), ("escalate_after", "2"), ("loop.failure_threshold", "5")];
    let run = scene.run(&settings).await;
    assert_eq!((run.status, run.reason), (RunStatus::Completed, Some(ExitReason::Promise)));
    assert_eq!((scene.starts("weak"), scene.starts("strong")), (3, 2));
    let told = scene.told().await;
    assert!(told.contains(&"strong goes on after 2 failures of weak".to_owned()), "{told:#?}");
    let outcomes = scene.outcomes().await;
    assert_eq!(outcomes[..2], [Outcome::Interrupted, Outcome::Failed]);
}

#[tokio::test]
async fn an_agent_with_a_model_in_its_settings_rests_and_works_under_one_name() {
    let scene = Scene::new(&["first", "second"]).await;
    scene.add_settings("second", "model = \"big\"");
    scene.says("first", 1, LIMIT, 0);
    scene.says("second", 1, LIMIT, 0);
    let run = scene.run(&[("fallback", "second"), ("limit.recheck", "2s")]).await;
    assert_eq!(run.reason, Some(ExitReason::Promise));
    assert_eq!((scene.starts("first"), scene.starts("second")), (2, 1), "nobody is started while it rests");
    let told = scene.told().await;
    assert!(told.iter().any(|line| line.starts_with("waiting: ")), "{told:#?}");
    assert!(told.iter().any(|line| line.starts_with("second/big goes on: ")), "{told:#?}");
}

#[tokio::test]
async fn every_stronger_agent_gets_its_turn_unless_somebody_says_how_often() {
    let scene = Scene::new(&["weak", "strong", "strongest"]).await;
    for (agent, start) in [("weak", 1), ("weak", 2), ("strong", 1), ("strong", 2)] {
        scene.says(agent, start, WORKED, 1);
    }
    let run = scene.run(&[("escalation", "[\"strong\", \"strongest\"]")]).await;
    assert_eq!(run.reason, Some(ExitReason::Promise));
    assert_eq!(scene.starts("strongest"), 1);
    let scene = Scene::new(&["weak", "strong"]).await;
    scene.says("weak", 1, WORKED, 1);
    let run = scene.run(&[("escalation", "strong"), ("loop.failure_threshold", "1")]).await;
    assert_eq!(run.reason, Some(ExitReason::FailureThreshold));
}
