//! Nothing changed is not done by itself: a claim without a change names what satisfies the work already.

use serde_json::json;

use crate::place::ProjectFolder;
use crate::shop::{DONE, shop};

const CHECK: &str = "[[checks]]\nname = \"tests\"\ncommand = \"true\"\n";

#[test]
fn a_claim_without_a_change_or_a_reason_has_failed() {
    let place = shop(CHECK, &["Brew it"]);
    let ran = place.start_tasks(DONE, &[]);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert_eq!(place.task_status(1), "blocked");
    let first = place.iteration(1)["iteration"].take();
    assert_eq!((&first["outcome"], &first["cause"]), (&json!("failed"), &json!("nothing_changed")));
    let prompt = place.prompt(2);
    assert!(prompt.contains("no file changed and it names nothing that satisfies"), "{prompt}");
    assert!(prompt.contains("loopwright signal complete --already"), "{prompt}");
    assert_eq!(place.subjects().len(), 1);
}

#[test]
fn a_claim_that_names_what_is_there_waits_for_a_person() {
    let place = shop(CHECK, &["Brew it"]);
    let agent =
        "loopwright signal complete 'was there' --already menu.txt --already check:tests >/dev/null\n";
    let ran = place.start_tasks(agent, &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    let gate = place.gate("1");
    assert_eq!(gate["gate"]["reasons"], json!(["already_satisfied"]), "{gate}");
    assert_eq!(gate["satisfied_by"], json!(["menu.txt", "check:tests"]), "{gate}");
    let shown = place.run(&["gate", "show"]);
    assert!(shown.stdout.contains("Satisfied already by\n  menu.txt\n  check:tests"), "{shown:?}");
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    assert_eq!(place.task_status(1), "done");
    assert_eq!(place.subjects().len(), 1, "there is nothing to commit");
}

#[test]
fn what_an_agent_names_is_looked_at() {
    let place = shop(CHECK, &["Brew it"]);
    place.sandbox.write(".gitignore", "ignored.txt\n");
    place.sandbox.git("", &["add", "--all"]);
    place.sandbox.git("", &["commit", "--quiet", "--message", "Ignore"]);
    place.sandbox.write("ignored.txt", "x\n");
    for (named, wrong) in [
        ("src/nothing.rs", "there is no file src/nothing.rs"),
        ("ignored.txt", "there is no file ignored.txt"),
        ("../agent-0.sh", "there is no file ../agent-0.sh"),
        ("/etc/hostname", "there is no file /etc/hostname"),
        ("check:lint", "there is no check lint"),
    ] {
        let agent =
            format!("loopwright signal complete x --already menu.txt --already '{named}' >/dev/null\n");
        let ran = place.start_tasks(&agent, &["--max-attempts", "1", "--max-total-failures", "0"]);
        assert_eq!(ran.code, 4, "{named}: {ran:?}");
        let message = place.iteration(1)["iteration"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(wrong), "{named}: {message}");
        assert_eq!(place.run(&["task", "unblock", "1"]).code, 0);
    }
    assert_eq!(place.open_gates().len(), 0);
}

#[test]
fn words_of_the_claim_name_files_and_checks_too() {
    let place = shop(CHECK, &["Brew it"]);
    let ran = place.start_tasks("echo 'LOOPWRIGHT_COMPLETE: it is in `menu.txt` already.'\n", &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.gate("1")["satisfied_by"], json!(["menu.txt"]));
}

#[test]
fn a_verification_may_change_nothing_and_a_check_has_to_say_something() {
    let place = shop(CHECK, &[]);
    assert_eq!(place.run(&["task", "add", "Look at it", "--kind", "verification"]).code, 0);
    let ran = place.start_tasks(DONE, &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(place.task_status(1), "done");
    assert!(place.prompt(1).contains("it may change nothing"));
    let unchecked = shop("", &[]);
    assert_eq!(unchecked.run(&["task", "add", "Look at it", "--kind", "verification"]).code, 0);
    let ran = unchecked.start_tasks(DONE, &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(unchecked.gate("1")["gate"]["reasons"], json!(["unproven"]));
}

#[test]
fn in_a_loop_change_is_measured_from_its_start() {
    let place = ProjectFolder::git(CHECK).trusted();
    let silent = place.start_loop("echo '<promise>COMPLETE</promise>'\n", &[]);
    assert_eq!(silent.code, 1, "{silent:?}");
    let run = place.last_run();
    assert_eq!((&run["status"], &run["exit_reason"]), (&json!("aborted"), &json!("failure_threshold")));
    assert!(
        place.prompt(2).contains("The last iteration failed: the agent says that it is done, but no file")
    );
    // The second iteration changes nothing itself; the first one did.
    let agent = "if test -f made.txt; then echo '<promise>COMPLETE</promise>'; else echo x > made.txt; fi\n";
    let made = place.start_loop(agent, &[]);
    assert_eq!(made.code, 0, "{made:?}");
    // What was made and taken back again is no change.
    place.sandbox.git("", &["add", "--all"]);
    place.sandbox.git("", &["commit", "--quiet", "--message", "Made"]);
    let agent = "if test -f gone.txt; then rm gone.txt; echo '<promise>COMPLETE</promise>'; else echo x > gone.txt; fi\n";
    let undone = place.start_loop(agent, &["--max-iterations", "2"]);
    assert_eq!(undone.code, 3, "{undone:?}");
    assert_eq!(place.iteration(2)["iteration"]["cause"], "nothing_changed");
    let named = "loopwright signal complete --already made.txt >/dev/null\n";
    let named = place.start_loop(named, &["--new"]);
    assert_eq!(named.code, 5, "{named:?}");
    assert_eq!(place.gate("1")["satisfied_by"], json!(["made.txt"]));
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    assert_eq!(place.last_run()["exit_reason"], "exit_signal");
}

#[test]
fn who_promises_nothing_may_change_nothing() {
    let place = ProjectFolder::git(CHECK);
    place.sandbox.write(".loopwright/procedures/tidy.toml", "act = [{ text = \"Tidy.\" }]\n");
    place.sandbox.git("", &["add", "--all"]);
    place.sandbox.git("", &["commit", "--quiet", "--message", "Procedure"]);
    let place = place.trusted();
    let process = place.start_loop("true\n", &["--completion-promise", ""]);
    assert_eq!(process.code, 0, "{process:?}");
    let agent = place.agent("true\n");
    let used = place.run(&["loop", "--procedure", "tidy", "--command", &agent, "--max-iterations", "1"]);
    assert_eq!(used.code, 0, "{used:?}");
    let planned = place.start_loop("echo '<promise>COMPLETE</promise>'\n", &["--automation", "plan"]);
    assert_eq!(planned.code, 0, "{planned:?}");
}

#[test]
fn checks_of_fix_that_pass_without_a_change_are_looked_at() {
    let place = ProjectFolder::git("[[checks]]\nname = \"flaky\"\ncommand = \"sh ../flaky.sh\"\n").trusted();
    std::fs::write(place.beside("flaky.sh"), "test -f ../calm\n").unwrap();
    let ran = place.start_fix("touch ../calm\n", &["--config", "sandbox=off"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.gate("1")["gate"]["reasons"], json!(["unproven"]));
    assert!(place.run(&["gate", "show"]).stdout.contains("pass now although no file changed"));
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    assert_eq!(place.last_run()["exit_reason"], "checks_pass");
}
