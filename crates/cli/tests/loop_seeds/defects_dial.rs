//! What DIAL gets wrong in loop, git, processes and checks: each test fails on that behaviour.

use std::fs;

use loopwright_testkit::eventually;

use crate::place::{ProjectFolder, alive, exit_codes};

#[test]
fn dial_1_a_stale_signal_of_a_crashed_agent_is_not_a_completion() {
    let place = ProjectFolder::plain("");
    let script = r#"
        case $LOOPWRIGHT_ATTEMPT in
            1) loopwright signal complete early; cp .loopwright/run/signal.json ../old; exit 7;;
            2) exit 7;;
            3) cp ../old .loopwright/run/signal.json; exit 0;;
        esac
    "#;
    let output = place.start_loop(script, &["-n", "3", "--failure-threshold", "9"]);
    assert_eq!(output.code, 3, "{}", output.stdout);
    assert_eq!(exit_codes(&place.last_run()), [Some(7), Some(7), Some(0)]);
    assert!(output.stdout.contains("the signal file belongs to another iteration"), "{}", output.stdout);
    assert!(place.file(".loopwright/run/signal.json").is_none(), "nothing is left for the next");
}

#[test]
fn dial_1_the_exit_code_outweighs_every_claim() {
    let place = ProjectFolder::plain("");
    let script = "loopwright signal complete; echo '<promise>COMPLETE</promise>'; exit 7\n";
    let output = place.start_loop(script, &[]);
    assert_eq!((output.code, &place.last_run()["exit_reason"]), (1, &"failure_threshold".into()));
}

#[test]
fn dial_2_a_silent_agent_is_stopped_at_its_timeout() {
    let place = ProjectFolder::plain("");
    for (option, end) in [("--timeout", "wall_timeout"), ("--idle-timeout", "idle_timeout")] {
        let output = place.start_loop("echo hello; exec sleep 300\n", &[option, "1", "-n", "1"]);
        assert_eq!(place.iteration(1)["iteration"]["end"], end, "{}", output.stdout);
        assert_eq!(place.last_run()["consecutive_failures"], 1, "and is not accepted");
    }
}

#[test]
fn dial_3_a_timeout_fails_the_iteration_and_the_run_goes_on() {
    let place = ProjectFolder::plain("");
    let script = "test $LOOPWRIGHT_ATTEMPT = 1 && exec sleep 300; echo '<promise>COMPLETE</promise>'\n";
    let output = place.start_loop(script, &["--timeout", "1"]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    let run = place.last_run();
    assert_eq!((&run["iteration"], &run["exit_reason"]), (&2.into(), &"promise".into()));
    assert!(place.prompt(2).contains("The last iteration failed: the agent took too long"));
}

#[test]
fn dial_3_a_timeout_ends_the_agents_children_too() {
    let place = ProjectFolder::plain("");
    let script = r#"
        sh -c 'trap "" TERM INT HUP; echo $$ > ../stubborn; while :; do sleep 1; done' &
        setsid sh -c 'echo $$ > ../apart; exec sleep 300' &
        while [ ! -s ../stubborn ] || [ ! -s ../apart ]; do sleep 0.05; done
        sleep 300
    "#;
    place.start_loop(script, &["--timeout", "2", "-n", "1"]);
    for name in ["stubborn", "apart"] {
        let pid = place.told(name);
        eventually(&format!("{name} is gone"), || !alive(&place, &pid));
    }
}

#[test]
fn dial_4_the_users_stash_stays() {
    let place = ProjectFolder::git("");
    place.sandbox.write("menu.txt", "my own idea\n");
    place.sandbox.git("", &["stash", "push", "-q", "-m", "mine"]);
    let before = place.sandbox.git("", &["stash", "list", "--format=%H %gs"]);
    place.start_loop("echo x >> menu.txt; echo '<promise>COMPLETE</promise>'\n", &["--auto-commit"]);
    assert_eq!(place.sandbox.git("", &["stash", "list", "--format=%H %gs"]), before);
}

#[test]
fn dial_4_uncommitted_work_is_refused_or_included_and_never_lost() {
    let place = ProjectFolder::git("");
    place.sandbox.write("menu.txt", "not committed\n");
    place.sandbox.write("notes.txt", "untracked\n");
    let refused = place.start_loop("touch ../started\n", &[]);
    assert!(refused.code == 2 && refused.stderr.contains("menu.txt, notes.txt"), "{}", refused.stderr);
    assert!(!place.beside("started").exists());
    let script = "echo x > own.txt; echo '<promise>COMPLETE</promise>'\n";
    assert_eq!(place.start_loop(script, &["--dirty", "include"]).code, 0);
    assert_eq!(place.sandbox.read("menu.txt"), "not committed\n");
    assert_eq!(place.sandbox.read("notes.txt"), "untracked\n");
}

#[test]
fn dial_5_a_clean_tree_is_checkpointed_too() {
    let place = ProjectFolder::git("");
    place.start_loop("echo $LOOPWRIGHT_ATTEMPT >> menu.txt; exit 1\n", &[]);
    let run = place.last_run()["run"].as_str().unwrap().to_owned();
    let refs = place.sandbox.git("", &["for-each-ref", "--format=%(refname)", "refs/loopwright/checkpoints"]);
    let expected: Vec<String> =
        ["1", "2", "3", "after-3"].map(|name| format!("refs/loopwright/checkpoints/{run}/{name}")).into();
    assert_eq!(refs.lines().collect::<Vec<_>>(), expected);
    let first = place.sandbox.git("", &["show", &format!("{}:menu.txt", expected[0])]);
    assert_eq!(first, "Sencha 4.20\n", "the tree before the first agent can be had back");
    let last = place.sandbox.git("", &["show", &format!("{}:menu.txt", expected[3])]);
    assert_eq!(last.lines().count(), 4, "and the tree after the last one");
}

/// Within a loop the next good iteration goes on with the work and commits it; another run does not.
#[test]
fn dial_6_the_files_of_a_failed_run_are_not_in_another_ones_commit() {
    let place = ProjectFolder::git("");
    place.start_loop("echo bad > failed.txt; exit 1\n", &["--auto-commit"]);
    assert_eq!(
        place.sandbox.git("", &["rev-list", "--count", "HEAD"]).trim(),
        "1",
        "no failure is committed"
    );
    let script = "echo good > done.txt; echo '<promise>COMPLETE</promise>'\n";
    assert_eq!(place.start_loop(script, &["--auto-commit"]).code, 0);
    let committed = place.sandbox.git("", &["show", "--name-only", "--format="]);
    assert_eq!(committed, "done.txt\n");
    assert_eq!(place.file("failed.txt").as_deref(), Some("bad\n"), "in a loop the work is kept");
}

#[test]
fn dial_7_a_checks_timeout_is_enforced() {
    let config = "[[checks]]\nname = \"slow\"\ncommand = \"sh -c 'echo $$ > ../check; exec sleep 300'\"\ntimeout = \"1s\"\n";
    let place = ProjectFolder::plain(config).trusted();
    let output = place.start_loop("echo '<promise>COMPLETE</promise>'\n", &["-n", "1"]);
    assert_eq!(output.code, 3, "{}", output.stdout);
    assert_eq!(place.iteration(1)["checks"][0]["status"], "timed_out");
    assert!(!alive(&place, &place.told("check")));
}

#[test]
fn dial_10_the_configured_agent_is_used_without_a_flag() {
    let place = ProjectFolder::plain("");
    let agent = place.agent("touch ../mine; echo '<promise>COMPLETE</promise>'\n");
    let config = format!("default_harness = \"mine\"\n[harness.mine]\ncommand = \"{agent}\"\n");
    place.sandbox.write(".loopwright/config.toml", config);
    let place = place.trusted();
    assert_eq!(place.run(&["loop", "--prompt", "Build it."]).code, 0);
    assert!(place.beside("mine").exists());
}

#[test]
fn dial_11_output_that_is_not_ascii_or_not_text_at_all_is_cut_without_a_crash() {
    let place = ProjectFolder::plain("");
    let script = r#"
        printf 'a'; i=0; while [ $i -lt 700 ]; do printf '茶'; i=$((i+1)); done; echo
        printf '\377\376\000\303\n\033]0;title\007\n'
        test $LOOPWRIGHT_ATTEMPT != 1
    "#;
    let output = place.start_loop(script, &["-n", "2", "--verbose"]);
    assert_eq!(output.code, 3, "{}", output.stderr);
    let preview = place.last_run()["iteration_summaries"][0]["output_preview"].as_str().unwrap().to_owned();
    assert_eq!(preview.chars().count(), 500);
    for args in [&["status"] as &[_], &["history"], &["show"], &["show", "1"], &["log", "1"]] {
        let shown = place.run(args);
        assert_eq!(shown.code, 0, "{args:?}");
        assert!(!shown.stdout.contains('\u{1b}') && !shown.stdout.contains('\u{7}'), "{args:?}");
    }
}

/// DIAL: "No validation configured and no file changed → still completed".
#[test]
fn dial_14_an_agent_that_changes_nothing_is_no_progress_and_not_done() {
    let place = ProjectFolder::git("");
    let output = place.start_loop("echo I thought about it.\n", &[]);
    let run = place.last_run();
    assert_eq!((output.code, &run["exit_reason"]), (3, &"no_progress".into()), "{}", output.stdout);
    assert_eq!((&run["iteration"], &run["completed"]), (&3.into(), &false.into()));
    place.start_loop("echo I thought about it.\n", &["-n", "5", "-c", "loop.no_progress=0"]);
    assert_eq!(place.last_run()["iteration"], 5, "it can be switched off");
}

#[test]
fn dial_18_tokens_and_cost_are_recorded() {
    let place = ProjectFolder::plain("");
    let script = "echo '{\"result\":\"ok\",\"total_cost_usd\":0.25,\"usage\":{\"input_tokens\":1000,\"output_tokens\":50}}'\n";
    let output = place.start_loop(script, &["--output-format", "json", "-n", "2"]);
    let usage = place.last_run()["usage"].clone();
    assert_eq!((&usage["input"], &usage["output"]), (&2000.into(), &100.into()), "{usage}");
    assert_eq!(usage["cost_micros"], 500_000);
    assert!(output.stdout.contains("2,100 tokens, $0.50"), "{}", output.stdout);
}

#[test]
fn dial_21_a_long_prompt_reaches_the_agent_whole_and_in_argv_it_is_refused_in_words() {
    let place = ProjectFolder::plain("");
    fs::write(place.beside("long.md"), "tea ".repeat(500_000)).unwrap();
    let file = place.beside("long.md").display().to_string();
    let agent = place.agent("wc -c > ../got; echo '<promise>COMPLETE</promise>'\n");
    let start = ["loop", "--prompt-file", &file, "--command", &agent];
    assert_eq!(place.run(&start).code, 0);
    assert!(place.told("got").trim().parse::<usize>().unwrap() > 2_000_000);
    let output = place.run(&[&start[..], &["--prompt-mode", "arg", "--failure-threshold", "1"]].concat());
    assert_eq!(output.code, 1, "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("the agent could not be started: "), "{}", output.stdout);
    assert!(output.stdout.contains("--prompt-mode") || output.stdout.contains("stdin"), "{}", output.stdout);
}

#[test]
fn dial_21_a_project_path_with_spaces_and_quotes_works() {
    let place = ProjectFolder::plain("");
    let folder = place.sandbox.root().join("tea house's \"best\"");
    fs::create_dir_all(folder.join(".loopwright")).unwrap();
    let agent = place.agent("cat \"$LOOPWRIGHT_PROMPT_FILE\" > got; echo '<promise>COMPLETE</promise>'\n");
    let mut command =
        place.command(&["loop", "--prompt", "Build it.", "--prompt-mode", "file", "--command", &agent]);
    let output = place.sandbox.run(command.current_dir(&folder));
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(fs::read_to_string(folder.join("got")).unwrap().starts_with("Build it."));
}

#[test]
fn dial_22_failures_printed_on_stdout_reach_the_next_prompt_as_well_as_those_on_stderr() {
    let place = ProjectFolder::plain("[[checks]]\nname = \"tests\"\ncommand = \"sh check.sh\"\n");
    place.sandbox.write("check.sh", "echo 'assertion failed: 4.20'; echo 'a warning' >&2; exit 1\n");
    let place = place.trusted();
    place.start_loop("true\n", &["-n", "2"]);
    let prompt = place.prompt(2);
    assert!(prompt.contains("assertion failed: 4.20") && prompt.contains("a warning"), "{prompt}");
}

#[test]
fn dial_23_max_counts_failed_iterations_too() {
    let place = ProjectFolder::plain("");
    place.start_loop("exit 1\n", &["-n", "4", "--failure-threshold", "0"]);
    let run = place.last_run();
    assert_eq!((&run["iteration"], &run["exit_reason"]), (&4.into(), &"max_iterations".into()));
}

#[test]
fn dial_23_money_tokens_and_time_stop_a_run() {
    let place = ProjectFolder::plain("");
    let script = "echo '{\"result\":\"ok\",\"total_cost_usd\":0.25,\"usage\":{\"input_tokens\":60,\"output_tokens\":40}}'; sleep 0.1\n";
    for (option, value, reason, iterations) in [
        ("--max-cost", "0.50", "money", Some(2)),
        ("--max-tokens", "250", "tokens", Some(3)),
        ("--max-runtime", "300ms", "time", None),
    ] {
        let output = place.start_loop(script, &["--output-format", "json", option, value]);
        let run = place.last_run();
        assert_eq!((output.code, &run["exit_reason"]), (3, &reason.into()), "{}", output.stdout);
        assert!(iterations.is_none_or(|expected| run["iteration"] == expected), "{option}: {run}");
    }
}

#[test]
fn dial_23_two_runs_at_once_are_refused_and_a_running_agent_can_be_cancelled() {
    let place = ProjectFolder::plain("");
    let live = place.launch_loop("echo $$ > ../pid; touch ../started; exec sleep 300\n", &[]);
    live.wait_for("started");
    assert_eq!(place.start_loop("true\n", &["--new"]).code, 6);
    assert_eq!(place.run(&["fix", "--command", "true"]).code, 2, "no check to mend");
    assert_eq!(place.run(&["cancel"]).code, 0);
    assert_eq!(live.end().code, 130);
    assert!(!alive(&place, &place.told("pid")), "without waiting for the work to end");
}

#[test]
fn dial_24_the_commit_holds_what_the_agent_changed_and_no_edit_of_the_user() {
    let place = ProjectFolder::git("");
    place.sandbox.write("mine.txt", "draft\n");
    let script = "echo x > theirs.txt; echo KEY=1 > .env; echo '<promise>COMPLETE</promise>'\n";
    let output = place.start_loop(script, &["--auto-commit", "--dirty", "include"]);
    assert_eq!(output.code, 5, "a new file of secrets is a person's to decide: {output:?}");
    let approved = place.run(&["approve", "--yes", "--leave-out"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    assert_eq!(place.last_run()["status"], "completed");
    assert_eq!(place.sandbox.git("", &["show", "--name-only", "--format="]), "theirs.txt\n");
    assert_eq!(place.file("mine.txt").as_deref(), Some("draft\n"));
}
