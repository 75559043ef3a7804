//! Reads JSON lines. A line that is damaged or not JSON is kept as unknown; an event inside such a line is found.

use loopwright_domain::{AgentEvent, AgentProblem, ProblemKind};
use serde_json::Value;

use super::{FieldPaths, Speech, decode};
use crate::dialect;
use crate::harness::{Reader, Reading, Stream};
use crate::ledger::Ledger;
use crate::notice::Notice;

/// How every event of a known CLI begins: where reading goes on inside a damaged line.
const EVENT_START: &str = r#"{"type":""#;
/// How often reading is tried again inside one line.
const ATTEMPTS: usize = 16;

#[derive(Debug)]
pub(crate) struct Lines {
    ledger: Ledger,
    speech: Speech,
    /// Where else things are, in the JSON of a program that is no known CLI; none for a known one.
    fields: Option<FieldPaths>,
    /// What is told behind everything else.
    late: Vec<AgentEvent>,
    printed: bool,
    understood: u64,
    envelopes: u64,
}

impl Lines {
    /// Reads a program that may print the events of any known CLI, or JSON of its own.
    pub(crate) fn new(prompt: &str, fields: FieldPaths) -> Self {
        Self::speaking(prompt, Speech::any(), Some(fields))
    }

    /// Reads a known CLI, of which nothing counts but what is certainly its own.
    pub(crate) fn of_cli(prompt: &str, speech: Speech) -> Self {
        Self::speaking(prompt, speech, None)
    }

    fn speaking(prompt: &str, speech: Speech, fields: Option<FieldPaths>) -> Self {
        Self {
            ledger: Ledger::new(prompt),
            speech,
            fields,
            late: Vec::new(),
            printed: false,
            understood: 0,
            envelopes: 0,
        }
    }

    /// Whether an event of a known CLI was read.
    pub(crate) const fn is_known_cli(&self) -> bool {
        self.envelopes > 0
    }

    /// Whether the last that was read says that all went well.
    pub(crate) const fn ended_well(&self) -> bool {
        self.ledger.ended_well()
    }

    /// Whether a line on standard error belongs to the CLI's log, and is none of the words it has for people.
    pub(crate) fn is_logged(&self, line: &str) -> bool {
        self.speech.logged(line.trim()).is_some()
    }

    /// Takes one value that stands where an event should; a list is a list of events.
    pub(super) fn event(&mut self, value: &Value, events: &mut Vec<AgentEvent>) {
        if let Value::Array(values) = value {
            values.iter().filter(|value| value.is_object()).for_each(|value| self.event(value, events));
            return;
        }
        let envelope = dialect::read_envelope(self.speech.events, value);
        self.envelopes += u64::from(envelope.is_some());
        let found = match &self.fields {
            Some(fields) => fields.apply(value, envelope.or_else(|| dialect::read_plain(value))),
            None => envelope,
        };
        match found {
            Some(notices) => self.take(notices, events),
            None => {
                let kind = value.get("type").and_then(Value::as_str);
                self.ledger.unknown(kind, &value.to_string(), events);
            }
        }
    }

    fn take(&mut self, notices: Vec<Notice>, events: &mut Vec<AgentEvent>) {
        self.understood += 1;
        for notice in notices {
            self.ledger.take(self.speech.judged(notice), events);
        }
    }

    /// Takes what the agent tells elsewhere as it works.
    pub(crate) fn aside(&mut self, notices: Vec<Notice>) -> Vec<AgentEvent> {
        let mut events = Vec::new();
        for notice in notices {
            self.ledger.take(notice, &mut events);
        }
        events
    }

    /// Takes what the agent told elsewhere at its end. The events for it come with the reading.
    pub(crate) fn told(&mut self, notices: Vec<Notice>) {
        for notice in notices {
            self.ledger.take(notice, &mut self.late);
        }
    }

    /// Reads the values from the beginning of a line and gives back what is left.
    fn whole_values<'a>(&mut self, line: &'a str, events: &mut Vec<AgentEvent>) -> &'a str {
        let mut rest = line;
        while rest.starts_with(['{', '[']) {
            let Some((value, after)) = parse(rest) else { break };
            self.event(&value, events);
            rest = after;
        }
        rest
    }

    /// Looks for events in the rest of a damaged line. A part of a broken event must not be taken for one: only
    /// events of a known CLI count, and only when the line ends or another event begins right behind them.
    fn embedded_values(&mut self, damaged: &str, events: &mut Vec<AgentEvent>) {
        let mut rest = damaged;
        for _ in 0..ATTEMPTS {
            let Some(start) = rest.find(EVENT_START) else { return };
            rest = &rest[start..];
            match parse(rest) {
                Some((value, after)) if after.is_empty() || after.starts_with(EVENT_START) => {
                    if let Some(notices) = dialect::read_envelope(self.speech.events, &value) {
                        self.envelopes += 1;
                        self.take(notices, events);
                    }
                    rest = after;
                }
                _ => rest = &rest[EVENT_START.len()..],
            }
        }
    }

    pub(super) fn reading(&mut self) -> Reading {
        let mut reading = self.ledger.finish();
        reading.events.append(&mut self.late);
        if self.printed && self.understood == 0 && reading.error.is_none() {
            reading.error = Some(AgentProblem {
                kind: ProblemKind::Output,
                message: "the agent's output is not the JSON it should be; look at its output format".into(),
                status: None,
            });
        }
        reading
    }

    /// Notes that something was printed, for a reader that collects the values itself.
    pub(super) fn note_printed(&mut self) {
        self.printed = true;
    }

    pub(super) fn skipped(&mut self, bytes: u64) -> Vec<AgentEvent> {
        self.ledger.skipped(bytes)
    }
}

/// One JSON value at the beginning of a text, and what comes behind it.
pub(super) fn parse(text: &str) -> Option<(Value, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let after = text.get(values.byte_offset()..)?;
    Some((value, after.trim_start()))
}

impl Reader for Lines {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<AgentEvent> {
        let mut events = Vec::new();
        let text = decode(line);
        let text = text.trim();
        if stream == Stream::Stderr {
            for notice in self.speech.logged(text).unwrap_or_default() {
                self.ledger.take(notice, &mut events);
            }
            return events;
        }
        if text.is_empty() {
            return events;
        }
        self.printed = true;
        let damaged = self.whole_values(text, &mut events);
        if !damaged.is_empty() {
            self.ledger.unknown(None, damaged, &mut events);
            self.embedded_values(damaged, &mut events);
        }
        events
    }

    fn oversize(&mut self, stream: Stream, bytes: u64) -> Vec<AgentEvent> {
        match stream {
            Stream::Stdout => self.skipped(bytes),
            Stream::Stderr => vec![AgentEvent::Skipped { bytes }],
        }
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> Reading {
        self.reading()
    }
}
