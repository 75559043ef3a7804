//! Descartes' backends, git integration and configuration, each as a test.

use loopwright_testkit::eventually;

use crate::place::{ProjectFolder, alive};

#[test]
fn descartes_generic_backend_reads_text_json_and_stream_json() {
    let place = ProjectFolder::plain("");
    let promise = "<promise>COMPLETE</promise>";
    for (format, script) in [
        ("text", format!("echo 'Working.'; echo '{promise}'\n")),
        (
            "json",
            format!(
                "echo '{{\"type\":\"result\",\"result\":\"{promise}\",\"usage\":{{\"input_tokens\":7,\"output_tokens\":3}}}}'\n"
            ),
        ),
        (
            "stream-json",
            format!(
                "echo '{{\"type\":\"assistant\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"Working.\"}}]}}}}'\n\
                 echo '{{\"type\":\"result\",\"result\":\"{promise}\",\"usage\":{{\"input_tokens\":7,\"output_tokens\":3}}}}'\n"
            ),
        ),
    ] {
        let output = place.start_loop(&script, &["--output-format", format, "-n", "1"]);
        assert_eq!(output.code, 0, "{format}: {}", output.stdout);
    }
    assert_eq!(place.last_run()["usage"]["output"], 3, "usage is read along");
}

#[test]
fn descartes_the_prompt_can_come_from_a_file_or_from_standard_input() {
    let place = ProjectFolder::plain("");
    let agent = place.agent("cat > ../got; echo '<promise>COMPLETE</promise>'\n");
    std::fs::write(place.beside("order.md"), "Brew Sencha.\n").unwrap();
    assert_eq!(place.run(&["loop", "--prompt-file", "../order.md", "--command", &agent]).code, 0);
    assert!(place.told("got").starts_with("Brew Sencha.\n"));
    let mut command = place.command(&["loop", "--prompt-file", "-", "--command", &agent]);
    command.stdin(std::fs::File::open(place.beside("order.md")).unwrap());
    assert_eq!(place.sandbox.run(&mut command).code, 0);
    for (file, words) in [("../none.md", "cannot read"), ("..", "cannot read")] {
        let output = place.run(&["loop", "--prompt-file", file, "--command", &agent]);
        assert!(output.code != 0 && output.stderr.contains(words), "{file}: {}", output.stderr);
    }
}

/// `--backend` is `[harness.NAME]` here: command, arguments, environment and formats under a name.
#[test]
fn descartes_backend_configuration_is_a_named_harness() {
    let place = ProjectFolder::plain("");
    let agent =
        place.agent("echo \"$1 $TEA $WISH\" > ../got; echo '{\"result\":\"<promise>COMPLETE</promise>\"}'\n");
    let config = format!(
        "default_harness = \"teapot\"\n[harness.teapot]\ncommand = \"{agent}\"\nargs = [\"--brew\"]\n\
         env = {{ TEA = \"sencha\" }}\nprompt_mode = \"env\"\nprompt_env = \"WISH\"\noutput_format = \"json\"\n"
    );
    place.sandbox.write(".loopwright/config.toml", config);
    assert_eq!(place.run(&["loop", "--prompt", "Build it."]).code, 2, "not trusted yet");
    let output = place.run(&["loop", "--prompt", "Build it.", "--trust"]);
    assert_eq!(output.code, 0, "{}{}", output.stdout, output.stderr);
    assert!(place.told("got").starts_with("--brew sencha Build it."), "{}", place.told("got"));
    assert_eq!(place.last_run()["harness"], "teapot");
}

#[test]
fn descartes_auto_commit_is_off_by_default() {
    let place = ProjectFolder::git("");
    let head = place.sandbox.git("", &["rev-parse", "HEAD"]);
    place.start_loop("echo more >> menu.txt\n", &["-n", "2"]);
    assert_eq!(place.sandbox.git("", &["rev-parse", "HEAD"]), head);
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), " M menu.txt\n", "the work is kept");
}

#[test]
fn descartes_auto_commit_commits_each_iteration_with_the_default_template() {
    let place = ProjectFolder::git("");
    let script = "echo \"$LOOPWRIGHT_ATTEMPT\" >> menu.txt; test $LOOPWRIGHT_ATTEMPT != 2 || echo '<promise>COMPLETE</promise>'\n";
    let output = place.start_loop(script, &["--auto-commit"]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    let log = place.sandbox.git("", &["log", "--format=%s"]);
    assert_eq!(log, "loop: iteration 2\nloop: iteration 1\nBegin\n", "the last one too");
    let trailers = place.sandbox.git("", &["log", "-1", "--format=%(trailers:key=Loopwright-Run,valueonly)"]);
    assert_eq!(trailers.trim(), place.last_run()["run"], "a commit names its run");
    let head = place.sandbox.git("", &["rev-parse", "HEAD"]);
    assert_eq!(place.last_run()["iteration_summaries"][1]["commit"], head.trim());
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "");
}

#[test]
fn descartes_custom_commit_template() {
    let place = ProjectFolder::git(
        "[git]\nauto_commit = true\ncommit_template = \"feat: iteration {iteration} of {max}\"\n",
    );
    place.start_loop("echo x >> menu.txt\n", &["-n", "1"]);
    assert_eq!(place.sandbox.git("", &["log", "-1", "--format=%s"]), "feat: iteration 1 of 1\n");
    let bad = place.start_loop("touch ../started\n", &["--commit-template", "{who}"]);
    assert!(bad.code == 2 && bad.stderr.contains("{iteration}"), "{}", bad.stderr);
    assert!(!place.beside("started").exists(), "found out before any work was done");
}

#[test]
fn descartes_create_branch_with_the_default_and_a_custom_template() {
    let place = ProjectFolder::git("");
    let branch = || place.sandbox.git("", &["symbolic-ref", "--short", "HEAD"]).trim().to_owned();
    assert_eq!(place.start_loop("true\n", &["-n", "1"]).code, 3);
    assert_eq!(branch(), "main", "off by default");
    let output = place.start_loop("echo x >> menu.txt\n", &["-n", "1", "--create-branch", "--auto-commit"]);
    assert_eq!(output.code, 3, "{}", output.stderr);
    let name = branch();
    let time = name.strip_prefix("loop/").unwrap_or_else(|| panic!("{name}"));
    assert!(time.len() == 15 && time.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()), "{name}");
    assert_eq!(place.sandbox.git("", &["rev-list", "--count", "main..HEAD"]).trim(), "1");
    place.start_loop("true\n", &["-n", "1", "--create-branch", "--branch-template", "tea/{date}-{harness}"]);
    assert!(branch().starts_with("tea/20") && branch().ends_with("-sh"), "{}", branch());
}

/// Descartes: "finishing the current iteration before stopping"; here within a grace that can be set.
#[test]
fn descartes_ctrl_c_lets_the_agent_finish_within_the_grace() {
    let place = ProjectFolder::plain("");
    let script =
        "touch ../started; while [ ! -e ../go ]; do sleep 0.05; done; echo '<promise>COMPLETE</promise>'\n";
    let live = place.launch_loop(script, &["-c", "agent.interrupt_grace=60s"]);
    live.wait_for("started");
    live.signal("INT");
    std::fs::write(place.beside("go"), "").unwrap();
    assert_eq!(live.end().code, 130);
    assert_eq!(place.iteration(1)["iteration"]["exit_code"], 0, "it ended by itself");
    let output = place.run(&["resume"]);
    assert_eq!(output.code, 0, "its promise counts when the run is taken up: {}", output.stdout);
    assert_eq!(place.last_run()["iteration"], 1);
}

#[test]
fn descartes_monitor_with_status_and_watch_from_another_terminal() {
    let place = ProjectFolder::plain("");
    let script = r#"
        test $LOOPWRIGHT_ATTEMPT -gt 2 || exit 1
        touch ../started
        while [ ! -e ../go ]; do sleep 0.05; done
        echo '<promise>COMPLETE</promise>'
    "#;
    let live = place.launch_loop(script, &[]);
    live.wait_for("started");
    let watch = place.launch(&["watch"]);
    watch.wait_for_words("Iteration 3/20 starting...");
    assert_eq!(place.last_run()["status"], "running");
    std::fs::write(place.beside("go"), "").unwrap();
    assert_eq!(live.end().code, 0);
    let seen = watch.end();
    assert!(
        seen.code == 0 && seen.stdout.contains("The agent gave its completion promise"),
        "{}",
        seen.stdout
    );
    assert!(seen.stdout.contains("consecutive failures: 1/3"), "all of the run is shown: {}", seen.stdout);
}

#[test]
fn descartes_pause_and_resume_from_another_terminal() {
    let place = ProjectFolder::plain("");
    let script = "echo $$ > ../pid; touch ../started; while [ ! -e ../go ]; do sleep 0.05; done\n";
    let live = place.launch_loop(script, &["-n", "2"]);
    live.wait_for("started");
    assert_eq!(place.run(&["pause", "--after-iteration"]).code, 0);
    assert!(alive(&place, &place.told("pid")), "the agent goes on");
    std::fs::write(place.beside("go"), "").unwrap();
    live.wait_for_words("Paused.");
    eventually("it is paused", || place.last_run()["status"] == "paused");
    assert_eq!(place.run(&["resume"]).code, 0);
    assert_eq!(live.end().code, 3);
    assert_eq!(place.last_run()["iteration"], 2);
}
