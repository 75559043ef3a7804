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
fn what_a_person_changes_while_an_attempt_goes_on_is_left_when_it_is_put_back() {
    // The check stands for a person: it edits while the attempt is judged, and then fails.
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
    assert!(output.stdout.contains("not put back") && output.stdout.contains("shared.txt"), "{output:?}");
    assert_eq!(scene.read("agent.txt"), None);
    for (file, text) in [("shared.txt", "person\n"), ("own.txt", "person\n"), ("new.txt", "new\n")] {
        assert_eq!(scene.read(file).as_deref(), Some(text), "{file}");
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
