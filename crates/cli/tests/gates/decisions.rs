//! Deciding: once, about what was shown, with and without a process that waits.

use std::fs;

use loopwright_testkit::eventually;

use crate::common::json;
use crate::place::ProjectFolder;
use crate::shop::{DONE, shop};

const WRITES: &str = "echo 'Oolong 5.10' >> menu.txt\n";

fn waiting() -> ProjectFolder {
    let place = shop("mode = \"review_each\"\n", &["Add oolong"]);
    let run = place.start_tasks(&format!("{WRITES}{DONE}"), &[]);
    assert_eq!(run.code, 5, "{run:?}");
    place
}

#[test]
fn approving_without_a_live_run_commits_what_was_shown() {
    let place = waiting();
    let [gate] = place.open_gates().try_into().unwrap();
    assert_eq!((gate["kind"].as_str(), gate["title"].as_str()), (Some("work"), Some("Add oolong")));
    assert_eq!((gate["files"].as_u64(), gate["added"].as_u64()), (Some(1), Some(1)));
    assert_eq!(gate["reasons"], serde_json::json!(["mode"]));
    assert_eq!(place.task_status(1), "awaiting_approval");
    let tree = place.gate("1")["gate"]["tree"].as_str().unwrap().to_owned();
    let unasked = place.run(&["approve"]);
    assert_eq!(unasked.code, 2, "nobody looked: {unasked:?}");
    let other = place.run(&["approve", "--tree", &"0".repeat(40), "--json"]);
    assert_eq!(json(&other)["error"]["code"], "gate.changed");
    let approved = place.run(&["approve", "1", "--tree", &tree, "--json"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    assert_eq!(json(&approved)["answer"]["kind"], "committed");
    assert_eq!(place.task_status(1), "done");
    assert_eq!(place.subjects()[0], "Add oolong");
    let again = place.run(&["approve", "1", "--yes", "--json"]);
    assert_eq!((again.code, json(&again)["error"]["code"].as_str()), (2, Some("gate.decided")));
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
}

#[test]
fn a_changed_tree_is_shown_again_and_own_edits_are_checked() {
    let place = waiting();
    place.sandbox.write("menu.txt", "Sencha 4.20\nOolong 5.10\nMine 1.00\n");
    let shown = place.gate("1");
    assert_eq!((shown["unchanged"].as_bool(), shown["edited"][0].as_str()), (Some(false), Some("menu.txt")));
    let refused = place.run(&["approve", "1", "--yes", "--json"]);
    assert_eq!((refused.code, json(&refused)["error"]["code"].as_str()), (2, Some("gate.changed")));
    assert_eq!(place.gate("1")["gate"]["status"], "replaced");
    let [gate] = place.open_gates().try_into().unwrap();
    assert_eq!((gate["id"].as_u64(), gate["added"].as_u64()), (Some(2), Some(2)));
    assert_eq!(place.gate("2")["unchanged"], true);
    place.sandbox.write("menu.txt", "Sencha 4.20\nOolong 5.10\nMine 1.50\n");
    let approved = place.run(&["approve", "--with-edits", "--yes"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    assert!(place.sandbox.git("", &["show", "HEAD:menu.txt"]).contains("Mine 1.50"));
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "");
}

#[test]
fn own_edits_that_do_not_pass_leave_the_gate_open() {
    let config =
        "mode = \"review_each\"\n[[checks]]\nname = \"menu\"\ncommand = \"grep -q Oolong menu.txt\"\n";
    let place = shop(config, &["Add oolong"]);
    assert_eq!(place.start_tasks(&format!("{WRITES}{DONE}"), &[]).code, 5);
    place.sandbox.write("menu.txt", "Sencha 4.20\n");
    let refused = place.run(&["approve", "--with-edits", "--yes", "--json"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert_eq!(
        json(&refused)["answer"],
        serde_json::json!({ "kind": "checks_failed", "checks": ["menu"], "output": "menu (exit 1):\nit printed nothing\n" })
    );
    assert_eq!((place.open_gates().len(), place.subjects().len()), (1, 1));
    place.sandbox.write("menu.txt", "Oolong 6.00\n");
    assert_eq!(place.run(&["approve", "--with-edits", "--yes"]).code, 0);
    assert_eq!(place.sandbox.git("", &["show", "HEAD:menu.txt"]).trim(), "Oolong 6.00");
}

#[test]
fn rejecting_puts_the_files_back_and_the_reason_into_the_next_prompt() {
    let place = waiting();
    let rejected = place.run(&[
        "reject",
        "1",
        "--reason",
        "prices end in .20",
        "--comment",
        "menu.txt:2:this one",
        "--json",
    ]);
    assert_eq!(rejected.code, 0, "{rejected:?}");
    assert_eq!(json(&rejected)["answer"]["kind"], "put_back");
    assert_eq!(place.file("menu.txt").unwrap(), "Sencha 4.20\n");
    assert_eq!(place.task_status(1), "pending");
    assert!(place.sandbox.git("", &["for-each-ref", "refs/loopwright/attempts"]).contains("attempts/"));
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 5, "{resumed:?}");
    let prompt = place.prompt(2);
    assert!(prompt.contains("prices end in .20"), "{prompt}");
    assert!(prompt.contains("this one") && prompt.contains("Oolong 5.10"), "{prompt}");
    let skipped = place.run(&["reject", "--skip", "--reason", "not now"]);
    assert_eq!(skipped.code, 0, "{skipped:?}");
    assert_eq!(place.task_status(1), "blocked");
    assert_eq!(place.run(&["resume"]).code, 4);
}

#[test]
fn of_two_decisions_at_once_one_counts() {
    let place = waiting();
    let approve = place.launch(&["approve", "1", "--yes", "--json"]);
    let reject = place.launch(&["reject", "1", "--reason", "no", "--json"]);
    let (approve, reject) = (approve.end(), reject.end());
    let codes = [approve.code, reject.code];
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{approve:?} {reject:?}");
    let lost = if approve.code == 0 { reject } else { approve };
    let code = json(&lost)["error"]["code"].as_str().unwrap().to_owned();
    assert!(["gate.decided", "gate.changed", "run.locked"].contains(&code.as_str()), "{code}");
    assert!(place.open_gates().is_empty());
}

#[test]
fn a_live_run_that_waits_carries_decisions_out() {
    let place = shop("mode = \"review_each\"\n", &["Add oolong", "Add mate"]);
    let agent = place.agent(&format!("echo tea >> menu.txt\n{DONE}"));
    let live = place.launch(&["run", "--command", &agent, "--wait"]);
    eventually("the first gate is open", || place.open_gates().len() == 1);
    let told = place.run(&["approve", "1", "--yes", "--json"]);
    assert_eq!(json(&told)["answer"]["kind"], "told", "{told:?}");
    eventually("the second gate is open", || place.open_gates().first().is_some_and(|gate| gate["id"] == 2));
    place.sandbox.write("menu.txt", "Sencha 4.20\ntea\ntea\nand mine\n");
    assert_eq!(place.run(&["approve", "2", "--with-edits", "--yes"]).code, 0);
    let ended = live.end();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(place.subjects()[..2], ["Add mate", "Add oolong"]);
    assert!(place.sandbox.git("", &["show", "HEAD:menu.txt"]).contains("and mine"));
}

#[test]
fn a_live_run_notices_edits_and_answers_with_the_check_that_they_fail() {
    let check = "sh -c 'if grep -q wrong menu.txt; then echo the menu is wrong; exit 1; fi'";
    let config = format!("mode = \"review_each\"\n[[checks]]\nname = \"menu\"\ncommand = \"{check}\"\n");
    let place = shop(&config, &["Add oolong"]);
    let agent = place.agent(&format!("{WRITES}{DONE}"));
    let live = place.launch(&["run", "--command", &agent, "--wait", "--json"]);
    eventually("the gate is open", || place.open_gates().len() == 1);
    place.sandbox.write("menu.txt", "wrong\n");
    let refused = place.run(&["approve", "1", "--with-edits", "--yes", "--json"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    let answer = &json(&refused)["answer"];
    assert_eq!(
        (&answer["kind"], &answer["checks"][0]),
        (&"checks_failed".into(), &"menu".into()),
        "{answer}"
    );
    assert!(answer["output"].as_str().is_some_and(|said| said.contains("the menu is wrong")), "{answer}");
    assert_eq!(place.open_gates().len(), 1);
    place.sandbox.write("menu.txt", "Oolong 6.00\n");
    assert_eq!(place.run(&["approve", "1", "--with-edits", "--yes"]).code, 0);
    let ended = live.end();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(place.sandbox.git("", &["show", "HEAD:menu.txt"]).trim(), "Oolong 6.00");
}

#[test]
fn edits_at_a_gate_are_told_as_they_happen() {
    let place = shop("mode = \"review_each\"\n", &["Add oolong"]);
    let agent = place.agent(&format!("{WRITES}{DONE}"));
    let live = place.launch(&["run", "--command", &agent, "--wait"]);
    eventually("the gate is open", || place.open_gates().len() == 1);
    place.sandbox.write("menu.txt", "mine\n");
    live.wait_for_words("changed since gate 1 was opened: menu.txt");
    assert_eq!(place.run(&["cancel"]).code, 0);
    assert_eq!(live.end().code, 130);
}

#[test]
fn a_decision_that_was_only_written_is_carried_out_by_resume() {
    let place = waiting();
    let mut crashing = place.command(&["approve", "1", "--yes"]);
    crashing.env("LOOPWRIGHT_CRASH_AT", "gate.decided");
    assert_ne!(place.sandbox.run(&mut crashing).code, 0);
    let status = place.gate("1")["gate"]["status"].clone();
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{status}: {resumed:?}");
    assert_eq!((place.subjects()[0].as_str(), place.task_status(1).as_str()), ("Add oolong", "done"));
}

#[test]
fn cancelling_a_run_closes_its_gate_and_keeps_the_work() {
    let place = waiting();
    assert_eq!(place.run(&["cancel"]).code, 0);
    assert!(place.open_gates().is_empty());
    assert_eq!(place.gate("1")["gate"]["status"], "replaced");
    assert_eq!(fs::read_to_string(place.sandbox.work().join("menu.txt")).unwrap(), "Sencha 4.20\n");
    assert_eq!(place.task_status(1), "pending");
}
