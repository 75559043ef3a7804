//! Checks as a window runs, writes, orders and stops them: real commands, a person who answers, and a toolkit that
//! shows nothing.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

#[expect(dead_code, reason = "other tests use all of it")]
mod support;

use std::path::{Path, PathBuf};

use loopwright_testkit::eventually;
use serde_json::{Value, json};
use support::{App, git_project, invoke};

/// A project's window whose person says yes.
struct Scene {
    app: App,
    path: PathBuf,
    label: String,
}

impl Scene {
    fn new() -> Self {
        let app = App::start();
        let path = git_project(&app, "checked");
        let label = app.open(&path);
        Self { app, path, label }
    }

    fn call(&self, command: &str, arguments: Value) -> Result<Value, Value> {
        self.app.call(&self.label, command, arguments)
    }

    fn save(&self, old: Option<&str>, draft: Value) -> Result<Value, Value> {
        self.call("save_check", json!({ "old": old, "draft": draft }))
    }

    fn run(&self, names: &[&str]) -> Result<Value, Value> {
        self.call("run_checks", round(names))
    }

    fn file(&self) -> String {
        std::fs::read_to_string(self.path.join(".loopwright/config.toml")).unwrap()
    }

    fn questions(&self) -> usize {
        self.app.desktop.questions().len()
    }
}

fn round(names: &[&str]) -> Value {
    json!({ "names": names, "channel": "__CHANNEL__:1" })
}

fn draft(name: &str, command: &str) -> Value {
    json!({
        "name": name, "command": command, "builtin": null, "required": true, "enabled": true, "edits": true,
        "timeout": null, "dir": null, "parser": null, "pattern": null, "issues": null,
    })
}

fn with(mut draft: Value, key: &str, value: impl Into<Value>) -> Value {
    draft[key] = value.into();
    draft
}

fn names(report: &Value) -> Vec<&str> {
    report["checks"].as_array().unwrap().iter().map(|row| row["draft"]["name"].as_str().unwrap()).collect()
}

#[test]
fn a_command_is_written_only_after_a_native_yes() {
    let scene = Scene::new();
    let before = scene.file();
    let refused = scene.save(None, draft("test", "sh test.sh")).unwrap_err();
    assert_eq!(refused["code"], "confirmation.declined");
    assert_eq!(scene.file(), before);
    scene.app.desktop.agree();
    let report = scene.save(None, draft("test", "sh test.sh")).unwrap();
    assert_eq!((names(&report), &report["trust"]), (vec!["test"], &json!("trusted")));
    let asked = scene.app.desktop.questions();
    assert!(asked[1].title.contains("test") && asked[1].text.starts_with("sh test.sh\n"), "{asked:?}");
    assert!(asked[1].text.contains(scene.path.to_str().unwrap()), "{asked:?}");
    for wrong in [
        draft("test", "other"),
        draft("a", "say 'hi"),
        draft("", "x"),
        draft("a", "sh\u{202e}x"),
        with(draft("a", "x"), "dir", "../up"),
        with(draft("a", "x"), "timeout", "soon"),
    ] {
        scene.save(None, wrong.clone()).unwrap_err();
        assert_eq!(scene.questions(), 2, "what cannot be written is not asked: {wrong}");
    }
}

#[test]
fn only_what_would_be_executed_is_asked_about() {
    let scene = Scene::new();
    scene.app.desktop.agree();
    scene.save(None, draft("test", "true")).unwrap();
    assert_eq!(scene.questions(), 1);
    let optional = with(with(draft("unit", "true"), "required", false), "timeout", "5m");
    assert_eq!(names(&scene.save(Some("test"), optional).unwrap()), ["unit"]);
    scene.call("enable_check", json!({ "name": "unit", "enabled": false })).unwrap();
    assert_eq!(scene.questions(), 1, "neither a name nor switching off is asked about");
    scene.call("enable_check", json!({ "name": "unit", "enabled": true })).unwrap();
    assert_eq!(scene.questions(), 2, "while it was off nobody had to trust it");
    scene.save(Some("unit"), with(draft("unit", "true"), "dir", "src")).unwrap();
    scene.save(Some("unit"), draft("unit", "false")).unwrap();
    assert_eq!(scene.questions(), 4);
    scene.save(Some("unit"), with(draft("unit", ""), "builtin", "clean-tree")).unwrap();
    assert_eq!(scene.questions(), 4, "a built-in check executes nothing of the folder");
}

#[test]
fn checks_are_ordered_removed_and_suggested_by_name() {
    let scene = Scene::new();
    std::fs::write(scene.path.join("Makefile"), "test:\n\ttrue\nlint:\n\ttrue\n").unwrap();
    let before = scene.file();
    let refused = scene.call("add_suggested_checks", json!({ "names": ["test", "lint"] })).unwrap_err();
    assert_eq!((&refused["code"], scene.file()), (&json!("confirmation.declined"), before));
    let asked = scene.app.desktop.questions();
    assert!(asked[0].text.starts_with("test: make test\nlint: make lint\n"), "{asked:?}");
    scene.app.desktop.agree();
    let report = scene.call("checks", json!({})).unwrap();
    assert_eq!(report["suggestions"][0]["command"], "make test");
    let unknown = scene.call("add_suggested_checks", json!({ "names": ["rm -rf /"] })).unwrap_err();
    assert_eq!(unknown["code"], "usage.invalid");
    let report = scene.call("add_suggested_checks", json!({ "names": ["test", "lint"] })).unwrap();
    assert_eq!((names(&report), &report["suggestions"]), (vec!["test", "lint"], &json!([])));
    let report = scene.call("move_check", json!({ "name": "lint", "to": 0 })).unwrap();
    assert_eq!(names(&report), ["lint", "test"]);
    assert_eq!(
        scene.call("move_check", json!({ "name": "lint", "to": 7 })).unwrap_err()["code"],
        "usage.invalid"
    );
    assert_eq!(names(&scene.call("remove_check", json!({ "name": "test" })).unwrap()), ["lint"]);
}

#[test]
fn a_round_is_told_and_kept_and_nothing_untrusted_is_run() {
    let scene = Scene::new();
    scene.app.desktop.agree();
    scene.save(None, draft("test", "sh -c 'echo a.rs:3: bad; exit 1'")).unwrap();
    scene.save(None, with(draft("tidy", ""), "builtin", "merge-markers")).unwrap();
    let results = scene.run(&[]).unwrap();
    assert_eq!((&results[0]["status"], &results[1]["status"]), (&json!("failed"), &json!("passed")));
    scene.run(&["test"]).unwrap();
    let report = scene.call("checks", json!({})).unwrap();
    assert_eq!(report["checks"][0]["trend"].as_array().unwrap().len(), 2);
    assert_eq!(report["checks"][0]["last"]["result"]["exit_code"], 1);
    assert_eq!(report["checks"][1]["trend"].as_array().unwrap().len(), 1);
    assert_eq!(scene.run(&["tset"]).unwrap_err()["code"], "usage.invalid");
    let more = format!("{}\n[[checks]]\nname = \"late\"\ncommand = \"touch ran\"\n", scene.file());
    std::fs::write(scene.path.join(".loopwright/config.toml"), more).unwrap();
    assert_eq!(scene.run(&[]).unwrap_err()["code"], "trust.required");
    assert!(!scene.path.join("ran").exists());
}

#[test]
fn a_round_is_the_only_one_of_its_window_and_ends_when_it_is_stopped() {
    let scene = Scene::new();
    scene.app.desktop.agree();
    scene.save(None, draft("slow", "sh -c 'echo $$ > pid; sleep 600'")).unwrap();
    scene.save(None, draft("next", "touch ran")).unwrap();
    let window = scene.app.window(&scene.label);
    let running = std::thread::spawn(move || invoke(&window, "run_checks", round(&[])));
    eventually("the check runs", || scene.path.join("pid").exists());
    assert_eq!(scene.run(&["next"]).unwrap_err()["code"], "run.locked");
    scene.call("stop_checks", json!({})).unwrap();
    let results = running.join().unwrap().unwrap();
    assert_eq!((&results[0]["status"], &results[1]["status"]), (&json!("stopped"), &json!("stopped")));
    assert!(!scene.path.join("ran").exists());
    assert!(!is_alive(&scene.path), "the command was ended with all it started");
    assert_eq!(scene.call("checks", json!({})).unwrap()["checks"][0]["last"], Value::Null);
}

fn is_alive(project: &Path) -> bool {
    let pid = std::fs::read_to_string(project.join("pid")).unwrap();
    Path::new("/proc").join(pid.trim()).exists()
}
