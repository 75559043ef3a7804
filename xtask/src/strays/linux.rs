//! Linux: every process's environment is in `/proc`.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::Marker;
use crate::failure::Outcome;
use crate::step::Step;

/// How long a killed process may take to be gone.
const DEATH: Duration = Duration::from_secs(10);

/// Ends every process that carries the marker, waits until they are gone and says which they were.
pub(crate) fn end(marker: &Marker) -> Outcome<Vec<String>> {
    let strays = marked(marker);
    if !strays.is_empty() {
        let pids = strays.iter().map(|stray| stray.pid.to_string());
        // Whoever ended by itself in the meantime makes `kill` complain, which is no failure.
        Step::new("kill").arg("-KILL").args(pids).capture()?;
    }
    let killed = Instant::now();
    while !marked(marker).is_empty() && killed.elapsed() < DEATH {
        thread::sleep(Duration::from_millis(10));
    }
    Ok(strays.into_iter().map(|stray| format!("{} ({})", stray.name, stray.pid)).collect())
}

struct Stray {
    pid: u32,
    name: String,
}

fn marked(marker: &Marker) -> Vec<Stray> {
    let wanted = format!("{}={}", marker.variable(), marker.value());
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
        .filter(|(_, folder)| carries(folder, wanted.as_bytes()))
        .map(|(pid, folder)| Stray { pid, name: name_of(&folder) })
        .collect()
}

fn carries(folder: &Path, wanted: &[u8]) -> bool {
    let environment = fs::read(folder.join("environ"));
    environment.is_ok_and(|environment| environment.split(|byte| *byte == 0).any(|pair| pair == wanted))
}

fn name_of(folder: &Path) -> String {
    fs::read_to_string(folder.join("comm")).map(|name| name.trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `spawn` returns a moment before the kernel shows the new program's environment.
    fn wait_for_environment(marker: &Marker) {
        let started = Instant::now();
        while marked(marker).is_empty() && started.elapsed() < DEATH {
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn ends_a_process_in_another_group_and_spares_others() {
        let marker = Marker::new();
        let start = |value: &str| {
            let step = Step::new("sleep").arg("247").env(marker.variable(), value);
            step.spawn(|command| {
                use std::os::unix::process::CommandExt as _;
                command.process_group(0);
            })
        };
        let mut marked = start(marker.value()).unwrap();
        let mut other = start("another run").unwrap();
        wait_for_environment(&marker);
        let ended = end(&marker).unwrap();
        assert_eq!(ended, [format!("sleep ({})", marked.id())]);
        assert!(!marked.wait().unwrap().success());
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
