//! Reads text or JSON lines, whichever it turns out to be.

use loopwright_domain::AgentEvent;

use super::{FieldPaths, Lines, Text};
use crate::harness::{Reader, Reading, Stream};

/// Takes everything both ways; from the first event of a known CLI on it is JSON.
#[derive(Debug)]
pub(crate) struct Either {
    text: Text,
    lines: Lines,
}

impl Either {
    pub(crate) fn new(prompt: &str) -> Self {
        Self { text: Text::new(prompt), lines: Lines::new(prompt, FieldPaths::default()) }
    }
}

impl Reader for Either {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<AgentEvent> {
        let events = self.lines.line(stream, line);
        if self.lines.is_known_cli() { events } else { self.text.line(stream, line) }
    }

    fn oversize(&mut self, stream: Stream, bytes: u64) -> Vec<AgentEvent> {
        self.text.oversize(stream, bytes);
        self.lines.oversize(stream, bytes)
    }

    fn finish(&mut self, exit_code: Option<i32>) -> Reading {
        if self.lines.is_known_cli() { self.lines.finish(exit_code) } else { self.text.finish(exit_code) }
    }
}
