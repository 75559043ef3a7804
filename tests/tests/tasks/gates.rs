//! Gates as a run meets them: opened, waited at, decided, carried out.

use std::process::Stdio;

use loopwright_testkit::eventually;

use crate::scene::Scene;

const GOOD: &str = "echo $attempt > work-$task.txt; complete \"did $task\"";

#[test]
fn each_task_waits_and_whoever_decides_carries_it_out() {
    let scene = Scene::new(GOOD);
    scene.task("One", &[]);
    scene.task("Two", &[]);
    let output = scene.start(&["--mode", "review_each"]);
    assert_eq!(output.code, 5, "{output:?}");
    assert_eq!(scene.status_of(1), "awaiting_approval");
    assert_eq!(scene.subjects()[0], "Begin", "nothing is committed before somebody approves");
    let again = scene.start(&[]);
    assert_eq!(again.code, 2, "{again:?}");
    assert_eq!(scene.run(&["resume"]).code, 5, "it still waits");
    scene.ok(&["approve", "--yes"]);
    assert_eq!((scene.status_of(1).as_str(), scene.subjects()[0].as_str()), ("done", "One"));
    assert_eq!(scene.run(&["resume"]).code, 5);
    scene.ok(&["reject", "--reason", "write more"]);
    assert_eq!((scene.status_of(2).as_str(), scene.changed().as_str()), ("pending", ""));
    assert_eq!(scene.run(&["resume"]).code, 5);
    let prompt = scene.prompt(2, 2);
    assert!(
        prompt.contains("rejected: write more") && prompt.contains("A person said: write more"),
        "{prompt}"
    );
    scene.ok(&["approve", "--yes"]);
    assert_eq!(scene.run(&["resume"]).code, 0);
    assert_eq!(scene.subjects()[..2], ["Two", "One"]);
    assert_eq!(scene.shown(2)["failures"], 1);
}

#[test]
fn nothing_changed_and_nothing_checked_is_not_done() {
    let scene = Scene::new("complete 'was there already'");
    scene.task("One", &[]);
    assert_eq!(scene.start(&[]).code, 4);
    let blocked = scene.shown(1)["blocked"]["reason"].as_str().unwrap().to_owned();
    assert!(blocked.contains("no file changed and it names nothing"), "{blocked}");
    assert!(
        scene.prompt(1, 2).contains("loopwright signal complete --already"),
        "the next attempt knows the rule"
    );
    // Named, it is looked at, and a person decides.
    scene.ok(&["task", "unblock", "1"]);
    scene.agent("loopwright signal complete 'was there' --already .loopwright/config.toml >/dev/null");
    assert_eq!(scene.start(&[]).code, 5);
    let gates = scene.ask(&["gate", "list", "--json"]).to_string();
    assert!(gates.contains("already_satisfied"), "{gates}");
    scene.ok(&["approve", "--yes"]);
    assert_eq!(scene.status_of(1), "done");
    assert_eq!(scene.subjects()[0], "Begin");
}

#[test]
fn a_process_that_waits_carries_the_decision_out_itself() {
    let scene = Scene::new(GOOD);
    scene.task("One", &[]);
    let mut command = scene.running(&["--mode", "review_each", "--wait"]);
    let mut waiting = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    eventually("a gate is open", || scene.status_of(1) == "awaiting_approval");
    scene.ok(&["approve", "--yes"]);
    assert_eq!(waiting.wait().unwrap().code(), Some(0));
    assert_eq!((scene.status_of(1).as_str(), scene.subjects()[0].as_str()), ("done", "One"));
}

#[test]
fn a_plan_is_approved_before_it_is_carried_out() {
    let agent = r#"
if [ "$LOOPWRIGHT_AUTOMATION" = plan ]; then echo "First boil, then pour."; exit 0; fi
echo tea > tea.txt; complete poured
"#;
    let scene = Scene::new(agent);
    scene.task("Tea", &[]);
    let output = scene.start(&["--automation", "plan"]);
    assert_eq!(output.code, 5, "{output:?}");
    assert!(scene.prompt(1, 1).contains("Plan only, change no file"));
    scene.ok(&["approve", "--yes"]);
    assert_eq!(scene.status_of(1), "pending");
    assert_eq!(scene.run(&["resume"]).code, 0);
    assert!(scene.prompt(1, 2).contains("First boil, then pour."));
    assert_eq!(scene.subjects()[0], "Tea");
    let hasty = Scene::new("echo tea > tea.txt; echo planned");
    hasty.task("Tea", &[]);
    let output = hasty.start(&["--automation", "plan", "--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stdout.contains("changed files instead of planning"), "{output:?}");
    assert_eq!(hasty.changed(), "");
}

#[test]
fn finished_tasks_are_looked_back_at_after_some_of_them() {
    let scene = Scene::new(GOOD);
    for title in ["One", "Two", "Three"] {
        scene.task(title, &[]);
    }
    assert_eq!(scene.start(&["--mode", "review_every:2"]).code, 5);
    assert_eq!(scene.subjects()[..2], ["Two", "One"], "they are committed");
    scene.ok(&["approve", "--yes"]);
    assert_eq!(scene.run(&["resume"]).code, 0);
    assert_eq!(scene.subjects()[0], "Three");
}

#[test]
fn a_new_run_takes_back_what_waits_and_its_gate_is_gone() {
    let scene = Scene::new(GOOD);
    scene.task("One", &[]);
    assert_eq!(scene.start(&["--mode", "review_each"]).code, 5);
    assert_eq!(scene.start(&["--new"]).code, 0);
    assert_eq!(scene.subjects()[0], "One");
    assert_eq!(scene.ask(&["gate", "list", "--json"])["open"].as_array().map(Vec::len), Some(0));
    assert_ne!(scene.run(&["approve", "--yes"]).code, 0);
}

#[test]
fn a_cancelled_run_puts_back_what_waits() {
    let scene = Scene::new(GOOD);
    scene.task("One", &[]);
    assert_eq!(scene.start(&["--mode", "review_each"]).code, 5);
    scene.ok(&["cancel"]);
    assert_eq!((scene.status_of(1).as_str(), scene.changed().as_str()), ("pending", ""));
    assert_eq!(scene.ask(&["gate", "list", "--json"])["open"].as_array().map(Vec::len), Some(0));
}
