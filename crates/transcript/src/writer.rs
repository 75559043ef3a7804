//! What an agent said and did, and what the host did after it, as a file of JSON lines that does not grow without end.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use loopwright_domain::{AgentEvent, CheckResult, CheckStatus, Issue};
use serde::{Deserialize, Serialize};

use loopwright_config::text_file::private_file;

/// A transcript is hardly longer than this: the beginning is kept. What an agent printed later is in its output, and
/// its last words are in a file of their own.
const LIMIT: u64 = 50 * 1024 * 1024;

/// How much is gathered before it is written.
const BUFFER: usize = 64 * 1024;
/// How many characters of what a check found are told.
const DETAIL: usize = 300;

/// One thing the host did after the agent of an iteration. The lines of agents and those of the host have different
/// types and stand in the same file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HostEvent {
    /// A check began.
    CheckStarted {
        /// The check.
        name: String,
    },
    /// A check ended.
    CheckEnded {
        /// The check.
        name: String,
        /// How.
        status: CheckStatus,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
        /// The first thing that is wrong.
        detail: Option<String>,
        /// Whether the check failed before the run, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        red_before: Option<bool>,
    },
    /// The work became a commit.
    Committed {
        /// The commit.
        commit: String,
    },
}

impl HostEvent {
    /// How a check ended.
    #[must_use]
    pub fn check_ended(result: &CheckResult) -> Self {
        Self::CheckEnded {
            name: result.name.clone(),
            status: result.status,
            elapsed_ms: result.elapsed_ms,
            detail: result.failed().then(|| first_trouble(result)).flatten(),
            red_before: result.red_before,
        }
    }

    /// Adds this to a transcript whose agent has ended. A transcript that is not there, or cannot be written, is no
    /// reason to stop: the same is in the journal.
    pub fn note(&self, path: &Path) {
        let _ = self.append(path);
    }

    fn append(&self, path: &Path) -> io::Result<()> {
        let mut file = File::options().read(true).append(true).open(path)?;
        let line = line_of(self)?;
        // A crash may have left half a line.
        let begin = if ends_in_a_line(&mut file)? { "" } else { "\n" };
        file.write_all(format!("{begin}{line}").as_bytes())
    }
}

fn ends_in_a_line(file: &mut File) -> io::Result<bool> {
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last == *b"\n")
}

/// The first issue, else what is wrong with the check itself, else the first line that it printed.
fn first_trouble(result: &CheckResult) -> Option<String> {
    let place = |issue: &Issue| match (&issue.file, issue.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", issue.message),
        (Some(file), None) => format!("{file}: {}", issue.message),
        _ => issue.message.clone(),
    };
    let told = result.issues.first().map(place).or_else(|| result.problem.clone());
    let told = told.unwrap_or_else(|| result.excerpt.clone());
    let line = told.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(DETAIL).collect())
}

/// A transcript that is being written. The first failure ends it, and is told at the end.
pub struct Transcript {
    file: io::Result<BufWriter<File>>,
    written: u64,
    left_out: u64,
}

impl Transcript {
    /// Begins a transcript; one that is there is begun anew.
    #[must_use]
    pub fn create(path: &Path) -> Self {
        Self {
            file: private_file(path).map(|file| BufWriter::with_capacity(BUFFER, file)),
            written: 0,
            left_out: 0,
        }
    }

    /// Adds what the agent said or did.
    pub fn write(&mut self, event: &AgentEvent) {
        let Ok(line) = line_of(event) else { return };
        let length = line.len() as u64;
        if self.written + length > LIMIT {
            self.left_out += length;
        } else {
            self.written += length;
            self.put(&line);
        }
    }

    /// Writes what was gathered, so that others see it.
    pub fn flush(&mut self) {
        self.attempt(BufWriter::flush);
    }

    /// Adds a line with its end in one piece: whoever reads meanwhile sees whole lines only.
    fn put(&mut self, line: &str) {
        self.attempt(|file| file.write_all(line.as_bytes()));
    }

    fn attempt(&mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) {
        if let Ok(file) = &mut self.file
            && let Err(error) = write(file)
        {
            self.file = Err(error);
        }
    }

    /// Says how much was left out, closes the file, and gives what went wrong.
    #[must_use]
    pub fn finish(mut self) -> Option<io::Error> {
        if self.left_out > 0
            && let Ok(line) = line_of(&AgentEvent::Skipped { bytes: self.left_out })
        {
            self.put(&line);
        }
        self.flush();
        self.file.err()
    }
}

/// A line and when it was written, in milliseconds since 1970. The time stands behind all that the line says.
#[derive(Serialize)]
struct Stamped<'a, T> {
    #[serde(flatten)]
    said: &'a T,
    at: u64,
}

fn line_of(said: &impl Serialize) -> serde_json::Result<String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let at = u64::try_from(since.as_millis()).unwrap_or_default();
    let mut line = serde_json::to_string(&Stamped { said, at })?;
    line.push('\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> AgentEvent {
        AgentEvent::Message { text: text.to_owned(), continues: false }
    }

    #[test]
    fn the_beginning_is_kept_and_what_was_left_out_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcript.jsonl");
        let mut transcript = Transcript::create(&path);
        let long = said(&"x".repeat(1024 * 1024));
        for _ in 0..60 {
            transcript.write(&long);
        }
        transcript.write(&said("short"));
        assert!(transcript.finish().is_none());
        assert!(std::fs::metadata(&path).unwrap().len() < LIMIT + 1024);
        let text = std::fs::read_to_string(&path).unwrap();
        let events: Vec<AgentEvent> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(events.first(), Some(&long));
        assert!(matches!(events.last(), Some(AgentEvent::Skipped { bytes }) if *bytes > 10 * 1024 * 1024));
    }

    #[test]
    fn what_the_host_did_stands_in_lines_of_its_own_even_behind_half_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcript.jsonl");
        let started = HostEvent::CheckStarted { name: "tests".to_owned() };
        started.note(&path);
        assert!(!path.exists(), "a transcript that nobody wrote is not made");
        std::fs::write(&path, "{\"type\":\"mess").unwrap();
        started.note(&path);
        HostEvent::Committed { commit: "ab12".to_owned() }.note(&path);
        let text = std::fs::read_to_string(&path).unwrap();
        let noted: Vec<HostEvent> =
            text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(noted, [started, HostEvent::Committed { commit: "ab12".to_owned() }]);
    }

    #[test]
    fn a_check_that_ended_is_written_with_how_it_stood_before_the_run() {
        let ended = |red_before| HostEvent::CheckEnded {
            name: "tests".to_owned(),
            status: CheckStatus::Failed,
            elapsed_ms: 1,
            detail: None,
            red_before,
        };
        let text = serde_json::to_string(&ended(Some(true))).unwrap();
        assert!(text.contains(r#""red_before":true"#), "{text}");
        assert_eq!(serde_json::from_str::<HostEvent>(&text).unwrap(), ended(Some(true)));
        let old = r#"{"type":"check_ended","name":"tests","status":"failed","elapsed_ms":1,"detail":null}"#;
        assert_eq!(serde_json::from_str::<HostEvent>(old).unwrap(), ended(None));
        assert_eq!(serde_json::to_string(&ended(None)).unwrap(), old);
    }

    #[test]
    fn what_was_gathered_is_seen_when_it_is_flushed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcript.jsonl");
        let mut transcript = Transcript::create(&path);
        transcript.write(&said("hello"));
        transcript.flush();
        assert!(std::fs::read_to_string(&path).unwrap().contains("hello"));
        assert!(transcript.finish().is_none());
    }

    #[test]
    fn a_file_that_cannot_be_made_is_told_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let mut transcript = Transcript::create(&folder.path().join("none/transcript.jsonl"));
        transcript.write(&said("hello"));
        assert!(transcript.finish().is_some());
    }
}
