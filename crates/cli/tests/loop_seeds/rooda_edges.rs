//! rooda's table of edge cases, each row as a test.

use std::fs;

use loopwright_testkit::eventually;

use crate::place::{ProjectFolder, alive, exit_codes};

#[test]
fn rooda_edge_max_iterations_0_runs_until_ctrl_c() {
    let place = ProjectFolder::plain("");
    let script = "test $LOOPWRIGHT_ATTEMPT -lt 4 || touch ../fourth\n";
    let live = place.launch_loop(script, &["-n", "0", "-c", "loop.max_runtime="]);
    live.wait_for("fourth");
    live.signal("INT");
    assert_eq!(live.end().code, 130);
    let run = place.last_run();
    assert!(run["iteration"].as_u64() >= Some(3) && run["status"] == "interrupted", "{run}");
}

#[test]
fn rooda_edge_max_iterations_1_is_a_single_iteration_and_completed() {
    let place = ProjectFolder::plain("");
    place.sandbox.write(".loopwright/procedures/tidy.toml", "act = [{ text = \"Tidy.\" }]\n");
    let agent = place.agent("echo x >> ../ran\n");
    let output = place.run(&["loop", "--procedure", "tidy", "--command", &agent, "-n", "1"]);
    assert_eq!(output.code, 0, "a procedure without a promise that used its iterations is done");
    assert_eq!(place.told("ran"), "x\n");
    assert_eq!(place.last_run()["status"], "completed");
}

#[test]
fn rooda_edge_ctrl_c_during_the_agent_ends_it_and_resume_is_available() {
    let place = ProjectFolder::plain("");
    let script = "sleep 300 & echo $! > ../child; trap '' INT TERM; touch ../started; wait; sleep 300\n";
    let live = place.launch_loop(script, &[]);
    live.wait_for("started");
    live.signal("INT");
    live.signal("INT");
    let output = live.end();
    assert_eq!(output.code, 130);
    assert!(
        output.stdout.contains("Interrupted. State saved. Resume with: loopwright resume"),
        "{}",
        output.stdout
    );
    let child = place.told("child");
    eventually("the agent's own child is gone", || !alive(&place, &child));
    let run = place.last_run();
    assert_eq!((&run["status"], &run["iteration"]), (&"interrupted".into(), &0.into()));
    assert_eq!(run["consecutive_failures"], 0, "an interruption is no failure");
}

#[test]
fn rooda_edge_ctrl_c_during_quality_gates_ends_them_and_resume_runs_them_again() {
    let config = "[[checks]]\nname = \"tests\"\ncommand = \"sh check.sh\"\n";
    let place = ProjectFolder::plain(config);
    let check = "test ! -e ../hold || { echo $$ > ../check; sleep 300; }; echo x >> ../checked\n";
    place.sandbox.write("check.sh", check);
    let place = place.trusted();
    fs::write(place.beside("hold"), "").unwrap();
    let live =
        place.launch_loop("echo x >> ../ran; echo '<promise>COMPLETE</promise>'\n", &["--baseline", "skip"]);
    live.wait_for("check");
    live.signal("INT");
    assert_eq!(live.end().code, 130);
    let check = place.told("check");
    eventually("the check is gone", || !alive(&place, &check));
    fs::remove_file(place.beside("hold")).unwrap();
    assert_eq!(place.run(&["resume"]).code, 0);
    assert_eq!(
        (place.told("ran"), place.told("checked")),
        ("x\n".into(), "x\n".into()),
        "the agent not again"
    );
}

#[test]
fn rooda_edge_ctrl_c_between_iterations_saves_and_exits() {
    let place = ProjectFolder::plain("");
    let script = "echo x >> ../ran; loopwright pause --after-iteration\n";
    let live = place.launch_loop(script, &["-n", "5"]);
    live.wait_for_words("Paused.");
    assert_eq!(place.last_run()["status"], "paused");
    live.signal("INT");
    let output = live.end();
    assert_eq!(output.code, 130);
    assert_eq!(place.told("ran"), "x\n", "no other agent was started");
    let run = place.last_run();
    assert_eq!((&run["status"], &run["iteration"]), (&"interrupted".into(), &1.into()));
}

#[test]
fn rooda_edge_a_failing_agent_is_counted_and_the_loop_continues() {
    let place = ProjectFolder::plain("");
    place.start_loop("test $LOOPWRIGHT_ATTEMPT != 1\n", &["-n", "3"]);
    assert_eq!(exit_codes(&place.last_run()), [Some(1), Some(0), Some(0)]);
}

#[test]
fn rooda_edge_3_failures_abort_and_the_state_is_kept() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("echo sorry; exit 4\n", &["-n", "10"]);
    assert!(output.stdout.contains("ERROR: Aborting after 3 consecutive failures (3 iterations completed"));
    let run = place.last_run();
    assert_eq!((output.code, &run["status"], &run["iteration"]), (1, &"aborted".into(), &3.into()));
    assert_eq!(run["error"], "aborting after 3 consecutive failures");
    assert_eq!(run["iteration_summaries"][2]["output_preview"], "sorry");
}

#[test]
fn rooda_edge_success_after_2_failures_resets_the_counter_and_continues() {
    let place = ProjectFolder::plain("");
    place.start_loop("test $LOOPWRIGHT_ATTEMPT -gt 2\n", &["-n", "4"]);
    let run = place.last_run();
    assert_eq!((&run["consecutive_failures"], &run["iteration"]), (&0.into(), &4.into()));
}

#[test]
fn rooda_edge_a_running_loop_refuses_a_second_one() {
    let place = ProjectFolder::plain("");
    let live = place.launch_loop("touch ../started; exec sleep 300\n", &[]);
    live.wait_for("started");
    let second = place.start_loop("touch ../second\n", &[]);
    assert_eq!(second.code, 6, "{}", second.stderr);
    assert!(second.stderr.contains("process"), "it names who works here: {}", second.stderr);
    assert!(!place.beside("second").exists());
    assert_eq!(place.last_run()["status"], "running");
    live.signal("INT");
    live.signal("INT");
    assert_eq!(live.end().code, 130);
}

/// rooda leaves a crashed loop `running` for ever; here the system's lock tells who is alive.
#[test]
fn rooda_edge_running_status_left_by_a_crash_is_shown_as_interrupted() {
    let place = ProjectFolder::plain("");
    let live = place.launch_loop("touch ../started; exec sleep 300\n", &[]);
    live.wait_for("started");
    live.signal("KILL");
    drop(live);
    assert_eq!(place.last_run()["status"], "interrupted");
    let again = place.start_loop("exit 0\n", &["-n", "1", "--new"]);
    assert_eq!(again.code, 3, "no stale lock: {}", again.stderr);
}

#[test]
fn rooda_edge_an_interrupted_run_offers_resume_or_a_new_one() {
    let place = ProjectFolder::plain("");
    let live = place.launch_loop("touch ../started; exec sleep 300\n", &[]);
    live.wait_for("started");
    live.signal("INT");
    live.signal("INT");
    live.end();
    let asked = place.start_loop("touch ../asked\n", &[]);
    assert_eq!(asked.code, 2);
    assert!(asked.stderr.contains("--resume") && asked.stderr.contains("--new"), "{}", asked.stderr);
    assert!(!place.beside("asked").exists());
    assert_eq!(place.start_loop("touch ../new\n", &["--new", "-n", "1"]).code, 3);
    assert!(place.beside("new").exists());
}

#[test]
fn rooda_edge_resume_after_iteration_5_of_10_continues_with_6() {
    let place = ProjectFolder::plain("");
    let script = r#"
        echo "$LOOPWRIGHT_ATTEMPT" >> ../ran
        test "$LOOPWRIGHT_ATTEMPT" != 5 || loopwright pause --after-iteration
    "#;
    let live = place.launch_loop(script, &["-n", "10"]);
    live.wait_for_words("Paused.");
    live.signal("INT");
    live.end();
    let output = place.run(&["loop", "--resume"]);
    assert!(output.stdout.contains("from iteration 5 (max 10)"), "{}", output.stdout);
    assert!(output.stdout.contains("Iteration 6/10 starting..."), "{}", output.stdout);
    assert!(output.stdout.contains("10 iterations: mean "), "{}", output.stdout);
    assert_eq!(place.told("ran"), (1..=10).map(|number| format!("{number}\n")).collect::<String>());
    assert_eq!(place.last_run()["iteration"], 10);
}

#[test]
fn rooda_edge_a_prompt_over_budget_is_warned_about_and_sent() {
    let place = ProjectFolder::plain("[loop]\ntoken_budget = 3\n");
    let output = place.start_loop("cat > ../prompt; echo '<promise>COMPLETE</promise>'\n", &[]);
    assert_eq!(output.code, 0);
    assert_eq!(
        output.stdout.matches("WARNING: the prompt is over its budget").count(),
        1,
        "{}",
        output.stdout
    );
    assert!(place.told("prompt").starts_with("Build it."));
}

#[test]
fn rooda_edge_a_dry_run_of_a_missing_agent_says_so() {
    let place = ProjectFolder::plain("");
    let output = place.run(&["loop", "--prompt", "Build it.", "--command", "no-such-agent", "--dry-run"]);
    assert_eq!(output.code, 1);
    assert!(output.stderr.contains("no-such-agent"), "{}", output.stderr);
}

#[test]
fn rooda_edge_a_failing_gate_counts_as_a_failed_iteration_whatever_was_promised() {
    let place = ProjectFolder::plain("[[checks]]\nname = \"tests\"\ncommand = \"false\"\n").trusted();
    let output = place.start_loop("echo '<promise>COMPLETE</promise>'\n", &["-n", "10"]);
    let run = place.last_run();
    assert_eq!((output.code, &run["exit_reason"]), (1, &"failure_threshold".into()), "{}", output.stdout);
    assert_eq!((&run["consecutive_failures"], &run["completed"]), (&3.into(), &false.into()));
}

#[test]
fn rooda_edge_without_gates_only_the_exit_status_matters() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("echo 'error: everything is broken' >&2\n", &["-n", "1"]);
    assert!(!output.stdout.contains("failures") && !output.stdout.contains("check "), "{}", output.stdout);
    assert_eq!(place.last_run()["iteration_summaries"][0]["outcome"], "succeeded");
    assert_eq!(place.iteration(1)["checks"], serde_json::json!([]));
}

#[test]
fn rooda_edge_corrupt_state_is_warned_about_set_aside_and_begun_anew() {
    let place = ProjectFolder::plain("");
    place.start_loop("true\n", &["-n", "1"]);
    let state = place.sandbox.work().join(".loopwright/state");
    for sidecar in ["state.db-wal", "state.db-shm"] {
        let _ = fs::remove_file(state.join(sidecar));
    }
    fs::write(state.join("state.db"), "not a database at all").unwrap();
    let output = place.start_loop("true\n", &["-n", "1"]);
    assert_eq!(output.code, 3, "{}", output.stderr);
    assert!(output.stderr.contains("the state database was damaged"), "{}", output.stderr);
    let kept = fs::read_dir(&state).unwrap().filter_map(Result::ok);
    let damaged: Vec<_> =
        kept.filter(|file| file.file_name().to_string_lossy().contains("damaged")).collect();
    assert_eq!(damaged.len(), 1, "moved aside, not deleted");
    assert_eq!(place.last_run()["iteration"], 1);
}

/// A limit on the size of files stands for a full disk.
#[test]
fn rooda_edge_a_full_disk_is_told_and_the_loop_goes_on() {
    let place = ProjectFolder::plain("");
    place.start_loop("true\n", &["-n", "1"]);
    let agent = place.agent("echo x >> ../ran\n");
    let program = place.command(&[]).get_program().to_owned();
    let mut command = place.sandbox.command("sh");
    let limited = "trap '' XFSZ; ulimit -f 256; exec \"$@\"";
    command.args(["-c", limited, "sh"]).arg(program);
    command.args(["loop", "--prompt", "Build it.", "--command", &agent, "-n", "30"]);
    let output = place.sandbox.run(&mut command);
    assert!(output.stdout.contains("the state cannot be written, the run goes on without it"), "{output:?}");
    assert_eq!(output.code, 3, "{output:?}");
    assert_eq!(place.told("ran").lines().count(), 30, "every iteration was carried out");
}
