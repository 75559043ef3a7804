//! rooda's acceptance criteria, each as a test.

use std::collections::BTreeSet;
use std::fs;

use loopwright_testkit::eventually;

use crate::common::json;
use crate::place::{ProjectFolder, alive, events, exit_codes, send};

/// Ends well, says nothing, changes nothing.
const IDLE: &str = "true\n";

/// The second iteration waits as long as the file `hold` is there; each leaves its number.
const HOLDS: &str = r#"
echo "$LOOPWRIGHT_ATTEMPT" >> ../ran
if [ "$LOOPWRIGHT_ATTEMPT" = 2 ] && [ -e ../hold ]; then
    echo $$ > ../waiting.new && mv ../waiting.new ../waiting
    exec sleep 300
fi
"#;

#[test]
fn rooda_the_loop_executes_until_max_iterations_ctrl_c_or_the_failure_threshold() {
    let place = ProjectFolder::plain("");
    assert_eq!(place.start_loop(IDLE, &["-n", "2"]).code, 3, "at a limit, the promise not given");
    assert_eq!(place.last_run()["exit_reason"], "max_iterations");
    assert_eq!(place.start_loop("exit 1\n", &[]).code, 1);
    assert_eq!(place.last_run()["exit_reason"], "failure_threshold");
    let live = place.launch_loop("touch ../started; exec sleep 300\n", &["-c", "agent.interrupt_grace=50ms"]);
    live.wait_for("started");
    live.signal("INT");
    assert_eq!(live.end().code, 130);
    assert_eq!(place.last_run()["exit_reason"], "interrupted");
}

#[test]
fn rooda_each_iteration_invokes_the_agent_as_a_separate_process_with_fresh_context() {
    let place = ProjectFolder::plain("");
    let script = r#"
        test -e "$TMPDIR/left" && touch ../shared
        touch "$TMPDIR/left"
        test -e .loopwright/run/signal.json && touch ../stale
        echo "$$ $TMPDIR $LOOPWRIGHT_ITERATION $LOOPWRIGHT_NONCE" >> ../seen
    "#;
    place.start_loop(script, &["-n", "3"]);
    let seen = place.told("seen");
    for column in 0..4 {
        let values: BTreeSet<&str> =
            seen.lines().filter_map(|line| line.split_whitespace().nth(column)).collect();
        assert_eq!(values.len(), 3, "column {column} of {seen}");
    }
    for line in seen.lines() {
        let temporary = line.split_whitespace().nth(1).unwrap();
        assert!(!fs::exists(temporary).unwrap(), "{temporary} was left");
    }
    assert!(!place.beside("shared").exists() && !place.beside("stale").exists());
}

#[test]
fn rooda_the_iteration_counter_is_0_indexed_inside_and_1_indexed_in_display() {
    let place = ProjectFolder::plain("");
    let human = place.start_loop(IDLE, &["-n", "2"]).stdout;
    assert!(human.contains("Iteration 1/2 starting") && human.contains("Iteration 2/2 completed"), "{human}");
    assert!(!human.contains("Iteration 0"), "{human}");
    let output = place.start_loop(IDLE, &["-n", "2", "--json"]);
    let numbers: Vec<_> = events(&output).iter().filter_map(|event| event["number"].as_u64()).collect();
    assert_eq!(numbers, [1, 1, 2, 2], "started and settled, twice");
    let run = place.last_run();
    assert_eq!(run["iteration"], 2, "raised after each settled iteration");
    assert_eq!(run["iteration_summaries"][1]["iteration"], 2);
}

#[test]
fn rooda_max_iterations_of_0_means_unlimited() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("test $LOOPWRIGHT_ATTEMPT -le 21\n", &["--max-iterations", "0"]);
    assert!(output.stdout.contains("unlimited iterations"), "{}", output.stdout);
    assert!(output.stdout.contains("] Iteration 22 starting..."), "{}", output.stdout);
    let run = place.last_run();
    assert_eq!((output.code, &run["iteration"], &run["max_iterations"]), (1, &24.into(), &0.into()));
    assert_eq!(run["exit_reason"], "failure_threshold");
}

#[test]
fn rooda_max_iterations_default_to_the_procedure_then_the_project_then_the_user_then_0() {
    let place = ProjectFolder::plain("");
    let agent = place.agent("exit 1\n");
    let max = |more: &[&str]| {
        let start =
            ["loop", "--procedure", "tidy", "--command", &agent, "--failure-threshold", "1", "--json"];
        events(&place.run(&[&start, more].concat()))[0]["max_iterations"].as_u64()
    };
    let procedure = |more: &str| {
        place
            .sandbox
            .write(".loopwright/procedures/tidy.toml", format!("act = [{{ text = \"Tidy.\" }}]\n{more}"))
    };
    procedure("");
    assert_eq!(max(&[]), Some(0), "nobody says: unlimited");
    fs::create_dir_all(place.sandbox.config_dir()).unwrap();
    fs::write(place.sandbox.config_dir().join("config.toml"), "[loop]\nmax_iterations = 6\n").unwrap();
    assert_eq!(max(&[]), Some(6), "the user says");
    place.sandbox.write(".loopwright/config.toml", "[loop]\nmax_iterations = 4\n");
    assert_eq!(max(&[]), Some(4), "the project says");
    procedure("max_iterations = 5\n");
    assert_eq!(max(&[]), Some(5), "the procedure says");
    assert_eq!(max(&["-n", "7"]), Some(7), "a flag says");
}

#[test]
fn rooda_progress_is_displayed_between_iterations_with_number_and_elapsed_time() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop(IDLE, &["-n", "2"]).stdout;
    for number in 1..=2 {
        let line = output.lines().find(|line| line.contains(&format!("Iteration {number}/2 completed in ")));
        let line = line.unwrap_or_else(|| panic!("{output}"));
        let clock: Vec<&str> = line[1..9].split(':').collect();
        assert!(clock.len() == 3 && clock.iter().all(|part| part.parse::<u32>().is_ok()), "{line}");
        let seconds = line.rsplit(' ').next().unwrap().trim_end_matches('s');
        assert!(seconds.parse::<f64>().is_ok(), "{line}");
    }
}

#[test]
fn rooda_the_exit_status_is_captured_and_checked_after_each_iteration() {
    let place = ProjectFolder::plain("");
    let script = "case $LOOPWRIGHT_ATTEMPT in 1) exit 0;; 2) exit 5;; *) kill -KILL $$;; esac\n";
    let output = place.start_loop(script, &["-n", "3"]).stdout;
    assert!(output.contains("the agent failed (exit 5), consecutive failures: 1/3"), "{output}");
    assert!(output.contains("the agent failed (signal 9), consecutive failures: 2/3"), "{output}");
    let run = place.last_run();
    assert_eq!(exit_codes(&run), [Some(0), Some(5), None]);
    let outcomes: Vec<_> =
        (0..3).map(|at| run["iteration_summaries"][at]["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["succeeded", "failed", "failed"]);
}

#[test]
fn an_agent_that_fails_is_told_with_the_last_line_of_its_error_output() {
    let place = ProjectFolder::plain("");
    let script = "echo 'loading' >&2; echo 'cannot read the model: no such file' >&2; echo >&2; exit 3\n";
    let output = place.start_loop(script, &["-n", "1"]).stdout;
    assert!(output.contains("the agent failed (exit 3): cannot read the model: no such file"), "{output}");
    let message = place.last_run()["iteration_summaries"][0]["message"].clone();
    assert_eq!(message, "the agent failed (exit 3): cannot read the model: no such file");
}

#[test]
fn rooda_the_loop_aborts_after_a_configurable_threshold_of_failures_by_default_3() {
    let place = ProjectFolder::plain("");
    for (more, failures) in [
        (&[] as &[_], 3),
        (&["--failure-threshold", "1"], 1),
        (&["-c", "loop.failure_threshold=2"], 2),
        (&["--failure-threshold", "0", "-n", "5"], 5),
    ] {
        let output = place.start_loop("exit 1\n", more);
        let run = place.last_run();
        assert_eq!(run["consecutive_failures"], failures, "{more:?}: {}", output.stdout);
        assert_eq!(run["iteration"], failures);
    }
}

#[test]
fn rooda_a_success_resets_the_consecutive_failures() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("exit $((LOOPWRIGHT_ATTEMPT % 3 != 0))\n", &["-n", "6"]).stdout;
    assert_eq!(output.matches("consecutive failures: 1/3").count(), 2, "{output}");
    let run = place.last_run();
    assert_eq!((&run["iteration"], &run["consecutive_failures"]), (&6.into(), &0.into()));
    assert_eq!(run["exit_reason"], "max_iterations");
}

#[test]
fn rooda_the_state_is_persisted_after_each_iteration() {
    let place = ProjectFolder::plain("");
    place.start_loop("loopwright status --json > ../state-$LOOPWRIGHT_ATTEMPT\n", &["-n", "3"]);
    for (name, settled) in [("state-1", 0), ("state-2", 1), ("state-3", 2)] {
        let state: serde_json::Value = serde_json::from_str(&place.told(name)).unwrap();
        assert_eq!(state["run"]["iteration"], settled, "{name}");
        assert_eq!(state["run"]["status"], "running");
        assert_eq!(state["run"]["elapsed_per_iteration"].as_array().unwrap().len(), settled, "{name}");
    }
}

/// Stops the second iteration in a way, then resumes; each iteration is carried out once, the stopped one again.
fn resume_after(stop: impl Fn(&ProjectFolder, &crate::place::Live<'_>, &str)) {
    let place = ProjectFolder::plain("");
    fs::write(place.beside("hold"), "").unwrap();
    let live = place.launch_loop(HOLDS, &["-n", "3", "-c", "agent.interrupt_grace=50ms"]);
    live.wait_for("waiting");
    let agent = place.told("waiting");
    stop(&place, &live, &agent);
    drop(live);
    assert_eq!(place.last_run()["status"], "interrupted");
    fs::remove_file(place.beside("hold")).unwrap();
    let output = place.run(&["resume"]);
    assert!(output.stdout.contains("Previous session: 1 iterations completed"), "{}", output.stdout);
    assert_eq!(place.told("ran"), "1\n2\n2\n3\n", "{}", output.stdout);
    let run = place.last_run();
    assert_eq!((&run["iteration"], &run["consecutive_failures"]), (&3.into(), &0.into()));
    eventually("the agent of the first session is gone", || !alive(&place, &agent));
}

#[test]
fn rooda_resume_after_ctrl_c() {
    resume_after(|_, live, _| {
        live.signal("INT");
        live.wait_for_words("Interrupted. State saved.");
    });
}

#[test]
fn rooda_resume_after_a_crash() {
    resume_after(|_, live, _| live.signal("KILL"));
}

#[test]
fn rooda_resume_after_a_reboot() {
    resume_after(|place, live, agent| {
        live.signal("KILL");
        send(place, "KILL", agent);
        eventually("the agent is gone", || !alive(place, agent));
    });
}

#[test]
fn rooda_dry_run_assembles_and_displays_the_prompt_without_executing() {
    let place = ProjectFolder::git("");
    place.run(&["status"]);
    let before = place.sandbox.git("", &["for-each-ref"]);
    let output = place
        .start_loop("touch ../started\n", &["--dry-run", "--verbose", "--auto-commit", "--create-branch"]);
    assert_eq!(output.code, 0);
    assert!(
        output.stdout.contains("Build it.") && output.stdout.contains("Token count:"),
        "{}",
        output.stdout
    );
    assert!(!place.beside("started").exists());
    assert_eq!(place.sandbox.git("", &["for-each-ref"]), before);
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "");
    assert!(!place.sandbox.work().join(".git/loopwright/runs").exists());
    assert!(place.last_run().is_null(), "no run was begun");
    let document = json(&place.start_loop("touch ../started\n", &["--dry-run", "--json"]));
    assert!(document["prompt"].as_str().unwrap().starts_with("Build it."));
}

#[test]
fn rooda_the_token_budget_is_validated_and_warned_about() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("touch ../started\n", &["-n", "1", "--token-budget", "5"]);
    assert!(output.stdout.contains("WARNING: the prompt is over its budget: "), "{}", output.stdout);
    assert!(place.beside("started").exists(), "warned about, and sent all the same");
    let dry = place.start_loop(IDLE, &["--dry-run", "--token-budget", "5"]).stdout;
    assert!(dry.contains("/ 5 budget (over budget)"), "{dry}");
}

/// "Finish current phase": an agent that ends within the grace ends by itself, and its work is taken up.
#[test]
fn rooda_graceful_shutdown_on_sigint_and_sigterm_finishes_the_phase_and_exits_cleanly() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let place = ProjectFolder::git("");
        let script = r#"
            echo "$LOOPWRIGHT_ATTEMPT" >> ../ran
            touch ../started
            while [ ! -e ../go ]; do sleep 0.05; done
            echo "Matcha 5.00" >> menu.txt
        "#;
        let live = place.launch_loop(script, &["-n", "2", "--auto-commit"]);
        live.wait_for("started");
        live.signal(signal);
        fs::write(place.beside("go"), "").unwrap();
        assert_eq!(live.end().code, code, "{signal}");
        assert_eq!(place.last_run()["status"], "interrupted");
        assert_eq!(place.run(&["resume"]).code, 3);
        assert_eq!(place.told("ran"), "1\n2\n", "the finished agent did not work twice");
        assert_eq!(
            place.sandbox.git("", &["rev-list", "--count", "HEAD"]).trim(),
            "3",
            "both were committed"
        );
    }
}

#[test]
fn rooda_quality_gates_run_after_the_agent_and_their_failures_count() {
    let place = ProjectFolder::plain("[[checks]]\nname = \"tests\"\ncommand = \"test -e good\"\n").trusted();
    let output = place.start_loop("test $LOOPWRIGHT_ATTEMPT -lt 3 || touch good\n", &["-n", "3"]).stdout;
    assert!(
        output.contains("checks failed: tests (red before this run), consecutive failures: 2/3"),
        "{output}"
    );
    let run = place.last_run();
    assert_eq!(exit_codes(&run), [Some(0), Some(0), Some(0)], "every agent ended well");
    let outcomes: Vec<_> =
        (0..3).map(|at| run["iteration_summaries"][at]["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["failed", "failed", "succeeded"]);
    assert_eq!(run["consecutive_failures"], 0);
}
