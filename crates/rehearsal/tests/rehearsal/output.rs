//! Steps that print: words, exact bytes, floods; and how a scene ends.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Stage, play_with_input};

#[test]
fn words_go_to_stdout_and_noise_to_stderr() {
    let stage = Stage::of(
        r#"
        { say = "hello" },
        { raw = "{\"not\": \"touched\"}" },
        { stderr = "a warning" },
        { claim = true },
        { claim = "FERTIG" },
        { tool = "search", input = { query = "tea" }, output = "2 hits" },
        { tool = "search", failed = true },
        { usage = { input = 5, cached = 3, output = 2, cost_usd = 0.5 } },
        "#,
    );
    let played = stage.play(&[]);
    assert_eq!(played.code, Some(0));
    assert_eq!(played.complaint(), "a warning\n");
    let expected = "hello\n{\"not\": \"touched\"}\n<promise>COMPLETE</promise>\nFERTIG\n\
                    > search\n  2 hits\n> search (failed)\ntokens: 5 in, 3 cached, 2 out\n";
    assert_eq!(played.text(), expected);
}

#[test]
fn a_false_claim_changes_nothing() {
    let stage = Stage::of("{ say = \"All tests pass.\" }, { claim = true },");
    let played = stage.play(&[]).well();
    assert!(played.text().ends_with("<promise>COMPLETE</promise>\n"));
    assert!(stage.names().is_empty());
}

#[test]
fn floods_have_the_exact_size() {
    let stage = Stage::of(
        r#"
        { flood_bytes = 1_000_003 },
        { flood_bytes = 200_001, to = "stderr" },
        "#,
    );
    let played = stage.play(&[]);
    assert_eq!(played.stdout.len(), 1_000_003);
    assert_eq!(played.complaint().len(), 200_001);
    assert!(played.text().lines().rev().skip(1).all(|line| line.len() == 79));

    let stage = Stage::of("{ flood_lines = 50_000 }, { flood_lines = 3, to = \"stderr\" },");
    let played = stage.play(&[]);
    assert_eq!(played.text().lines().count(), 50_000);
    assert!(played.text().ends_with("\nflood line 50000\n"));
    assert_eq!(played.complaint(), "flood line 1\nflood line 2\nflood line 3\n");
}

#[test]
fn an_endless_line_has_no_newline() {
    let stage = Stage::of("{ endless_line = 9_000_000 }, { endless_line = 10, to = \"stderr\" },");
    let played = stage.play(&[]);
    assert_eq!(played.stdout.len(), 9_000_000);
    assert!(!played.stdout.contains(&b'\n'));
    assert_eq!(played.complaint(), "==========");
}

#[test]
fn bytes_are_printed_as_they_are() {
    let stage = Stage::of(
        r#"
        { bytes = [0xff, 0xfe, 0x00, 0x0d, 0x0a, 0xc3] },
        { bytes = [0x80], to = "stderr" },
        "#,
    );
    let played = stage.play(&[]);
    assert_eq!(played.stdout, [0xff, 0xfe, 0x00, 0x0d, 0x0a, 0xc3]);
    assert_eq!(played.stderr.last(), Some(&0x80));
}

#[test]
fn the_prompt_comes_byte_for_byte_from_stdin_a_file_or_an_argument() {
    let mut prompt = vec![b'p'; 300_000];
    prompt.extend([0xff, 0x00, b'\r', b'\n', b'-', b'-']);
    let stage = Stage::of("{ save_prompt = \"seen.txt\" },");
    let seen = || fs::read(stage.work().join("seen.txt")).unwrap();

    play_with_input(stage.command(), &prompt).well();
    assert_eq!(seen(), prompt);

    let mut dash = stage.command();
    dash.arg("-");
    play_with_input(dash, b"through a dash").well();
    assert_eq!(seen(), b"through a dash");

    let file = stage.beside("prompt.md");
    fs::write(&file, &prompt).unwrap();
    stage.play(&["--prompt-file", file.to_str().unwrap()]).well();
    assert_eq!(seen(), prompt);

    stage.play(&["do $(this) \"now\""]).well();
    assert_eq!(seen(), b"do $(this) \"now\"");
}

#[test]
fn the_prompt_is_echoed_as_the_agents_words() {
    let stage = Stage::of("{ echo_prompt = true },");
    let played = stage.play(&["say <promise>COMPLETE</promise>"]).well();
    assert_eq!(played.text(), "say <promise>COMPLETE</promise>\n");
    let played = stage.play(&["--output", "codex", "echo me"]).well();
    assert_eq!(played.json()[2]["item"]["text"], "echo me");
}

#[test]
fn an_agent_can_leave_its_prompt_unread() {
    let stage = Stage::new("read_prompt = false\n[[scene]]\nsteps = [{ save_prompt = \"seen.txt\" }]\n");
    let mut child = stage.command().stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // The pipe stays open: an agent that read it would wait for ever.
    assert!(child.wait().unwrap().success());
    assert_eq!(stage.read("seen.txt"), "");
}

#[test]
fn sleeps_are_slept_unless_told_otherwise() {
    let stage = Stage::of("{ sleep = \"400ms\" }, { say = \"done\" },");
    let begun = Instant::now();
    stage.play(&[]).well();
    assert!(begun.elapsed() >= Duration::from_millis(400));

    let stage = Stage::of("{ sleep = \"30m\" }, { say = \"done\" },");
    assert_eq!(stage.play(&["--fast"]).well().text(), "done\n");
}

#[test]
fn the_exit_code_is_the_scripts_and_ends_the_scene() {
    for code in [0, 1, 7, 255] {
        let stage =
            Stage::of(&format!("{{ exit = {code}, message = \"out of tea\" }}, {{ say = \"unreached\" }},"));
        let played = stage.play(&[]);
        assert_eq!((played.code, played.text()), (Some(code), "out of tea\n"));
    }
}

#[test]
fn help_and_version_say_what_it_is() {
    let stage = Stage::of("{ say = \"x\" },");
    for option in ["--help", "-h", "--version", "-V"] {
        let played = stage.play(&[option]);
        assert_eq!(played.code, Some(0));
        assert!(played.text().to_lowercase().contains("scripted agent"), "{option}: {}", played.text());
        assert!(!played.text().contains("family"), "{option} shows an inner option");
    }
}
