//! Reads text or JSON lines, whichever it turns out to be.

use loopwright_domain::{AgentEvent, OutputStream};

use super::{FieldPaths, JsonLinesParser, TextParser};
use crate::harness::{OutputParser, ParsedOutput};

/// Takes everything both ways; from the first event of a known CLI on it is JSON.
#[derive(Debug)]
pub(crate) struct DetectedParser {
    text: TextParser,
    lines: JsonLinesParser,
}

impl DetectedParser {
    pub(crate) fn new(prompt: &str) -> Self {
        Self { text: TextParser::new(prompt), lines: JsonLinesParser::new(prompt, FieldPaths::default()) }
    }
}

impl OutputParser for DetectedParser {
    fn line(&mut self, stream: OutputStream, line: &[u8]) -> Vec<AgentEvent> {
        let events = self.lines.line(stream, line);
        if self.lines.is_known_cli() { events } else { self.text.line(stream, line) }
    }

    fn oversize(&mut self, stream: OutputStream, bytes: u64) -> Vec<AgentEvent> {
        self.text.oversize(stream, bytes);
        self.lines.oversize(stream, bytes)
    }

    fn finish(&mut self, exit_code: Option<i32>) -> ParsedOutput {
        if self.lines.is_known_cli() { self.lines.finish(exit_code) } else { self.text.finish(exit_code) }
    }
}
