//! What an agent said and did, as a file of JSON lines that does not grow without end.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use loopwright_domain::AgentEvent;

use super::files::private_file;

/// A transcript is hardly longer than this: the beginning is kept. What an agent printed later is in its output, and
/// its last words are in a file of their own.
const LIMIT: u64 = 50 * 1024 * 1024;

/// A transcript that is being written. The first failure ends it, and is told at the end.
pub(crate) struct Transcript {
    file: io::Result<BufWriter<File>>,
    written: u64,
    left_out: u64,
}

impl Transcript {
    pub(crate) fn create(path: &Path) -> Self {
        Self { file: private_file(path).map(BufWriter::new), written: 0, left_out: 0 }
    }

    pub(crate) fn write(&mut self, event: &AgentEvent) {
        let Ok(line) = serde_json::to_string(event) else { return };
        let length = line.len() as u64 + 1;
        if self.written + length > LIMIT {
            self.left_out += length;
        } else {
            self.written += length;
            self.put(&line);
        }
    }

    fn put(&mut self, line: &str) {
        if let Ok(file) = &mut self.file
            && let Err(error) = writeln!(file, "{line}")
        {
            self.file = Err(error);
        }
    }

    /// Says how much was left out, closes the file, and gives what went wrong.
    pub(crate) fn finish(mut self) -> Option<io::Error> {
        if self.left_out > 0
            && let Ok(line) = serde_json::to_string(&AgentEvent::Skipped { bytes: self.left_out })
        {
            self.put(&line);
        }
        match self.file {
            Ok(mut file) => file.flush().err(),
            Err(error) => Some(error),
        }
    }
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
    fn a_file_that_cannot_be_made_is_told_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let mut transcript = Transcript::create(&folder.path().join("none/transcript.jsonl"));
        transcript.write(&said("hello"));
        assert!(transcript.finish().is_some());
    }
}
