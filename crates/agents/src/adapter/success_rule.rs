//! The success rule: whether an agent did what it was started for, by its last event and its exit code.
//!
//! An exit code alone says little: most CLIs end with 0 after a refusal. What a model or a tool says is never looked
//! at, but for the system's words to a command that a CLI's own sandbox stops. Only a CLI that gives up before its first
//! event is understood by what it prints: those are its own words.

use loopwright_domain::{AgentEvent, AgentProblem, OutputStream, ProblemKind};

use super::text_markers::{MarkedTextParser, TextMarkers};
use super::{Adapter, CliOutput};
use crate::event_decoder;
use crate::harness::{AgentRequest, OutputParser, ParsedOutput};
use crate::output::{JsonLinesParser, decode};
use crate::text_tail::TextTail;

/// How much of what a CLI prints beside its events is kept.
const CLI_MESSAGES_LIMIT: usize = 16 * 1024;
/// How much of it goes into a message.
const MESSAGE_LIMIT: usize = 300;

/// What a CLI's end means.
#[derive(Debug)]
pub(crate) struct SuccessRule {
    /// Exit codes that mean one thing only.
    pub(super) exits: &'static [(i32, ProblemKind)],
    /// What it prints when it refuses to begin.
    pub(super) refusals: &'static [(&'static str, ProblemKind)],
    /// The lines by which it is understood, where it has no events.
    pub(super) text_markers: Option<TextMarkers>,
}

/// Reads what a CLI prints and judges its end.
#[derive(Debug)]
pub(super) struct CliOutputParser {
    adapter: &'static Adapter,
    parser: FormatParser,
    /// What it printed beside its events.
    cli_messages: TextTail,
}

#[derive(Debug)]
enum FormatParser {
    JsonLines(Box<JsonLinesParser>),
    Text(Box<MarkedTextParser>),
}

impl CliOutputParser {
    pub(super) fn new(adapter: &'static Adapter, request: &AgentRequest<'_>) -> Self {
        let prompt = request.prompt;
        let parser = match adapter.output {
            CliOutput::JsonLines(source) => {
                FormatParser::JsonLines(Box::new(JsonLinesParser::of_cli(prompt, source.in_call(request))))
            }
            CliOutput::Text => FormatParser::Text(Box::new(MarkedTextParser::new(
                adapter.rule.text_markers.as_ref(),
                prompt,
            ))),
        };
        Self { adapter, parser, cli_messages: TextTail::new(CLI_MESSAGES_LIMIT) }
    }

    /// Whether what it prints on this stream can only be its own words, not a model's, and is for people to read.
    fn is_cli_message(&self, stream: OutputStream, line: &str) -> bool {
        match &self.parser {
            FormatParser::JsonLines(lines) if stream == OutputStream::Stderr => !lines.is_logged(line),
            FormatParser::JsonLines(lines) => !lines.is_known_cli(),
            FormatParser::Text(_) => stream == OutputStream::Stderr,
        }
    }

    /// Whether it never began to work.
    fn never_started(&self) -> bool {
        match &self.parser {
            FormatParser::JsonLines(lines) => !lines.is_known_cli(),
            FormatParser::Text(text_parser) => !text_parser.ended_well(),
        }
    }

    fn ended_well(&self) -> bool {
        match &self.parser {
            FormatParser::JsonLines(lines) => lines.ended_well(),
            FormatParser::Text(text_parser) => text_parser.ended_well(),
        }
    }

    /// What was wrong with the end, when no event says it.
    fn problem_at_end(&self, exit_code: Option<i32>, parsed: &ParsedOutput) -> Option<AgentProblem> {
        let code = exit_code?;
        if code == 0 && self.ended_well() {
            return None;
        }
        if code == 0 && !parsed.denied.is_empty() {
            let message = format!("it may not use {}", parsed.denied.join(", "));
            return Some(AgentProblem { kind: ProblemKind::Permission, message, status: None });
        }
        let refused = if code != 0 && self.never_started() { self.refusal() } else { None };
        let message = refused.map_or_else(|| self.last_message(code), |(line, _)| line.to_owned());
        let kind = refused.map(|(_, kind)| kind).or_else(|| self.kind_of_exit(code));
        let kind = kind.unwrap_or(if code == 0 { ProblemKind::Output } else { ProblemKind::Other });
        Some(AgentProblem { kind, message: clipped(&message), status: None })
    }

    fn kind_of_exit(&self, code: i32) -> Option<ProblemKind> {
        self.adapter.rule.exits.iter().find(|(known, _)| *known == code).map(|(_, kind)| *kind)
    }

    /// The line in which it refuses to begin, and what that means.
    fn refusal(&self) -> Option<(&str, ProblemKind)> {
        let rules = self.adapter.rule.refusals;
        self.cli_messages.as_str().lines().find_map(|line| {
            let (_, kind) = rules.iter().find(|(words, _)| line.contains(words))?;
            Some((line, *kind))
        })
    }

    /// What it printed last beside its events, else its exit code.
    fn last_message(&self, code: i32) -> String {
        let spoken = self.cli_messages.as_str().lines().rfind(|line| !line.trim().is_empty());
        match (code, spoken) {
            (0, _) => format!("{} ended without an answer", self.adapter.label),
            (_, Some(line)) => line.to_owned(),
            (code, None) => format!("{} ended with exit code {code} and said nothing", self.adapter.label),
        }
    }
}

/// A line as the message of a problem.
pub(super) fn clipped(line: &str) -> String {
    line.trim().chars().take(MESSAGE_LIMIT).collect()
}

impl OutputParser for CliOutputParser {
    fn line(&mut self, stream: OutputStream, line: &[u8]) -> Vec<AgentEvent> {
        let text = decode(line);
        let events = match &mut self.parser {
            FormatParser::JsonLines(lines) => lines.line(stream, line),
            FormatParser::Text(text_parser) => text_parser.line(stream, line, &text),
        };
        if self.is_cli_message(stream, &text) {
            self.cli_messages.push(&text);
            self.cli_messages.push("\n");
        }
        events
    }

    fn oversize(&mut self, stream: OutputStream, bytes: u64) -> Vec<AgentEvent> {
        match &mut self.parser {
            FormatParser::JsonLines(lines) => lines.oversize(stream, bytes),
            FormatParser::Text(text_parser) => text_parser.oversize(stream, bytes),
        }
    }

    fn report(&mut self, content: &[u8]) {
        if let FormatParser::JsonLines(lines) = &mut self.parser {
            lines.take_report(event_decoder::usage_report(content));
        }
    }

    fn event_log_line(&mut self, line: &[u8]) -> Vec<AgentEvent> {
        match &mut self.parser {
            FormatParser::JsonLines(lines) => lines.take_log(event_decoder::span(line)),
            FormatParser::Text(_) => Vec::new(),
        }
    }

    fn finish(&mut self, exit_code: Option<i32>) -> ParsedOutput {
        let mut parsed = match &mut self.parser {
            FormatParser::JsonLines(lines) => lines.finish(exit_code),
            FormatParser::Text(text_parser) => text_parser.finish(exit_code),
        };
        let told = parsed.error.take().filter(|problem| problem.kind != ProblemKind::Output);
        parsed.error = told.or_else(|| self.problem_at_end(exit_code, &parsed)).map(|mut problem| {
            if problem.kind == ProblemKind::Other {
                problem.kind = exit_code.and_then(|code| self.kind_of_exit(code)).unwrap_or(problem.kind);
            }
            problem
        });
        parsed
    }
}
