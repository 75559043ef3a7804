//! `loopwright task` and `loopwright wave`.

mod common;

use std::io::Write;
use std::process::Stdio;

use common::{installed, json, loopwright};
use loopwright_testkit::{Output, Sandbox};
use serde_json::Value;

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["init", "--git"]).code, 0);
    sandbox
}

/// Four tasks: tea after water, cups by themselves, and serving after both.
fn tea_house() -> Sandbox {
    let sandbox = project();
    for args in [
        &["Boil water", "--tag", "tea", "--size", "S", "--complexity", "1"][..],
        &["Brew tea", "--tag", "tea", "--after", "1", "--kind", "feature", "-d", "Three minutes."],
        &["Find cups", "-p", "1", "--accept", "they are clean", "--accept", "there are six"],
        &["Serve", "--after", "2,3", "--complexity", "5"],
    ] {
        assert_eq!(loopwright(&sandbox, &[&["task", "add"], args].concat()).code, 0, "{args:?}");
    }
    sandbox
}

fn ids(rows: &Value) -> Vec<u64> {
    rows.as_array().into_iter().flatten().filter_map(|row| row["id"].as_u64()).collect()
}

fn fault(output: &Output) -> (i32, String) {
    (output.code, json(output)["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn tasks_are_listed_wave_by_wave() {
    let sandbox = tea_house();
    insta::assert_snapshot!("task_list", sandbox.snapshot(&loopwright(&sandbox, &["task", "list"])));
    let list =
        |args: &[&str]| ids(&json(&loopwright(&sandbox, &[&["task", "list", "--json"], args].concat())));
    assert_eq!(list(&[]), [3, 1, 2, 4]);
    assert_eq!(list(&["--tag", "tea"]), [1, 2]);
    assert_eq!(list(&["--wave", "1"]), [3, 1]);
    assert_eq!(list(&["--kind", "feature"]), [2]);
    assert_eq!(list(&["--status", "done", "--status", "blocked"]), [] as [u64; 0]);
    let empty = project();
    assert!(loopwright(&empty, &["task", "list"]).stdout.starts_with("There are no tasks yet."));
    assert!(loopwright(&empty, &["wave", "list"]).stdout.starts_with("There are no tasks."));
}

#[test]
fn a_task_is_shown_in_full() {
    let sandbox = tea_house();
    loopwright(&sandbox, &["task", "block", "#2", "--reason", "no leaves\u{1b}[31m left"]);
    let shown = loopwright(&sandbox, &["task", "show", "2"]);
    let times = |text: &str| {
        let minute = |line: &str| line.get(2..18).filter(|at| at.starts_with("20")).map(str::to_owned);
        text.lines()
            .filter_map(minute)
            .fold(text.to_owned(), |text, at| text.replace(&at, "<time>          "))
    };
    insta::assert_snapshot!("task_show", times(&sandbox.snapshot(&shown)));
    let detail = json(&loopwright(&sandbox, &["task", "show", "2", "--json"]));
    assert_eq!((detail["task"]["title"].as_str(), detail["wave"].as_u64()), (Some("Brew tea"), Some(2)));
    assert_eq!(detail["dependants"], serde_json::json!([4]));
    assert_eq!(fault(&loopwright(&sandbox, &["task", "show", "9", "--json"])), (2, "task.not_found".into()));
}

#[test]
fn waves_are_drawn_as_bars() {
    let sandbox = tea_house();
    loopwright(&sandbox, &["task", "done", "3"]);
    loopwright(&sandbox, &["task", "block", "1", "--reason", "the kettle is broken"]);
    insta::assert_snapshot!("wave_list", sandbox.snapshot(&loopwright(&sandbox, &["wave", "list"])));
    let waves = json(&loopwright(&sandbox, &["wave", "list", "--tag", "tea", "--json"]));
    assert_eq!(waves["waves"][0]["state"], "blocked");
    assert_eq!(waves["waves"].as_array().unwrap().len(), 2);
    assert_eq!(waves["critical_path"], serde_json::json!([1, 2, 4]));
    let coloured =
        sandbox.run(sandbox.command(installed(&sandbox)).args(["wave", "list"]).env("CLICOLOR_FORCE", "1"));
    assert!(coloured.stdout.contains("\u{1b}[32m████████"), "{}", coloured.stdout);
}

#[test]
fn next_says_what_can_start_and_why_nothing_can() {
    let sandbox = tea_house();
    let next = |args: &[&str]| loopwright(&sandbox, &[&["task", "next"], args].concat());
    assert_eq!(json(&next(&["--json"]))["next"]["id"], 3);
    assert!(next(&["--tag", "tea"]).stdout.contains("#1 Boil water"));
    loopwright(&sandbox, &["task", "done", "3"]);
    loopwright(&sandbox, &["task", "block", "1", "--reason", "no gas"]);
    let stuck = next(&[]);
    insta::assert_snapshot!("task_next_stuck", sandbox.snapshot(&stuck));
    loopwright(&sandbox, &["task", "done", "1", "2", "4"]);
    let finished = next(&["--json"]);
    assert_eq!((finished.code, json(&finished)["finished"].as_bool()), (0, Some(true)));
}

#[test]
fn statuses_move_and_cancelling_says_what_waits() {
    let sandbox = tea_house();
    let cancelled = loopwright(&sandbox, &["task", "cancel", "1"]);
    insta::assert_snapshot!("task_cancel", sandbox.snapshot(&cancelled));
    let moved = json(&loopwright(&sandbox, &["task", "reopen", "1", "--json"]));
    assert_eq!((&moved["changed"], &moved["held"]), (&serde_json::json!([1]), &serde_json::json!([])));
    assert!(loopwright(&sandbox, &["task", "reopen", "1"]).stdout.contains("so already"));
    loopwright(&sandbox, &["task", "done", "1"]);
    assert_eq!(
        fault(&loopwright(&sandbox, &["task", "cancel", "3", "1", "--json"])),
        (2, "task.status".into())
    );
    let list = json(&loopwright(&sandbox, &["task", "list", "--json"]));
    assert_eq!(list[0]["status"], "pending", "all of them or none");
    assert_eq!(
        fault(&loopwright(&sandbox, &["task", "block", "3", "--reason", " ", "--json"])),
        (2, "task.invalid".into())
    );
    assert!(loopwright(&sandbox, &["task", "chronic"]).stdout.starts_with("No task fails"));
}

#[test]
fn dependencies_come_and_go_but_not_in_circles() {
    let sandbox = tea_house();
    assert!(loopwright(&sandbox, &["task", "depend", "3", "1"]).stdout.contains("Find cups, after #1"));
    let circle = loopwright(&sandbox, &["task", "depend", "1", "4"]);
    insta::assert_snapshot!("task_depend_circle", sandbox.snapshot(&circle));
    assert_eq!(
        fault(&loopwright(&sandbox, &["task", "depend", "1", "1", "--json"])),
        (2, "task.invalid".into())
    );
    assert_eq!(
        fault(&loopwright(&sandbox, &["task", "depend", "1", "8", "--json"])),
        (2, "task.invalid".into())
    );
    assert_eq!(json(&loopwright(&sandbox, &["task", "undepend", "4", "2", "3", "--json"]))["changed"][0], 4);
}

#[test]
fn flags_edit_one_task_or_many() {
    let sandbox = tea_house();
    let edit = |args: &[&str]| loopwright(&sandbox, &[&["task", "edit", "--json"], args].concat());
    let edited = json(&edit(&[
        "2",
        "--title",
        "Brew green tea",
        "--tag",
        "",
        "--kind",
        "",
        "--after",
        "",
        "--notes",
        "ask",
    ]));
    let fields =
        ["title", "tag", "kind", "depends_on", "notes", "description"].map(|field| edited[field].clone());
    let expected = serde_json::json!(["Brew green tea", null, null, [], "ask", "Three minutes."]);
    assert_eq!(Value::from(fields.to_vec()), expected);
    assert_eq!(json(&edit(&["1", "3", "-p", "2", "--tag", "first"]))["changed"], serde_json::json!([1, 3]));
    assert_eq!(fault(&edit(&["1", "3", "--title", "Both"])), (2, "usage.invalid".into()));
    assert_eq!(fault(&edit(&["1", "--complexity", "4"])), (2, "task.invalid".into()));
    assert_eq!(fault(&edit(&["1"])), (2, "usage.invalid".into()), "there is no terminal for an editor");
    assert_eq!(ids(&json(&loopwright(&sandbox, &["task", "search", "green", "--json"]))), [2]);
    assert!(
        loopwright(&sandbox, &["task", "search", "coffee"]).stdout.contains("No task speaks of \"coffee\".")
    );
}

#[test]
fn a_description_comes_from_standard_input() {
    let sandbox = project();
    let mut command = sandbox.command(installed(&sandbox));
    let mut child = command
        .args(["task", "add", "Brew", "--description", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all("Three minutes,\nnot four.\n".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let task: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(task["description"], "Three minutes,\nnot four.");
}

#[test]
fn an_agent_reads_tasks_and_changes_none() {
    let sandbox = tea_house();
    let as_agent = |args: &[&str]| {
        let mut command = sandbox.command(installed(&sandbox));
        sandbox.run(command.args(args).arg("--json").env("LOOPWRIGHT_ITERATION", "7"))
    };
    assert_eq!(as_agent(&["task", "list"]).code, 0);
    for args in [
        &["task", "add", "Rest"][..],
        &["task", "edit", "1", "--title", "Rest"],
        &["task", "done", "1"],
        &["task", "block", "1", "--reason", "tired"],
        &["task", "unblock", "1"],
        &["task", "cancel", "1"],
        &["task", "reopen", "1"],
        &["task", "accept", "1"],
        &["task", "depend", "3", "1"],
        &["task", "undepend", "4", "3"],
    ] {
        assert_eq!(fault(&as_agent(args)), (2, "agent.forbidden".into()), "{args:?}");
    }
}

#[test]
fn help_is_for_people() {
    let sandbox = Sandbox::new();
    for (name, args) in [
        ("help_task", &["task", "--help"][..]),
        ("help_task_add", &["task", "add", "--help"]),
        ("help_task_edit", &["task", "edit", "--help"]),
        ("help_wave_list", &["wave", "list", "--help"]),
    ] {
        insta::assert_snapshot!(name, sandbox.snapshot(&loopwright(&sandbox, args)));
    }
}

#[test]
fn only_tasks_that_nobody_needs_and_nobody_worked_on_are_removed() {
    let sandbox = tea_house();
    let run = |args: &[&str]| loopwright(&sandbox, args);
    assert_eq!(fault(&run(&["task", "remove", "1", "--json"])), (2, "task.status".to_owned()));
    let refused = run(&["task", "remove", "1"]);
    assert!(refused.stderr.contains("task #2 waits for it"), "{refused:?}");
    assert_eq!(fault(&run(&["task", "remove", "3", "9", "--json"])), (2, "task.not_found".to_owned()));
    assert_eq!(ids(&json(&run(&["task", "list", "--json"]))), [3, 1, 2, 4], "all of them or none");
    let removed = run(&["task", "remove", "4", "2"]);
    assert!(removed.code == 0 && removed.stdout.contains("Removed #4 Serve"), "{removed:?}");
    assert_eq!(ids(&json(&run(&["task", "list", "--json"]))), [3, 1]);
    let activity = json(&run(&["status", "--json"]))["activity"].take();
    assert_eq!(activity[0]["event"]["type"], "task.removed", "{activity}");
    assert_eq!(json(&run(&["task", "add", "Again", "--json"]))["id"], 5, "numbers are never given to others");
    assert_eq!(run(&["begin", "1"]).code, 0);
    assert_eq!(run(&["finish", "--give-up"]).code, 0);
    let refused = run(&["task", "remove", "1"]);
    assert!(refused.code == 2 && refused.stderr.contains("was worked on"), "{refused:?}");
    assert!(refused.stderr.contains("loopwright task cancel"), "{refused:?}");
}
