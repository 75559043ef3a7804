//! What opens a gate: risky changes in every mode, plans, and the look back at finished work.

use crate::common::json;
use crate::place::ProjectFolder;
use crate::shop::{DONE, shop};

#[test]
fn risky_work_waits_in_every_mode_and_the_rules_are_those_of_the_start() {
    let place = shop("gate.protected = [\"prices/**\"]\n", &["Weaken"]);
    place.sandbox.write("tests/test_menu.py", "def test_menu():\n    assert count() == 3\n");
    place.sandbox.git("", &["add", "."]);
    place.sandbox.git("", &["commit", "-q", "-m", "tests"]);
    let script = format!(
        "echo 'def test_menu():\n    assert count()' > tests/test_menu.py\nmkdir -p prices\necho 1 > prices/a\n\
         printf 'gate.always = []\\n' > .loopwright/config.toml\n{DONE}"
    );
    let run = place.start_tasks(&script, &[]);
    assert_eq!(run.code, 5, "{run:?}");
    let gate = place.gate("1");
    let flags = gate["gate"]["flags"].as_array().unwrap().clone();
    let kinds: Vec<&str> = flags.iter().map(|flag| flag["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["tests_weakened", "checks_edited", "protected_path"]);
    assert_eq!((flags[0]["path"].as_str(), flags[0]["line"].as_u64()), (Some("tests/test_menu.py"), Some(2)));
    assert_eq!(gate["gate"]["reasons"], serde_json::json!(["risk"]));
    let shown = place.run(&["gate", "show"]).stdout;
    for words in ["tests weakened", "protected path", "prices/a", "loopwright approve 1 --tree"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(place.run(&["reject", "--reason", "no"]).code, 0);
    assert!(place.file(".loopwright/config.toml").unwrap().contains("protected"));
}

#[test]
fn with_no_risks_to_look_for_nothing_waits() {
    let place = shop("gate.always = []\ngate.protected = [\"menu.txt\"]\n", &["Add mate"]);
    let run = place.start_tasks(&format!("echo mate >> menu.txt\n{DONE}"), &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(place.open_gates().is_empty());
}

fn reviewed() -> ProjectFolder {
    let place = shop("mode = \"review_every:2\"\n", &["Add one", "Add two", "Add three"]);
    let script = format!("echo tea > \"tea-$(date +%s%N).txt\"\n{DONE}");
    let run = place.start_tasks(&script, &[]);
    assert_eq!(run.code, 5, "{run:?}");
    place
}

#[test]
fn a_review_looks_back_and_each_task_can_be_reverted_and_done_again() {
    let place = reviewed();
    let gate = place.gate("1");
    assert_eq!(gate["gate"]["kind"], "review");
    let work = gate["work"].as_array().unwrap().clone();
    let titles: Vec<&str> = work.iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Add one", "Add two"]);
    let refused = place.run(&["reject", "1", "--reason", "no"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    let commit = &work[0]["commit"].as_str().unwrap()[..10];
    assert_eq!(place.run(&["revert", commit]).code, 2, "nobody could be asked");
    let reverted = place.run(&["revert", commit, "--yes", "--json"]);
    assert_eq!(reverted.code, 0, "{reverted:?}");
    assert_eq!(json(&reverted)["task"], 1);
    assert_eq!(place.subjects()[0], "Revert \"Add one\"");
    assert_eq!(place.task_status(1), "pending");
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "");
    let work = place.gate("1")["work"].clone();
    assert_eq!((work[0]["reverted"].as_bool(), work[1]["reverted"].as_bool()), (Some(true), Some(false)));
    let again = place.run(&["revert", commit, "--yes"]);
    assert_eq!(again.code, 2, "nothing of it is left: {again:?}");
    assert_eq!(place.run(&["approve", "1", "--yes"]).code, 0);
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 5, "the next review: {resumed:?}");
    let work = place.gate("2")["work"].as_array().unwrap().clone();
    assert_eq!(work.len(), 2, "{work:?}");
    assert_eq!(place.run(&["approve", "2", "--yes"]).code, 0);
    assert_eq!(place.run(&["resume"]).code, 0);
}

#[test]
fn a_revert_that_is_in_the_way_of_later_work_changes_nothing() {
    let place = shop("", &["Add one", "Add two"]);
    let run = place.start_tasks(&format!("echo \"tea $(date +%N)\" > tea.txt\n{DONE}"), &[]);
    assert_eq!(run.code, 0, "{run:?}");
    let first = place.sandbox.git("", &["rev-parse", "HEAD~1"]);
    let before = (place.file("tea.txt"), place.subjects());
    let refused = place.run(&["revert", first.trim(), "--yes", "--json"]);
    assert_eq!(json(&refused)["error"]["code"], "git.moved", "{refused:?}");
    place.sandbox.write("tea.txt", "my own\n");
    let last = place.sandbox.git("", &["rev-parse", "HEAD"]);
    let refused = place.run(&["revert", last.trim(), "--yes", "--json"]);
    assert_eq!(json(&refused)["error"]["code"], "run.dirty", "{refused:?}");
    assert_eq!(place.file("tea.txt").unwrap(), "my own\n");
    assert_eq!((before.1, place.task_status(1).as_str()), (place.subjects(), "done"));
    assert_eq!(place.run(&["revert", "nothing", "--yes"]).code, 2);
}

#[test]
fn a_plan_is_approved_before_it_is_carried_out() {
    let place = shop("", &["Add mate"]);
    let script = format!(
        "if grep -q 'add mate to the menu' ; then echo mate >> menu.txt\n{DONE}\
         else echo 'PLAN: add mate to the menu'; fi\n"
    );
    let run = place.start_tasks(&script, &["--automation", "plan"]);
    assert_eq!(run.code, 5, "{run:?}");
    let gate = place.gate("1");
    assert_eq!(gate["gate"]["kind"], "plan");
    assert!(gate["gate"]["summary"].as_str().unwrap().contains("add mate to the menu"), "{gate}");
    assert_eq!(place.file("menu.txt").unwrap(), "Sencha 4.20\n");
    assert_eq!(place.run(&["approve", "--with-edits", "--yes"]).code, 2);
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!((place.task_status(1).as_str(), place.subjects()[0].as_str()), ("done", "Add mate"));
}

#[test]
fn a_look_back_at_waves_is_about_committed_work_and_each_part_can_be_taken_back() {
    let place = shop("mode = \"review_every:1\"\n", &["One", "Two"]);
    assert_eq!(place.run(&["task", "add", "Three", "--after", "1,2"]).code, 0);
    let script = format!("touch \"$LOOPWRIGHT_TASK.txt\"\n{DONE}");
    let run = place.start_tasks(&script, &["--commit", "wave"]);
    assert_eq!(run.code, 5, "{run:?}");
    assert_eq!(place.subjects()[0], "feat(tasks): complete wave 1");
    let work = place.gate("1")["work"].as_array().unwrap().clone();
    assert_eq!(work.iter().map(|one| one["title"].as_str().unwrap()).collect::<Vec<_>>(), ["One", "Two"]);
    let commit = place.sandbox.git("", &["rev-parse", "HEAD"]);
    let whole = place.run(&["revert", commit.trim(), "--yes"]);
    assert_eq!(whole.code, 2, "{whole:?}");
    assert!(whole.stderr.contains("the work of a whole wave: #1 "), "{whole:?}");
    let reverted = place.run(&["revert", work[1]["iteration"].as_str().unwrap(), "--yes"]);
    assert_eq!(reverted.code, 0, "{reverted:?}");
    assert_eq!((place.file("1.txt").is_some(), place.file("2.txt").is_some()), (true, false));
    assert_eq!((place.task_status(1).as_str(), place.task_status(2).as_str()), ("done", "pending"));
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    // Its wave is committed already, so it is committed by itself.
    assert_eq!(place.run(&["resume"]).code, 5);
    assert_eq!(place.subjects()[0], "Two");
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    assert_eq!(place.run(&["resume"]).code, 5);
    assert_eq!(place.subjects()[0], "feat(tasks): complete wave 2");
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    assert_eq!(place.run(&["resume"]).code, 0);
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "");
}
