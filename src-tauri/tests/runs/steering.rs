//! Steering a run of this app: pause, resume, cancel, and taking up one that was stopped.

use loopwright_testkit::eventually;
use serde_json::{Value, json};

use crate::scene::Scene;

#[test]
fn a_run_pauses_after_its_iteration_and_goes_on() {
    let scene = Scene::new();
    let run = scene.at_work();
    assert_eq!(scene.ask("pause_after_iteration"), "told");
    assert_eq!(scene.state()["asked"], "pause_after_iteration");
    scene.go();
    scene.until("paused");
    assert_eq!((scene.lines("started"), scene.is_live()), (1, true));
    assert_eq!(scene.call("resume_run", json!({ "run": run })).unwrap(), run);
    eventually("the run ends", || !scene.is_live() && scene.lines("started") == 2);
    let events = scene.call("events_since", json!({ "seq": 0, "limit": 1000 })).unwrap();
    let resumed =
        events.as_array().unwrap().iter().find(|one| one["event"]["type"] == "run.resumed").unwrap();
    assert_eq!(resumed["event"]["origin"], "app");
}

#[test]
fn a_cancelled_run_ends_for_good_and_its_agent_with_it() {
    let scene = Scene::new();
    let run = scene.at_work();
    assert_eq!(scene.ask("cancel"), "told");
    scene.until("cancelled");
    eventually("its process is gone", || !scene.is_live());
    let refused = scene.call("resume_run", json!({ "run": run })).unwrap_err();
    assert_eq!(refused["code"], "run.not_found");
    assert_eq!(scene.call("ask_run", json!({ "kind": "pause" })).unwrap_err()["code"], "run.not_found");
}

#[test]
fn an_earlier_run_is_offered_taken_up_or_left() {
    let scene = Scene::new();
    scene.go();
    let manual = json!({ "automation": "manual" });
    let run = scene.start_with(&[("loop.max_iterations", "9")], manual).unwrap();
    scene.until("paused");
    eventually("its process is gone", || !scene.is_live());
    let choices = scene.call("run_choices", json!({})).unwrap();
    assert_eq!(choices["earlier"]["id"], run);
    assert_eq!(scene.start().unwrap_err()["code"], "run.interrupted");
    assert_eq!(scene.call("resume_run", json!({ "run": null })).unwrap(), run);
    eventually("one more", || !scene.is_live() && scene.lines("started") == 2);
    let other = scene.start_with(&[("loop.max_iterations", "1")], json!({ "leave_earlier": true })).unwrap();
    assert_ne!(other, run);
    eventually("the run ends", || !scene.is_live() && scene.lines("started") == 3);
}

/// A page that names no tree, or another one, decides nothing: neither yes nor no.
#[test]
fn a_gate_is_decided_only_about_the_tree_that_was_shown() {
    let scene = Scene::new();
    let agent = "echo new > new.txt\necho 'LOOPWRIGHT_COMPLETE: written'\n";
    std::fs::write(scene.app.folder().join("agent.sh"), agent).unwrap();
    scene.cli_says(&["check", "add", "ok", "true"]);
    scene.cli_says(&["task", "add", "Write a file"]);
    scene.git(&["add", "--all"]);
    scene.git(&["commit", "--quiet", "--message", "Set up"]);
    let work = json!({ "work": { "kind": "tasks", "tag": null, "task": null } });
    scene.start_with(&[("mode", "review_each")], work).unwrap();
    let open = || scene.call("gates", json!({})).unwrap()["open"].clone();
    eventually("a gate waits", || open()[0]["id"].is_number());
    let id = open()[0]["id"].clone();
    let tree = scene.call("gate", json!({ "id": id })).unwrap()["gate"]["tree"].clone();
    let decide = |tree: Value, decision: Value| {
        scene.call("decide_gate", json!({ "id": id, "tree": tree, "decision": decision }))
    };
    let (approve, reject) = (json!({ "kind": "approve" }), json!({ "kind": "reject", "reason": "no" }));
    for decision in [&approve, &reject] {
        for other in [Value::Null, json!(""), json!("0".repeat(40))] {
            let refused = decide(other.clone(), decision.clone()).unwrap_err();
            assert_eq!(refused["code"], "gate.changed", "{decision} about {other}");
        }
    }
    decide(tree, approve).unwrap();
    eventually("the run ends", || !scene.is_live() && open() == json!([]));
}
