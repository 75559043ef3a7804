//! Agents are recognised across real process trees. The test program starts itself again as the process that asks.
use std::env;
use std::fs;
use std::path::Path;

use crate::support::shell;
use loopwright_process::{AGENT_MARKER, Command, agent_ancestry, run};
use tempfile::tempdir;

const ANSWER_FILE: &str = "LOOPWRIGHT_TEST_ANSWER_FILE";

/// The process that asks: does nothing unless one of the tests below started it.
#[test]
fn ask() {
    if let Some(file) = env::var_os(ANSWER_FILE) {
        fs::write(file, agent_ancestry().unwrap_or_else(|| "none".to_owned())).unwrap();
    }
}

fn asking_from(script: &str, dir: &Path) -> Command {
    let mut command = shell(script, dir);
    command.args.extend([
        env::current_exe().unwrap().into_os_string(),
        "--exact".into(),
        "ancestry::ask".into(),
    ]);
    command.env(ANSWER_FILE, dir.join("answer"))
}

async fn answer_to(command: Command, dir: &Path) -> String {
    let finished = run(command).await.unwrap();
    assert!(finished.exit.success(), "{}", String::from_utf8_lossy(&finished.output.stderr));
    fs::read_to_string(dir.join("answer")).unwrap()
}

#[tokio::test]
async fn the_marker_in_the_own_environment_is_found() {
    let dir = tempdir().unwrap();
    let command = asking_from(r#""$0" "$@""#, dir.path()).env(AGENT_MARKER, "own");
    assert_eq!(answer_to(command, dir.path()).await, "own");
}

#[tokio::test]
async fn a_child_that_drops_the_marker_is_still_inside() {
    let dir = tempdir().unwrap();
    let command = asking_from(
        &format!(
            r#"env -u {AGENT_MARKER} sh -c 'unset {AGENT_MARKER}; "$0" "$@"; exit $?' "$0" "$@"; exit $?"#
        ),
        dir.path(),
    );
    assert_eq!(answer_to(command.env(AGENT_MARKER, "grandparent"), dir.path()).await, "grandparent");
}

#[tokio::test]
async fn without_an_agent_above_the_answer_is_ours() {
    let dir = tempdir().unwrap();
    let ours = agent_ancestry().unwrap_or_else(|| "none".to_owned());
    assert_eq!(answer_to(asking_from(r#""$0" "$@""#, dir.path()), dir.path()).await, ours);
}

/// Ways to leave no trace of the agent behind. `$0` is the program that asks.
#[cfg(target_os = "linux")]
const WAYS_OUT: &[&str] = &[
    r#"env -i FILE="$FILE" "$@""#,
    r#"(setsid env -i FILE="$FILE" sh -c '"$@" &' sh "$@" &)"#,
    r#"env -i FILE="$FILE" unshare -Urpf --mount-proc "$@" || "$@""#,
    r#"prlimit --rttime=1:1 env -i FILE="$FILE" "$@""#,
];

/// The system's mark stays, wherever a program of a job goes. Only where this process itself bears none can that be told.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn nothing_that_a_job_starts_gets_rid_of_its_mark() {
    struct Nothing;
    impl loopwright_process::OutputSink for Nothing {}
    let dir = tempdir().unwrap();
    for (number, way) in WAYS_OUT.iter().enumerate() {
        let file = dir.path().join(number.to_string());
        let asking = r#"exec env LOOPWRIGHT_TEST_ANSWER_FILE="$FILE" "$0" --exact ancestry::ask"#;
        let mut command = shell(
            &format!("set -- sh -c '{asking}' \"$0\"; {way}; until [ -s \"$FILE\" ]; do sleep 0.01; done"),
            dir.path(),
        );
        command.args.push(env::current_exe().unwrap().into_os_string());
        let command = command.env("FILE", &file);
        let job = loopwright_process::Job::new(command, format!("marked-{}-{number}", std::process::id()));
        loopwright_process::start(job).unwrap().finish(&mut Nothing).await.unwrap();
        let answer = fs::read_to_string(&file).unwrap_or_default();
        assert!(!answer.is_empty() && answer != "none", "{way}: {answer}");
    }
    if agent_ancestry().is_some() {
        println!("PROVES NOTHING: this test itself runs below an agent");
    }
}
