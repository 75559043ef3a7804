//! The success rule: whether an agent did what it was started for, by its last event and its exit code.
//!
//! An exit code alone says little: most CLIs end with 0 after a refusal. What a model or a tool says is never looked
//! at. Only a CLI that gives up before its first event is understood by what it prints: those are its own words.

use loopwright_domain::{AgentEvent, AgentProblem, ProblemKind};

use super::{Adapter, Output};
use crate::harness::{Reader, Reading, Stream};
use crate::reader::{FieldPaths, Lines, decode};
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
}

/// Reads a CLI's events and judges its end.
#[derive(Debug)]
pub(super) struct Judge {
    adapter: &'static Adapter,
    lines: Lines,
    /// What it printed beside its events.
    aside: Tail,
}

impl Judge {
    pub(super) fn new(adapter: &'static Adapter, prompt: &str) -> Self {
        let lines = match adapter.output {
            Output::Lines => Lines::new(prompt, FieldPaths::default()),
        };
        Self { adapter, lines, aside: Tail::new(ASIDE_LIMIT) }
    }

    /// What was wrong with the end, when no event says it.
    fn trouble(&self, exit_code: Option<i32>, reading: &Reading) -> Option<AgentProblem> {
        let code = exit_code?;
        if code == 0 && self.lines.ended_well() {
            return None;
        }
        if code == 0 && !reading.denied.is_empty() {
            let message = format!("it may not use {}", reading.denied.join(", "));
            return Some(AgentProblem { kind: ProblemKind::Permission, message, status: None });
        }
        let by_code = self.adapter.rule.exits.iter().find(|(known, _)| *known == code).map(|(_, kind)| *kind);
        let refused = if self.lines.is_known_cli() { None } else { self.refusal() };
        let kind = refused.map(|(_, kind)| kind).or(by_code);
        let message = match refused {
            Some((line, _)) => line.to_owned(),
            None => self.last_words(code),
        };
        let kind = kind.unwrap_or(if code == 0 { ProblemKind::Output } else { ProblemKind::Other });
        Some(AgentProblem { kind, message: clipped(&message), status: None })
    }

    /// The line in which it refuses to begin, and what that means.
    fn refusal(&self) -> Option<(&str, ProblemKind)> {
        let rules = self.adapter.rule.refusals;
        self.aside.as_str().lines().find_map(|line| {
            let (_, kind) = rules.iter().find(|(words, _)| line.contains(words))?;
            Some((line.trim(), *kind))
        })
    }

    /// What it printed last beside its events, else its exit code.
    fn last_words(&self, code: i32) -> String {
        let spoken = self.aside.as_str().lines().map(str::trim).rfind(|line| !line.is_empty());
        match (code, spoken) {
            (0, _) => format!("{} ended without an answer", self.adapter.label),
            (_, Some(line)) => line.to_owned(),
            (code, None) => format!("{} ended with exit code {code} and said nothing", self.adapter.label),
        }
    }
}

fn clipped(text: &str) -> String {
    text.chars().take(MESSAGE_LIMIT).collect()
}

impl Reader for Judge {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<AgentEvent> {
        if stream == Stream::Stderr || !self.lines.is_known_cli() {
            self.aside.push(&decode(line));
            self.aside.push("\n");
        }
        self.lines.line(stream, line)
    }

    fn oversize(&mut self, stream: Stream, bytes: u64) -> Vec<AgentEvent> {
        self.lines.oversize(stream, bytes)
    }

    fn finish(&mut self, exit_code: Option<i32>) -> Reading {
        let mut reading = self.lines.finish(exit_code);
        let told = reading.error.take().filter(|problem| problem.kind != ProblemKind::Output);
        reading.error = told.or_else(|| self.trouble(exit_code, &reading));
        reading
    }
}
