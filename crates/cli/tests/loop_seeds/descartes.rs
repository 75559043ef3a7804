//! Descartes' iterative loop: its commands, options and ways to end, each as a test. SCUD and waves come with tasks.

use std::fs;

use crate::place::{ProjectFolder, events, exit_codes};

const DONE: &str = "echo '<promise>COMPLETE</promise>'\n";

#[test]
fn descartes_quick_start_runs_until_the_promise_is_printed() {
    let place = ProjectFolder::git("");
    let script = r#"
        cat > ../prompt-$LOOPWRIGHT_ATTEMPT
        echo "Tea number $LOOPWRIGHT_ATTEMPT" >> menu.txt
        test $LOOPWRIGHT_ATTEMPT -lt 3 || printf 'All teas are there.\n<promise>COMPLETE</promise>\n'
    "#;
    let output = place.start_loop(script, &["--max-iterations", "20"]);
    let run = place.last_run();
    assert_eq!((output.code, &run["iteration"]), (0, &3.into()), "{}", output.stdout);
    assert_eq!((&run["exit_reason"], &run["completed"]), (&"promise".into(), &true.into()));
    assert_eq!(run["completion_text"], "<promise>COMPLETE</promise>");
    assert_eq!(run["completion_detected_at"], run["iteration_summaries"][2]["completed_at"]);
    assert!(!place.told("prompt-1").contains("ITERATION CONTEXT"));
    assert!(place.told("prompt-2").contains("ITERATION CONTEXT"));
    assert_eq!(place.sandbox.read("menu.txt").lines().count(), 4, "each agent saw the work before it");
}

#[test]
fn descartes_command_and_prompt_are_required() {
    let place = ProjectFolder::plain("");
    let output = place.run(&["loop", "--command", "true"]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("--prompt"), "{}", output.stderr);
    let empty = place.run(&["loop", "--command", "true", "--prompt", " \n"]);
    assert!(empty.code == 2 && empty.stderr.contains("the prompt is empty"), "{}", empty.stderr);
    let nothing = place.run(&["loop", "--command", "", "--prompt", "Build it."]);
    assert_eq!(nothing.code, 2, "{}", nothing.stderr);
}

#[test]
fn descartes_the_command_is_split_by_shell_words_and_never_given_to_a_shell() {
    let place = ProjectFolder::plain("");
    let agent = place.agent("for word; do echo \"[$word]\"; done > ../words\n");
    let command = format!("{agent} 'two words' \"$HOME\" '*' a\\ b ; touch pwned");
    place.run(&["loop", "--prompt", "Build it.", "-n", "1", "--command", &command]);
    assert_eq!(place.told("words"), "[two words]\n[$HOME]\n[*]\n[a b]\n[;]\n[touch]\n[pwned]\n");
    assert!(place.file("pwned").is_none());
}

#[test]
fn descartes_completion_promise_is_complete_by_default_and_can_be_another_word() {
    let place = ProjectFolder::plain("");
    assert_eq!(place.start_loop(DONE, &[]).code, 0);
    assert_eq!(place.start_loop(DONE, &["--completion-promise", "DONE", "-n", "1"]).code, 3);
    let script = "echo '<promise>TASK_COMPLETE</promise>'\n";
    let output = place.start_loop(script, &["--completion-promise", "TASK_COMPLETE"]);
    assert_eq!((output.code, &place.last_run()["exit_reason"]), (0, &"promise".into()));
    assert!(place.prompt(1).contains("<promise>TASK_COMPLETE</promise>"));
}

#[test]
fn descartes_max_iterations_are_20_by_default() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("true\n", &[]);
    assert_eq!((output.code, &place.last_run()["iteration"]), (3, &20.into()));
}

#[test]
fn descartes_max_iterations_reached() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("true\n", &["--max-iterations", "2"]);
    assert_eq!(output.code, 3, "the goal is unmet");
    let run = place.last_run();
    assert_eq!((&run["exit_reason"], &run["completed"]), (&"max_iterations".into(), &false.into()));
    assert_eq!(run["message"], "reached max iterations: 2");
    assert!(run["completion_detected_at"].is_null());
}

/// A bare number is seconds, as in Descartes; units may be written.
#[test]
fn descartes_timeout_per_iteration_is_in_seconds() {
    let place = ProjectFolder::plain("");
    for time in ["1", "1s", "900ms"] {
        let output = place.start_loop("exec sleep 300\n", &["--timeout", time, "-n", "1"]);
        assert!(output.stdout.contains("the agent took too long and was stopped"), "{}", output.stdout);
        assert_eq!(place.iteration(1)["iteration"]["end"], "wall_timeout");
    }
}

#[test]
fn descartes_working_dir_is_where_the_agent_works() {
    let place = ProjectFolder::plain("");
    fs::create_dir_all(place.sandbox.work().join("kitchen/stove")).unwrap();
    place.start_loop("touch here\n", &["--working-dir", "kitchen/stove", "-n", "1"]);
    assert!(place.file("kitchen/stove/here").is_some());
    let outside = place.start_loop("true\n", &["--working-dir", ".."]);
    assert!(outside.code == 2 && outside.stderr.contains("not inside the project"), "{}", outside.stderr);
    let elsewhere = place.sandbox.root().join("elsewhere");
    fs::create_dir_all(elsewhere.join(".loopwright")).unwrap();
    let agent = place.agent("touch there\n");
    let folder = elsewhere.display().to_string();
    place.run(&["-C", &folder, "loop", "--prompt", "Build it.", "--command", &agent, "-n", "1"]);
    assert!(elsewhere.join("there").exists(), "another project: -C");
}

/// Descartes' default is `arg`; here it is `stdin`, which has no limit of length.
#[test]
fn descartes_prompt_modes_arg_stdin_env_and_file() {
    let place = ProjectFolder::plain("");
    for (mode, script) in [
        ("stdin", "cat > ../got\n"),
        ("arg", "printf %s \"$1\" > ../got\n"),
        ("env", "printf %s \"$LOOPWRIGHT_PROMPT\" > ../got\n"),
        ("file", "cat \"$LOOPWRIGHT_PROMPT_FILE\" > ../got\n"),
    ] {
        place.start_loop(script, &["--prompt-mode", mode, "-n", "1"]);
        assert_eq!(place.told("got").trim_end(), place.prompt(1).trim_end(), "{mode}");
        fs::remove_file(place.beside("got")).unwrap();
    }
}

#[test]
fn descartes_status_shows_iteration_start_completion_and_exit_reason() {
    let place = ProjectFolder::plain("");
    let live = place.launch_loop("touch ../started; exec sleep 300\n", &["-n", "5"]);
    live.wait_for("started");
    let run = place.last_run();
    assert_eq!((&run["iteration"], &run["completed"]), (&0.into(), &false.into()));
    assert_eq!((&run["exit_reason"], &run["max_iterations"]), (&"running".into(), &5.into()));
    assert_eq!(run["config"]["promise"], "COMPLETE");
    let human = place.run(&["status"]).stdout;
    assert!(human.contains("Run loop: Build it.  running") && human.contains("phase running"), "{human}");
    live.signal("INT");
    live.signal("INT");
    live.end();
}

#[test]
fn descartes_resume_takes_up_an_interrupted_loop_with_its_own_options() {
    let place = ProjectFolder::plain("");
    let script = r#"
        cat > /dev/null
        echo "$LOOPWRIGHT_AUTOMATION $MODE" >> ../ran
        test $LOOPWRIGHT_ATTEMPT != 1 || loopwright pause --after-iteration
        test $LOOPWRIGHT_ATTEMPT != 3 || echo '<promise>SERVED</promise>'
    "#;
    let more = ["-n", "9", "--completion-promise", "SERVED", "--automation", "yolo"];
    let live = place.launch_loop(script, &more);
    live.wait_for_words("Paused.");
    live.signal("INT");
    live.end();
    let output = place.run(&["resume"]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    assert_eq!(place.told("ran"), "yolo \nyolo \nyolo \n");
    let run = place.last_run();
    assert_eq!((&run["iteration"], &run["max_iterations"]), (&3.into(), &9.into()));
    assert_eq!(place.run(&["history", "--json"]).stdout.matches("\"id\"").count(), 1, "the same run");
}

#[test]
fn descartes_cancel_ends_a_running_loop_and_its_agent() {
    let place = ProjectFolder::plain("");
    let live = place.launch_loop("echo $$ > ../pid; touch ../started; exec sleep 300\n", &[]);
    live.wait_for("started");
    assert_eq!(place.run(&["cancel"]).code, 0);
    let output = live.end();
    assert_eq!(output.code, 130);
    assert!(output.stdout.contains("Cancelled."), "{}", output.stdout);
    assert!(!crate::place::alive(&place, &place.told("pid")));
    let run = place.last_run();
    assert_eq!((&run["status"], &run["exit_reason"]), (&"cancelled".into(), &"cancelled".into()));
}

#[test]
fn descartes_tagged_promise_is_recognised() {
    let place = ProjectFolder::plain("");
    for line in [
        "<promise>COMPLETE</promise>",
        "**<promise>COMPLETE</promise>**",
        "Done.\\n<promise> COMPLETE </promise>",
        "\\033[32m<promise>COMPLETE</promise>\\033[0m",
    ] {
        let output = place.start_loop(&format!("printf '{line}\\n'\n"), &["-n", "1"]);
        assert_eq!(output.code, 0, "{line}");
    }
}

/// In Descartes the plain word counts always; here only when asked for, and only as a line of its own.
#[test]
fn descartes_plain_text_promise_counts_case_insensitively_with_plain_promise_only() {
    let place = ProjectFolder::plain("");
    assert_eq!(place.start_loop("echo Complete\n", &["-n", "1"]).code, 3);
    let output = place.start_loop("echo Complete\n", &["-n", "1", "--plain-promise"]);
    assert_eq!((output.code, &place.last_run()["exit_reason"]), (0, &"promise".into()));
    let talk = place.start_loop("echo The work is complete, I think\n", &["-n", "1", "--plain-promise"]);
    assert_eq!(talk.code, 3, "a word in a sentence is no promise");
}

/// Descartes calls both `UserCancelled`; here Ctrl-C can be resumed and `cancel` cannot.
#[test]
fn descartes_user_cancelled_by_ctrl_c_is_interrupted_and_by_cancel_is_cancelled() {
    let place = ProjectFolder::plain("");
    let live = place.launch_loop("touch ../started; exec sleep 300\n", &[]);
    live.wait_for("started");
    live.signal("INT");
    live.signal("INT");
    live.end();
    assert_eq!(place.last_run()["exit_reason"], "interrupted");
    assert_eq!(place.run(&["cancel"]).code, 0, "also when nobody works on it");
    assert_eq!(place.last_run()["exit_reason"], "cancelled");
    assert_eq!(place.run(&["resume"]).code, 2, "cancelled is for good");
}

#[test]
fn descartes_process_success_when_no_promise_is_configured() {
    let place = ProjectFolder::plain("");
    let script = "test $LOOPWRIGHT_ATTEMPT = 2\n";
    let output = place.start_loop(script, &["--completion-promise", ""]);
    let run = place.last_run();
    assert_eq!((output.code, &run["exit_reason"]), (0, &"process_success".into()), "{}", output.stdout);
    assert_eq!(exit_codes(&run), [Some(1), Some(0)]);
    assert!(!place.prompt(1).contains("<promise>COMPLETE"), "none is asked for");
}

#[test]
fn descartes_error_when_the_command_cannot_be_executed() {
    let place = ProjectFolder::plain("");
    let missing = place.run(&["loop", "--prompt", "Build it.", "--command", "no-such-agent -p"]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("\"no-such-agent\" was not found"), "{}", missing.stderr);
    assert!(place.last_run().is_null(), "nothing was begun");
    // A program that goes away while the run works fails its iterations, in words.
    let tool = place.beside("tool");
    fs::write(&tool, "#!/bin/sh\nrm -f \"$0\"\n").unwrap();
    fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let command = tool.display().to_string();
    let output = place.run(&["loop", "--prompt", "Build it.", "--command", &command, "-n", "9"]);
    assert_eq!(output.code, 1);
    assert!(output.stdout.contains("the agent could not be started: "), "{}", output.stdout);
    assert_eq!(place.last_run()["exit_reason"], "failure_threshold");
}

#[test]
fn descartes_iteration_context_from_the_second_iteration_on() {
    let place = ProjectFolder::plain("");
    place.start_loop("true\n", &["-n", "3"]);
    assert!(!place.prompt(1).contains("ITERATION CONTEXT"));
    let third = place.prompt(3);
    for line in [
        "ITERATION CONTEXT:",
        "- This is iteration 3 of 3",
        "- Your previous work persists in files and git history",
        "- Output <promise>COMPLETE</promise> when the task is completely finished",
    ] {
        assert!(third.lines().any(|own| own == line), "{line:?} in {third}");
    }
}

#[test]
fn descartes_include_iteration_context_can_be_switched_off() {
    let place = ProjectFolder::plain("[loop]\ninclude_iteration_context = false\n");
    place.start_loop("true\n", &["-n", "2"]);
    assert_eq!(place.prompt(1), place.prompt(2));
}

#[test]
fn descartes_the_last_iteration_is_in_the_summaries() {
    let place = ProjectFolder::plain("");
    let output =
        place.start_loop("echo Looking at the menu.; echo '<promise>COMPLETE</promise>'\n", &["--json"]);
    let summaries = &place.last_run()["iteration_summaries"];
    assert_eq!(summaries.as_array().unwrap().len(), 1);
    assert_eq!(summaries[0]["output_preview"], "Looking at the menu.\n<promise>COMPLETE</promise>");
    assert_eq!(summaries[0]["promise_checked"], true);
    assert_eq!(events(&output).last().unwrap()["reason"], "promise");
}
