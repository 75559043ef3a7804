//! A run fits a small stack: the main thread has 1 MiB on Windows, a thread of an async runtime 2 MiB.

use loopwright_domain::{GateDecision, Origin, Outcome, RunStatus, TaskDraft};
use loopwright_engine::check::CheckDraft;
use loopwright_engine::run::{Earlier, Observer, Request, RunRequest, StopHandle, TaskSelection};
use loopwright_testkit::eventually_async;

use crate::scene::{Scene, WORKED, request};

/// The smallest stack that a run has to live with. Builds without optimisation, as this one, need the most.
const STACK: usize = 1024 * 1024;

/// Stays at a gate until somebody decides, as the app does.
struct WaitsAtGates;

impl Observer for WaitsAtGates {
    fn waits_at_gates(&self) -> bool {
        true
    }
}

/// Has something done on a thread with a small stack.
fn on_a_small_stack(work: impl AsyncFnOnce() + Send + 'static) {
    let runs = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(work());
    };
    std::thread::Builder::new().stack_size(STACK).spawn(runs).unwrap().join().unwrap();
}

async fn decide(scene: &Scene, decision: GateDecision) {
    let gates = scene.project.gates();
    let open = async || !gates.inbox().await.unwrap().open.is_empty();
    eventually_async("a gate is open", open).await;
    let gate = gates.inbox().await.unwrap().open.remove(0).id;
    gates.decide(gate, None, &decision, Origin::Cli).await.unwrap();
}

async fn with_check() -> Scene {
    let scene = Scene::in_git(&["cook"]).await;
    let check = CheckDraft::command("tea", "test -e tea.txt");
    scene.project.checks().add(&check, None, Origin::Cli).await.unwrap();
    scene
}

async fn play(scene: &Scene, request: RunRequest) -> loopwright_domain::Run {
    let request = request.set("loop.dirty", "include");
    let runs = scene.project.runs();
    let prepared = runs.prepare(&request).unwrap();
    runs.start(prepared, Earlier::Leave, Origin::App, &mut WaitsAtGates, StopHandle::new()).await.unwrap()
}

fn reject() -> GateDecision {
    GateDecision::Reject { reason: "stronger".to_owned() }
}

#[test]
fn a_task_is_rejected_and_approved() {
    for commit in ["task", "wave"] {
        on_a_small_stack(async move || {
            let scene = with_check().await;
            scene.project.tasks().add(TaskDraft::titled("Brew")).await.unwrap();
            scene.does("cook", 1, "echo weak > tea.txt");
            scene.does("cook", 2, "echo strong > tea.txt");
            let mut request = request(&[("mode", "review_each"), ("run.commit", commit)]);
            request.request = Request::Tasks(TaskSelection::default());
            let (run, ()) = tokio::join!(play(&scene, request), async {
                decide(&scene, reject()).await;
                decide(&scene, GateDecision::Approve).await;
            });
            assert_eq!(run.status, RunStatus::Completed, "{:?}", run.message);
            assert_eq!(scene.outcomes().await, [Outcome::Failed, Outcome::Succeeded]);
        });
    }
}

#[test]
fn a_loop_is_rejected_and_approved() {
    on_a_small_stack(async || {
        let scene = with_check().await;
        scene.says("cook", 1, WORKED, 0);
        scene.does("cook", 1, "echo weak > tea.txt");
        scene.does("cook", 2, "echo strong > tea.txt");
        let request = request(&[("mode", "review_each"), ("git.auto_commit", "true")]);
        let (run, ()) = tokio::join!(play(&scene, request), async {
            decide(&scene, reject()).await;
            decide(&scene, GateDecision::Approve).await;
        });
        assert_eq!(run.status, RunStatus::Completed, "{:?}", run.message);
    });
}

#[test]
fn whoever_decides_carries_it_out() {
    on_a_small_stack(async || {
        let scene = with_check().await;
        scene.project.tasks().add(TaskDraft::titled("Brew")).await.unwrap();
        scene.does("cook", 1, "echo weak > tea.txt");
        scene.does("cook", 2, "echo strong > tea.txt");
        let mut request = request(&[("mode", "review_each"), ("loop.dirty", "include")]);
        request.request = Request::Tasks(TaskSelection::default());
        let run = scene.start(request).await;
        assert_eq!(run.status, RunStatus::Waiting, "{:?}", run.message);
        decide(&scene, reject()).await;
        let run = scene.resume().await;
        assert_eq!(run.status, RunStatus::Waiting, "{:?}", run.message);
        decide(&scene, GateDecision::Approve).await;
        assert_eq!(scene.resume().await.status, RunStatus::Completed);
    });
}
