//! A process that vanishes while its run waits: whoever resumes waits for the rest of the time. The other process is this
//! test program again, running only `the_other_process`.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use loopwright_domain::{ExitReason, Origin, Outcome, RunStatus};
use loopwright_engine::Project;
use loopwright_engine::run::{Earlier, StopHandle, Unobserved};

use crate::scene::{LIMIT, Scene, host, request};

#[test]
#[ignore = "a process that the other test starts"]
fn the_other_process() {
    let folder = PathBuf::from(std::env::var_os("LIMITS_TEST_FOLDER").unwrap());
    let place = PathBuf::from(std::env::var_os("LIMITS_TEST_PLACE").unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let project = Project::open(&host(&folder), &place).await.unwrap();
        let prepared = project.runs().prepare(&request(&[("limit.recheck", "6s")])).unwrap();
        let (mut unobserved, stop) = (Unobserved, StopHandle::new());
        project.runs().start(prepared, Earlier::Leave, Origin::Cli, &mut unobserved, stop).await.unwrap();
    });
}

#[expect(clippy::disallowed_methods, reason = "tests start programs themselves")]
fn another_process(scene: &Scene) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "crash::the_other_process"])
        .env("LIMITS_TEST_FOLDER", scene.root())
        .env("LIMITS_TEST_PLACE", &scene.project.layout().root)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn what_an_agent_uses_is_seen_while_it_works_and_not_forgotten_when_all_is_killed() {
    let scene = Scene::new(&["slow"]).await;
    let used = |tokens: u32| {
        format!(
            r#"{{"type":"usage","usage":{{"input_tokens":{tokens},"output_tokens":0}},"cost_usd":0.{tokens}}}"#
        )
    };
    scene.says("slow", 1, &used(200), 0);
    scene.does("slow", 1, &format!("sleep 0.05; echo '{}'; sleep 600", used(400)));
    let mut other = another_process(&scene);
    let seen = async || {
        let state = scene.project.runs().state(None).await.unwrap()?;
        state.current?.usage.cost_micros
    };
    // Also what was told a moment after something else, with nothing behind it.
    while seen().await.is_none_or(|cost| cost < 600_000) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(seen().await, Some(600_000));
    // The time it has worked is written down every two seconds.
    let counted = async || {
        let shown = scene.project.runs().view(None).await.unwrap().unwrap();
        (shown.worked_ms >= 2_000 && shown.iteration_summaries[0].elapsed_ms > 0).then_some(shown)
    };
    let shown = loop {
        match counted().await {
            Some(shown) => break shown,
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    assert_eq!(shown.usage.cost_micros, Some(600_000), "a look at the run counts it");
    other.kill().unwrap();
    other.wait().unwrap();
    let left = scene.project.runs().view(None).await.unwrap().unwrap();
    assert_eq!(
        (left.status, left.usage),
        (RunStatus::Interrupted, shown.usage),
        "also of what is left of it"
    );
    let run = scene.resume().await;
    assert_eq!((run.reason, run.progress.iteration), (Some(ExitReason::Promise), 1));
    assert_eq!(run.progress.usage.cost_micros, Some(600_000), "counted once, and still there");
    assert!(run.progress.worked_ms >= 1_900, "so does the time: {}", run.progress.worked_ms);
    assert_eq!(scene.outcomes().await, [Outcome::Interrupted, Outcome::Succeeded]);
}

#[tokio::test]
async fn a_process_killed_while_its_run_waits_leaves_the_wait_to_the_next() {
    let scene = Scene::new(&["slow"]).await;
    scene.says("slow", 1, LIMIT, 0);
    let mut other = another_process(&scene);
    scene.waiting().await;
    let waited_for = scene.now().await;
    other.kill().unwrap();
    other.wait().unwrap();
    let seen = scene.project.runs().state(None).await.unwrap().unwrap().run;
    assert_eq!((seen.status, seen.holds.len()), (RunStatus::Interrupted, 1), "the hold outlives the process");
    let (run, ()) = tokio::join!(scene.resume(), async {
        scene.taken_up().await;
        scene.waiting().await;
        assert_eq!(scene.now().await.holds, waited_for.holds, "neither anew nor forgotten");
        assert_eq!(scene.starts("slow"), 1);
    });
    assert_eq!((run.reason, run.progress.iteration), (Some(ExitReason::Promise), 1));
    assert_eq!(scene.outcomes().await, [Outcome::Interrupted, Outcome::Succeeded]);
}
