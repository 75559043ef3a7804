//! Nothing that a job started outlives it, wherever it went.
use std::fs;
use std::path::Path;

use crate::support::{carriers_of, finished, process, shell};
use loopwright_process::{EndCause, Exit, ProcessIdentity, Stray, start};
use loopwright_testkit::eventually_async;
use tempfile::tempdir;

/// Ways to leave a process behind. Each writes its id to a file of its name and would live for ten minutes.
const WAYS: &[(&str, &str)] = &[
    ("plain", "sh -c 'echo $$ > plain; exec sleep 600' &"),
    ("session", "setsid sh -c 'echo $$ > session; exec sleep 600' &"),
    ("daemon", "(setsid sh -c '(echo $$ > daemon; exec sleep 600) &' &) "),
    ("silent", "setsid sh -c 'exec <&- >&- 2>&-; echo $$ > silent; exec sleep 600' &"),
    ("nohup", "nohup sh -c 'echo $$ > nohup; exec sleep 600' >/dev/null 2>&1 &"),
    ("stubborn", "setsid sh -c 'trap \"\" TERM HUP INT; echo $$ > stubborn; while :; do sleep 1; done' &"),
    ("stopped", "setsid sh -c 'echo $$ > stopped; kill -STOP $$; sleep 600' &"),
];

/// A script that leaves all of them behind and waits until they are there.
fn leaving_all() -> String {
    let begin: String = WAYS.iter().map(|(_, script)| format!("{script}\n")).collect();
    let wait: String =
        WAYS.iter().map(|(name, _)| format!("while [ ! -s {name} ]; do sleep 0.01; done\n")).collect();
    begin + &wait
}

async fn all_identities(dir: &Path) -> Vec<(&'static str, ProcessIdentity)> {
    let mut found = Vec::new();
    for (name, _) in WAYS {
        // The shell of "daemon" writes the id of the shell around it, which may be gone already.
        if *name != "daemon" {
            found.push((*name, eventually_async(name, async || process(dir, name)).await));
        }
    }
    found
}

fn assert_all_gone(identities: &[(&str, ProcessIdentity)], marker: &str) {
    for (name, identity) in identities {
        assert!(!identity.is_alive(), "{name} is still alive");
    }
    assert_eq!(carriers_of(marker), Vec::<String>::new());
}

fn names(strays: &[Stray]) -> Vec<&str> {
    let mut names: Vec<&str> = strays.iter().map(|stray| stray.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_an_ordinary_exit_leaves_behind_is_ended_and_named() {
    let dir = tempdir().unwrap();
    let job = shell(&format!("{}echo ready; exit 3", leaving_all()), dir.path());
    let marker = job.marker.clone();
    let (ended, heard) = finished(job).await;
    assert_eq!((ended.exit, ended.cause), (Exit::Code(3), EndCause::Exited));
    assert_eq!(heard.out, b"ready\n");
    assert_all_gone(&all_identities_now(dir.path()), &marker);
    assert!(ended.strays.len() >= WAYS.len(), "{:?}", ended.strays);
    assert!(ended.strays.iter().all(|stray| stray.ended), "{:?}", ended.strays);
    assert_eq!(names(&ended.strays), ["sh", "sleep"]);
    assert!(ended.strays.iter().any(|stray| stray.command == "sleep 600"), "{:?}", ended.strays);
}

/// The processes that are still in the table under the ids that were written down.
fn all_identities_now(dir: &Path) -> Vec<(&'static str, ProcessIdentity)> {
    WAYS.iter().filter_map(|(name, _)| Some((*name, process(dir, name)?))).collect()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn everything_ends_when_the_job_is_killed() {
    let dir = tempdir().unwrap();
    let job = shell(&format!("{}echo ready; sleep 600", leaving_all()), dir.path());
    let marker = job.marker.clone();
    let running = start(job).unwrap();
    let stopper = running.stopper();
    let task = tokio::spawn(async move { running.finish(&mut crate::support::Heard::default()).await });
    let identities = all_identities(dir.path()).await;
    stopper.kill();
    let ended = task.await.unwrap().unwrap();
    assert_eq!((ended.exit, ended.cause), (Exit::Signal(9), EndCause::Killed));
    assert_all_gone(&identities, &marker);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn dropping_a_running_job_ends_everything() {
    let dir = tempdir().unwrap();
    let job = shell(&format!("{}sleep 600", leaving_all()), dir.path());
    let marker = job.marker.clone();
    let running = start(job).unwrap();
    let leader = running.identity.clone();
    let mut heard = crate::support::Heard::default();
    let identities = tokio::select! {
        ended = running.finish(&mut heard) => panic!("it should still have been running: {ended:?}"),
        identities = all_identities(dir.path()) => identities,
    };
    assert_all_gone(&identities, &marker);
    assert!(!leader.is_alive());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_process_without_the_marker_is_known_by_its_session_or_its_pipe() {
    let dir = tempdir().unwrap();
    let script = "env -i /bin/sh -c 'echo $$ > plain; exec /bin/sleep 600' >/dev/null 2>&1 &
        (env -i /usr/bin/setsid /bin/sh -c 'echo $$ > pipe; exec /bin/sleep 600' &)
        while [ ! -s plain ] || [ ! -s pipe ]; do sleep 0.01; done";
    let (ended, _) = finished(shell(script, dir.path())).await;
    assert!(ended.exit.success());
    assert_eq!(ended.strays.len(), 2, "{:?}", ended.strays);
    for name in ["plain", "pipe"] {
        assert!(process(dir.path(), name).is_none_or(|process| !process.is_alive()), "{name} is still alive");
    }
}

#[tokio::test]
async fn strangers_are_left_alone() {
    let dir = tempdir().unwrap();
    let stranger = start(shell("sleep 600", dir.path())).unwrap();
    let (ended, _) = finished(shell("sleep 600 & exit 0", dir.path())).await;
    assert_eq!(ended.strays.len(), 1);
    assert!(stranger.identity.is_alive());
}

#[tokio::test]
async fn processes_that_end_by_themselves_are_no_strays() {
    let dir = tempdir().unwrap();
    let (ended, heard) = finished(shell("(sleep 0.1; echo late) & echo early", dir.path())).await;
    assert_eq!((ended.strays, heard.out), (Vec::new(), b"early\nlate\n".to_vec()));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn orphans_leave_no_zombies() {
    let dir = tempdir().unwrap();
    let script = "for i in 1 2 3 4 5; do (setsid sh -c 'echo $$ >> pids; sleep 0.05' &); done; sleep 0.5";
    let (ended, _) = finished(shell(script, dir.path())).await;
    assert!(ended.exit.success());
    for pid in fs::read_to_string(dir.path().join("pids")).unwrap().lines() {
        assert_eq!(ProcessIdentity::of(pid.parse().unwrap()), None, "{pid} was not waited for");
    }
}

#[tokio::test]
async fn secrets_in_the_command_line_of_a_stray_are_hidden() {
    let dir = tempdir().unwrap();
    let mut job = shell("sh -c 'sleep 600; : hunter2hunter2' & exit 0", dir.path());
    job.secrets = loopwright_process::Secrets::with_values(["hunter2hunter2"]);
    let (ended, _) = finished(job).await;
    assert!(!format!("{:?}", ended.strays).contains("hunter2"), "{:?}", ended.strays);
}

#[cfg(target_os = "linux")]
const CHAIN_FOLDER: &str = "LOOPWRIGHT_TEST_CHAIN_FOLDER";

/// The supervisor of a job that leaves such processes: does nothing unless the test below started it. Beside the jobs of
/// other tests nobody could say whose they are.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn supervise_a_chain() {
    let Some(folder) = std::env::var_os(CHAIN_FOLDER) else { return };
    let chain = "use POSIX; exit if fork; POSIX::setsid(); open my $alive, \">\", \"alive\"; open my $begun, \">\", \"begun\"; \
                 close $begun; while (1) { my $next = fork; exit if $next }";
    let script = format!("env -i perl -e '{chain}'; until [ -e begun ]; do sleep 0.01; done");
    let (ended, _) = finished(shell(&script, Path::new(&folder))).await;
    assert_eq!(ended.exit, Exit::Code(0));
}

/// Each process starts the next one and ends: none of them lives long enough to be found in a list of all.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_forks_and_ends_again_and_again_is_caught() {
    use std::io::Read;
    use std::os::unix::fs::OpenOptionsExt;
    let dir = tempdir().unwrap();
    let alive = dir.path().join("alive");
    nix::unistd::mkfifo(&alive, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    let mut alive =
        fs::OpenOptions::new().read(true).custom_flags(nix::libc::O_NONBLOCK).open(&alive).unwrap();
    let supervisor = loopwright_process::Command::new(std::env::current_exe().unwrap(), dir.path())
        .args(["--exact", "family::supervise_a_chain"])
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env(CHAIN_FOLDER, dir.path());
    let finished = loopwright_process::run(supervisor).await.unwrap();
    assert!(finished.exit.success(), "{}", String::from_utf8_lossy(&finished.output.stdout));
    assert!(dir.path().join("begun").exists());
    // Whoever is left has the file open: then there is nothing to read, but no end either.
    assert_eq!(alive.read(&mut [0]).map_err(|error| error.kind()), Ok(0), "it still runs");
}
