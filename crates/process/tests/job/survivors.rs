//! What a crash leaves behind. The test program starts itself again as the supervisor that is killed.
#![cfg(target_os = "linux")]
use std::env;
use std::path::Path;
use std::time::Duration;

use crate::support::{Heard, become_command, process, shell};
use loopwright_process::{Command, Job, ProcessIdentity, Secrets, ask_survivors, end_survivors, start};
use loopwright_testkit::eventually_async;
use tempfile::tempdir;

const FOLDER: &str = "LOOPWRIGHT_TEST_SUPERVISOR_FOLDER";
const MARKER: &str = "LOOPWRIGHT_TEST_SUPERVISOR_MARKER";
const SCRIPT: &str = "setsid sh -c 'echo $$ > tool; exec sleep 600' & echo $$ > agent; exec sleep 600";

/// The supervisor: does nothing unless the test below started it.
#[tokio::test]
async fn supervise_until_killed() {
    if let (Some(folder), Ok(marker)) = (env::var_os(FOLDER), env::var(MARKER)) {
        let mut job = shell(SCRIPT, Path::new(&folder));
        job.marker = marker;
        let _ = start(job).unwrap().finish(&mut Heard::default()).await;
    }
}

#[tokio::test]
async fn a_new_process_ends_what_a_killed_one_left() {
    let dir = tempdir().unwrap();
    let marker = format!("crashed-{}", std::process::id());
    let supervisor = Command::new(env::current_exe().unwrap(), dir.path())
        .args(["--exact", "survivors::supervise_until_killed"])
        .env(FOLDER, dir.path())
        .env(MARKER, &marker);
    let supervisor = start(Job::new(supervisor, "supervisor-of-a-test")).unwrap();
    let agent = eventually_async("the agent", async || process(dir.path(), "agent")).await;
    let tool = eventually_async("its tool", async || process(dir.path(), "tool")).await;
    become_command(&marker, "sleep 600", 2).await;
    kill(supervisor.identity.pid);
    eventually_async("the supervisor's end", async || !supervisor.identity.is_alive()).await;
    assert!(agent.is_alive() && tool.is_alive());

    let survivors = end_survivors(&marker, Some(agent.clone()), &Secrets::built_in());
    let mut pids: Vec<u32> = survivors.iter().map(|stray| stray.pid).collect();
    pids.sort_unstable();
    let mut expected = [agent.pid, tool.pid];
    expected.sort_unstable();
    assert_eq!(pids, expected);
    assert!(survivors.iter().all(|stray| stray.ended && stray.name == "sleep"), "{survivors:?}");
    assert!(!agent.is_alive() && !tool.is_alive());
    assert_eq!(end_survivors(&marker, Some(agent), &Secrets::built_in()), Vec::new());
}

fn kill(pid: u32) {
    let pid = nix::unistd::Pid::from_raw(pid.try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).unwrap();
}

#[tokio::test]
async fn a_stranger_with_the_same_id_is_left_alone() {
    let stranger = start(shell("exec sleep 600", "/".as_ref())).unwrap();
    let forged = ProcessIdentity { pid: stranger.identity.pid, started: "another time".to_owned() };
    assert!(!forged.is_alive());
    assert_eq!(end_survivors("no-such-marker", Some(forged), &Secrets::built_in()), Vec::new());
    assert!(stranger.identity.is_alive());
}

#[tokio::test]
async fn who_is_asked_first_takes_its_locks_away() {
    let dir = tempdir().unwrap();
    let script = "trap 'rm lock; exit 0' TERM; : > lock; echo $$ > agent; while :; do sleep 0.02; done";
    let mut job = shell(script, dir.path());
    job.marker = format!("asked-{}", std::process::id());
    let marker = job.marker.clone();
    let _running = start(job).unwrap();
    let agent = eventually_async("the program", async || process(dir.path(), "agent")).await;
    let ended = ask_survivors(&marker, Duration::from_secs(60), &Secrets::built_in());
    assert!(ended.iter().any(|stray| stray.pid == agent.pid && stray.ended), "{ended:?}");
    assert!(!dir.path().join("lock").exists());
}
