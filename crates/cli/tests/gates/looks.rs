//! How gates look, as text and as documents: a change of either is seen here.

use serde_json::Value;

use crate::common::json;
use crate::place::ProjectFolder;
use crate::shop::{DONE, shop};

const CONFIG: &str = "mode = \"review_each\"\n[gate]\nprotected = [\"menu.txt\"]\n\
                      [[checks]]\nname = \"oolong\"\ncommand = \"grep -q Oolong menu.txt\"\n";
const WRITES: &str = "echo 'Oolong 5.10' >> menu.txt\n";

/// What a command says to a person.
pub(crate) fn said(place: &ProjectFolder, args: &[&str]) -> String {
    place.sandbox.snapshot(&place.run(args))
}

/// What a command says to a program, without what takes its time and what is a run's own.
pub(crate) fn told(place: &ProjectFolder, args: &[&str]) -> String {
    let mut output = place.run(&[args, &["--json"]].concat());
    let mut document = json(&output);
    steady(&mut document);
    output.stdout = serde_json::to_string_pretty(&document).unwrap();
    place.sandbox.snapshot(&output)
}

fn steady(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(steady),
        Value::Object(members) => {
            members.retain(|name, _| !name.ends_with("_ms"));
            if let Some(Value::Object(run)) = members.get_mut("run") {
                run.retain(|name, _| ["kind", "title", "status"].contains(&name.as_str()));
            }
            members.values_mut().for_each(steady);
        }
        _ => {}
    }
}

fn waiting() -> ProjectFolder {
    let place = shop(CONFIG, &[]);
    let added = place.run(&["task", "add", "Add oolong", "--accept", "the menu has oolong"]);
    assert_eq!(added.code, 0, "{added:?}");
    let run = place.start_tasks(&format!("{WRITES}{DONE}"), &[]);
    assert_eq!(run.code, 5, "{run:?}");
    place
}

#[test]
fn a_gate_is_shown_rejected_approved_and_its_work_reverted() {
    let place = waiting();
    insta::assert_snapshot!("gate_list", said(&place, &["gate", "list"]));
    insta::assert_snapshot!("gate_show", said(&place, &["gate", "show"]));
    insta::assert_snapshot!("gate_status", said(&place, &["status"]));
    let remark = ["reject", "--reason", "too dear", "--comment", "menu.txt:2:4.80 is enough"];
    insta::assert_snapshot!("gate_reject", said(&place, &remark));
    insta::assert_snapshot!("gate_show_rejected", said(&place, &["gate", "show", "1"]));
    assert_eq!(place.run(&["resume"]).code, 5);
    insta::assert_snapshot!("gate_approve_unseen", said(&place, &["approve"]));
    insta::assert_snapshot!("gate_approve", said(&place, &["approve", "--yes"]));
    insta::assert_snapshot!("gate_approve_again", said(&place, &["approve", "2", "--yes"]));
    insta::assert_snapshot!("gate_list_decided", said(&place, &["gate", "list"]));
    let commit = place.sandbox.git("", &["rev-parse", "HEAD"]);
    insta::assert_snapshot!("gate_revert_unasked", said(&place, &["revert", commit.trim()]));
    insta::assert_snapshot!("gate_revert", said(&place, &["revert", commit.trim(), "--yes"]));
    insta::assert_snapshot!("gate_revert_again", said(&place, &["revert", commit.trim(), "--yes"]));
}

#[test]
fn a_gate_is_a_document_too() {
    let place = waiting();
    insta::assert_snapshot!("gate_list_json", told(&place, &["gate", "list"]));
    insta::assert_snapshot!("gate_show_json", told(&place, &["gate", "show"]));
    insta::assert_snapshot!("gate_reject_json", told(&place, &["reject", "--reason", "too dear"]));
    assert_eq!(place.run(&["resume"]).code, 5);
    insta::assert_snapshot!("gate_approve_json", told(&place, &["approve", "--yes"]));
    let commit = place.sandbox.git("", &["rev-parse", "HEAD"]);
    insta::assert_snapshot!("gate_revert_json", told(&place, &["revert", commit.trim(), "--yes"]));
}

#[test]
fn a_look_back_lists_what_was_finished() {
    let place = shop("mode = \"review_every:1\"\n", &["Add oolong"]);
    assert_eq!(place.start_tasks(&format!("{WRITES}{DONE}"), &[]).code, 5);
    insta::assert_snapshot!("gate_review", said(&place, &["gate", "show"]));
    insta::assert_snapshot!("gate_review_reject", said(&place, &["reject", "--reason", "no"]));
    insta::assert_snapshot!("gate_review_approve", said(&place, &["approve", "--yes"]));
}

#[test]
fn whoever_only_watches_reads_what_tasks_are_called() {
    let place = shop("", &["Add oolong", "Add assam"]);
    let script = format!("touch ../working\nuntil [ -e ../go ]; do sleep 0.05; done\n{WRITES}{DONE}");
    let agent = place.agent(&script);
    let live = place.launch(&["run", "--command", &agent]);
    live.wait_for("working");
    let watching = place.launch(&["watch"]);
    watching.wait_for_words("#1 Add oolong...");
    std::fs::write(place.beside("go"), "").unwrap();
    let watched = watching.end().stdout;
    for words in ["Done #1 Add oolong in ", "#2 Add assam...", "Done #2 Add assam in "] {
        assert!(watched.contains(words), "{words}: {watched}");
    }
    assert_eq!(live.end().code, 0);
}
