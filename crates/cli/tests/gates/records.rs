//! Records agree with words: what a run came to, what a task is done by, and how much a run was given.

use serde_json::{Value, json};

use crate::common::json as parsed;
use crate::place::ProjectFolder;
use crate::shop::{DONE, shop};

/// Says that it is done from the fourth iteration on, and works in each.
const FOURTH: &str = "n=$(ls | grep -c '^step'); echo $n > step$n\n\
                      test $n -ge 3 && echo '<promise>COMPLETE</promise>'\nexit 0\n";

#[test]
fn a_run_that_used_its_iterations_in_vain_is_not_completed_and_goes_on_with_more() {
    let place = ProjectFolder::git("");
    let ran = place.start_loop(FOURTH, &["--max-iterations", "2"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    let run = place.last_run();
    assert_eq!((&run["status"], &run["completed"]), (&json!("aborted"), &json!(false)), "{run}");
    assert_eq!(run["exit_reason"], "max_iterations");
    let status = place.run(&["status"]).stdout;
    assert!(status.contains("Give it more iterations (loopwright resume --max-iterations N)"), "{status}");
    let plain = place.run(&["resume"]);
    assert_eq!(plain.code, 2, "{plain:?}");
    assert!(plain.stderr.contains("loopwright resume --max-iterations N"), "{plain:?}");
    let few = place.run(&["resume", "--max-iterations", "2"]);
    assert_eq!(few.code, 2, "{few:?}");
    assert!(few.stderr.contains("would stop at once"), "{few:?}");
    assert_eq!(place.last_run()["status"], "aborted", "nothing was changed");
    let resumed = place.run(&["resume", "--max-iterations", "6"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(resumed.stdout.contains("Iteration 3/6 starting"), "{resumed:?}");
    assert!(!resumed.stdout.contains("Iteration 1/6"), "{resumed:?}");
    let run = place.last_run();
    assert_eq!((&run["status"], &run["exit_reason"]), (&json!("completed"), &json!("promise")));
    assert_eq!((&run["max_iterations"], &run["config"]["limits"]["max_iterations"]), (&json!(6), &json!(6)));
    let over = place.run(&["resume", "--max-iterations", "9"]);
    assert_eq!(over.code, 2, "what reached its goal is over: {over:?}");
}

#[test]
fn a_run_at_another_limit_goes_on_with_more_of_it() {
    let place = ProjectFolder::git("");
    let ran = place.start_loop(&format!("sleep 0.2\n{FOURTH}"), &["--max-runtime", "100ms"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    let status = place.run(&["status"]).stdout;
    assert!(status.contains("loopwright resume --max-runtime TIME"), "{status}");
    let resumed = place.run(&["resume", "--max-runtime", "1h"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
}

#[test]
fn a_task_that_is_done_without_a_commit_looks_different() {
    let place = shop("[[checks]]\nname = \"tests\"\ncommand = \"true\"\n", &["Brew it"]);
    assert_eq!(place.run(&["task", "add", "Look at it", "--kind", "verification"]).code, 0);
    let agent = format!("test $LOOPWRIGHT_TASK = 1 && echo x > brewed.txt\n{DONE}");
    let ran = place.start_tasks(&agent, &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let rows = parsed(&place.run(&["task", "list", "--json"]));
    let commit = |row: usize| rows[row]["commit"].clone();
    assert_eq!(commit(0), Value::from(place.sandbox.git("", &["rev-parse", "HEAD"]).trim()));
    assert_eq!(commit(1), Value::Null);
    let list = place.run(&["task", "list"]).stdout;
    let lines: Vec<&str> = list.lines().filter(|line| line.contains("it")).collect();
    assert!(!lines[0].contains("without a commit"), "{list}");
    assert!(lines[1].contains("without a commit"), "{list}");
    assert!(place.run(&["task", "show", "1"]).stdout.contains("  Commit "));
    assert!(place.run(&["task", "show", "2"]).stdout.contains("Done without a commit."));
}

#[test]
fn with_a_commit_for_the_wave_its_tasks_have_it() {
    let place = shop("", &["Brew it", "Pour it"]);
    let ran = place.start_tasks(&format!("echo x > $LOOPWRIGHT_TASK.txt\n{DONE}"), &["--commit", "wave"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let head = place.sandbox.git("", &["rev-parse", "HEAD"]).trim().to_owned();
    let rows = parsed(&place.run(&["task", "list", "--json"]));
    assert_eq!((rows[0]["commit"].as_str(), rows[1]["commit"].as_str()), (Some(&*head), Some(&*head)));
}

/// What an agent without a sandbox leaves in the repository: a merge with a conflict, which has to be mended before
/// anything can be compared, or another branch, which is shown at a gate.
fn left(script: &str, status: &str, fix: &[&[&str]]) {
    let place = shop("", &["Brew it"]);
    place.sandbox.git("", &["branch", "other"]);
    let agent = format!("echo brewed > brewed.txt\n{script}\n{DONE}");
    let ran = place.start_tasks(&agent, &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.task_status(1), "awaiting_approval", "{ran:?}");
    assert_eq!(place.last_run()["status"], status);
    let again = place.run(&["resume"]);
    assert_ne!(again.code, 0, "nothing is resolved: {again:?}");
    let approved = place.run(&["approve", "--yes"]);
    assert_eq!(approved.code, 2, "nothing is resolved: {approved:?}");
    assert_ne!(place.task_status(1), "done");
    for git in fix {
        place.sandbox.git("", git);
    }
    if status == "paused" {
        assert_eq!(place.run(&["resume"]).code, 5, "what the agent did to the branch waits at a gate");
    }
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    let resumed = place.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(place.task_status(1), "done");
    assert_eq!(place.iteration(1)["iteration"]["outcome"], "succeeded", "the same agent's work counts");
    assert_eq!(place.subjects()[0], "Brew it");
    assert_eq!(place.file("brewed.txt").as_deref(), Some("brewed\n"));
}

#[test]
fn a_branch_switch_that_an_agent_leaves_waits_for_a_person() {
    left("git checkout --quiet other 2>/dev/null", "waiting", &[&["checkout", "--quiet", "main"]]);
}

#[test]
fn a_merge_that_an_agent_leaves_waits_for_a_person() {
    let merge = "git checkout --quiet other; echo a > clash; git add clash; git commit --quiet -m a\n\
                 git checkout --quiet main; echo b > clash; git add clash; git commit --quiet -m b\n\
                 git merge other >/dev/null 2>&1 || true";
    left(merge, "paused", &[&["merge", "--abort"]]);
}

#[test]
fn a_review_does_not_wait_any_more_after_it_was_approved() {
    let place = shop("", &["Brew it", "Pour it"]);
    let agent = format!("echo x > $LOOPWRIGHT_TASK.txt\n{DONE}");
    let ran = place.start_tasks(&agent, &["--mode", "review_every:1"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(place.last_run()["status"], "waiting");
    assert_eq!(place.run(&["approve", "--yes"]).code, 0);
    let run = place.last_run();
    assert_eq!((&run["status"], &run["waiting"]), (&json!("paused"), &Value::Null), "{run}");
    let status = place.run(&["status"]).stdout;
    assert!(!status.contains("waiting for your approval"), "{status}");
}
