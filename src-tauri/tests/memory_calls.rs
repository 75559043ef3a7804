//! The commands of Memory and Metrics.

use serde_json::{Value, json};

use crate::support::{App, git_project};

#[test]
fn what_is_remembered_is_written_changed_and_carried_to_another_project() {
    let app = App::start();
    let label = app.open(&git_project(&app, "tea"));
    let call = |command: &str, arguments: Value| app.call(&label, command, arguments);
    let draft = json!({ "pattern": "network", "title": "Start the server", "text": "Start it before the tests.", "files": [] });
    let made = call("save_solution", json!({ "id": null, "draft": draft })).unwrap();
    assert_eq!(
        (&made["trust"], &made["state"], &made["origin"]),
        (&json!(0.3), &json!("trial"), &json!("person"))
    );
    let retired = call("retire_solution", json!({ "id": 1, "retired": true })).unwrap();
    assert_eq!((&retired["state"], &retired["history"][0]["reason"]), (&json!("retired"), &json!("retired")));
    call("retire_solution", json!({ "id": 1, "retired": false })).unwrap();
    assert_eq!(call("solution", json!({ "id": 9 })).unwrap_err()["code"], "solution.not_found");

    let card = json!({ "category": "build", "title": "", "when": "", "text": "Use make.", "scope": "project", "pattern": null });
    let learned = call("save_learning", json!({ "id": null, "draft": card })).unwrap();
    assert_eq!(learned["title"], "Use make");
    assert_eq!(call("learnings", json!({ "search": "make" })).unwrap().as_array().unwrap().len(), 1);
    call("remove_learning", json!({ "id": 1 })).unwrap();
    assert_eq!(call("learnings", json!({ "search": "" })).unwrap(), json!([]));

    assert_eq!(call("export_solutions", json!({})).unwrap(), json!(null), "the person closed the dialog");
    let folder = tempfile::tempdir().unwrap();
    *app.desktop.new_files.lock().unwrap() = Some(folder.path().to_owned());
    let file = folder.path().join("solutions.json");
    assert_eq!(call("export_solutions", json!({})).unwrap(), json!(file));
    *app.desktop.files.lock().unwrap() = vec![file];
    let other = app.open(&git_project(&app, "coffee"));
    assert_eq!(app.call(&other, "import_solutions", json!({})).unwrap(), json!(1));
    let imported = app.call(&other, "solutions", json!({})).unwrap();
    assert_eq!((&imported[0]["origin"], &imported[0]["trust"]), (&json!("import"), &json!(0.3)));
}

#[test]
fn figures_say_what_they_do_not_know_and_are_written_to_a_file() {
    let app = App::start();
    let label = app.open(&git_project(&app, "tea"));
    let call = |command: &str, arguments: Value| app.call(&label, command, arguments);
    assert_eq!(call("failure_patterns", json!({ "days": 30 })).unwrap(), json!([]));
    let health = call("health", json!({})).unwrap();
    assert_eq!((&health["score"], health["factors"].as_array().unwrap().len()), (&json!(null), 6));
    assert_eq!(call("metrics", json!({ "days": null })).unwrap()["runs"], 0);
    let folder = tempfile::tempdir().unwrap();
    *app.desktop.new_files.lock().unwrap() = Some(folder.path().to_owned());
    call("export_metrics", json!({ "days": 7, "format": "csv" })).unwrap();
    let text = std::fs::read_to_string(folder.path().join("metrics.csv")).unwrap();
    assert!(text.starts_with("date,iterations,"), "{text}");
    call("export_metrics", json!({ "days": null, "format": "json" })).unwrap();
    let text = std::fs::read_to_string(folder.path().join("metrics.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["runs"], 0);
}
