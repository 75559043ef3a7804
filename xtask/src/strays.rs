//! Finds and ends processes that a test run left behind, however they detached themselves.
//!
//! A process keeps the environment it was started with, so a variable unique to the run marks its whole tree, across
//! new sessions and process groups. Linux shows that environment in `/proc`; elsewhere nothing is found.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::failure::Outcome;

/// The variable that marks one run's processes.
#[derive(Debug)]
pub(crate) struct Marker(String);

impl Marker {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Self(format!("{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn variable(&self) -> &'static str {
        "XTASK_RUN"
    }

    pub(crate) fn value(&self) -> &str {
        &self.0
    }
}

/// Ends every process that carries the marker and says which they were.
#[cfg(target_os = "linux")]
pub(crate) fn end(marker: &Marker) -> Outcome<Vec<String>> {
    let strays = linux::marked(marker);
    if !strays.is_empty() {
        let pids = strays.iter().map(|stray| stray.pid.to_string());
        // Whoever ended by itself in the meantime makes `kill` complain, which is no failure.
        crate::step::Step::new("kill").arg("-KILL").args(pids).capture()?;
    }
    Ok(strays.into_iter().map(|stray| format!("{} ({})", stray.name, stray.pid)).collect())
}

/// Ends every process that carries the marker: not known on this system, so none.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end(_marker: &Marker) -> Outcome<Vec<String>> {
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::Path;

    use super::Marker;

    pub(super) struct Stray {
        pub(super) pid: u32,
        pub(super) name: String,
    }

    pub(super) fn marked(marker: &Marker) -> Vec<Stray> {
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
        fs::read(folder.join("environ"))
            .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|pair| pair == wanted))
    }

    fn name_of(folder: &Path) -> String {
        fs::read_to_string(folder.join("comm")).map(|name| name.trim().to_owned()).unwrap_or_default()
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use crate::step::Step;

    #[test]
    fn ends_a_process_in_another_session_and_spares_others() {
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
        let ended = end(&marker).unwrap();
        assert_eq!(ended, [format!("sleep ({})", marked.id())]);
        assert!(!marked.wait().unwrap().success());
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
