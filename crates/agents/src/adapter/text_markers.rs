//! What a CLI without events says about itself: a line behind each answer, and lines about requests that failed.

use loopwright_domain::promise::without_echoed_lines;
use loopwright_domain::{AgentEvent, AgentProblem, OutputStream, ProblemKind, Usage};

use super::success_rule::clipped;
use crate::harness::{OutputParser, ParsedOutput};
use crate::output::TextParser;
use crate::text_tail::{OWN_TEXT_LIMIT, TextTail};
use crate::usage_counter::UsageCounter;

/// The lines by which a CLI without events is understood. Only they are: the rest is the model's.
#[derive(Debug)]
pub(crate) struct TextMarkers {
    /// Reads the line that stands behind each answer of the model.
    pub(super) closing: fn(&str) -> Option<Usage>,
    /// How the lines begin in which it tells that a request failed.
    pub(super) failures: &'static [(&'static str, ProblemKind)],
}

/// What such a CLI printed.
#[derive(Debug)]
pub(super) struct MarkedTextParser {
    markers: Option<&'static TextMarkers>,
    text: TextParser,
    /// The message under way, and the last one that was closed by the CLI's own line behind it.
    message: TextTail,
    last_message: Option<TextTail>,
    prompt: String,
    printed: bool,
    answered: bool,
    failed: Option<AgentProblem>,
    usage_counter: UsageCounter,
}

impl MarkedTextParser {
    pub(super) fn new(markers: Option<&'static TextMarkers>, prompt: &str) -> Self {
        Self {
            markers,
            text: TextParser::new(prompt),
            message: TextTail::new(OWN_TEXT_LIMIT),
            last_message: None,
            prompt: prompt.to_owned(),
            printed: false,
            answered: false,
            failed: None,
            usage_counter: UsageCounter::default(),
        }
    }

    /// Whether the model answered, and no request failed since. Where nothing tells, any words are an answer.
    pub(super) const fn ended_well(&self) -> bool {
        if self.markers.is_some() { self.answered } else { self.printed }
    }

    pub(super) fn line(&mut self, stream: OutputStream, line: &[u8], text: &str) -> Vec<AgentEvent> {
        let mut events = self.text.line(stream, line);
        if stream == OutputStream::Stdout {
            self.printed |= !text.trim().is_empty();
            events.extend(self.read_marker(text));
            if self.markers.is_some() {
                self.message.push(text);
                self.message.push("\n");
            }
        }
        events
    }

    fn read_marker(&mut self, line: &str) -> Option<AgentEvent> {
        let markers = self.markers?;
        if let Some(usage) = (markers.closing)(line) {
            (self.answered, self.failed) = (true, None);
            self.last_message = Some(std::mem::replace(&mut self.message, TextTail::new(OWN_TEXT_LIMIT)));
            self.usage_counter.response(None, &usage);
            return Some(AgentEvent::Usage { usage: self.usage_counter.sum() });
        }
        let (_, kind) = markers.failures.iter().find(|(start, _)| line.starts_with(start))?;
        self.answered = false;
        self.failed = Some(AgentProblem { kind: *kind, message: clipped(line), status: None });
        None
    }

    pub(super) fn oversize(&mut self, stream: OutputStream, bytes: u64) -> Vec<AgentEvent> {
        self.text.oversize(stream, bytes)
    }

    pub(super) fn finish(&mut self, exit_code: Option<i32>) -> ParsedOutput {
        let mut parsed = self.text.finish(exit_code);
        if let Some(last) = self.last_message.take() {
            parsed.last_message = Some(without_echoed_lines(last.as_str(), &self.prompt));
        }
        ParsedOutput { error: self.failed.take(), usage: self.usage_counter.sum(), ..parsed }
    }
}
