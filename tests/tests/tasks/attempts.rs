//! Attempts that fail: put back, kept, tried again with what was learned, and given up in the end.

use crate::scene::Scene;

/// Fails once for each task, then does it.
const SECOND_TIME: &str = r#"
echo "attempt $attempt" > "work-$task.txt"
[ "$attempt" = 1 ] && echo broken > "broken-$task.txt"
complete "wrote work-$task.txt"
"#;

#[test]
fn a_failed_attempt_is_put_back_kept_and_told_to_the_next_one() {
    let scene = Scene::new(SECOND_TIME);
    scene.sandbox.write("check.sh", "! ls broken-*.txt 2>/dev/null\n");
    scene.check("nothing is broken", "sh check.sh");
    scene.task("Write one", &[]);
    scene.task("Write two", &[1]);
    let output = scene.start(&[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(scene.subjects()[..2], ["Write two", "Write one"]);
    for (commit, file) in [("HEAD", "work-2.txt"), ("HEAD~1", "work-1.txt")] {
        assert_eq!(scene.files_of(commit), [file]);
    }
    assert_eq!(scene.changed(), "", "nothing of the failed attempts is left");
    let kept = scene.sandbox.git("", &["for-each-ref", "--format=%(refname)", "refs/loopwright/attempts"]);
    assert_eq!(kept.lines().count(), 2, "{kept}");
    let first = kept.lines().next().unwrap();
    assert_eq!(scene.sandbox.git("", &["show", &format!("{first}:broken-1.txt")]), "broken\n");
    let again = scene.prompt(1, 2);
    assert!(again.contains("checks failed: nothing is broken"), "{again}");
    assert!(again.contains("    +broken\n"), "the diff is in it: {again}");
    let second = scene.prompt(2, 1);
    assert!(second.contains("- #1 Write one (commit ") && second.contains("wrote work-1.txt"), "{second}");
    assert!(!second.contains("LAST ATTEMPT"), "{second}");
    let shown = scene.shown(1);
    assert_eq!((shown["attempts"].as_u64(), shown["failures"].as_u64()), (Some(2), Some(1)));
}

#[test]
fn a_task_that_keeps_failing_is_blocked_and_holds_what_waits_for_it() {
    let scene = Scene::new("echo x > junk-$task.txt; [ $task = 1 ] && exit 7; complete done");
    scene.task("Cannot be done", &[]);
    scene.task("Waits for it", &[1]);
    scene.task("Has nothing to do with it", &[]);
    let output = scene.start(&["--max-attempts", "2"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stdout.contains("2 tasks are left and none can start"), "{output:?}");
    assert!(output.stdout.contains("#2 Waits for it: waits for #1"), "{output:?}");
    let blocked = scene.shown(1)["blocked"].take();
    assert_eq!(blocked["attempts"], 2);
    assert!(blocked["reason"].as_str().unwrap().contains("failed 2 times"), "{blocked}");
    assert_eq!((scene.status_of(2), scene.status_of(3)), ("pending".into(), "done".into()));
    assert_eq!(scene.subjects()[0], "Has nothing to do with it");
    assert_eq!(scene.changed(), "", "its work is in nobody's commit and not left behind");
    scene.ok(&["task", "unblock", "1"]);
    scene.agent("echo good > good-$task.txt; complete done");
    let output = scene.start(&[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(scene.prompt(1, 3).contains("The last attempt failed"), "what failed before is still told");
}

#[test]
fn a_chronic_task_is_blocked_over_all_runs() {
    let scene = Scene::new("exit 3");
    scene.task("Never", &[]);
    let limits = ["--max-attempts", "0", "--max-total-failures", "3", "--max-iterations", "2"];
    assert_eq!(scene.start(&limits).code, 3, "the limit of iterations comes first");
    assert_eq!(scene.status_of(1), "pending");
    let output = scene.start(&limits);
    assert_eq!(output.code, 4, "{output:?}");
    let reason = scene.shown(1)["blocked"]["reason"].take();
    assert!(reason.as_str().unwrap().contains("3 times over all runs"), "{reason}");
}

#[test]
fn the_last_task_ends_the_run_well_although_the_limit_is_reached_with_it() {
    let scene = Scene::new("echo $task > $task.txt; complete done");
    scene.task("One", &[]);
    scene.task("Two", &[]);
    assert_eq!(scene.start(&["--max-iterations", "1"]).code, 3);
    assert_eq!(scene.start(&["--max-iterations", "1"]).code, 0);
    assert_eq!(scene.start(&[]).code, 0, "all done: nothing to do");
    let nothing = scene.start(&["--tag", "none"]);
    assert_eq!(nothing.code, 2, "{nothing:?}");
}

#[test]
fn a_run_can_be_over_one_task_a_group_or_a_wave() {
    let scene = Scene::new("echo $task > $task.txt; complete done");
    scene.ok(&["task", "add", "One", "--tag", "a"]);
    scene.ok(&["task", "add", "Two", "--tag", "b"]);
    scene.task("Three", &[1]);
    assert_eq!(scene.start(&["--task", "2"]).code, 0);
    let held = scene.start(&["--wave", "2"]);
    assert_eq!(held.code, 4, "{held:?}");
    assert!(held.stdout.contains("#3 Three: waits for #1"), "{held:?}");
    assert_eq!(scene.start(&["--scud-tag", "a"]).code, 0);
    assert_eq!(scene.start(&["--wave", "2"]).code, 0);
    assert_eq!(scene.subjects()[..3], ["Three", "One", "Two"]);
}

#[test]
fn plan_documents_and_context_are_handed_along_and_a_dry_run_shows_them() {
    let scene = Scene::new("echo $task > $task.txt; complete done");
    let plan = "# Plan\n\n## 10\n\nTen.\n\n## 1\n\nBoil the water.\n\n## 2\n\nPour it.\n";
    scene.sandbox.write("plan.md", plan);
    scene.sandbox.write("spec.md", "Tea is hot.\n");
    scene.commit_all("Documents");
    scene.task("Boil", &[]);
    scene.task("Serve", &[]);
    let options =
        ["--plan", "plan.md", "--spec-file", "spec.md", "--max-spec-tokens", "2", "--verify", "true"];
    let dry = scene.start(&[&options[..], &["--dry-run"]].concat());
    assert_eq!(dry.code, 0, "{dry:?}");
    assert!(dry.stdout.contains("Boil the water.") && !dry.stdout.contains("Ten."), "{dry:?}");
    assert!(dry.stdout.contains("Tea is hot.") && dry.stdout.contains("verify: true"), "{dry:?}");
    assert!(dry.stdout.contains("more than 2"), "{dry:?}");
    let dry = scene.start(&["--plan", "spec.md", "--dry-run"]);
    assert!(dry.stdout.contains("the plan has no section for task #1"), "{dry:?}");
    assert_eq!(scene.status_of(1), "pending", "a dry run changes nothing");
    assert_eq!(scene.start(&options).code, 0);
    assert_eq!(scene.prompt(1, 1), scene.prompt(1, 1).replace("Pour it.", ""));
    let failing = Scene::new("echo $task > $task.txt; complete done");
    failing.task("Boil", &[]);
    assert_eq!(failing.start(&["--verify", "true && false", "--max-attempts", "1"]).code, 4);
}
