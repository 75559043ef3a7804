//! The process group: nothing that a program started outlives it, whichever way it goes.
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::{is_alive, shell};
use loopwright_process::{ProcessError, run};
use loopwright_testkit::eventually_async;
use tempfile::tempdir;

/// Leaves a child and a grandchild that would live for minutes, and writes their ids down.
const FAMILY: &str = "sleep 300 & echo $! > child; (sleep 300 & echo $! > grandchild; wait) & ";

async fn pid(dir: &Path, name: &str) -> String {
    let file = dir.join(name);
    let written = async || fs::read_to_string(&file).is_ok_and(|text| text.ends_with('\n'));
    eventually_async("writing the process id", written).await;
    fs::read_to_string(&file).unwrap().trim().to_owned()
}

async fn assert_family_ends(dir: &Path) {
    for name in ["child", "grandchild"] {
        let pid = pid(dir, name).await;
        eventually_async(&format!("the end of the {name}"), async || !is_alive(&pid).await).await;
    }
}

#[tokio::test]
async fn a_timeout_ends_the_whole_group_and_keeps_what_was_printed() {
    let dir = tempdir().unwrap();
    let mut command = shell(&format!("{FAMILY} echo so far; wait"), dir.path());
    command.timeout = Duration::from_secs(3);
    let Err(ProcessError::TimedOut { limit, output, .. }) = run(command).await else {
        panic!("it should have timed out");
    };
    assert_eq!(limit, Duration::from_secs(3));
    assert_eq!(output.stdout, b"so far\n");
    assert_family_ends(dir.path()).await;
}

#[tokio::test]
async fn a_program_that_ignores_every_polite_signal_is_ended_too() {
    let dir = tempdir().unwrap();
    let mut command = shell("trap '' TERM INT HUP; echo $$ > child; while :; do sleep 1; done", dir.path());
    command.timeout = Duration::from_secs(3);
    assert!(matches!(run(command).await, Err(ProcessError::TimedOut { .. })));
    let pid = pid(dir.path(), "child").await;
    eventually_async("its end", async || !is_alive(&pid).await).await;
}

#[tokio::test]
async fn dropping_the_future_ends_the_whole_group() {
    let dir = tempdir().unwrap();
    let running = run(shell(&format!("{FAMILY} wait"), dir.path()));
    tokio::select! {
        ended = running => panic!("it should still have been running: {ended:?}"),
        _ = pid(dir.path(), "grandchild") => {}
    }
    assert_family_ends(dir.path()).await;
}

#[tokio::test]
async fn children_left_behind_do_not_hold_up_the_result() {
    let dir = tempdir().unwrap();
    let finished = run(shell(&format!("{FAMILY} echo ready"), dir.path())).await.unwrap();
    assert!(finished.exit.success() && finished.leaked);
    assert_eq!(finished.output.stdout, b"ready\n");
    assert_family_ends(dir.path()).await;
}

#[tokio::test]
async fn a_process_that_left_the_group_does_not_hold_up_the_result_either() {
    let dir = tempdir().unwrap();
    let script =
        "setsid sh -c 'echo $$ > runaway; exec sleep 300' & while [ ! -s runaway ]; do sleep 0.01; done";
    let finished = run(shell(script, dir.path())).await.unwrap();
    assert!(finished.exit.success() && finished.leaked);
    let pid = pid(dir.path(), "runaway").await;
    assert!(is_alive(&pid).await, "a process that leaves the group is out of this crate's reach");
    assert!(run(shell(&format!("kill {pid}"), dir.path())).await.unwrap().exit.success());
}

#[tokio::test]
async fn what_a_child_is_still_writing_is_read_to_its_end() {
    let dir = tempdir().unwrap();
    let mut command = shell("head -c 3000000 /dev/zero & exit 0", dir.path());
    command.output_limit = 5_000_000;
    let finished = run(command).await.unwrap();
    assert_eq!(finished.output.stdout.len(), 3_000_000);
    assert!(!finished.leaked);
}
