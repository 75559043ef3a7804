//! Starting: what can be chosen, what is refused and why, and that a run which may begin works to its end.

use loopwright_testkit::eventually;
use serde_json::{Value, json};

use crate::scene::Scene;

#[test]
fn a_run_works_to_its_end_in_the_app() {
    let scene = Scene::new();
    scene.go();
    let run = scene.start().unwrap();
    eventually("the run ends", || !scene.is_live() && scene.lines("started") == 2);
    let state = scene.state();
    assert_eq!((&state["run"]["id"], &state["run"]["origin"]), (&run, &json!("app")));
    assert_eq!(state["run"]["progress"]["iteration"], 2);
    assert_eq!(state["last"]["outcome"], "succeeded");
    assert!(state["ending"].is_object(), "{state}");
    let runs = scene.call("runs", json!({ "before": null, "limit": 10 })).unwrap();
    assert_eq!(runs.as_array().unwrap().len(), 1);
    assert_eq!(runs[0]["id"], run);
}

#[test]
fn what_stands_in_the_way_is_told_and_nothing_is_left_behind() {
    let scene = Scene::new();
    std::fs::write(scene.root.join("mine.txt"), "not committed").unwrap();
    assert_eq!(scene.start().unwrap_err()["code"], "run.dirty");
    assert_eq!(scene.call("run_choices", json!({})).unwrap()["uncommitted"], 1);
    std::fs::remove_file(scene.root.join("mine.txt")).unwrap();
    let with = |more: Value| scene.start_with(&[], more).unwrap_err();
    assert_eq!(with(json!({ "harness": "nobody" }))["code"], "agent.missing");
    assert_eq!(with(json!({ "work": { "kind": "prompt", "text": "  " } }))["code"], "usage.invalid");
    assert_eq!(with(json!({ "work": { "kind": "procedure", "name": "x" } }))["code"], "procedure.not_found");
    assert_eq!(with(json!({ "work": { "kind": "fix", "extra": null } }))["code"], "usage.invalid");
    let config = scene.root.join(".loopwright/config.toml");
    let before = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{before}\n[[checks]]\nname = \"new\"\ncommand = \"true\"\n")).unwrap();
    assert_eq!(scene.start().unwrap_err()["code"], "trust.required");
    assert_eq!(scene.call("run_choices", json!({})).unwrap()["trust"], "untrusted");
    assert_eq!(scene.state(), Value::Null, "no run was begun");
}

#[test]
fn a_second_start_is_told_who_works() {
    let scene = Scene::new();
    scene.at_work();
    let refused = scene.start().unwrap_err();
    assert_eq!(refused["code"], "run.locked");
    assert!(refused["message"].as_str().unwrap().contains(&std::process::id().to_string()), "{refused}");
    let choices = scene.call("run_choices", json!({})).unwrap();
    assert_eq!(choices["live"]["pid"], std::process::id());
    assert_eq!(choices["earlier"], Value::Null, "a run that works is no earlier one");
    scene.go();
    eventually("the run ends", || !scene.is_live());
}

#[test]
fn the_choices_name_agents_procedures_and_defaults() {
    let scene = Scene::new();
    let choices = scene.call("run_choices", json!({})).unwrap();
    let named = |name: &str| {
        let harnesses = choices["harnesses"].as_array().unwrap();
        harnesses.iter().find(|harness| harness["name"] == name).unwrap().clone()
    };
    assert_eq!((&choices["harness"], &named("patient")["problem"]), (&json!("patient"), &Value::Null));
    assert_eq!(choices["harnesses"][0]["problem"], Value::Null, "those that can be used come first");
    assert_eq!(named("rehearsal")["scripted"], true);
    let procedures = choices["procedures"].as_array().unwrap();
    assert!(procedures.iter().any(|procedure| procedure["name"] == "build" && procedure["own"] == false));
    assert_eq!(choices["defaults"]["loop_iterations"], 20);
    assert_eq!(choices["defaults"]["automation"], "auto");
    assert_eq!((&choices["uncommitted"], &choices["checks"]), (&json!(0), &json!(0)));
}

#[test]
fn a_preview_shows_the_prompt_and_starts_nothing() {
    let scene = Scene::new();
    let request = json!({
        "work": { "kind": "prompt", "text": "make tea" }, "harness": null, "model": null,
        "automation": null, "settings": [], "leave_earlier": false,
    });
    let preview = scene.call("preview_run", json!({ "request": request })).unwrap();
    assert!(preview["prompt"].as_str().unwrap().contains("make tea"), "{preview}");
    assert!(preview["command"].as_str().unwrap().contains("agent.sh"), "{preview}");
    assert_eq!((scene.state(), scene.lines("started")), (Value::Null, 0));
}

#[test]
fn a_page_sets_limits_and_no_more_and_yolo_needs_a_native_yes() {
    let scene = Scene::new();
    for key in ["default_harness", "harness.patient.command", "loop.automation", "gate.protected", "ui.theme"]
    {
        assert_eq!(
            scene.start_with(&[(key, "x")], json!({})).unwrap_err()["code"],
            "config.unknown_key",
            "{key}"
        );
    }
    let bad = scene.start_with(&[("loop.max_iterations", "many")], json!({})).unwrap_err();
    assert_eq!(bad["code"], "config.bad_value");
    scene.go();
    let yolo = || scene.start_with(&[("loop.max_iterations", "1")], json!({ "automation": "yolo" }));
    assert_eq!(yolo().unwrap_err()["code"], "confirmation.declined");
    assert_eq!(scene.lines("started"), 0);
    scene.app.desktop.agree();
    yolo().unwrap();
    assert_eq!(scene.app.desktop.questions().len(), 2);
    eventually("the run ends", || !scene.is_live() && scene.lines("started") == 1);
    assert_eq!(scene.state()["options"]["automation"], "yolo");
}

#[test]
fn in_manual_mode_the_start_and_each_resume_is_the_word_for_one_iteration() {
    let scene = Scene::new();
    scene.go();
    scene.start_with(&[("loop.max_iterations", "2")], json!({ "automation": "manual" })).unwrap();
    scene.until("paused");
    eventually("its process is gone", || !scene.is_live());
    assert_eq!((scene.lines("started"), &scene.state()["run"]["reason"]), (1, &json!("needs_person")));
    scene.call("resume_run", json!({ "run": null })).unwrap();
    eventually("the run ends", || !scene.is_live() && scene.lines("started") == 2);
    assert_ne!(scene.status(), "paused");
}
