//! What a CLI without events says about itself: a line behind each answer, and lines about requests that failed.

use loopwright_domain::{AgentEvent, AgentProblem, ProblemKind, Usage};

use super::verdict::clipped;
use crate::harness::{Reader, Reading, Stream};
use crate::reader::Text;
use crate::tally::Tally;

/// The lines by which a CLI without events is understood. Only they are: the rest is the model's.
#[derive(Debug)]
pub(crate) struct Words {
    /// Reads the line that stands behind each answer of the model.
    pub(super) closing: fn(&str) -> Option<Usage>,
    /// How the lines begin in which it tells that a request failed.
    pub(super) failures: &'static [(&'static str, ProblemKind)],
}

/// What such a CLI printed.
#[derive(Debug)]
pub(super) struct Said {
    words: Option<&'static Words>,
    text: Text,
    anything: bool,
    answered: bool,
    failed: Option<AgentProblem>,
    tally: Tally,
}

impl Said {
    pub(super) fn new(words: Option<&'static Words>, prompt: &str) -> Self {
        Self {
            words,
            text: Text::new(prompt),
            anything: false,
            answered: false,
            failed: None,
            tally: Tally::default(),
        }
    }

    /// Whether the model answered, and no request failed since. Where nothing tells, any words are an answer.
    pub(super) const fn ended_well(&self) -> bool {
        if self.words.is_some() { self.answered } else { self.anything }
    }

    pub(super) fn line(&mut self, stream: Stream, line: &[u8], text: &str) -> Vec<AgentEvent> {
        let mut events = self.text.line(stream, line);
        if stream == Stream::Stdout {
            self.anything |= !text.trim().is_empty();
            events.extend(self.hear(text));
        }
        events
    }

    fn hear(&mut self, line: &str) -> Option<AgentEvent> {
        let words = self.words?;
        if let Some(usage) = (words.closing)(line) {
            (self.answered, self.failed) = (true, None);
            self.tally.response(None, &usage);
            return Some(AgentEvent::Usage { usage: self.tally.sum() });
        }
        let (_, kind) = words.failures.iter().find(|(start, _)| line.starts_with(start))?;
        self.answered = false;
        self.failed = Some(AgentProblem { kind: *kind, message: clipped(line), status: None });
        None
    }

    pub(super) fn oversize(&mut self, stream: Stream, bytes: u64) -> Vec<AgentEvent> {
        self.text.oversize(stream, bytes)
    }

    pub(super) fn finish(&mut self, exit_code: Option<i32>) -> Reading {
        Reading { error: self.failed.take(), usage: self.tally.sum(), ..self.text.finish(exit_code) }
    }
}
