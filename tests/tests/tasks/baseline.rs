//! The checks before the first agent: what was red before a run is told from what the run made red.

use crate::scene::Scene;

const WORKS: &str = r#"echo "$task" > "done-$task.txt"; complete "done""#;

/// A check that counts how often it was run, beside the project.
fn counted(scene: &Scene, rest: &str) {
    let root = scene.sandbox.root().display();
    scene.sandbox.write("check.sh", format!("echo x >> '{root}/checked'\n{rest}\n"));
    scene.check("counted", "sh check.sh");
}

fn times_checked(scene: &Scene) -> usize {
    std::fs::read_to_string(scene.sandbox.root().join("checked")).unwrap_or_default().lines().count()
}

fn agents(scene: &Scene) -> usize {
    let names = std::fs::read_dir(scene.sandbox.root()).unwrap().filter_map(Result::ok);
    names.filter(|entry| entry.file_name().to_string_lossy().starts_with("prompt-")).count()
}

#[test]
fn what_was_red_before_is_told_before_anything_is_spent_and_wherever_a_verdict_is_shown() {
    let scene = Scene::new(WORKS);
    scene.sandbox.write("check.sh", "[ -e done-1.txt ] || { echo 'no done-1.txt'; exit 1; }\n");
    scene.check("exists", "sh check.sh");
    scene.check("fine", "true");
    scene.task("One", &[]);
    let output = scene.start(&[]);
    assert_eq!(output.code, 0, "{output:?}");
    let told = output.stdout.find("red before this run: exists: ").unwrap_or_else(|| panic!("{output:?}"));
    assert!(told < output.stdout.find("#1 One").unwrap(), "before the first agent: {output:?}");
    assert!(
        output.stdout.contains("check exists: passed in") && output.stdout.contains(", red before this run")
    );
    let prompt = scene.prompt(1, 1);
    assert!(prompt.contains("- exists: sh check.sh (failed before you began)"), "{prompt}");
    assert!(prompt.contains("- fine: true\n"), "{prompt}");
    let shown = scene.ask(&["show", "1", "--json"])["checks"].take();
    assert_eq!((&shown[0]["red_before"], &shown[1]["red_before"]), (&true.into(), &false.into()), "{shown}");
    let text = scene.ok(&["show", "1"]).stdout;
    assert!(text.contains("red before this run") && text.contains("green before this run"), "{text}");
    assert!(scene.ok(&["status"]).stdout.contains("red before this run: exists"));
    let run = scene.ask(&["status", "--json"])["run"].take();
    assert_eq!(run["baseline"]["checks"][0]["status"], "failed", "{run}");
    assert!(scene.start(&["--json"]).code == 0);
}

#[test]
fn a_program_that_is_not_on_the_path_stops_the_start_and_one_of_the_project_does_not() {
    let scene = Scene::new(WORKS);
    scene.check("lint", "no-such-linter --strict");
    scene.task("One", &[]);
    let output = scene.start(&[]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("\"lint\" cannot start: the program \"no-such-linter\""), "{output:?}");
    assert!(output.stderr.contains("Install it"), "{output:?}");
    assert_eq!((agents(&scene), scene.status_of(1)), (0, "pending".to_owned()));
    for verb in [&["loop", "--prompt", "x"][..], &["fix"]] {
        let output = scene.run(&[verb, &["--command", "true", "--prompt-mode", "stdin"]].concat());
        assert_eq!(output.code, 2, "{verb:?}: {output:?}");
    }
    let doctor = scene.run(&["doctor"]);
    assert!(doctor.stdout.contains("lint: the program \"no-such-linter\" was not found"), "{doctor:?}");
    assert_eq!(doctor.code, 1, "{doctor:?}");
    // One that the work itself brings is only shown; that the agent wrote what judges it, a person sees.
    let scene = Scene::new(r##"printf '#!/bin/sh\nexit 0\n' > lint.sh; chmod +x lint.sh; complete "done""##);
    scene.check("lint", "./lint.sh");
    scene.task("Write the linter", &[]);
    let output = scene.start(&[]);
    assert_eq!(output.code, 5, "{output:?}");
    assert!(output.stdout.contains("red before this run: lint"), "{output:?}");
    assert!(scene.ok(&["gate", "show"]).stdout.contains("lint.sh"));
    scene.ok(&["approve", "--yes"]);
    assert_eq!(scene.status_of(1), "done");
}

#[test]
fn require_refuses_and_skip_does_not_look() {
    let scene = Scene::new(WORKS);
    counted(&scene, "[ -e done-1.txt ]");
    scene.task("One", &[]);
    let output = scene.start(&["--baseline", "require"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stdout.contains("counted fails already"), "{output:?}");
    assert_eq!((agents(&scene), scene.status_of(1), times_checked(&scene)), (0, "pending".to_owned(), 1));
    let output = scene.start(&["--baseline", "skip"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(times_checked(&scene), 2, "after the agent only");
    assert!(!output.stdout.contains("red before"), "{output:?}");
    let shown = scene.ask(&["show", "1", "--json"])["checks"].take();
    assert!(shown[0]["red_before"].is_null(), "not known: {shown}");
    scene.ok(&["config", "set", "loop.baseline", "require"]);
    scene.commit_all("Setting");
    scene.task("Two", &[]);
    assert_eq!(scene.start(&[]).code, 0, "green now");
}

#[test]
fn a_result_that_passed_is_known_for_a_day_on_the_same_files_with_the_same_check() {
    let scene = Scene::new(r#"complete "nothing"; exit 1"#);
    counted(&scene, "");
    scene.task("One", &[]);
    let limits = ["--max-attempts", "0", "--max-iterations", "1"];
    assert_eq!(scene.start(&limits).code, 3);
    assert_eq!(times_checked(&scene), 2, "before the agent and after it");
    let output = scene.start(&limits);
    assert_eq!(times_checked(&scene), 3, "after the agent only: {output:?}");
    assert!(output.stdout.contains("known from an earlier run"), "{output:?}");
    scene.sandbox.write("other.txt", "another tree\n");
    scene.commit_all("Another tree");
    let _ = scene.start(&limits);
    assert_eq!(times_checked(&scene), 5, "another tree is looked at again");
    scene.ok(&["check", "edit", "counted", "--timeout", "5m"]);
    scene.commit_all("Another check");
    let _ = scene.start(&limits);
    assert_eq!(times_checked(&scene), 7, "another check is looked at again");
}

#[test]
fn what_checks_edit_before_the_first_agent_is_put_back() {
    let scene = Scene::new(WORKS);
    scene.sandbox.write("code.txt", "ugly\n");
    scene.sandbox.write("fmt.sh", "[ -e done-1.txt ] || { echo tidy > code.txt; echo new > report.txt; }\n");
    scene.check("format", "sh fmt.sh");
    scene.task("One", &[]);
    let output = scene.start(&[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("checks changed code.txt, report.txt; that was put back"), "{output:?}");
    assert_eq!(scene.read("code.txt").as_deref(), Some("ugly\n"));
    assert_eq!(scene.read("report.txt"), None);
    assert_eq!(scene.files_of("HEAD"), ["done-1.txt"]);
    assert_eq!(scene.changed(), "");
}

#[test]
fn fix_looks_once_and_says_what_was_red_before() {
    let scene = Scene::new("touch mended.txt");
    counted(&scene, "[ -e mended.txt ] || exit 1");
    let agent = format!("sh {}/agent.sh", scene.sandbox.root().display());
    let output = scene.run(&["fix", "--command", &agent, "--prompt-mode", "stdin", "--baseline", "require"]);
    assert_eq!(output.code, 0, "red is what fix is for: {output:?}");
    assert_eq!(times_checked(&scene), 2, "once before and once after the agent: {output:?}");
    assert!(output.stdout.contains("red before this run: counted"), "{output:?}");
    assert!(
        output.stdout.contains("check counted: passed in") && output.stdout.contains(", red before this run")
    );
    // What passed is looked at all the same: it is the goal itself.
    let again = scene.run(&["fix", "--command", &agent, "--prompt-mode", "stdin", "--dirty", "include"]);
    assert_eq!((again.code, times_checked(&scene)), (0, 3), "{again:?}");
}

#[test]
fn a_failure_that_was_there_before_blocks_one_task_and_not_the_others() {
    let scene = Scene::new(WORKS);
    scene.sandbox.write("old.sh", "echo \"old trouble in $$ at $(date +%s)\"; exit 1\n");
    scene.check("old", "sh old.sh");
    for title in ["One", "Two", "Three"] {
        scene.task(title, &[]);
    }
    let output = scene.start(&["--max-attempts", "2"]);
    assert_eq!(output.code, 5, "{output:?}");
    assert!(output.stdout.contains("the check \"old\" fails as before this run"), "{output:?}");
    assert_eq!(agents(&scene), 2, "only the first task was spent on it");
    let run = scene.ask(&["status", "--json"])["run"].take();
    assert_eq!((&run["status"], &run["waiting"]), (&"waiting".into(), &"baseline".into()), "{run}");
    assert_eq!(run["exit_reason"], "red_before");
    assert!(scene.ok(&["status"]).stdout.contains("loopwright resume"));
    let blocked = scene.shown(1)["blocked"]["reason"].take();
    assert!(blocked.as_str().unwrap().contains("old (red before this run)"), "{blocked}");
    let refused = scene.start(&[]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("waits for you: task #1 is blocked"), "{refused:?}");
    scene.sandbox.write("old.sh", "exit 0\n");
    scene.commit_all("Mend the check");
    let output = scene.run(&["resume"]);
    assert_eq!(output.code, 4, "task 1 is still blocked: {output:?}");
    assert_eq!((scene.status_of(2), scene.status_of(3)), ("done".to_owned(), "done".to_owned()));
}

#[test]
fn a_failure_of_the_works_own_blocks_its_task_and_the_run_goes_on() {
    let scene = Scene::new(r#"[ $task = 1 ] && touch bad.txt; echo $task > done-$task.txt; complete "done""#);
    scene.sandbox.write("check.sh", "[ -e fresh.txt ] || { echo stale; exit 1; }\n");
    scene.sandbox.write("fresh.txt", "");
    scene.sandbox.write("own.sh", "[ ! -e bad.txt ] || { echo bad; exit 1; }\n");
    scene.check("fresh", "sh check.sh");
    scene.check("own", "sh own.sh");
    scene.task("One", &[]);
    scene.task("Two", &[]);
    let output = scene.start(&["--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert_eq!((scene.status_of(1), scene.status_of(2)), ("blocked".to_owned(), "done".to_owned()));
}

#[test]
fn a_resumed_run_does_not_look_again() {
    let scene = Scene::new(WORKS);
    counted(&scene, "");
    scene.task("One", &[]);
    let mut run = scene.running(&[]);
    run.env("LOOPWRIGHT_CRASH_AT", "baseline.after");
    let _ = scene.sandbox.run(&mut run);
    assert_eq!((times_checked(&scene), agents(&scene)), (1, 0));
    let output = scene.run(&["resume"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(times_checked(&scene), 2, "after the agent only");
    let shown = scene.ask(&["show", "1", "--json"])["checks"].take();
    assert_eq!(shown[0]["red_before"], false, "{shown}");
    // Cut off before it was written down, it is looked at again.
    let scene = Scene::new(WORKS);
    counted(&scene, "[ -e done-1.txt ] || exit 1");
    scene.task("One", &[]);
    let mut run = scene.running(&[]);
    run.env("LOOPWRIGHT_CRASH_AT", "baseline.checked");
    let _ = scene.sandbox.run(&mut run);
    let output = scene.run(&["resume"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(times_checked(&scene), 3, "{output:?}");
    assert!(output.stdout.contains("red before this run: counted"), "{output:?}");
}
