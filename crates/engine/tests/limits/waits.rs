//! A run that waits: for how long, and what a person can do meanwhile.

use std::time::Duration;

use jiff::Timestamp;
use loopwright_domain::{
    ControlKind, ErrorCode, ExitReason, FailureCause, Origin, Outcome, ProblemKind, RunStatus,
};
use loopwright_engine::run::{Earlier, StopHandle, Unobserved};

use crate::scene::{DONE, LIMIT, Scene, request};

const LONG: (&str, &str) = ("limit.recheck", "1h");

#[tokio::test]
async fn a_person_can_have_it_tried_at_once() {
    let scene = Scene::new(&["slow"]).await;
    scene.says("slow", 1, LIMIT, 0);
    let (run, ()) = tokio::join!(scene.run(&[LONG]), async {
        scene.waiting().await;
        let now = scene.now().await;
        assert!(now.message.unwrap().contains("slow rests, its account is used up for now; waiting 1h00m"));
        assert_eq!((now.holds[0].agent.as_str(), now.holds[0].tries), ("slow", 0));
        scene.ask(ControlKind::Resume).await.unwrap();
    });
    assert_eq!((run.reason, run.progress.iteration), (Some(ExitReason::Promise), 1));
    assert!(run.progress.worked_ms < 30_000, "waiting is no work");
}

#[tokio::test]
async fn a_pause_while_it_waits_stays_a_pause_after_the_reset() {
    let scene = Scene::new(&["slow"]).await;
    scene.says("slow", 1, LIMIT, 0);
    let (run, ()) = tokio::join!(scene.run(&[("limit.recheck", "2s")]), async {
        scene.waiting().await;
        scene.ask(ControlKind::Pause).await.unwrap();
        scene.until(RunStatus::Paused).await;
        let reset: Timestamp = scene.now().await.holds[0].until.clone().unwrap().parse().unwrap();
        while Timestamp::now() <= reset {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!((scene.now().await.status, scene.starts("slow")), (RunStatus::Paused, 1));
        scene.ask(ControlKind::Resume).await.unwrap();
    });
    assert_eq!((run.reason, scene.starts("slow")), (Some(ExitReason::Promise), 2));
}

#[tokio::test]
async fn it_can_be_cancelled_and_interrupted_and_resumed_for_the_rest_of_its_time() {
    let scene = Scene::new(&["slow"]).await;
    scene.says("slow", 1, LIMIT, 0);
    let prepared = scene.project.runs().prepare(&request(&[("limit.recheck", "4s")])).unwrap();
    let stop = StopHandle::new();
    let mut unobserved = Unobserved;
    let work =
        scene.project.runs().start(prepared, Earlier::Leave, Origin::Cli, &mut unobserved, stop.clone());
    let (run, ()) = tokio::join!(work, async {
        scene.waiting().await;
        stop.interrupt();
    });
    let run = run.unwrap();
    assert_eq!((run.status, run.reason), (RunStatus::Interrupted, Some(ExitReason::Interrupted)));
    let until = run.holds[0].until.clone();
    let (resumed, ()) = tokio::join!(scene.resume(), async {
        scene.waiting().await;
        assert_eq!(scene.now().await.holds[0].until, until, "the rest of the time, not all of it anew");
    });
    assert_eq!(resumed.reason, Some(ExitReason::Promise));

    let scene = Scene::new(&["slow"]).await;
    scene.says("slow", 1, LIMIT, 0);
    let (run, ()) = tokio::join!(scene.run(&[LONG]), async {
        scene.waiting().await;
        scene.ask(ControlKind::Cancel).await.unwrap();
    });
    assert_eq!(run.status, RunStatus::Cancelled);
}

#[tokio::test]
async fn who_is_not_to_wait_stops_and_tries_at_once_when_resumed() {
    let scene = Scene::new(&["slow"]).await;
    scene.says("slow", 1, LIMIT, 0);
    let run = scene.run(&[LONG, ("on_limit", "stop")]).await;
    assert_eq!((run.status, run.reason), (RunStatus::Interrupted, Some(ExitReason::AgentLimit)));
    assert_eq!((run.reason.unwrap().exit_code(true), run.code), (3, Some(ErrorCode::AgentLimit)));
    let message = run.message.unwrap();
    assert!(
        message.starts_with("slow cannot go on, its account is used up for now: five hours"),
        "{message}"
    );
    assert_eq!(scene.resume().await.reason, Some(ExitReason::Promise));
}

#[tokio::test]
async fn an_agent_that_waits_inside_for_long_is_ended_and_the_run_waits_itself() {
    let scene = Scene::new(&["patient"]).await;
    let retry = r#"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":3600000,"error_status":529,"error":"overloaded"}"#;
    scene.says("patient", 1, retry, 0);
    let complains = r#"ended() { echo '{"type":"error","message":"I was ended"}'; exit 143; }
trap ended TERM
sleep 600 & wait"#;
    scene.does("patient", 1, complains);
    let (run, ()) = tokio::join!(scene.run(&[]), async {
        scene.waiting().await;
        let hold = scene.now().await.holds.remove(0);
        let until: jiff::Timestamp = hold.until.unwrap().parse().unwrap();
        assert!(until > jiff::Timestamp::now() + jiff::SignedDuration::from_mins(50));
        scene.ask(ControlKind::Resume).await.unwrap();
    });
    assert_eq!(run.reason, Some(ExitReason::Promise));
    let first = scene.iterations().await.remove(0);
    assert_eq!(first.cause, Some(FailureCause::Overload));
    let told = first.agent.problem.map(|problem| problem.kind);
    assert_eq!(told, Some(ProblemKind::Overload), "what it says to being ended is no reason");
}

#[tokio::test]
async fn an_agent_that_is_silent_after_a_retry_met_an_outage_and_did_not_fail() {
    let scene = Scene::new(&["silent"]).await;
    scene.says(
        "silent",
        1,
        r#"{"type":"error","message":"Reconnecting... 1/5 (unexpected status 503 Service Unavailable)"}"#,
        0,
    );
    scene.does("silent", 1, "sleep 600");
    scene.says("silent", 2, r#"{"type":"message","text":"Let me see."}"#, 0);
    scene.does("silent", 2, "sleep 600");
    scene.says("silent", 3, DONE, 0);
    let run = scene.run(&[("agent.idle_timeout", "1s")]).await;
    assert_eq!(run.reason, Some(ExitReason::Promise));
    let outcomes = scene.outcomes().await;
    assert_eq!(outcomes, [Outcome::Interrupted, Outcome::Failed, Outcome::Succeeded]);
}
