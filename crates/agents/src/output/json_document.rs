//! Reads one JSON object or array at the end of the output, whatever was printed before it.

use loopwright_domain::json::replace_lone_surrogates;
use loopwright_domain::{AgentEvent, OutputStream};
use serde_json::Value;

use super::json_lines::{JsonLinesParser, parse};
use super::{FieldPaths, decode};
use crate::harness::{OutputParser, ParsedOutput};
use crate::text_tail::TextTail;

/// How much output is kept: as much as the longest line that is read.
const LIMIT: usize = 8 * 1024 * 1024;
/// How many lines are tried as the document's beginning.
const ATTEMPTS: usize = 64;

#[derive(Debug)]
pub(crate) struct JsonDocumentParser {
    kept: TextTail,
    lines: JsonLinesParser,
}

impl JsonDocumentParser {
    pub(crate) fn new(prompt: &str, fields: FieldPaths) -> Self {
        Self { kept: TextTail::new(LIMIT), lines: JsonLinesParser::new(prompt, fields) }
    }
}

/// The document that reaches to the end; else the last one there is.
fn find(text: &str) -> Option<Value> {
    let mut starts: Vec<&str> = line_starts(text).filter(|rest| rest.starts_with(['{', '['])).collect();
    let middle = starts.len().saturating_sub(ATTEMPTS / 2).max(ATTEMPTS / 2);
    if starts.len() > ATTEMPTS {
        starts.drain(ATTEMPTS / 2..middle);
    }
    let mut last = None;
    for start in starts {
        if let Some((value, after)) = parse(start) {
            if after.is_empty() {
                return Some(value);
            }
            last = Some(value);
        }
    }
    last
}

/// The text from the beginning of each line on.
fn line_starts(text: &str) -> impl Iterator<Item = &str> {
    let after_breaks =
        text.match_indices('\n').filter_map(|(at, line_break)| text.get(at + line_break.len()..));
    std::iter::once(text).chain(after_breaks)
}

impl OutputParser for JsonDocumentParser {
    fn line(&mut self, stream: OutputStream, line: &[u8]) -> Vec<AgentEvent> {
        if stream == OutputStream::Stdout {
            let text = decode(line);
            if !text.trim().is_empty() {
                self.lines.note_printed();
            }
            self.kept.push(&text);
            self.kept.push("\n");
        }
        Vec::new()
    }

    fn oversize(&mut self, stream: OutputStream, bytes: u64) -> Vec<AgentEvent> {
        self.lines.oversize(stream, bytes)
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> ParsedOutput {
        let mut events = Vec::new();
        if let Some(value) = find(&replace_lone_surrogates(self.kept.as_str())) {
            self.lines.event(&value, &mut events);
        }
        self.kept.clear();
        ParsedOutput { events, ..self.lines.parsed() }
    }
}
