//! Running real programs: input, output, environment, exit.
use std::time::Duration;

use crate::support::shell;
use loopwright_process::{Command, Exit, run};
use tempfile::tempdir;

#[tokio::test]
async fn output_streams_are_kept_apart_and_the_exit_code_is_reported() {
    let dir = tempdir().unwrap();
    let finished = run(shell("echo to out; echo to err >&2; exit 7", dir.path())).await.unwrap();
    assert_eq!(finished.exit, Exit::Code(7));
    assert_eq!(finished.output.stdout, b"to out\n");
    assert_eq!(finished.output.stderr, b"to err\n");
    assert!(!finished.output.truncated() && !finished.leaked);
}

#[tokio::test]
async fn the_program_runs_in_the_folder_it_was_given() {
    let dir = tempdir().unwrap();
    let finished = run(shell("pwd -P", dir.path())).await.unwrap();
    let shown = String::from_utf8(finished.output.stdout).unwrap();
    assert_eq!(shown.trim_end(), dir.path().canonicalize().unwrap().to_str().unwrap());
}

#[tokio::test]
async fn a_signal_is_told_apart_from_a_code() {
    let dir = tempdir().unwrap();
    let finished = run(shell("kill -TERM $$", dir.path())).await.unwrap();
    assert_eq!(finished.exit, Exit::Signal(15));
}

#[tokio::test]
async fn arguments_arrive_byte_for_byte() {
    let dir = tempdir().unwrap();
    let odd =
        ["", " ", "a b", "$(touch x)", "`id`", "%PATH%", "\"quoted\"", "'", "-n", "line\nbreak", "ünïcödé"];
    let command = Command::new("/bin/sh", dir.path())
        .args(["-c", r#"for word in "$@"; do printf '%s\0' "$word"; done"#, "sh"])
        .args(odd);
    let finished = run(command).await.unwrap();
    let arrived: Vec<&[u8]> = finished.output.stdout.split(|byte| *byte == 0).collect();
    let mut expected: Vec<&[u8]> = odd.iter().map(|word| word.as_bytes()).collect();
    expected.push(b"");
    assert_eq!(arrived, expected);
}

#[tokio::test]
async fn input_of_any_bytes_and_beyond_the_pipe_comes_back_unchanged() {
    let dir = tempdir().unwrap();
    let bytes: Vec<u8> = (0..3_000_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut command = shell("cat", dir.path());
    command.stdin = bytes.clone();
    command.output_limit = bytes.len();
    let finished = run(command).await.unwrap();
    assert!(finished.output.stdout == bytes, "3 MB came back changed");
    assert!(!finished.output.truncated());
}

#[tokio::test]
async fn without_input_the_program_sees_its_end_at_once() {
    let dir = tempdir().unwrap();
    let finished = run(shell("cat; echo done", dir.path())).await.unwrap();
    assert_eq!(finished.output.stdout, b"done\n");
}

#[tokio::test]
async fn a_program_that_does_not_read_its_input_is_no_error() {
    let dir = tempdir().unwrap();
    for script in ["exec 0<&-; echo closed", "exit 0", "head -c 10 >/dev/null"] {
        let mut command = shell(script, dir.path());
        command.stdin = vec![b'x'; 5_000_000];
        let finished = run(command).await.unwrap();
        assert_eq!(finished.exit, Exit::Code(0), "{script}");
    }
}

#[tokio::test]
async fn nothing_of_our_environment_reaches_the_program() {
    assert!(std::env::var_os("PATH").is_some(), "the test needs something that could leak");
    let dir = tempdir().unwrap();
    let empty = run(Command::new("/usr/bin/env", dir.path())).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&empty.output.stdout), "");
    let given = run(Command::new("/usr/bin/env", dir.path()).env("ONLY", "this")).await.unwrap();
    assert_eq!(given.output.stdout, b"ONLY=this\n");
}

#[tokio::test]
async fn what_is_beyond_the_limit_is_counted_per_stream() {
    let dir = tempdir().unwrap();
    let mut command = shell("printf 0123456789; printf abc >&2", dir.path());
    command.output_limit = 4;
    let finished = run(command).await.unwrap();
    assert_eq!(finished.output.stdout, b"0123");
    assert_eq!(finished.output.stderr, b"abc");
    assert_eq!(finished.output.discarded, 6);
}

#[tokio::test]
async fn many_programs_run_at_once_on_one_thread() {
    let dir = tempdir().unwrap();
    let one = |n: u32| run(shell(&format!("sleep 0.1; echo {n}"), dir.path()));
    let (a, b, c, d) = tokio::join!(one(1), one(2), one(3), one(4));
    let printed: Vec<Vec<u8>> = [a, b, c, d].map(|finished| finished.unwrap().output.stdout).to_vec();
    assert_eq!(printed, [b"1\n", b"2\n", b"3\n", b"4\n"]);
}

#[tokio::test]
async fn the_longest_possible_timeout_does_not_overflow() {
    let dir = tempdir().unwrap();
    let mut command = shell("exit 0", dir.path());
    command.timeout = Duration::MAX;
    assert!(run(command).await.unwrap().exit.success());
}
