//! A person's own work on a task, and the handoff.

use crate::scene::Scene;

#[test]
fn work_by_hand_is_checked_and_committed() {
    let scene = Scene::new("exit 1");
    scene.sandbox.write("check.sh", "test ! -e bad.txt\n");
    scene.check("good", "sh check.sh");
    scene.task("One", &[]);
    scene.task("Two", &[1]);
    let refused = scene.run(&["begin", "2"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    let begun = scene.ask(&["begin", "1", "--json"]);
    let prompt = std::fs::read_to_string(begun["prompt_file"].as_str().unwrap()).unwrap();
    assert!(prompt.contains("Task #1: One"), "{prompt}");
    assert_eq!(scene.status_of(1), "in_progress");
    for command in [&["run"][..], &["begin", "1"], &["resume"]] {
        assert_ne!(scene.run(command).code, 0, "{command:?}");
    }
    scene.sandbox.write("one.txt", "mine\n");
    scene.sandbox.write("bad.txt", "mine\n");
    let failed = scene.run(&["finish"]);
    assert_eq!(failed.code, 1, "{failed:?}");
    assert_eq!(scene.read("bad.txt").as_deref(), Some("mine\n"), "files stay as they are");
    std::fs::remove_file(scene.sandbox.work().join("bad.txt")).unwrap();
    scene.ok(&["finish", "wrote it"]);
    assert_eq!((scene.status_of(1).as_str(), scene.subjects()[0].as_str()), ("done", "One"));
    assert_eq!(scene.files_of("HEAD"), ["one.txt"]);
    assert_eq!(scene.changed(), "");
}

#[test]
fn work_by_hand_can_be_given_up_and_is_kept() {
    let scene = Scene::new("exit 1");
    scene.task("One", &[]);
    scene.ok(&["begin", "1"]);
    scene.sandbox.write("half.txt", "half\n");
    let given_up = scene.ask(&["finish", "--give-up", "--json"]);
    assert_eq!((scene.status_of(1).as_str(), scene.read("half.txt")), ("pending", None));
    let kept = given_up["kept"].as_str().unwrap();
    assert_eq!(scene.sandbox.git("", &["show", &format!("{kept}:half.txt")]), "half\n");
    assert_eq!(scene.shown(1)["attempts"], 0, "it counts as no attempt");
    assert_eq!(scene.run(&["finish"]).code, 2);
}

#[test]
fn a_handoff_says_where_things_stand() {
    let scene = Scene::new("echo $task > $task.txt; [ $task = 2 ] && exit 1; complete done");
    scene.task("One", &[]);
    scene.task("Two", &[]);
    scene.task("Three", &[2]);
    scene.task("Four", &[]);
    let output = scene.start(&["--max-attempts", "1", "--task", "2", "--handoff", ".git/handoff.md"]);
    assert_eq!(output.code, 4, "{output:?}");
    let text = scene.read(".git/handoff.md").unwrap();
    assert!(text.contains("0 of 4 tasks are done."), "{text}");
    assert!(text.contains("## Blocked\n\n- #2 Two: failed; the agent failed (exit 1)"), "{text}");
    assert!(text.contains("- #3 Three"), "{text}");
    assert!(text.contains("## Next\n\n- #1 One\n- #4 Four"), "{text}");
    let printed = scene.ok(&["handoff"]).stdout;
    assert_eq!(printed.trim(), text.trim());
}
