//! Reads one JSON object or array at the end of the output, whatever was printed before it.

use loopwright_domain::AgentEvent;
use serde_json::Value;

use super::lines::{Lines, parse};
use super::{FieldPaths, decode};
use crate::harness::{Reader, Reading, Stream};
use crate::tail::Tail;

/// How much output is kept: as much as the longest line that is read.
const LIMIT: usize = 8 * 1024 * 1024;
/// How many lines are tried as the document's beginning.
const ATTEMPTS: usize = 64;

#[derive(Debug)]
pub(crate) struct Document {
    kept: Tail,
    lines: Lines,
}

impl Document {
    pub(crate) fn new(prompt: &str, fields: FieldPaths) -> Self {
        Self { kept: Tail::new(LIMIT), lines: Lines::new(prompt, fields) }
    }
}

/// The document that reaches to the end; else the last one there is.
fn find(text: &str) -> Option<Value> {
    let mut starts: Vec<usize> =
        line_starts(text).filter(|start| text[*start..].starts_with(['{', '['])).collect();
    let middle = starts.len().saturating_sub(ATTEMPTS / 2).max(ATTEMPTS / 2);
    if starts.len() > ATTEMPTS {
        starts.drain(ATTEMPTS / 2..middle);
    }
    let mut last = None;
    for start in starts {
        if let Some((value, after)) = parse(&text[start..]) {
            if after.is_empty() {
                return Some(value);
            }
            last = Some(value);
        }
    }
    last
}

fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(place, _)| place + 1))
}

impl Reader for Document {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<AgentEvent> {
        if stream == Stream::Stdout {
            let text = decode(line);
            if !text.trim().is_empty() {
                self.lines.note_printed();
            }
            self.kept.push(&text);
            self.kept.push("\n");
        }
        Vec::new()
    }

    fn oversize(&mut self, stream: Stream, bytes: u64) -> Vec<AgentEvent> {
        self.lines.oversize(stream, bytes)
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> Reading {
        let mut events = Vec::new();
        if let Some(value) = find(self.kept.as_str()) {
            self.lines.event(&value, &mut events);
        }
        self.kept.clear();
        Reading { events, ..self.lines.reading() }
    }
}
