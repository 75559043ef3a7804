//! What a run shows: lines for people, JSON for programs, the log, and the commands that look back.

use std::collections::BTreeMap;
use std::fs;

use loopwright_domain::EventEnvelope;
use serde_json::Value;

use crate::common::json;
use crate::place::ProjectFolder;

/// A shop in git whose check wants a tea, with commits switched on.
fn shop() -> ProjectFolder {
    let config = "[[checks]]\nname = \"tea\"\ncommand = \"grep -q Assam menu.txt\"\n\n\
                  [[checks]]\nname = \"spelling\"\ncommand = \"false\"\nrequired = false\n";
    ProjectFolder::git(config).trusted()
}

/// Fails, then does half, then all.
const WORKS: &str = r#"
case $LOOPWRIGHT_ATTEMPT in
    1) echo "The kettle is cold." >&2; exit 1;;
    2) echo "Hojicha 3.80" >> menu.txt; echo "I added Hojicha.";;
    3) echo "Assam 3.00" >> menu.txt; echo "I added Assam."; echo "<promise>COMPLETE</promise>";;
esac
"#;

#[test]
fn human_output_has_times_counts_warnings_checks_commits_and_totals() {
    let place = shop();
    let output = place.start_loop(WORKS, &["-n", "10", "--auto-commit", "--token-budget", "50"]);
    insta::assert_snapshot!("run", place.shown(&output));
}

#[test]
fn human_output_of_fix_and_of_a_folder_without_git() {
    let place = ProjectFolder::plain("[[checks]]\nname = \"tea\"\ncommand = \"test -e tea\"\n").trusted();
    let output = place.start_fix("touch tea\n", &[]);
    insta::assert_snapshot!("fix", place.shown(&output));
    let output = place.start_fix("touch tea\n", &[]);
    insta::assert_snapshot!("fix_all_pass", place.shown(&output));
}

#[test]
fn the_dry_run_of_a_fix_with_context_is_the_whole_prompt() {
    let place = shop();
    place.sandbox.write("NOTES.md", "Assam comes from India.\n");
    let more = ["--dry-run", "--context", "NOTES.md", "--automation", "yolo", "--prompt", "Mind the prices."];
    let output = place.start_fix("true\n", &more);
    insta::assert_snapshot!("dry_run_fix", place.shown(&output));
}

#[test]
fn strays_are_told_by_name() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("setsid sleep 300 &\nsleep 0.2\n", &["-n", "1"]).stdout;
    assert!(
        output.contains("WARNING: the agent left programs running; they were ended: sleep ("),
        "{output}"
    );
}

#[test]
fn verbose_output_and_every_kept_file_are_redacted() {
    let place = ProjectFolder::plain("");
    let key = format!("sk-ant-api03-{}", "Ab1".repeat(30));
    let script = format!("echo 'I found {key} and '$MY_API_TOKEN.; echo '{key}' >&2\n");
    let agent = place.agent(&script);
    let config = format!("[harness.mine]\ncommand = \"{agent}\"\ncredentials = [\"MY_API_TOKEN\"]\n");
    place.sandbox.write(".loopwright/config.toml", config);
    let place = place.trusted();
    let context = format!("The old key was {key}.");
    let start =
        ["loop", "--prompt", "Build it.", "--context", &context, "--harness", "mine", "-n", "1", "--verbose"];
    let mut command = place.command(&start);
    let output = place.sandbox.run(command.env("MY_API_TOKEN", "oolong-and-pu-erh-4711"));
    assert!(
        output.stdout.contains("I found ") && output.stdout.contains("The old key was "),
        "{}",
        output.stdout
    );
    let mut seen = output.stdout + &output.stderr;
    for part in ["output", "stderr", "response", "transcript"] {
        seen += &place.run(&["log", "1", "--part", part]).stdout;
    }
    seen += &place.run(&["show", "1", "--json"]).stdout;
    assert!(!seen.contains(&key) && !seen.contains("oolong-and-pu-erh-4711"), "{seen}");
}

#[test]
fn json_lines_are_events_in_order_and_the_last_is_the_run() {
    let place = shop();
    let output = place.start_loop(WORKS, &["-n", "10", "--json", "--verbose"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = output.stdout.lines().collect();
    let (last, events) = lines.split_last().unwrap();
    let mut before = 0;
    for line in events {
        let envelope: EventEnvelope =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(envelope.seq.0 > before, "{line}");
        before = envelope.seq.0;
    }
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!(last["type"], "run");
    assert_eq!(last["run"], place.last_run(), "the same as status shows");
    let names: Vec<String> = events.iter().map(|line| name_of(line)).collect();
    assert_eq!(names.first().map(String::as_str), Some("run.started"));
    assert_eq!(names.last().map(String::as_str), Some("run.status"));
    for (name, count) in
        [("iteration.started", 3), ("agent.ended", 3), ("check.ended", 6), ("iteration.settled", 3)]
    {
        assert_eq!(names.iter().filter(|own| *own == name).count(), count, "{name} in {names:?}");
    }
}

fn name_of(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap();
    line["event"]["type"].as_str().unwrap().to_owned()
}

#[test]
fn descartes_and_rooda_every_field_of_their_states_is_in_status_json() {
    let place = shop();
    place.start_loop(WORKS, &["-n", "10"]);
    let run = place.last_run();
    let has = |object: &Value, names: &[&str]| {
        for name in names {
            assert!(object.get(*name).is_some(), "{name} in {object}");
        }
    };
    has(
        &run,
        &[
            "version",
            "iteration",
            "config",
            "started_at",
            "last_iteration_at",
            "completed",
            "completion_detected_at",
            "completion_text",
            "exit_reason",
            "iteration_summaries",
            "error",
        ],
    );
    has(
        &run["iteration_summaries"][0],
        &["iteration", "started_at", "completed_at", "exit_code", "output_preview", "promise_checked"],
    );
    has(&run["config"], &["prompt", "promise", "include_iteration_context", "working_dir", "times"]);
    has(&run["config"]["agent"], &["name", "command", "prompt_mode", "output_format"]);
    has(&run["config"]["git"], &["auto_commit", "commit_template", "create_branch", "branch_template"]);
    has(
        &run,
        &[
            "iteration",
            "max_iterations",
            "consecutive_failures",
            "failure_threshold",
            "started_at",
            "last_iteration_at",
            "status",
            "procedure_name",
            "elapsed_per_iteration",
        ],
    );
    assert_eq!((&run["version"], &run["iteration"]), (&"1.0".into(), &3.into()));
    assert_eq!(run["last_iteration_at"], run["iteration_summaries"][2]["completed_at"]);
    assert_eq!(run["config"]["limits"]["max_iterations"], 10);
    let first = run["elapsed_per_iteration"][0].as_str().unwrap();
    assert!(first.ends_with('s'), "as rooda writes them: {first}");
}

#[test]
fn history_show_log_and_diff_look_back() {
    let place = shop();
    place.start_loop(WORKS, &["-n", "10", "--auto-commit"]);
    let shown = |args: &[&str]| place.shown(&place.run(args));
    let begun = place.last_run()["started_at"].as_str().unwrap()[..16].replace('T', " ");
    insta::assert_snapshot!("history", shown(&["history"]).replace(&begun, "[DATE]"));
    insta::assert_snapshot!("show", shown(&["show"]));
    insta::assert_snapshot!("show_iteration", shown(&["show", "2"]));
    insta::assert_snapshot!("log_stderr", shown(&["log", "1", "--part", "stderr"]));
    let times = vec![(r#""elapsed_ms":\d+"#, r#""elapsed_ms":[MS]"#), (r#""at":\d+"#, r#""at":[MS]"#)];
    insta::with_settings!({ filters => times }, {
        insta::assert_snapshot!("log_transcript", shown(&["log", "3", "--part", "transcript"]));
    });
    insta::assert_snapshot!("diff_iteration", shown(&["diff", "2"]));
    insta::assert_snapshot!("diff", shown(&["diff"]));
    let document = json(&place.run(&["diff", "3", "--json"]));
    assert!(document["patch"].as_str().unwrap().contains("+Assam 3.00"), "{document}");
    assert_eq!(place.run(&["show", "9"]).code, 2);
    assert_eq!(place.run(&["log", "0"]).code, 2);
}

/// An agent that prints one document at its end is in the transcript too.
#[test]
fn the_transcript_holds_what_became_known_at_the_end() {
    let place = ProjectFolder::plain("");
    let script =
        "echo '{\"result\":\"The tea is ready.\",\"usage\":{\"input_tokens\":7,\"output_tokens\":3}}'\n";
    place.start_loop(script, &["--output-format", "json", "-n", "1"]);
    let transcript = place.run(&["log", "1", "--part", "transcript"]).stdout;
    assert!(transcript.contains("The tea is ready.") && transcript.contains("\"usage\""), "{transcript}");
}

#[test]
fn log_prints_a_long_text_without_cutting_a_character() {
    let place = ProjectFolder::plain("");
    place.start_loop(
        "i=0; while [ $i -lt 5000 ]; do printf 'a茶茶茶茶茶茶茶'; i=$((i+1)); done; printf '\\344\\270'\n",
        &["-n", "1"],
    );
    let text = place.run(&["log"]).stdout;
    assert_eq!(text.trim_end_matches('\u{fffd}'), "a茶茶茶茶茶茶茶".repeat(5000));
}

#[test]
fn looking_back_before_anything_ran_says_so() {
    let place = ProjectFolder::plain("");
    let history = place.run(&["history"]);
    assert!(history.code == 0 && history.stdout.starts_with("No runs yet."), "{}", history.stdout);
    for args in [&["show"] as &[_], &["log"], &["diff"], &["resume"], &["cancel"], &["pause"], &["watch"]] {
        let output = place.run(args);
        assert_eq!(output.code, 2, "{args:?}: {}", output.stderr);
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn log_follow_prints_what_comes_until_the_iteration_ends() {
    let place = ProjectFolder::plain("");
    let script = "echo one; touch ../started; while [ ! -e ../go ]; do sleep 0.05; done; echo two\n";
    let live = place.launch_loop(script, &["-n", "1"]);
    live.wait_for("started");
    let log = place.launch(&["log", "--follow"]);
    log.wait_for_words("one");
    fs::write(place.beside("go"), "").unwrap();
    live.end();
    assert_eq!(log.end().stdout, "one\ntwo\n");
}

/// rooda: "structured logging emits timing, phase, iteration number, and outcome per iteration".
#[test]
fn rooda_the_log_has_each_phase_once_per_iteration_with_time_and_outcome() {
    let place = shop();
    let script = "echo \"Assam $LOOPWRIGHT_ATTEMPT\" >> menu.txt\n";
    place.start_loop(script, &["-n", "2", "--auto-commit", "--log-level", "info"]);
    let run = place.last_run()["run"].clone();
    let mut phases: BTreeMap<(u64, String), u32> = BTreeMap::new();
    let mut settled = 0;
    for line in log_lines(&place) {
        let spans = line["spans"].as_array().unwrap();
        let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
        if let Some(phase) = line["phase"].as_str() {
            if phase == "baseline" {
                assert_eq!((names, settled), (vec!["run"], 0), "before the first iteration: {line}");
                continue;
            }
            assert_eq!(names, ["run", "iteration"], "{line}");
            assert_eq!((&spans[0]["run"], &spans[1]["harness"]), (&run, &"sh".into()));
            assert!(line["duration_ms"].is_u64() && line["outcome"].is_string(), "{line}");
            let iteration = spans[1]["iteration"].as_u64().unwrap();
            *phases.entry((iteration, phase.to_owned())).or_default() += 1;
        }
        settled += u32::from(line["message"] == "iteration settled" && line["outcome"] == "succeeded");
    }
    let expected: BTreeMap<_, _> = (1..=2)
        .flat_map(|iteration| {
            ["plan", "checkpoint", "agent", "checks", "commit"]
                .map(|phase| ((iteration, phase.to_owned()), 1))
        })
        .collect();
    assert_eq!(phases, expected);
    assert_eq!(settled, 2);
}

fn log_lines(place: &ProjectFolder) -> Vec<Value> {
    let files = fs::read_dir(place.sandbox.data_dir().join("logs")).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    texts
        .flat_map(|text| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>())
        .collect()
}

#[test]
fn what_a_run_has_written_is_folded_in_when_it_ends() {
    let place = ProjectFolder::plain("");
    place.start_loop("true\n", &["-n", "2"]);
    let state = place.sandbox.work().join(".loopwright/state");
    let log = fs::metadata(state.join("state.db-wal")).map_or(0, |log| log.len());
    assert_eq!(log, 0, "everybody who asks next would have to read it through");
    assert_eq!(place.last_run()["iteration"], 2);
}
