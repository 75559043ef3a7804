//! A limit in a run over tasks or checks: whose work it was, and what becomes of it.

use loopwright_domain::{ExitReason, Origin, Outcome, RunStatus, TaskDraft, TaskStatus};
use loopwright_engine::check::CheckDraft;
use loopwright_engine::run::{Request, TaskSelection};

use crate::scene::{LIMIT, Scene, request};

#[tokio::test]
async fn an_attempt_that_met_a_limit_is_put_back_and_costs_nothing() {
    let scene = Scene::in_git(&["builder"]).await;
    let place = scene.project.layout().root.clone();
    scene.project.tasks().add(TaskDraft::titled("Brew")).await.unwrap();
    scene.says("builder", 1, LIMIT, 0);
    scene.does("builder", 1, "echo half > tea.txt");
    scene.does("builder", 2, "[ -e tea.txt ] || echo whole > tea.txt");
    let mut request = request(&[]);
    request.request = Request::Tasks(TaskSelection::default());
    let run = scene.start(request).await;
    assert_eq!(run.status, RunStatus::Completed, "{:?}", run.message);
    assert_eq!(scene.outcomes().await, [Outcome::Interrupted, Outcome::Succeeded]);
    assert!(scene.iterations().await[0].restored);
    assert_eq!(std::fs::read_to_string(place.join("tea.txt")).unwrap(), "whole\n");
    let task = scene.project.tasks().list().await.unwrap().remove(0);
    assert_eq!((task.status, task.attempts, task.failures), (TaskStatus::Done, 1, 0));
    let said = scene.iterations().await[0].message.clone().unwrap();
    assert_eq!(said, "the agent's account is used up for now: five hours are used");
}

#[tokio::test]
async fn what_an_agent_mended_before_its_limit_is_kept_and_looked_at_before_anybody_waits() {
    let scene = Scene::in_git(&["mender"]).await;
    let check = CheckDraft::command("tea", "test -e tea.txt");
    scene.project.checks().add(&check, None, Origin::Cli).await.unwrap();
    scene.says("mender", 1, LIMIT, 0);
    scene.does("mender", 1, "echo tea > tea.txt");
    let mut request = request(&[("limit.recheck", "1h"), ("loop.dirty", "include")]);
    request.request = Request::Fix(None);
    let run = scene.start(request).await;
    assert_eq!((run.status, run.reason), (RunStatus::Completed, Some(ExitReason::ChecksPass)));
    assert_eq!((scene.outcomes().await, scene.starts("mender")), (vec![Outcome::Interrupted], 1));
}
