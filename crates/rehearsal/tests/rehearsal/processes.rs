//! Steps that start processes, hang and crash: real processes, looked at from outside.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

use loopwright_testkit::eventually;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpgid, getsid};

use crate::support::Rehearsal;

/// A process that is ended with the test.
struct Stray(Pid);

impl Drop for Stray {
    fn drop(&mut self) {
        let _ = kill(self.0, Signal::SIGKILL);
    }
}

impl Stray {
    fn of(rehearsal: &Rehearsal) -> Self {
        Self(Pid::from_raw(rehearsal.read("pid").parse().unwrap()))
    }

    fn wait_until_gone(&self) {
        eventually("the process is gone", || !alive(self.0));
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
    fn ready(rehearsal: &Rehearsal) -> Self {
        let mut child = rehearsal.start();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        Self(child)
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.0.id()).unwrap())
    }
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
        eventually("it ignores a signal", || {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
            let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap();
            blocked.trim().contains(|digit| digit != '0')
        });
    } else {
        sleep(Duration::from_secs(1));
    }
}

fn spawn(options: &str, more: &str) -> Rehearsal {
    Rehearsal::of(&format!("{{ {options}, pid_file = \"pid\" }},\n{{ raw = \"ready\" }},\n{more}"))
}

#[test]
fn a_child_outlives_the_agent_in_its_group_and_ends_by_sigterm() {
    let rehearsal = spawn(r#"spawn = "child", for = "10m""#, "");
    rehearsal.run(&[]).well();
    let child = Stray::of(&rehearsal);
    assert!(alive(child.0));
    assert_eq!(getsid(Some(child.0)), getsid(None));
    assert_eq!(getpgid(Some(child.0)), getpgid(None));
    kill(child.0, Signal::SIGTERM).unwrap();
    child.wait_until_gone();
}

#[test]
fn a_child_lives_as_long_as_ordered() {
    let rehearsal = spawn(r#"spawn = "child", for = "50ms""#, "");
    fs::write(rehearsal.work().join("pid"), "left over").unwrap();
    rehearsal.run(&[]).well();
    Stray::of(&rehearsal).wait_until_gone();
}

#[cfg(target_os = "linux")]
#[test]
fn a_grandchild_has_a_living_parent_below_the_agent() {
    let rehearsal = spawn(r#"spawn = "grandchild", for = "10m""#, "{ hang = true },");
    let agent = Agent::ready(&rehearsal);
    let grandchild = Stray::of(&rehearsal);
    let middle = Stray(parent(grandchild.0));
    assert!(alive(grandchild.0) && alive(middle.0));
    assert_eq!(parent(middle.0), agent.pid());
}

#[test]
fn setsid_leaves_the_session_and_the_group() {
    let rehearsal = spawn(r#"spawn = "setsid", for = "10m""#, "{ hang = true },");
    let agent = Agent::ready(&rehearsal);
    let leader = Stray::of(&rehearsal);
    assert_eq!(getsid(Some(leader.0)), Ok(leader.0));
    assert_eq!(getpgid(Some(leader.0)), Ok(leader.0));
    assert_ne!(getsid(Some(agent.pid())), Ok(leader.0));
    #[cfg(target_os = "linux")]
    assert_eq!(parent(leader.0), agent.pid());
}

#[test]
fn a_double_fork_has_no_parent_in_the_agents_tree() {
    let rehearsal = spawn(r#"spawn = "double_fork", for = "10m""#, "{ hang = true },");
    let agent = Agent::ready(&rehearsal);
    let orphan = Stray::of(&rehearsal);
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
        let rehearsal =
            spawn(&format!(r#"spawn = "{family}", for = "10m", ignore = ["term", "int", "hup"]"#), "");
        rehearsal.run(&[]).well();
        let stubborn = Stray::of(&rehearsal);
        for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
            kill(stubborn.0, signal).unwrap();
        }
        sleep(Duration::from_millis(200));
        assert!(alive(stubborn.0), "{family} died");
        kill(stubborn.0, Signal::SIGKILL).unwrap();
        stubborn.wait_until_gone();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_started_process_keeps_the_output_only_when_asked() {
    for (keep, expected) in [("true", "pipe:"), ("false", "/dev/null")] {
        let rehearsal = spawn(
            &format!(r#"spawn = "double_fork", for = "10m", keep_output = {keep}"#),
            "{ hang = true },",
        );
        let _agent = Agent::ready(&rehearsal);
        let orphan = Stray::of(&rehearsal);
        let output = fs::read_link(format!("/proc/{}/fd/1", orphan.0)).unwrap();
        assert!(output.to_str().unwrap().starts_with(expected), "{keep}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_started_process_keeps_the_agents_environment() {
    let rehearsal = spawn(r#"spawn = "double_fork", for = "10m""#, "");
    let output = rehearsal.command().env("LOOPWRIGHT_ITERATION", "marker-17").output().unwrap();
    assert!(output.status.success());
    let orphan = Stray::of(&rehearsal);
    let environment = fs::read(format!("/proc/{}/environ", orphan.0)).unwrap();
    let mut variables = environment.split(|byte| *byte == 0);
    assert!(variables.any(|variable| variable == b"LOOPWRIGHT_ITERATION=marker-17"));
}

#[test]
fn a_hang_ends_by_sigterm_unless_it_ignores_it() {
    let rehearsal = Rehearsal::of("{ raw = \"ready\" }, { hang = true },");
    let mut agent = Agent::ready(&rehearsal);
    assert!(agent.0.try_wait().unwrap().is_none());
    kill(agent.pid(), Signal::SIGTERM).unwrap();
    assert_eq!(agent.0.wait().unwrap().signal(), Some(15));

    let rehearsal = Rehearsal::of("{ raw = \"ready\" }, { hang = true, ignore = [\"term\", \"int\"] },");
    let mut agent = Agent::ready(&rehearsal);
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
    let rehearsal = Rehearsal::of("{ hang = true, for = \"20ms\" }, { say = \"back\" },");
    assert_eq!(rehearsal.run(&[]).well().text(), "back\n");
}

#[test]
fn a_crash_is_a_real_signal_and_leaves_no_closing_line() {
    for (way, signal) in [("abort", 6), ("segfault", 11), ("kill", 9)] {
        let rehearsal = Rehearsal::of(&format!("{{ say = \"last words\" }}, {{ crash = \"{way}\" }},"));
        let output = rehearsal.command().args(["--output", "claude"]).output().unwrap();
        assert_eq!(output.status.signal(), Some(signal), "{way}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("last words") && !text.contains("\"result\""), "{text}");
    }
}
