//! Closing a window while its run works.

use std::sync::{Arc, Mutex};

use loopwright_app::exit::holds_back;
use loopwright_testkit::eventually;
use serde_json::{Value, json};
use tauri::Listener as _;

use crate::scene::Scene;

fn asked_to_close(scene: &Scene) -> bool {
    holds_back(scene.app.app.handle(), &scene.window)
}

fn choose(scene: &Scene, choice: &str) {
    assert!(asked_to_close(scene), "the window stays until the person has answered");
    scene.call("close_asked_shown", json!({})).unwrap();
    scene.call("close_window", json!({ "choice": choice })).unwrap();
}

fn is_gone(scene: &Scene) {
    eventually("the window is gone", || !scene.has_window());
    assert_eq!(scene.app.desktop.choices.lock().unwrap().len(), 0, "the page has asked");
}

/// The last run as the CLI sees it, when there is no window any more.
fn last_run(scene: &Scene) -> Value {
    let output = scene.cli_says(&["status", "--json"]);
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["run"].take()
}

#[test]
fn a_window_without_a_run_of_its_own_just_closes() {
    let scene = Scene::new();
    assert!(!asked_to_close(&scene));
    let mut terminal = scene.cli(&["loop", "--prompt", "wait", "-n", "1"]).spawn().unwrap();
    eventually("its agent works", || scene.lines("started") == 1);
    assert!(!asked_to_close(&scene), "another process goes on by itself");
    scene.go();
    assert!(terminal.wait().is_ok());
}

/// Should the test fail, prints where the run stands and what the process in the background said.
struct TellOnFailure<'a>(&'a Scene);

impl Drop for TellOnFailure<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        let status = self.0.cli(&["status", "--json"]).output();
        eprintln!(
            "{}",
            status.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
        );
        let logs = std::fs::read_dir(self.0.root.join(".git/loopwright/background"));
        for log in logs.into_iter().flatten().flatten() {
            let text = std::fs::read_to_string(log.path()).unwrap_or_default();
            eprintln!("{}:\n{text}", log.path().display());
        }
    }
}

#[test]
fn a_run_that_is_kept_goes_on_in_the_cli_from_where_it_was() {
    let scene = Scene::new();
    let _told = TellOnFailure(&scene);
    let run = scene.at_work();
    choose(&scene, "keep_running");
    assert_eq!(last_run(&scene)["live"]["pid"], std::process::id(), "until the iteration is done");
    scene.go();
    is_gone(&scene);
    eventually("the run ends", || last_run(&scene)["live"].is_null() && scene.lines("started") == 2);
    let last = last_run(&scene);
    assert_eq!(last["run"], run);
    let outcomes: Vec<&str> = last["iteration_summaries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|iteration| iteration["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["succeeded", "succeeded"], "nothing was lost and nothing done twice");
}

#[test]
fn a_run_that_is_kept_lives_in_another_process_than_the_app() {
    let scene = Scene::new();
    scene.at_work();
    choose(&scene, "keep_running");
    scene.go();
    is_gone(&scene);
    std::fs::remove_file(scene.app.folder().join("go")).unwrap();
    let live = last_run(&scene)["live"].clone();
    assert!(live.is_null() || live["pid"] != std::process::id(), "{live}");
}

#[test]
fn stopping_after_the_iteration_loses_nothing() {
    let scene = Scene::new();
    scene.at_work();
    choose(&scene, "stop_after_iteration");
    scene.go();
    is_gone(&scene);
    let last = last_run(&scene);
    assert_eq!((&last["status"], &last["iteration"]), (&json!("interrupted"), &json!(1)));
    assert_eq!(last["iteration_summaries"][0]["outcome"], "succeeded");
}

#[test]
fn a_run_that_comes_to_its_end_meanwhile_is_neither_stopped_nor_handed_over() {
    for choice in ["stop_after_iteration", "keep_running"] {
        let scene = Scene::new();
        scene.start_with(&[("loop.max_iterations", "1")], json!({})).unwrap();
        eventually("the agent works", || scene.lines("started") == 1);
        choose(&scene, choice);
        scene.go();
        is_gone(&scene);
        assert_eq!(last_run(&scene)["exit_reason"], "max_iterations", "{choice}");
        assert!(!scene.root.join(".git/loopwright/background").exists());
    }
}

#[test]
fn a_window_whose_run_cannot_be_handed_over_comes_back_and_says_why() {
    let scene = Scene::new();
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&said);
    scene
        .app
        .app
        .listen_any("open-failed", move |event| heard.lock().unwrap().push(event.payload().to_owned()));
    scene.at_work();
    choose(&scene, "keep_running");
    let config = scene.root.join(".loopwright/config.toml");
    let before = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{before}\n[[checks]]\nname = \"new\"\ncommand = \"true\"\n")).unwrap();
    scene.go();
    eventually("it says why", || said.lock().unwrap().iter().any(|fault| fault.contains("trust.required")));
    assert!(scene.has_window());
    assert_eq!((scene.status().as_str(), scene.lines("started")), ("interrupted", 1));
}

#[test]
fn stopping_now_ends_the_agent_and_can_be_resumed() {
    let scene = Scene::new();
    scene.at_work();
    choose(&scene, "stop_now");
    is_gone(&scene);
    let last = last_run(&scene);
    assert_eq!((&last["status"], &last["live"]), (&json!("interrupted"), &Value::Null));
    assert_eq!(last["iteration_summaries"][0]["outcome"], "interrupted");
}

#[test]
fn a_paused_run_is_left_without_a_question() {
    let scene = Scene::new();
    scene.at_work();
    scene.ask("pause_after_iteration");
    scene.go();
    scene.until("paused");
    assert!(asked_to_close(&scene));
    is_gone(&scene);
    assert_eq!(last_run(&scene)["status"], "interrupted");
}

#[test]
fn a_page_that_does_not_ask_is_asked_over_natively() {
    let scene = Scene::new();
    scene.at_work();
    assert!(asked_to_close(&scene));
    let asked = || scene.app.desktop.choices.lock().unwrap().len();
    eventually("the native question", || asked() == 1);
    assert!(scene.has_window(), "unanswered, the window stays");
    assert_eq!(scene.status(), "running");
    *scene.app.desktop.answer.lock().unwrap() = Some(1);
    assert!(asked_to_close(&scene));
    eventually("the window is gone", || !scene.has_window());
    assert_eq!((asked(), &last_run(&scene)["status"]), (2, &json!("interrupted")));
}

#[test]
fn a_window_stays_when_the_person_wants_it_to() {
    let scene = Scene::new();
    scene.at_work();
    choose(&scene, "stay");
    scene.go();
    eventually("the run ends", || !scene.is_live());
    assert!(scene.has_window());
    assert_eq!(scene.lines("started"), 2);
}
