//! Runs of the real CLI, seen and steered from a window, and the other way round.

use std::process::Stdio;

use loopwright_testkit::eventually;
use serde_json::{Value, json};

use crate::following::Page;
use crate::scene::Scene;

const LOOP: &[&str] = &["loop", "--prompt", "wait", "--max-iterations", "2"];

#[test]
fn a_run_of_a_terminal_appears_and_is_steered_from_the_window() {
    let scene = Scene::new();
    let page = Page::after(&scene, 0);
    let mut terminal = scene.cli(LOOP).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    eventually("it appears", || page.newest_status() == "running");
    let state = scene.state();
    assert_eq!(state["live"]["pid"], terminal.id());
    eventually("its agent works", || scene.lines("started") == 1);
    assert_eq!(scene.start().unwrap_err()["code"], "run.locked");
    scene.ask("pause_after_iteration");
    scene.go();
    eventually("it pauses", || page.newest_status() == "paused");
    scene.call("resume_run", json!({ "run": null })).unwrap();
    eventually("it ends", || terminal.try_wait().unwrap().is_some());
    assert_eq!(scene.lines("started"), 2);
    eventually("its end appears", || !scene.is_live() && page.newest_status() != "running");
}

#[test]
fn a_run_of_a_terminal_is_cancelled_from_the_window() {
    let scene = Scene::new();
    let mut terminal = scene.cli(LOOP).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    eventually("its agent works", || scene.lines("started") == 1);
    assert_eq!(scene.ask("cancel"), "told");
    eventually("it ends", || terminal.try_wait().unwrap().is_some());
    assert_eq!(scene.status(), "cancelled");
}

#[test]
fn a_run_of_the_window_is_paused_and_cancelled_from_a_terminal_and_resumed_by_a_person() {
    let scene = Scene::new();
    scene.at_work();
    let status: Value = serde_json::from_slice(&scene.cli_says(&["status", "--json"]).stdout).unwrap();
    assert_eq!(status["run"]["live"]["pid"], std::process::id());
    scene.cli_says(&["pause", "--after-iteration"]);
    scene.go();
    scene.until("paused");
    std::fs::remove_file(scene.app.folder().join("go")).unwrap();
    // Here the program at the terminal was started by the process that works, as an agent's orphan would have been.
    let refused = scene.cli(&["resume", "--json"]).output().unwrap();
    let said: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(said["error"]["code"], "agent.forbidden", "{refused:?}");
    assert_eq!(scene.ask("resume"), "told");
    eventually("the next agent works", || scene.lines("started") == 2);
    scene.cli_says(&["cancel"]);
    scene.until("cancelled");
    eventually("its process is gone", || !scene.is_live());
}
