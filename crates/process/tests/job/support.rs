//! What the tests share.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use loopwright_process::{Command, Ended, Job, Line, OutputSink, OutputStream, ProcessIdentity, start};
use loopwright_testkit::eventually_async;

/// A job that runs a shell script, with a marker that no other test has.
pub(crate) fn shell(script: &str, dir: &Path) -> Job {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let marker = format!("test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let command =
        Command::new("/bin/sh", dir).args(["-c", script]).env("PATH", "/usr/local/bin:/usr/bin:/bin");
    Job::new(command, marker)
}

/// Everything a job printed.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
    pub(crate) lines: Vec<(OutputStream, String)>,
}

impl OutputSink for Heard {
    fn output(&mut self, stream: OutputStream, bytes: &[u8]) {
        match stream {
            OutputStream::Stdout => self.out.extend_from_slice(bytes),
            OutputStream::Stderr => self.err.extend_from_slice(bytes),
        }
    }

    fn line(&mut self, stream: OutputStream, line: Line<'_>) {
        let text = match line {
            Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Line::Oversize { bytes, .. } => format!("{bytes} bytes"),
        };
        self.lines.push((stream, text));
    }
}

/// Runs a job to its end.
pub(crate) async fn finished(job: Job) -> (Ended, Heard) {
    let mut heard = Heard::default();
    let ended = start(job).unwrap().finish(&mut heard).await.unwrap();
    (ended, heard)
}

/// The process whose id a script wrote into this file.
pub(crate) fn process(dir: &Path, name: &str) -> Option<ProcessIdentity> {
    let text = fs::read_to_string(dir.join(name)).ok()?;
    ProcessIdentity::of(text.strip_suffix('\n')?.parse().ok()?)
}

/// The command lines of all living processes with this marker, read by other means than the crate's.
pub(crate) fn carriers_of(marker: &str) -> Vec<String> {
    let needle = format!("LOOPWRIGHT_ITERATION={marker}\0");
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let folders = entries.map(|entry| entry.unwrap().path());
    folders
        .filter(|folder| {
            let environment = fs::read(folder.join("environ")).unwrap_or_default();
            environment.windows(needle.len()).any(|part| part == needle.as_bytes())
        })
        .map(|folder| {
            let words = fs::read(folder.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).trim_end_matches('\0').replace('\0', " ")
        })
        .filter(|command| !command.is_empty())
        .collect()
}

/// Waits until this many processes with the marker have become this command. A script's word that it has begun
/// something says nothing about that: between the fork and the new program's own name there is time.
#[cfg(target_os = "linux")]
pub(crate) async fn become_command(marker: &str, command: &str, count: usize) {
    let there = || carriers_of(marker).iter().filter(|carrier| *carrier == command).count() == count;
    eventually_async(command, async || there()).await;
}
