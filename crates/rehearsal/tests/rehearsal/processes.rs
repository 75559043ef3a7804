//! Steps that start processes, hang and crash: real processes, looked at from outside.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpgid, getsid};

use crate::support::Stage;

/// Long enough for any machine; nothing is expected to take nearly as long.
const LIMIT: Duration = Duration::from_secs(30);

/// A process that is ended with the test.
struct Stray(Pid);

impl Drop for Stray {
    fn drop(&mut self) {
        let _ = kill(self.0, Signal::SIGKILL);
    }
}

impl Stray {
    fn of(stage: &Stage) -> Self {
        Self(Pid::from_raw(stage.read("pid").parse().unwrap()))
    }

    fn is_gone_soon(&self) -> bool {
        soon(|| !alive(self.0))
    }
}

/// An agent that is ended with the test.
struct Agent(Child);

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Agent {
    /// Starts the stage's scene and waits until it has printed the line `ready`.
    fn ready(stage: &Stage) -> Self {
        let mut child = stage.start();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        Self(child)
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.0.id()).unwrap())
    }
}

fn soon(condition: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < LIMIT {
        if condition() {
            return true;
        }
        sleep(Duration::from_millis(10));
    }
    false
}

/// Whether a process runs; one that ended and was not yet collected does not.
fn alive(pid: Pid) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit(") ").next().unwrap_or("").starts_with(['Z', 'X']),
        Err(_) if cfg!(target_os = "linux") => false,
        Err(_) => kill(pid, None).is_ok(),
    }
}

#[cfg(target_os = "linux")]
fn parent(pid: Pid) -> Pid {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields = stat.rsplit(") ").next().unwrap();
    Pid::from_raw(fields.split(' ').nth(1).unwrap().parse().unwrap())
}

/// Waits until the process has told the system which signals it does not take.
fn settle(pid: Pid) {
    if cfg!(target_os = "linux") {
        assert!(soon(|| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
            let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap();
            blocked.trim().contains(|digit| digit != '0')
        }));
    } else {
        sleep(Duration::from_secs(1));
    }
}

fn spawn(options: &str, more: &str) -> Stage {
    Stage::of(&format!("{{ {options}, pid_file = \"pid\" }},\n{{ raw = \"ready\" }},\n{more}"))
}

#[test]
fn a_child_outlives_the_agent_in_its_group_and_ends_by_sigterm() {
    let stage = spawn(r#"spawn = "child", for = "10m""#, "");
    stage.play(&[]).well();
    let child = Stray::of(&stage);
    assert!(alive(child.0));
    assert_eq!(getsid(Some(child.0)), getsid(None));
    assert_eq!(getpgid(Some(child.0)), getpgid(None));
    kill(child.0, Signal::SIGTERM).unwrap();
    assert!(child.is_gone_soon());
}

#[test]
fn a_child_lives_as_long_as_ordered() {
    let stage = spawn(r#"spawn = "child", for = "50ms""#, "");
    fs::write(stage.work().join("pid"), "left over").unwrap();
    stage.play(&[]).well();
    assert!(Stray::of(&stage).is_gone_soon());
}

#[cfg(target_os = "linux")]
#[test]
fn a_grandchild_has_a_living_parent_below_the_agent() {
    let stage = spawn(r#"spawn = "grandchild", for = "10m""#, "{ hang = true },");
    let agent = Agent::ready(&stage);
    let grandchild = Stray::of(&stage);
    let middle = Stray(parent(grandchild.0));
    assert!(alive(grandchild.0) && alive(middle.0));
    assert_eq!(parent(middle.0), agent.pid());
}

#[test]
fn setsid_leaves_the_session_and_the_group() {
    let stage = spawn(r#"spawn = "setsid", for = "10m""#, "{ hang = true },");
    let agent = Agent::ready(&stage);
    let leader = Stray::of(&stage);
    assert_eq!(getsid(Some(leader.0)), Ok(leader.0));
    assert_eq!(getpgid(Some(leader.0)), Ok(leader.0));
    assert_ne!(getsid(Some(agent.pid())), Ok(leader.0));
    #[cfg(target_os = "linux")]
    assert_eq!(parent(leader.0), agent.pid());
}

#[test]
fn a_double_fork_has_no_parent_in_the_agents_tree() {
    let stage = spawn(r#"spawn = "double_fork", for = "10m""#, "{ hang = true },");
    let agent = Agent::ready(&stage);
    let orphan = Stray::of(&stage);
    assert!(alive(orphan.0));
    let session = getsid(Some(orphan.0)).unwrap();
    assert_ne!(session, getsid(Some(agent.pid())).unwrap());
    assert_ne!(session, orphan.0);
    assert!(!alive(session), "the process between still runs");
    #[cfg(target_os = "linux")]
    assert_ne!(parent(orphan.0), agent.pid());
}

#[test]
fn a_started_process_can_ignore_signals_but_not_sigkill() {
    for family in ["child", "grandchild", "setsid", "double_fork"] {
        let stage =
            spawn(&format!(r#"spawn = "{family}", for = "10m", ignore = ["term", "int", "hup"]"#), "");
        stage.play(&[]).well();
        let stubborn = Stray::of(&stage);
        for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
            kill(stubborn.0, signal).unwrap();
        }
        sleep(Duration::from_millis(200));
        assert!(alive(stubborn.0), "{family} died");
        kill(stubborn.0, Signal::SIGKILL).unwrap();
        assert!(stubborn.is_gone_soon());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_started_process_keeps_the_output_only_when_asked() {
    for (keep, expected) in [("true", "pipe:"), ("false", "/dev/null")] {
        let stage = spawn(
            &format!(r#"spawn = "double_fork", for = "10m", keep_output = {keep}"#),
            "{ hang = true },",
        );
        let _agent = Agent::ready(&stage);
        let orphan = Stray::of(&stage);
        let output = fs::read_link(format!("/proc/{}/fd/1", orphan.0)).unwrap();
        assert!(output.to_str().unwrap().starts_with(expected), "{keep}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_started_process_keeps_the_agents_environment() {
    let stage = spawn(r#"spawn = "double_fork", for = "10m""#, "");
    let output = stage.command().env("LOOPWRIGHT_ITERATION", "marker-17").output().unwrap();
    assert!(output.status.success());
    let orphan = Stray::of(&stage);
    let environment = fs::read(format!("/proc/{}/environ", orphan.0)).unwrap();
    let mut variables = environment.split(|byte| *byte == 0);
    assert!(variables.any(|variable| variable == b"LOOPWRIGHT_ITERATION=marker-17"));
}

#[test]
fn a_hang_ends_by_sigterm_unless_it_ignores_it() {
    let stage = Stage::of("{ raw = \"ready\" }, { hang = true },");
    let mut agent = Agent::ready(&stage);
    assert!(agent.0.try_wait().unwrap().is_none());
    kill(agent.pid(), Signal::SIGTERM).unwrap();
    assert_eq!(agent.0.wait().unwrap().signal(), Some(15));

    let stage = Stage::of("{ raw = \"ready\" }, { hang = true, ignore = [\"term\", \"int\"] },");
    let mut agent = Agent::ready(&stage);
    settle(agent.pid());
    kill(agent.pid(), Signal::SIGTERM).unwrap();
    kill(agent.pid(), Signal::SIGINT).unwrap();
    sleep(Duration::from_millis(200));
    assert!(agent.0.try_wait().unwrap().is_none());
    kill(agent.pid(), Signal::SIGKILL).unwrap();
    assert_eq!(agent.0.wait().unwrap().signal(), Some(9));
}

#[test]
fn a_hang_with_a_time_goes_on() {
    let stage = Stage::of("{ hang = true, for = \"20ms\" }, { say = \"back\" },");
    assert_eq!(stage.play(&[]).well().text(), "back\n");
}

#[test]
fn a_crash_is_a_real_signal_and_leaves_no_closing_line() {
    for (way, signal) in [("abort", 6), ("segfault", 11), ("kill", 9)] {
        let stage = Stage::of(&format!("{{ say = \"last words\" }}, {{ crash = \"{way}\" }},"));
        let output = stage.command().args(["--output", "claude"]).output().unwrap();
        assert_eq!(output.status.signal(), Some(signal), "{way}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("last words") && !text.contains("\"result\""), "{text}");
    }
}
