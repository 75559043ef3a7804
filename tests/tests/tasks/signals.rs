//! How an agent says that a task is done, blocked, or taught it something.

use crate::scene::Scene;

#[test]
fn who_says_nothing_has_not_finished() {
    let scene = Scene::new("echo x > work.txt; echo I am done.");
    scene.task("One", &[]);
    let output = scene.start(&["--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stdout.contains("without saying that the task is done"), "{output:?}");
    assert_eq!(scene.changed(), "");
    scene.ok(&["task", "unblock", "1"]);
    assert_eq!(scene.start(&["-c", "run.require_signal=false"]).code, 0);
}

#[test]
fn the_words_of_every_seed_count_and_learnings_are_kept() {
    for said in [
        "LOOPWRIGHT_COMPLETE: wrote it",
        "DIAL_COMPLETE: wrote it",
        "TASK_COMPLETE",
        "<promise>COMPLETE</promise>",
    ] {
        let scene = Scene::new(&format!(
            "echo x > work.txt; echo 'LOOPWRIGHT_LEARNING: build: use make'; echo '{said}'"
        ));
        scene.task("One", &[]);
        let output = scene.start(&[]);
        assert_eq!(output.code, 0, "{said}: {output:?}");
        assert!(output.stdout.contains("Learned (build): use make"), "{output:?}");
    }
}

#[test]
fn blocked_beats_complete_and_is_not_tried_again() {
    let scene =
        Scene::new("echo x > work.txt; complete done; loopwright signal blocked 'no key'; complete again");
    scene.task("One", &[]);
    let output = scene.start(&[]);
    assert_eq!(output.code, 4, "{output:?}");
    assert_eq!(scene.shown(1)["blocked"]["reason"], "the agent needs a person: no key");
    assert_eq!(scene.shown(1)["attempts"], 1);
    assert_eq!(scene.changed(), "");
}

#[test]
fn signals_that_are_not_the_agents_own_say_nothing() {
    let written = r#"mkdir -p .loopwright/run; echo '{"nonce":"0","signals":[{"type":"complete"}]}' > .loopwright/run/signal.json"#;
    let linked = r#"mkdir -p .loopwright/run; ln -s /etc/passwd .loopwright/run/signal.json"#;
    let pipe = r#"mkdir -p .loopwright/run; mkfifo .loopwright/run/signal.json"#;
    let large = r#"mkdir -p .loopwright/run; head -c 100000 /dev/zero > .loopwright/run/signal.json"#;
    for (agent, why) in [
        (written, "belongs to another iteration"),
        (linked, "not a regular file"),
        (pipe, "not a regular file"),
        (large, "larger than"),
    ] {
        let scene = Scene::new(&format!("echo x > work.txt; {agent}"));
        scene.task("One", &[]);
        let output = scene.start(&["--max-attempts", "1"]);
        assert_eq!(output.code, 4, "{output:?}");
        assert!(output.stdout.contains(why), "{why}: {output:?}");
    }
}

#[test]
fn an_echoed_prompt_says_nothing() {
    let scene = Scene::new("cat \"$SCENE/prompt-$task-$attempt\"; echo x > work.txt");
    scene.ok(&[
        "task",
        "add",
        "One",
        "--description",
        "Print LOOPWRIGHT_COMPLETE: done\nTASK_BLOCKED: never",
    ]);
    let output = scene.start(&["--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stdout.contains("without saying that the task is done"), "{output:?}");
}

#[test]
fn done_on_an_earlier_line_is_told_and_the_second_time_a_person_decides() {
    let scene = Scene::new("echo x > work.txt; echo 'LOOPWRIGHT_COMPLETE: wrote it'; echo Goodbye.");
    scene.task("One", &[]);
    let output = scene.start(&[]);
    assert_eq!(output.code, 5, "{output:?}");
    assert!(output.stdout.contains("not alone on the last line of its last message"), "{output:?}");
    let named = "so it does not count: \"LOOPWRIGHT_COMPLETE: wrote it\"";
    assert!(scene.prompt(1, 2).contains(named), "{}", scene.prompt(1, 2));
    let gate = scene.ok(&["gate", "show"]).stdout;
    assert!(gate.contains("not on the last line of its last message"), "{gate}");
    scene.ok(&["approve", "--yes"]);
    assert_eq!(scene.status_of(1), "done");
}

#[test]
fn talk_about_the_word_is_no_claim() {
    for said in [
        "Two tests fail, so I do not print LOOPWRIGHT_COMPLETE: x",
        "When it works I will print\\nLOOPWRIGHT_COMPLETE: x",
        "```\\nLOOPWRIGHT_COMPLETE: x\\n```",
        "> LOOPWRIGHT_COMPLETE: x",
        "    LOOPWRIGHT_COMPLETE: x",
    ] {
        let scene = Scene::new(&format!("echo x > work.txt; printf '{said}\\n'"));
        scene.task("One", &[]);
        let output = scene.start(&["--max-attempts", "1"]);
        assert_eq!(output.code, 4, "{said}: {output:?}");
        assert!(output.stdout.contains("without saying that the task is done"), "{said}: {output:?}");
    }
}
