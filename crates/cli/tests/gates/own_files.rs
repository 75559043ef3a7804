//! Files that Loopwright itself writes into a project are nobody's uncommitted work.

use crate::common::json;
use crate::place::ProjectFolder;
use crate::shop::{DONE, shop};

const WRITES: &str = "echo x >> menu.txt\n";
const SCUD: &str = ".scud/tasks/tea.json";
const TASKS: &str = r#"{"tag": "tea", "tasks": [
  {"id": 1, "title": "One", "status": "pending", "depends_on": []},
  {"id": 2, "title": "Two", "status": "pending", "depends_on": [1]}
]}"#;

fn scud() -> ProjectFolder {
    let place = shop("", &[]);
    place.sandbox.write(SCUD, TASKS);
    place.sandbox.git("", &["add", "-A"]);
    place.sandbox.git("", &["commit", "-qm", "tasks"]);
    place
}

fn statuses(place: &ProjectFolder) -> Vec<String> {
    let file: serde_json::Value = serde_json::from_str(&place.file(SCUD).unwrap()).unwrap();
    let tasks = file["tasks"].as_array().unwrap().iter();
    tasks.map(|task| task["status"].as_str().unwrap().to_owned()).collect()
}

/// A run over the tag whose process vanishes at a place.
fn crash_at(place: &ProjectFolder, at: &str) {
    let agent = place.agent(&format!("{WRITES}{DONE}"));
    let mut command = place.command(&["run", "--tag", "tea", "--command", &agent]);
    let crashed = place.sandbox.run(command.env("LOOPWRIGHT_CRASH_AT", at));
    assert_ne!(crashed.code, 0, "{crashed:?}");
}

#[test]
fn a_handoff_is_neither_in_the_way_of_a_run_nor_part_of_a_gate() {
    let place = shop("mode = \"review_each\"\n", &["One", "Two"]);
    let script = format!("{WRITES}{DONE}");
    assert_eq!(place.start_tasks(&script, &["--handoff", "HANDOFF.md"]).code, 5);
    assert!(place.file("HANDOFF.md").unwrap().contains("## Waiting for a person"));
    assert_eq!(
        (&place.gate("1")["unchanged"], &place.gate("1")["edited"]),
        (&true.into(), &serde_json::json!([]))
    );
    let approved = place.run(&["approve", "--yes"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    assert_eq!(place.sandbox.git("", &["show", "--name-only", "--format=", "HEAD"]).trim(), "menu.txt");
    // Nobody is asked about it when the next run begins, whoever that writes for.
    let again = place.start_tasks(&script, &["--new", "--mode", "autonomous"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]).trim(), "?? HANDOFF.md");
    assert_eq!(place.run(&["task", "add", "Three"]).code, 0);
    assert_eq!(place.start_tasks(&script, &["--mode", "autonomous"]).code, 0);
    // What a person leaves is still asked about.
    place.sandbox.write("mine.txt", "mine");
    assert_eq!(place.run(&["task", "add", "Four"]).code, 0);
    let refused = place.start_tasks(&script, &["--json"]);
    assert_eq!(json(&refused)["error"]["code"], "run.dirty");
}

#[test]
fn a_dry_run_over_a_scud_tag_shows_its_first_task_and_imports_nothing() {
    let place = scud();
    let agent = place.agent("true");
    let dry = place.run(&["run", "--scud-tag", "tea", "--dry-run", "--command", &agent]);
    assert_eq!(dry.code, 0, "{dry:?}");
    assert!(dry.stdout.contains("Task #1: One"), "{dry:?}");
    assert_eq!(json(&place.run(&["task", "list", "--json"])), serde_json::json!([]));
    assert_eq!(place.file(SCUD).as_deref(), Some(TASKS));
    let none = place.run(&["run", "--scud-tag", "coffee", "--dry-run", "--command", &agent, "--json"]);
    assert_eq!(json(&none)["error"]["code"], "task.not_found");
}

#[test]
fn what_only_recovery_settled_is_in_the_file_at_once() {
    for place_of_crash in ["commit.made", "settled.after"] {
        let place = scud();
        crash_at(&place, place_of_crash);
        assert_eq!(statuses(&place), ["pending", "pending"], "{place_of_crash}");
        assert_eq!(place.run(&["cancel"]).code, 0);
        let done = if place_of_crash == "settled.after" || place.task_status(1) == "done" {
            "done"
        } else {
            "pending"
        };
        assert_eq!(
            (statuses(&place)[0].as_str(), place.task_status(1).as_str()),
            (done, done),
            "{place_of_crash}"
        );
        // The change is ours: the next run begins without a question.
        let next = place.start_tasks(&format!("{WRITES}{DONE}"), &["--tag", "tea"]);
        assert_eq!(next.code, 0, "{place_of_crash}: {next:?}");
        assert_eq!(statuses(&place), ["done", "done"]);
    }
}

#[test]
fn a_task_moved_by_hand_is_written_when_nobody_works() {
    let place = scud();
    let run = place.start_tasks(&format!("{WRITES}{DONE}"), &["--tag", "tea", "--mode", "review_each"]);
    assert_eq!(run.code, 5, "{run:?}");
    // A gate is open: the file is part of what it shows, and is left alone.
    assert_eq!(place.run(&["task", "block", "2", "--reason", "no leaves"]).code, 0);
    assert_eq!((statuses(&place)[1].as_str(), &place.gate("1")["unchanged"]), ("pending", &true.into()));
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    assert_eq!(statuses(&place), ["done", "blocked"]);
    assert_eq!(place.run(&["cancel"]).code, 0);
    assert_eq!(place.run(&["task", "unblock", "2"]).code, 0);
    assert_eq!(statuses(&place), ["done", "pending"]);
    let next = place.start_tasks(&format!("{WRITES}{DONE}"), &["--tag", "tea"]);
    assert_eq!(next.code, 0, "{next:?}");
}

#[test]
fn a_commit_for_each_iteration_names_its_iteration() {
    let place = shop("", &["One", "Two"]);
    let script = "n=$(wc -l < menu.txt)\necho x >> menu.txt\n[ $n -gt 1 ] && touch ../passed\n";
    let verify = "test -e ../passed";
    let run = place.start_tasks(&format!("{script}{DONE}"), &["--commit", "iteration", "--verify", verify]);
    assert_eq!(run.code, 5, "the first task never passes, as each attempt is put back: {run:?}");
    assert!(run.stdout.contains("so no other task is begun"), "it failed so before: {run:?}");
    assert_eq!(place.subjects().len(), 1);
    let passing = shop("[git]\ncommit_template = \"{title}: {iteration}\"\n", &["One", "Two"]);
    let run = passing.start_tasks(&format!("{WRITES}{DONE}"), &["--commit", "iteration"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(passing.subjects()[..2], ["all tasks: 2", "all tasks: 1"]);
    let body = passing.sandbox.git("", &["log", "-1", "--format=%B"]);
    for trailer in ["Loopwright-Run: ", "Loopwright-Task: 2", "Loopwright-Iteration: "] {
        assert!(body.contains(trailer), "{body}");
    }
    let work = json(&passing.run(&["task", "show", "2", "--json"]));
    assert_eq!(work["attempts"][0]["outcome"], "succeeded");
}
