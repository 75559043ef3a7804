//! Reads JSON lines. A line that is damaged or not JSON is kept as unknown; an event inside such a line is found.

use loopwright_domain::json::replace_lone_surrogates;
use loopwright_domain::{AgentEvent, AgentProblem, OutputStream, ProblemKind};
use serde_json::Value;

use super::{EventSource, FieldPaths, decode};
use crate::cli_event::CliEvent;
use crate::event_decoder;
use crate::harness::{OutputParser, ParsedOutput};
use crate::output_state::OutputState;

/// How every event of a known CLI begins: where parsing goes on inside a damaged line.
const EVENT_START: &str = r#"{"type":""#;
/// How often parsing is tried again inside one line.
const ATTEMPTS: usize = 16;

#[derive(Debug)]
pub(crate) struct JsonLinesParser {
    state: OutputState,
    source: EventSource,
    /// Where else things are, in the JSON of a program that is no known CLI; none for a known one.
    fields: Option<FieldPaths>,
    /// What is told behind everything else.
    late: Vec<AgentEvent>,
    printed: bool,
    understood: u64,
    envelopes: u64,
}

impl JsonLinesParser {
    /// Reads a program that may print the events of any known CLI, or JSON of its own.
    pub(crate) fn new(prompt: &str, fields: FieldPaths) -> Self {
        Self::speaking(prompt, EventSource::any(), Some(fields))
    }

    /// Reads a known CLI, of which nothing counts but what is certainly its own.
    pub(crate) fn of_cli(prompt: &str, source: EventSource) -> Self {
        Self::speaking(prompt, source, None)
    }

    fn speaking(prompt: &str, source: EventSource, fields: Option<FieldPaths>) -> Self {
        Self {
            state: OutputState::new(prompt),
            source,
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
        self.state.ended_well()
    }

    /// Whether a line on standard error belongs to the CLI's log, and is none of the words it has for people.
    pub(crate) fn is_logged(&self, line: &str) -> bool {
        self.source.logged(line.trim()).is_some()
    }

    /// Takes one value that stands where an event should; a list is a list of events.
    pub(super) fn event(&mut self, value: &Value, events: &mut Vec<AgentEvent>) {
        if let Value::Array(values) = value {
            values.iter().filter(|value| value.is_object()).for_each(|value| self.event(value, events));
            return;
        }
        let envelope = event_decoder::read_envelope(self.source.events, value);
        self.envelopes += u64::from(envelope.is_some());
        let found = match &self.fields {
            Some(fields) => fields.apply(value, envelope.or_else(|| event_decoder::read_generic(value))),
            None => envelope,
        };
        match found {
            Some(cli_events) => self.take(cli_events, events),
            None => {
                let kind = value.get("type").and_then(Value::as_str);
                self.state.unknown(kind, &value.to_string(), events);
                // Whoever prints an error last has not ended well; words or a good end behind it say otherwise.
                if kind == Some("error") {
                    let error = value.get("error").unwrap_or(value);
                    self.state.take(CliEvent::Warning(event_decoder::of_error(error)), events);
                }
            }
        }
    }

    fn take(&mut self, cli_events: Vec<CliEvent>, events: &mut Vec<AgentEvent>) {
        self.understood += 1;
        for cli_event in cli_events {
            self.state.take(self.source.judged(cli_event), events);
        }
    }

    /// Takes what the agent tells elsewhere as it works.
    pub(crate) fn take_log(&mut self, cli_events: Vec<CliEvent>) -> Vec<AgentEvent> {
        let mut events = Vec::new();
        for cli_event in cli_events {
            self.state.take(cli_event, &mut events);
        }
        events
    }

    /// Takes what the agent told elsewhere at its end. The events for it come with the parsed.
    pub(crate) fn take_report(&mut self, cli_events: Vec<CliEvent>) {
        for cli_event in cli_events {
            self.state.take(cli_event, &mut self.late);
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
            let Some(event) = rest.find(EVENT_START).and_then(|start| rest.get(start..)) else { return };
            match parse(event) {
                Some((value, after)) if after.is_empty() || after.starts_with(EVENT_START) => {
                    if let Some(cli_events) = event_decoder::read_envelope(self.source.events, &value) {
                        self.envelopes += 1;
                        self.take(cli_events, events);
                    }
                    rest = after;
                }
                _ => rest = event.strip_prefix(EVENT_START).unwrap_or_default(),
            }
        }
    }

    pub(super) fn parsed(&mut self) -> ParsedOutput {
        let mut parsed = self.state.finish();
        parsed.events.append(&mut self.late);
        if self.printed && self.understood == 0 && parsed.error.is_none() {
            parsed.error = Some(AgentProblem {
                kind: ProblemKind::Output,
                message: "the agent's output is not the JSON it should be; look at its output format".into(),
                status: None,
            });
        }
        parsed
    }

    /// Notes that something was printed, for a parser that collects the values itself.
    pub(super) fn note_printed(&mut self) {
        self.printed = true;
    }

    pub(super) fn skipped(&mut self, bytes: u64) -> Vec<AgentEvent> {
        self.state.skipped(bytes)
    }
}

/// One JSON value at the beginning of a text, and what comes behind it.
pub(super) fn parse(text: &str) -> Option<(Value, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let after = text.get(values.byte_offset()..)?;
    Some((value, after.trim_start()))
}

impl OutputParser for JsonLinesParser {
    fn line(&mut self, stream: OutputStream, line: &[u8]) -> Vec<AgentEvent> {
        let mut events = Vec::new();
        let text = decode(line);
        let text = replace_lone_surrogates(&text);
        let text = text.trim();
        if stream == OutputStream::Stderr {
            for cli_event in self.source.logged(text).unwrap_or_default() {
                self.state.take(cli_event, &mut events);
            }
            return events;
        }
        if text.is_empty() {
            return events;
        }
        self.printed = true;
        let damaged = self.whole_values(text, &mut events);
        if !damaged.is_empty() {
            self.state.unknown(None, damaged, &mut events);
            self.embedded_values(damaged, &mut events);
        }
        events
    }

    fn oversize(&mut self, stream: OutputStream, bytes: u64) -> Vec<AgentEvent> {
        match stream {
            OutputStream::Stdout => self.skipped(bytes),
            OutputStream::Stderr => vec![AgentEvent::Skipped { bytes }],
        }
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> ParsedOutput {
        self.parsed()
    }
}
