//! Gates of `loop` and `fix`: once, when a commit or a good end is due, over the work since the last approval.

use crate::common::json;
use crate::place::ProjectFolder;

/// A check that a script of the project makes.
const CHECK: &str = "[[checks]]\nname = \"tests\"\ncommand = \"sh check.sh\"\n";
/// Says that the work is done, as the prompt of a loop asks.
const PROMISE: &str = "echo '<promise>COMPLETE</promise>'\n";

/// A project whose one check fails until `good` is there.
fn failing() -> ProjectFolder {
    let place = ProjectFolder::git(CHECK);
    place.sandbox.write("check.sh", "test -f good\n");
    place.sandbox.git("", &["add", "--all"]);
    place.sandbox.git("", &["commit", "--quiet", "--message", "Check"]);
    place.trusted()
}

#[test]
fn fix_asks_before_it_believes_a_check_that_its_agent_edited() {
    let place = failing();
    let ran = place.start_fix("echo 'exit 0' > check.sh", &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    let gate = place.gate("1");
    assert_eq!(gate["gate"]["reasons"], serde_json::json!(["risk"]), "{gate}");
    assert_eq!(gate["gate"]["flags"][0]["kind"], "checks_edited", "{gate}");
    assert_eq!(gate["diff"]["files"][0]["path"], "check.sh", "{gate}");
    assert_eq!(place.last_run()["status"], "waiting");
    // Rejected work stays in the files: the next iteration sees it and is told why.
    let rejected = place.run(&["reject", "--reason", "Leave the check alone."]);
    assert_eq!(rejected.code, 0, "{rejected:?}");
    assert!(rejected.stdout.contains("the work stays in the files"), "{rejected:?}");
    assert_eq!(place.file("check.sh").as_deref(), Some("exit 0\n"));
    assert_eq!(place.iteration(1)["iteration"]["cause"], "rejected");
    assert_eq!(place.last_run()["status"], "paused");
    // The same agent again: the checks pass, and it is asked about again.
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 5, "{resumed:?}");
    let prompt = place.prompt(2);
    assert!(prompt.contains("rejected it: Leave the check alone."), "{prompt}");
    assert!(prompt.contains("still in the files"), "{prompt}");
    let approved = place.run(&["approve", "--yes"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    assert!(approved.stdout.contains("The run is over: all required checks pass."), "{approved:?}");
    let run = place.last_run();
    assert_eq!((&run["status"], &run["exit_reason"]), (&"completed".into(), &"checks_pass".into()));
    assert_eq!(place.iteration(2)["iteration"]["outcome"], "succeeded");
}

#[test]
fn a_failing_agent_of_fix_does_not_get_round_the_gate() {
    let place = failing();
    // The checks pass and the agent ends badly: the end is good, and it is asked about before.
    let ran = place.start_fix("echo 'exit 0' > check.sh\nexit 3", &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.open_gates().len(), 1);
    assert_eq!(place.iteration(1)["iteration"]["cause"], "agent_exit");
    let again = place.run(&["resume"]);
    assert_eq!(again.code, 5, "nothing was decided: {again:?}");
    let approved = place.run(&["approve", "--yes"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(place.last_run()["exit_reason"], "checks_pass");
    assert_eq!(place.open_gates().len(), 0);
}

#[test]
fn a_rejected_end_of_fix_is_work_again() {
    let place = failing();
    let ran = place.start_fix("echo 'exit 0' > check.sh\nexit 3", &["--failure-threshold", "0"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    let rejected = place.run(&["reject", "--reason", "Not so."]);
    assert!(rejected.stdout.contains("the work stays in the files"), "{rejected:?}");
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 5, "{resumed:?}");
    assert!(place.prompt(2).contains("rejected it: Not so."));
}

#[test]
fn a_loop_asks_once_at_its_good_end_about_all_of_its_work() {
    let place = ProjectFolder::git("");
    place.sandbox.write("tests/test_tea.py", "def test_tea():\n    assert brew() == 3\n");
    place.sandbox.git("", &["add", "--all"]);
    place.sandbox.git("", &["commit", "--quiet", "--message", "Test"]);
    // The first iteration takes the test away; only the second says that it is done.
    let agent = "if test -f one.txt; then echo two > two.txt; echo '<promise>COMPLETE</promise>'; else\n\
                 echo one > one.txt; rm tests/test_tea.py; fi\n";
    let ran = place.start_loop(agent, &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    let gate = place.gate("1");
    assert_eq!(gate["gate"]["flags"][0]["kind"], "tests_deleted", "{gate}");
    let files: Vec<&str> =
        gate["diff"]["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(files, ["one.txt", "tests/test_tea.py", "two.txt"]);
    let tree = gate["gate"]["tree"].as_str().unwrap();
    let approved = place.run(&["approve", "--tree", tree]);
    assert_eq!(approved.code, 0, "{approved:?}");
    let run = place.last_run();
    assert_eq!((&run["status"], &run["exit_reason"]), (&"completed".into(), &"promise".into()));
    assert_eq!(place.subjects(), ["Test", "Begin"].map(str::to_owned), "nothing is committed unless asked");
}

#[test]
fn approved_lines_are_not_asked_again() {
    let place = ProjectFolder::git("");
    place.sandbox.write("tests/test_tea.py", "def test_tea():\n    assert brew() == 3\n");
    place.sandbox.git("", &["add", "--all"]);
    place.sandbox.git("", &["commit", "--quiet", "--message", "Test"]);
    let agent = "n=$(ls | grep -c '^step'); echo $n > step$n\n\
                 test $n = 0 && rm tests/test_tea.py\n\
                 test $n = 2 && echo '<promise>COMPLETE</promise>'\nexit 0\n";
    let ran = place.start_loop(agent, &["--auto-commit"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.subjects().len(), 2, "nothing is committed before");
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    assert_eq!(place.subjects().len(), 3);
    // The rest is not risky and needs nobody.
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(place.last_run()["exit_reason"], "promise");
    assert_eq!(place.subjects().len(), 5);
    let gates = json(&place.run(&["gate", "list", "--json"]));
    assert_eq!(gates["decided"].as_array().unwrap().len(), 1, "{gates}");
}

#[test]
fn the_review_mode_holds_in_loops_and_there_is_no_task_to_put_aside() {
    let place = ProjectFolder::git("");
    let ran = place.start_loop(&format!("echo x > x.txt\n{PROMISE}"), &["--mode", "review_each"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.gate("1")["gate"]["reasons"], serde_json::json!(["mode"]));
    let skipped = place.run(&["reject", "--skip", "--reason", "later"]);
    assert_eq!(skipped.code, 2, "{skipped:?}");
    assert!(skipped.stderr.contains("no task that could be put aside"), "{skipped:?}");
    let cancelled = place.run(&["cancel"]);
    assert_eq!(cancelled.code, 0, "{cancelled:?}");
    assert_eq!(place.open_gates().len(), 0, "nobody decides about a run that is over");
    assert_eq!(place.file("x.txt").as_deref(), Some("x\n"));
}

#[test]
fn an_agent_that_says_a_check_is_wrong_asks_a_person() {
    let place = failing();
    let agent = "loopwright signal blocked 'check tests is wrong: it wants a file nobody asked for' >/dev/null\n\
                 echo x >> tried.txt\n";
    let ran = place.start_fix(agent, &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    let gate = place.gate("1");
    assert_eq!(gate["gate"]["reasons"], serde_json::json!(["wrong_check"]), "{gate}");
    assert!(gate["gate"]["summary"].as_str().unwrap().contains("nobody asked for"), "{gate}");
    let approved = place.run(&["approve", "--yes"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    let run = place.last_run();
    assert_eq!(run["status"], "paused", "a check that fails is never a good end: {run}");
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 5, "{resumed:?}");
    assert!(place.prompt(2).contains("A person agrees. Mend that check"), "{}", place.prompt(2));
    // Who is blocked by something else still ends the run.
    let other = failing();
    let ran = other.start_fix("loopwright signal blocked 'no key' >/dev/null\n", &[]);
    assert_eq!(ran.code, 4, "{ran:?}");
}

#[test]
fn a_promise_on_an_earlier_line_is_asked_about_the_second_time() {
    let place = ProjectFolder::git("");
    let agent =
        "echo $LOOPWRIGHT_ATTEMPT >> steps.txt\necho '<promise>COMPLETE</promise>'\necho 'That was it.'\n";
    let ran = place.start_loop(agent, &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.iteration(1)["iteration"]["outcome"], "succeeded");
    let gate = place.gate("1");
    assert_eq!(gate["gate"]["reasons"], serde_json::json!(["misplaced_claim"]), "{gate}");
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    let run = place.last_run();
    assert_eq!((&run["status"], &run["exit_reason"]), (&"completed".into(), &"promise".into()));
}

#[test]
fn edits_at_a_gate_without_a_task_are_checked_and_end_the_run() {
    let place = failing();
    let ran = place.start_fix("echo 'exit 0' > check.sh", &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    place.sandbox.write("check.sh", "test -f good\n");
    let plain = place.run(&["approve", "--yes"]);
    assert_ne!(plain.code, 0, "other files were shown: {plain:?}");
    let failed = place.run(&["approve", "--with-edits", "--yes"]);
    assert_eq!(failed.code, 1, "{failed:?}");
    place.sandbox.write("good", "good\n");
    let approved = place.run(&["approve", "--with-edits", "--yes"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    assert_eq!(place.last_run()["exit_reason"], "checks_pass");
}

#[test]
fn a_procedure_without_a_promise_asks_when_its_iterations_are_used() {
    let place = ProjectFolder::git("");
    place.sandbox.write(".loopwright/procedures/tidy.toml", "act = [{ text = \"Tidy.\" }]\n");
    place.sandbox.write("tests/test_tea.py", "def test_tea():\n    assert brew() == 3\n");
    place.sandbox.git("", &["add", "--all"]);
    place.sandbox.git("", &["commit", "--quiet", "--message", "Test"]);
    let agent = place.agent("rm -f tests/test_tea.py");
    let ran = place.run(&["loop", "--procedure", "tidy", "--command", &agent, "--max-iterations", "2"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.gate("1")["gate"]["flags"][0]["kind"], "tests_deleted");
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let run = place.last_run();
    assert_eq!((&run["status"], &run["exit_reason"]), (&"completed".into(), &"max_iterations".into()));
}
