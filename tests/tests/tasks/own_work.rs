//! A person's own work is never lost, stashed or committed.

use crate::scene::Scene;

const GOOD: &str = "echo agent > agent-$task.txt; complete done";

#[test]
fn uncommitted_work_stops_a_run_or_is_taken_in() {
    let scene = Scene::new(GOOD);
    scene.task("One", &[]);
    scene.sandbox.write("mine.txt", "mine\n");
    let output = scene.start(&[]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("mine.txt"), "{output:?}");
    assert_eq!(scene.status_of(1), "pending");
    let output = scene.start(&["--dirty", "include"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(scene.files_of("HEAD"), ["agent-1.txt"], "only what the agent did is committed");
    assert_eq!(scene.changed(), "?? mine.txt");
    assert_eq!(scene.read("mine.txt").as_deref(), Some("mine\n"));
    assert_eq!(scene.sandbox.git("", &["stash", "list"]), "");
}

#[test]
fn what_changes_while_an_attempt_is_judged_is_named_and_kept_when_it_is_put_back() {
    // The check stands for a person too: nothing tells which of them edits while the attempt is judged.
    let scene = Scene::new("echo agent > agent.txt; echo agent > shared.txt; complete done");
    scene.sandbox.write("shared.txt", "before\n");
    scene.sandbox.write("own.txt", "before\n");
    scene
        .sandbox
        .write("check.sh", "echo person > shared.txt; echo person > own.txt; echo new > new.txt; exit 1\n");
    scene.check("edits", "sh check.sh");
    scene.task("One", &[]);
    let output = scene.start(&["--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stdout.contains("as before: own.txt, shared.txt"), "{output:?}");
    assert_eq!(scene.read("agent.txt"), None);
    for (file, text) in [("shared.txt", "before\n"), ("own.txt", "before\n"), ("new.txt", "new\n")] {
        assert_eq!(scene.read(file).as_deref(), Some(text), "{file}");
    }
    let kept = scene.sandbox.git("", &["for-each-ref", "--format=%(refname)", "refs/loopwright/attempts"]);
    for file in ["shared.txt", "own.txt"] {
        let edited = format!("{}:{file}", kept.trim());
        assert_eq!(scene.sandbox.git("", &["cat-file", "blob", &edited]), "person\n", "{file}");
    }
    assert_eq!(scene.subjects()[0], "Check");
}

#[test]
fn staged_and_ignored_files_stay_as_they_are() {
    let scene = Scene::new("echo agent > agent.txt; git add agent.txt; exit 1");
    scene.sandbox.write(".gitignore", "*.log\n");
    scene.commit_all("Ignore");
    scene.sandbox.write("notes.log", "mine\n");
    scene.sandbox.write("staged.txt", "mine\n");
    scene.sandbox.git("", &["add", "staged.txt"]);
    scene.task("One", &[]);
    let output = scene.start(&["--dirty", "include", "--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert_eq!(scene.changed(), "A  staged.txt");
    assert_eq!(scene.read("notes.log").as_deref(), Some("mine\n"));
}
