//! What dun, Descartes and rooda get wrong in loop, git, processes and checks: each test fails on that behaviour.

use std::fs;

use loopwright_testkit::eventually;

use crate::place::{ProjectFolder, alive, exit_codes};

const DONE: &str = "echo '<promise>COMPLETE</promise>'\n";

#[test]
fn dun_max_iterations_does_not_end_with_0() {
    let place = ProjectFolder::plain("[[checks]]\nname = \"tests\"\ncommand = \"false\"\n").trusted();
    let output = place.start_fix("true\n", &["-n", "1"]);
    assert_eq!(output.code, 3, "{}", output.stdout);
}

#[test]
fn dun_the_prompt_tells_the_agent_about_the_exit_signal() {
    let place = ProjectFolder::plain("");
    let dry = place.start_loop("true\n", &["--dry-run"]).stdout;
    assert!(dry.contains("EXIT_SIGNAL: true") && dry.contains("loopwright signal complete"), "{dry}");
}

#[test]
fn dun_talk_about_the_exit_signal_is_none() {
    let place = ProjectFolder::plain("");
    for words in [
        "I will print EXIT_SIGNAL: true when it is done.",
        "EXIT_SIGNAL: true\\nBut one thing is left.",
        "EXIT_SIGNAL: false",
        "EXIT_SIGNAL: true or not",
    ] {
        let output = place.start_loop(&format!("printf '{words}\\n'\n"), &["-n", "1"]);
        assert_eq!(output.code, 3, "{words}");
    }
}

#[test]
fn dun_the_configured_timeout_is_used_in_the_loop() {
    let place = ProjectFolder::plain("[agent]\ntimeout = \"1s\"\n");
    place.start_loop("exec sleep 300\n", &["-n", "1"]);
    assert_eq!(place.iteration(1)["iteration"]["end"], "wall_timeout");
}

#[test]
fn dun_failures_of_the_harness_do_not_go_on_for_ever() {
    let place = ProjectFolder::plain("[[checks]]\nname = \"tests\"\ncommand = \"false\"\n").trusted();
    let output = place.start_fix("exit 1\n", &[]);
    assert_eq!((output.code, &place.last_run()["iteration"]), (1, &3.into()), "{}", output.stdout);
}

/// dun's status check fails as soon as an agent edits; nothing here asks for a clean tree unless it is switched on.
#[test]
fn dun_an_agent_that_edits_without_committing_fails_no_check() {
    let place = ProjectFolder::git("[[checks]]\nname = \"tests\"\ncommand = \"test -e good\"\n").trusted();
    let output = place.start_fix("touch good\n", &[]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "?? good\n");
}

#[test]
fn descartes_incomplete_is_not_complete() {
    let place = ProjectFolder::plain("");
    for words in [
        "The work is incomplete.",
        "INCOMPLETE",
        "<promise>INCOMPLETE</promise>",
        "completed",
        "not COMPLETE yet",
    ] {
        let output = place.start_loop(&format!("echo '{words}'\n"), &["-n", "1", "--plain-promise"]);
        assert_eq!(output.code, 3, "{words}");
    }
}

#[test]
fn talk_about_the_promise_does_not_end_a_loop() {
    let place = ProjectFolder::plain("");
    for words in [
        "Two tests fail, so I do not print `<promise>COMPLETE</promise>`",
        "Two tests fail, so I do not print\\n<promise>COMPLETE</promise>",
        "When it works I will say:\\n<promise>COMPLETE</promise>",
        "````\\n```\\n<promise>COMPLETE</promise>\\n```\\n````",
        "An example:\\n```\\n<promise>COMPLETE</promise>",
        "An example:\\n\\n    <promise>COMPLETE</promise>",
        "All is done. <promise>COMPLETE</promise>",
    ] {
        let output = place.start_loop(&format!("printf '{words}\\n'\n"), &["-n", "1"]);
        assert_eq!(output.code, 3, "{words}: {}", output.stdout);
        assert!(!output.stdout.contains("does not count"), "{words}: {}", output.stdout);
    }
}

#[test]
fn a_promise_on_an_earlier_line_is_told_and_named_in_the_next_prompt() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("echo '<promise>COMPLETE</promise>'; echo Bye.\n", &["-n", "3"]);
    assert_eq!(output.code, 5, "the second time a person decides: {}", output.stdout);
    assert!(!output.stdout.contains("Iteration 3/3"), "{}", output.stdout);
    let told = "not alone on the last line of its last message";
    assert!(output.stdout.contains(told), "{}", output.stdout);
    let named = format!("{told}, so it does not count: \"<promise>COMPLETE</promise>\"");
    assert!(place.prompt(2).contains(&named), "{}", place.prompt(2));
}

#[test]
fn parts_of_an_echoed_prompt_do_not_end_a_loop() {
    let place = ProjectFolder::plain("");
    let prompt = "Build it. When all is done, print:\n<promise>COMPLETE</promise>\nThen stop.";
    for echo in ["head -n 2", "tac", "nl -ba | head -n 2", "sed 's/^/> /' | head -n 2", "sort | tail -n 3"] {
        let agent = place.agent(&format!("cat | {echo}\n"));
        let output = place.run(&["loop", "--prompt", prompt, "--command", &agent, "-n", "1"]);
        assert_eq!(output.code, 3, "{echo}: {}", output.stdout);
    }
    let agent = place.agent("cat; echo Built.; echo '<promise>COMPLETE</promise>'\n");
    let output = place.run(&["loop", "--prompt", prompt, "--command", &agent, "-n", "1"]);
    assert_eq!(output.code, 0, "{}", output.stdout);
}

#[test]
fn descartes_stdin_as_prompt_mode_is_there() {
    let place = ProjectFolder::plain("");
    place.start_loop("cat > ../got\n", &["-n", "1", "--prompt-mode", "stdin"]);
    assert_eq!(place.told("got").trim_end(), place.prompt(1).trim_end());
}

#[test]
fn descartes_a_full_stderr_does_not_stop_the_agent() {
    let place = ProjectFolder::plain("");
    let script = r#"
        head -c 3000000 /dev/zero | tr '\0' 'e' | fold -w 1000 >&2
        head -c 3000000 /dev/zero | tr '\0' 'o' | fold -w 1000
        echo
        echo '<promise>COMPLETE</promise>'
    "#;
    let output = place.start_loop(script, &["--timeout", "60"]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    assert!(place.run(&["log", "1", "--part", "stderr"]).stdout.len() > 2_900_000);
}

#[test]
fn descartes_a_timeout_ends_more_than_the_direct_child() {
    let place = ProjectFolder::plain("");
    let script = "sh -c 'sh -c \"echo \\$\\$ > ../grandchild; exec sleep 300\" & wait' & wait\n";
    place.start_loop(script, &["--timeout", "1500ms", "-n", "1"]);
    let pid = place.told("grandchild");
    assert!(!pid.is_empty());
    eventually("the grandchild is gone", || !alive(&place, &pid));
}

#[test]
fn descartes_a_new_start_does_not_take_over_the_count_of_an_old_one() {
    let place = ProjectFolder::plain("");
    place.start_loop("true\n", &["-n", "2"]);
    let first = place.last_run();
    place.start_loop("echo $LOOPWRIGHT_ATTEMPT >> ../ran\n", &["-n", "2"]);
    let second = place.last_run();
    assert_eq!(place.told("ran"), "1\n2\n");
    assert_eq!(second["iteration"], 2);
    assert_ne!(first["run"], second["run"]);
}

#[test]
fn descartes_cancel_is_read_by_the_running_loop_and_not_overwritten() {
    let place = ProjectFolder::plain("");
    let script = "echo x >> ../ran; touch ../started; while [ ! -e ../go ]; do sleep 0.05; done\n";
    let live = place.launch_loop(script, &[]);
    live.wait_for("started");
    place.run(&["cancel"]);
    fs::write(place.beside("go"), "").unwrap();
    assert_eq!(live.end().code, 130);
    assert_eq!(place.told("ran"), "x\n");
    assert_eq!(place.last_run()["status"], "cancelled");
}

#[test]
fn descartes_a_finished_loop_is_not_resumed() {
    let place = ProjectFolder::plain("");
    place.start_loop(DONE, &[]);
    let output = place.run(&["resume"]);
    assert!(output.code == 2 && output.stderr.contains("cannot be resumed"), "{}", output.stderr);
    assert_eq!(place.last_run()["iteration"], 1);
}

#[test]
fn descartes_the_last_iteration_is_summarised_and_committed() {
    let place = ProjectFolder::git("");
    place.start_loop(&format!("echo x >> menu.txt; {DONE}"), &["--auto-commit"]);
    assert_eq!(place.sandbox.git("", &["log", "-1", "--format=%s"]), "loop: iteration 1\n");
    assert_eq!(place.last_run()["iteration_summaries"][0]["outcome"], "succeeded");
}

#[test]
fn descartes_verification_runs_once_and_has_a_timeout() {
    let config = "[[checks]]\nname = \"tests\"\ncommand = \"sh -c 'echo x >> ../checked'\"\n";
    let place = ProjectFolder::plain(config).trusted();
    assert_eq!(place.start_loop(DONE, &["--baseline", "skip"]).code, 0);
    assert_eq!(place.told("checked"), "x\n");
    place.sandbox.write(
        ".loopwright/config.toml",
        "[[checks]]\nname = \"slow\"\ncommand = \"sleep 300\"\ntimeout = \"1s\"\n",
    );
    let place = place.trusted();
    assert_eq!(place.start_loop(DONE, &["-n", "1"]).code, 3);
}

#[test]
fn descartes_failed_work_and_the_users_untracked_files_are_not_cleaned_away() {
    let place = ProjectFolder::git("");
    place.sandbox.write("mine.txt", "untracked\n");
    place.sandbox.write("secret.log", "ignored\n");
    place.sandbox.write(".git/info/exclude", "*.log\n");
    place.start_loop("echo half > half.txt; exit 1\n", &["--dirty", "include"]);
    for (name, text) in [("mine.txt", "untracked\n"), ("secret.log", "ignored\n"), ("half.txt", "half\n")] {
        assert_eq!(place.file(name).as_deref(), Some(text), "{name}");
    }
}

/// rooda's 2 for "iterations used up" is 3 here; 2 is usage.
#[test]
fn rooda_exit_codes_for_limits_and_interruption_are_returned() {
    let place = ProjectFolder::plain("");
    assert_eq!(place.start_loop("true\n", &["-n", "1"]).code, 3);
    assert_eq!(place.start_loop("exit 1\n", &[]).code, 1);
    let live = place.launch_loop("touch ../started; exec sleep 300\n", &[]);
    live.wait_for("started");
    live.signal("INT");
    live.signal("INT");
    assert_eq!(live.end().code, 130);
    let _ = fs::remove_file(place.beside("started"));
    let live = place.launch_loop("touch ../started; exec sleep 300\n", &["--new"]);
    live.wait_for("started");
    live.signal("TERM");
    live.signal("TERM");
    assert_eq!(live.end().code, 143);
}

#[test]
fn rooda_a_wrong_setting_is_refused_before_anything_starts() {
    for config in
        ["[loop]\nmax_iterations = -1\n", "[loop]\nfailure_treshold = 3\n", "[agent]\ntimeout = \"soon\"\n"]
    {
        let place = ProjectFolder::plain(config);
        let output = place.start_loop("touch ../started\n", &[]);
        assert_eq!(output.code, 2, "{config}");
        assert!(output.stderr.contains("config.toml"), "where it is: {}", output.stderr);
        assert!(!place.beside("started").exists());
    }
}

#[test]
fn rooda_settings_show_where_they_come_from_and_a_flag_can_switch_off_what_a_file_switches_on() {
    let place = ProjectFolder::plain("[loop]\nplain_promise = true\n");
    let shown = place.run(&["config", "show"]).stdout;
    assert!(shown.contains("plain_promise") && shown.contains("config.toml"), "{shown}");
    assert_eq!(place.start_loop("echo COMPLETE\n", &["-n", "1"]).code, 0);
    assert_eq!(place.start_loop("echo COMPLETE\n", &["-n", "1", "-c", "loop.plain_promise=false"]).code, 3);
}

#[test]
fn rooda_context_of_several_paragraphs_and_of_a_short_name_stays_whole() {
    let place = ProjectFolder::plain("");
    place.sandbox.write("a", "First.\n\nSecond.\n\n\nThird.\n");
    let output =
        place.start_loop("true\n", &["--dry-run", "--context", "a", "--context", "One.\n\nTwo."]).stdout;
    assert!(output.contains("Source: a\n\nFirst.\n\nSecond.\n\n\nThird.\n\n---\n\nOne.\n\nTwo."), "{output}");
}

#[test]
fn rooda_a_dry_run_shows_the_prompt_that_is_sent() {
    let place = ProjectFolder::plain("");
    place.sandbox.write("docs/how.md", "Brew it.\n");
    place.sandbox.write(".loopwright/procedures/brew.toml", "act = [{ file = \"docs/how.md\" }]\n");
    let agent = place.agent("cat > ../got\n");
    let start = ["loop", "--procedure", "brew", "--command", &agent, "-n", "1"];
    let dry = place.run(&[&start[..], &["--dry-run"]].concat()).stdout;
    place.run(&start);
    assert!(place.told("got").contains("Brew it."));
    assert!(dry.ends_with(&place.told("got")), "{dry}");
}

#[test]
fn rooda_an_interrupt_ends_more_than_the_direct_child() {
    let place = ProjectFolder::plain("");
    let live = place.launch_loop("sleep 300 & echo $! > ../child; touch ../started; wait\n", &[]);
    live.wait_for("started");
    live.signal("INT");
    live.signal("INT");
    live.end();
    let pid = place.told("child");
    eventually("the child is gone", || !alive(&place, &pid));
}

#[test]
fn rooda_a_signal_between_iterations_is_heeded_before_the_next_agent() {
    let place = ProjectFolder::plain("");
    // Its own process is the agent's parent: the signal comes just as the agent ends.
    let output = place.start_loop("echo x >> ../ran; kill -INT $PPID\n", &["-n", "9"]);
    assert_eq!(output.code, 130, "{}", output.stdout);
    assert_eq!(place.told("ran"), "x\n", "no other agent was started");
}

/// What is kept of a longer one has its limits in `run/transcript.rs` and `process/log.rs`.
#[test]
fn rooda_the_end_of_a_flood_of_output_is_read() {
    let place = ProjectFolder::plain("");
    let script =
        "head -c 8000000 /dev/zero | tr '\\0' 'x' | fold -w 5000; echo; echo '<promise>COMPLETE</promise>'\n";
    assert_eq!(place.start_loop(script, &[]).code, 0);
    let preview = place.last_run()["iteration_summaries"][0]["output_preview"].as_str().unwrap().len();
    assert_eq!(preview, 500);
    assert!(place.run(&["log"]).stdout.len() > 8_000_000);
}

#[test]
fn rooda_an_agent_that_quotes_its_prompt_does_not_end_the_loop() {
    let place = ProjectFolder::plain("");
    let script = r#"
        cat > "$TMPDIR/prompt"
        echo "You asked me:"
        cat "$TMPDIR/prompt"
        grep promise "$TMPDIR/prompt"
        echo 'I will print <promise>COMPLETE</promise> when I am done.'
    "#;
    let output = place.start_loop(script, &["-n", "2"]);
    assert_eq!(output.code, 3, "{}", output.stdout);
    assert_eq!(exit_codes(&place.last_run()), [Some(0), Some(0)]);
    assert_eq!(place.last_run()["consecutive_failures"], 0, "nor does the quoted failure tag fail it");
    let prompt = "Build it. When all is done, print:\n<promise>COMPLETE</promise>";
    let agent = place.agent("cat\n");
    let output = place.run(&["loop", "--prompt", prompt, "--command", &agent, "-n", "1"]);
    assert_eq!(output.code, 3, "a promise in the person's own words, said back: {}", output.stdout);
}

/// rooda: `<promise>SUCCESS</promise>` ends the loop whatever the exit code; FAILURE wins over it, as here.
#[test]
fn rooda_the_failure_promise_wins_and_fails_the_iteration() {
    let place = ProjectFolder::plain("");
    let script =
        "echo '<promise>COMPLETE</promise>'; echo '<promise>FAILURE</promise> the kettle is broken'\n";
    let output = place.start_loop(script, &[]);
    assert_eq!(output.code, 1);
    assert!(output.stdout.contains("the agent reported a failure: "), "{}", output.stdout);
    assert!(place.prompt(2).contains("the kettle is broken"), "the next iteration is told");
}
