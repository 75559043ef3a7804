//! The success rule: whether an agent did what it was started for, by its last event and its exit code.
//!
//! An exit code alone says little: most CLIs end with 0 after a refusal. What a model or a tool says is never looked
//! at, but for the system's words to a command that a CLI's own sandbox stops. Only a CLI that gives up before its first
//! event is understood by what it prints: those are its own words.

use loopwright_domain::{AgentEvent, AgentProblem, ProblemKind};

use super::words::{Said, Words};
use super::{Adapter, Output};
use crate::dialect;
use crate::harness::{Reader, Reading, Request, Stream};
use crate::reader::{Lines, decode};
use crate::tail::Tail;

/// How much of what a CLI prints beside its events is kept.
const ASIDE_LIMIT: usize = 16 * 1024;
/// How much of it goes into a message.
const MESSAGE_LIMIT: usize = 300;

/// What a CLI's end means.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Exit codes that mean one thing only.
    pub(super) exits: &'static [(i32, ProblemKind)],
    /// What it prints when it refuses to begin.
    pub(super) refusals: &'static [(&'static str, ProblemKind)],
    /// The lines by which it is understood, where it has no events.
    pub(super) words: Option<Words>,
}

/// Reads what a CLI prints and judges its end.
#[derive(Debug)]
pub(super) struct Judge {
    adapter: &'static Adapter,
    spoken: Spoken,
    /// What it printed beside its events.
    aside: Tail,
}

#[derive(Debug)]
enum Spoken {
    Events(Box<Lines>),
    Text(Box<Said>),
}

impl Judge {
    pub(super) fn new(adapter: &'static Adapter, request: &Request<'_>) -> Self {
        let prompt = request.prompt;
        let spoken = match adapter.output {
            Output::Lines(speech) => Spoken::Events(Box::new(Lines::of_cli(prompt, speech.in_call(request)))),
            Output::Text => Spoken::Text(Box::new(Said::new(adapter.rule.words.as_ref(), prompt))),
        };
        Self { adapter, spoken, aside: Tail::new(ASIDE_LIMIT) }
    }

    /// Whether what it prints on this stream can only be its own words, not a model's, and is for people to read.
    fn speaks_for_itself(&self, stream: Stream, line: &str) -> bool {
        match &self.spoken {
            Spoken::Events(lines) if stream == Stream::Stderr => !lines.is_logged(line),
            Spoken::Events(lines) => !lines.is_known_cli(),
            Spoken::Text(_) => stream == Stream::Stderr,
        }
    }

    /// Whether it never began to work.
    fn never_began(&self) -> bool {
        match &self.spoken {
            Spoken::Events(lines) => !lines.is_known_cli(),
            Spoken::Text(said) => !said.ended_well(),
        }
    }

    fn ended_well(&self) -> bool {
        match &self.spoken {
            Spoken::Events(lines) => lines.ended_well(),
            Spoken::Text(said) => said.ended_well(),
        }
    }

    /// What was wrong with the end, when no event says it.
    fn trouble(&self, exit_code: Option<i32>, reading: &Reading) -> Option<AgentProblem> {
        let code = exit_code?;
        if code == 0 && self.ended_well() {
            return None;
        }
        if code == 0 && !reading.denied.is_empty() {
            let message = format!("it may not use {}", reading.denied.join(", "));
            return Some(AgentProblem { kind: ProblemKind::Permission, message, status: None });
        }
        let refused = if code != 0 && self.never_began() { self.refusal() } else { None };
        let message = refused.map_or_else(|| self.last_words(code), |(line, _)| line.to_owned());
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
        self.aside.as_str().lines().find_map(|line| {
            let (_, kind) = rules.iter().find(|(words, _)| line.contains(words))?;
            Some((line, *kind))
        })
    }

    /// What it printed last beside its events, else its exit code.
    fn last_words(&self, code: i32) -> String {
        let spoken = self.aside.as_str().lines().rfind(|line| !line.trim().is_empty());
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

impl Reader for Judge {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<AgentEvent> {
        let text = decode(line);
        let events = match &mut self.spoken {
            Spoken::Events(lines) => lines.line(stream, line),
            Spoken::Text(said) => said.line(stream, line, &text),
        };
        if self.speaks_for_itself(stream, &text) {
            self.aside.push(&text);
            self.aside.push("\n");
        }
        events
    }

    fn oversize(&mut self, stream: Stream, bytes: u64) -> Vec<AgentEvent> {
        match &mut self.spoken {
            Spoken::Events(lines) => lines.oversize(stream, bytes),
            Spoken::Text(said) => said.oversize(stream, bytes),
        }
    }

    fn report(&mut self, content: &[u8]) {
        if let Spoken::Events(lines) = &mut self.spoken {
            lines.told(dialect::usage_report(content));
        }
    }

    fn diary(&mut self, line: &[u8]) -> Vec<AgentEvent> {
        match &mut self.spoken {
            Spoken::Events(lines) => lines.aside(dialect::span(line)),
            Spoken::Text(_) => Vec::new(),
        }
    }

    fn finish(&mut self, exit_code: Option<i32>) -> Reading {
        let mut reading = match &mut self.spoken {
            Spoken::Events(lines) => lines.finish(exit_code),
            Spoken::Text(said) => said.finish(exit_code),
        };
        let told = reading.error.take().filter(|problem| problem.kind != ProblemKind::Output);
        reading.error = told.or_else(|| self.trouble(exit_code, &reading)).map(|mut problem| {
            if problem.kind == ProblemKind::Other {
                problem.kind = exit_code.and_then(|code| self.kind_of_exit(code)).unwrap_or(problem.kind);
            }
            problem
        });
        reading
    }
}
