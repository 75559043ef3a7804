//! Processes of this machine, by what their environment holds. Linux only.

use std::fs;
use std::time::{Duration, Instant};

/// How long a process that was ended may still be listed.
const PATIENCE: Duration = Duration::from_secs(5);

/// A process whose environment holds a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// Its number.
    pub pid: i32,
    /// Its command line.
    pub command: String,
}

/// Everybody whose environment holds this text. Those who have ended have no environment any more.
#[must_use]
pub fn marked(text: &str) -> Vec<Marked> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| {
        let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
        let found = environment.windows(text.len()).any(|window| window == text.as_bytes());
        let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        found.then(|| Marked { pid, command: command.replace('\0', " ") })
    })
    .collect()
}

/// Who still carries this text after a few seconds.
#[must_use]
pub fn survivors(text: &str) -> Vec<Marked> {
    let begun = Instant::now();
    loop {
        let left = marked(text);
        if left.is_empty() || begun.elapsed() > PATIENCE {
            return left;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
