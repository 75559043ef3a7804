//! When work is committed: each task, each wave, or not at all.

use crate::scene::Scene;

const FAILS_ONCE: &str = r#"
echo "$attempt" > "work-$task.txt"
[ "$task-$attempt" = 2-1 ] && exit 1
complete "did $task"
"#;

fn three_tasks(agent: &str) -> Scene {
    let scene = Scene::new(agent);
    scene.task("One", &[]);
    scene.task("Two", &[]);
    scene.task("Three", &[1, 2]);
    scene
}

#[test]
fn a_commit_for_each_task_names_run_task_and_iteration() {
    let scene = three_tasks(FAILS_ONCE);
    assert_eq!(scene.start(&[]).code, 0);
    assert_eq!(scene.subjects()[..3], ["Three", "Two", "One"]);
    let body = scene.sandbox.git("", &["log", "-1", "--format=%b"]);
    for trailer in ["Loopwright-Run: ", "Loopwright-Task: 3\n", "Loopwright-Iteration: "] {
        assert!(body.contains(trailer), "{body}");
    }
}

#[test]
fn a_commit_for_each_wave_holds_its_finished_tasks_and_is_recorded() {
    let scene = three_tasks(FAILS_ONCE);
    let output = scene.start(&["--commit", "wave"]);
    assert_eq!(output.code, 0, "{output:?}");
    let subjects = scene.subjects();
    assert_eq!(subjects[..2], ["feat(tasks): complete wave 2", "feat(tasks): complete wave 1"]);
    assert_eq!(scene.files_of("HEAD~1"), ["work-1.txt", "work-2.txt"]);
    assert_eq!(scene.files_of("HEAD"), ["work-3.txt"]);
    assert_eq!(scene.changed(), "");
    assert!(output.stdout.contains("Wave 1 is finished, commit "), "{output:?}");
    let waves = scene.ask(&["wave", "list", "--json"]);
    let text = waves.to_string();
    let head = scene.sandbox.git("", &["rev-parse", "HEAD"]);
    assert!(text.contains(head.trim()), "the commit is recorded: {text}");
}

#[test]
fn a_wave_with_a_blocked_task_says_how_many_are_in_its_commit() {
    let scene = three_tasks("echo $task > work-$task.txt; [ $task = 2 ] && exit 1; complete done");
    let output = scene.start(&["--commit", "wave", "--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert_eq!(scene.subjects()[0], "feat(tasks): 1 of 2 tasks of wave 1");
    assert_eq!(scene.files_of("HEAD"), ["work-1.txt"]);
    assert_eq!(scene.changed(), "");
}

#[test]
fn without_commits_finished_work_stays_in_the_tree_and_failed_work_does_not() {
    let scene = three_tasks("echo $task > work-$task.txt; [ $task = 2 ] && exit 1; complete done");
    let output = scene.start(&["--commit", "none", "--max-attempts", "2"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert_eq!(scene.subjects()[0], "Begin");
    assert_eq!(scene.changed(), "?? work-1.txt");
    let again = scene.start(&["--commit", "none"]);
    assert_eq!(again.code, 4, "its own work is not in the way of the next run: {again:?}");
}

#[test]
fn a_hook_that_refuses_is_a_failed_attempt() {
    let scene = Scene::new("echo x > work.txt; complete done");
    scene.task("One", &[]);
    let hook = scene.sandbox.work().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\necho not today >&2\nexit 1\n").unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let output = scene.start(&["--max-attempts", "1", "--trust"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stdout.contains("the commit could not be made"), "{output:?}");
    assert_eq!(scene.changed(), "");
}
