//! Steps that print: words, exact bytes, floods; and how a scene ends.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Rehearsal, play_with_input};

#[test]
fn words_go_to_stdout_and_noise_to_stderr() {
    let rehearsal = Rehearsal::of(
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
    let printed = rehearsal.run(&[]);
    assert_eq!(printed.code, Some(0));
    assert_eq!(printed.complaint(), "a warning\n");
    let expected = "hello\n{\"not\": \"touched\"}\n<promise>COMPLETE</promise>\nFERTIG\n\
                    > search\n  2 hits\n> search (failed)\ntokens: 5 in, 3 cached, 2 out\n";
    assert_eq!(printed.text(), expected);
}

#[test]
fn a_false_claim_changes_nothing() {
    let rehearsal = Rehearsal::of("{ say = \"All tests pass.\" }, { claim = true },");
    let printed = rehearsal.run(&[]).well();
    assert!(printed.text().ends_with("<promise>COMPLETE</promise>\n"));
    assert!(rehearsal.names().is_empty());
}

#[test]
fn floods_have_the_exact_size() {
    let rehearsal = Rehearsal::of(
        r#"
        { flood_bytes = 1_000_003 },
        { flood_bytes = 200_001, to = "stderr" },
        "#,
    );
    let printed = rehearsal.run(&[]);
    assert_eq!(printed.stdout.len(), 1_000_003);
    assert_eq!(printed.complaint().len(), 200_001);
    assert!(printed.text().lines().rev().skip(1).all(|line| line.len() == 79));

    let rehearsal = Rehearsal::of("{ flood_lines = 50_000 }, { flood_lines = 3, to = \"stderr\" },");
    let printed = rehearsal.run(&[]);
    assert_eq!(printed.text().lines().count(), 50_000);
    assert!(printed.text().ends_with("\nflood line 50000\n"));
    assert_eq!(printed.complaint(), "flood line 1\nflood line 2\nflood line 3\n");
}

#[test]
fn an_endless_line_has_no_newline() {
    let rehearsal = Rehearsal::of("{ endless_line = 9_000_000 }, { endless_line = 10, to = \"stderr\" },");
    let printed = rehearsal.run(&[]);
    assert_eq!(printed.stdout.len(), 9_000_000);
    assert!(!printed.stdout.contains(&b'\n'));
    assert_eq!(printed.complaint(), "==========");
}

#[test]
fn bytes_are_printed_as_they_are() {
    let rehearsal = Rehearsal::of(
        r#"
        { bytes = [0xff, 0xfe, 0x00, 0x0d, 0x0a, 0xc3] },
        { bytes = [0x80], to = "stderr" },
        "#,
    );
    let printed = rehearsal.run(&[]);
    assert_eq!(printed.stdout, [0xff, 0xfe, 0x00, 0x0d, 0x0a, 0xc3]);
    assert_eq!(printed.stderr.last(), Some(&0x80));
}

#[test]
fn the_prompt_comes_byte_for_byte_from_stdin_a_file_or_an_argument() {
    let mut prompt = vec![b'p'; 300_000];
    prompt.extend([0xff, 0x00, b'\r', b'\n', b'-', b'-']);
    let rehearsal = Rehearsal::of("{ save_prompt = \"seen.txt\" },");
    let seen = || fs::read(rehearsal.work().join("seen.txt")).unwrap();

    play_with_input(rehearsal.command(), &prompt).well();
    assert_eq!(seen(), prompt);

    let mut dash = rehearsal.command();
    dash.arg("-");
    play_with_input(dash, b"through a dash").well();
    assert_eq!(seen(), b"through a dash");

    let file = rehearsal.beside("prompt.md");
    fs::write(&file, &prompt).unwrap();
    rehearsal.run(&["--prompt-file", file.to_str().unwrap()]).well();
    assert_eq!(seen(), prompt);

    rehearsal.run(&["do $(this) \"now\""]).well();
    assert_eq!(seen(), b"do $(this) \"now\"");
}

#[test]
fn the_prompt_is_echoed_as_the_agents_words() {
    let rehearsal = Rehearsal::of("{ echo_prompt = true },");
    let printed = rehearsal.run(&["say <promise>COMPLETE</promise>"]).well();
    assert_eq!(printed.text(), "say <promise>COMPLETE</promise>\n");
    let printed = rehearsal.run(&["--output", "codex", "echo me"]).well();
    assert_eq!(printed.json()[2]["item"]["text"], "echo me");
}

#[test]
fn an_agent_can_leave_its_prompt_unread() {
    let rehearsal =
        Rehearsal::new("read_prompt = false\n[[scene]]\nsteps = [{ save_prompt = \"seen.txt\" }]\n");
    let mut child = rehearsal.command().stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // The pipe stays open: an agent that read it would wait for ever.
    assert!(child.wait().unwrap().success());
    assert_eq!(rehearsal.read("seen.txt"), "");
}

#[test]
fn sleeps_are_slept_unless_told_otherwise() {
    let rehearsal = Rehearsal::of("{ sleep = \"400ms\" }, { say = \"done\" },");
    let begun = Instant::now();
    rehearsal.run(&[]).well();
    assert!(begun.elapsed() >= Duration::from_millis(400));

    let rehearsal = Rehearsal::of("{ sleep = \"30m\" }, { say = \"done\" },");
    assert_eq!(rehearsal.run(&["--fast"]).well().text(), "done\n");
}

#[test]
fn the_exit_code_is_the_scripts_and_ends_the_scene() {
    for code in [0, 1, 7, 255] {
        let rehearsal = Rehearsal::of(&format!(
            "{{ exit = {code}, message = \"out of tea\" }}, {{ say = \"unreached\" }},"
        ));
        let printed = rehearsal.run(&[]);
        assert_eq!((printed.code, printed.text()), (Some(code), "out of tea\n"));
    }
}

#[test]
fn help_and_version_say_what_it_is() {
    let rehearsal = Rehearsal::of("{ say = \"x\" },");
    for option in ["--help", "-h", "--version", "-V"] {
        let printed = rehearsal.run(&[option]);
        assert_eq!(printed.code, Some(0));
        assert!(printed.text().to_lowercase().contains("scripted agent"), "{option}: {}", printed.text());
        assert!(!printed.text().contains("family"), "{option} shows an inner option");
    }
}
