//! Tasks that a person does, from the first command to the last.

use crate::common::json;
use crate::looks::{said, told};
use crate::place::ProjectFolder;
use crate::shop::{DONE, shop};

const CHECK: &str = "[[checks]]\nname = \"oolong\"\ncommand = \"grep -q Oolong menu.txt\"\n";

#[test]
fn work_by_hand_is_begun_checked_and_committed() {
    let place = shop(CHECK, &["Add oolong", "Add assam"]);
    insta::assert_snapshot!("hand_begin_unknown", said(&place, &["begin", "9"]));
    insta::assert_snapshot!("hand_begin", said(&place, &["begin", "1"]));
    insta::assert_snapshot!("hand_status", said(&place, &["status"]));
    insta::assert_snapshot!("hand_finish_failing", said(&place, &["finish", "did nothing"]));
    place.sandbox.write("menu.txt", "Sencha 4.20\nOolong 5.10\n");
    insta::assert_snapshot!("hand_finish", said(&place, &["finish", "wrote it"]));
    insta::assert_snapshot!("hand_finish_nothing", said(&place, &["finish"]));
    assert_eq!((place.subjects()[0].as_str(), place.task_status(1).as_str()), ("Add oolong", "done"));
    assert_eq!(origins(&place, "1"), ["cli", "cli"], "a person began it, and finished it");
    insta::assert_snapshot!("hand_begin_json", told(&place, &["begin", "2"]));
    place.sandbox.write("menu.txt", "Oolong\nAssam\n");
    insta::assert_snapshot!("hand_give_up_json", told(&place, &["finish", "--give-up"]));
    assert_eq!(place.file("menu.txt").as_deref(), Some("Sencha 4.20\nOolong 5.10\n"));
    assert_eq!(place.run(&["begin", "2"]).code, 0);
    insta::assert_snapshot!("hand_give_up", said(&place, &["finish", "--give-up"]));
    assert_eq!(place.run(&["begin", "2"]).code, 0);
    place.sandbox.write("menu.txt", "Oolong\nAssam\n");
    insta::assert_snapshot!("hand_finish_json", told(&place, &["finish"]));
}

/// Who moved a task each time, as its history says.
fn origins(place: &ProjectFolder, task: &str) -> Vec<String> {
    let shown = json(&place.run(&["task", "show", task, "--json"]));
    let events = shown["journal"].as_array().unwrap().iter().map(|envelope| &envelope["event"]);
    let moved = events.filter(|event| event["type"] == "task.status");
    moved.map(|event| event["origin"].as_str().unwrap_or("a run").to_owned()).collect()
}

#[test]
fn work_by_hand_waits_at_gates_and_ends_there() {
    let place = shop("mode = \"review_each\"\n", &["Add oolong"]);
    assert_eq!(place.run(&["begin", "1"]).code, 0);
    place.sandbox.write("menu.txt", "Oolong 5.10\n");
    insta::assert_snapshot!("hand_finish_gate", said(&place, &["finish"]));
    insta::assert_snapshot!("hand_finish_gate_json", told(&place, &["finish"]));
    assert_eq!(place.last_run()["status"], "waiting");
    insta::assert_snapshot!("hand_reject", said(&place, &["reject", "--reason", "no"]));
    assert_eq!(
        (place.task_status(1).as_str(), place.last_run()["status"].as_str()),
        ("pending", Some("cancelled"))
    );
    assert_eq!(place.run(&["begin", "1"]).code, 0);
    place.sandbox.write("menu.txt", "Oolong 5.10\n");
    assert_eq!(place.run(&["finish"]).code, 5);
    insta::assert_snapshot!("hand_approve", said(&place, &["approve", "--yes"]));
    assert_eq!(place.last_run()["status"], "completed");
}

#[test]
fn what_is_uncommitted_is_in_the_way_and_said_so() {
    let place = shop("", &["Add oolong"]);
    place.sandbox.write("mine.txt", "mine");
    insta::assert_snapshot!("hand_begin_dirty", said(&place, &["begin", "1"]));
}

#[test]
fn a_handoff_goes_to_standard_output_or_a_file() {
    let place = shop("", &["Add oolong", "Add assam"]);
    assert_eq!(place.run(&["task", "block", "2", "--reason", "no leaves"]).code, 0);
    assert_eq!(place.start_tasks(&format!("echo x >> menu.txt\n{DONE}"), &[]).code, 4);
    insta::assert_snapshot!("handoff", said(&place, &["handoff"]));
    let (plain, dash) = (place.run(&["handoff"]), place.run(&["handoff", "-"]));
    assert_eq!((dash.code, &dash.stdout), (0, &plain.stdout));
    assert_eq!(place.file("-"), None, "a dash is no file");
    insta::assert_snapshot!("handoff_json", told(&place, &["handoff", "-"]));
    assert_eq!(place.run(&["handoff", "HANDOFF.md"]).code, 0);
    assert_eq!(place.file("HANDOFF.md").unwrap().trim_end(), plain.stdout.trim_end());
}
