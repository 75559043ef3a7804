//! Processes of this machine: who carries a run's mark, who is alive, and ending one of our own.

use std::fs;
use std::process::Child;

pub(crate) use loopwright_testkit::processes::marked;
use loopwright_testkit::processes::survivors;

/// Nobody carries this text, now or a few seconds from now.
pub(crate) fn nobody_marked(text: &str) {
    let left = survivors(text);
    assert!(left.is_empty(), "still running: {left:?}");
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
