//! Processes of this machine: who carries a run's mark, who is alive, and ending one of our own.

use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

/// How long something that has to happen may take on a loaded machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A process whose environment holds a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) pid: i32,
    pub(crate) command: String,
}

/// Everybody whose environment holds this text. Those who have ended have no environment any more.
pub(crate) fn marked(text: &str) -> Vec<Marked> {
    let entries = fs::read_dir("/proc").unwrap();
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| {
        let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
        let found = environment.windows(text.len()).any(|window| window == text.as_bytes());
        let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        found.then(|| Marked { pid, command: command.replace('\0', " ") })
    })
    .collect()
}

/// Nobody carries this text, now or a few seconds from now.
pub(crate) fn nobody_marked(text: &str) {
    let begun = Instant::now();
    loop {
        let left = marked(text);
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "still running: {left:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Ends a process of ours as a power cut would, and takes note of its end.
pub(crate) fn kill_at_once(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether a process is there and has not ended.
pub(crate) fn is_alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Waits until something is so.
pub(crate) fn eventually(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "it never came true: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
