//! How a known CLI speaks.

use crate::cli_event::{CliEvent, ToolOutcome};
use crate::event_decoder::{self, EventDecoder};
use crate::harness::AgentRequest;

/// What of a known CLI's output is certainly its own. Everything else says nothing: a hook or a plugin prints JSON too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventSource {
    /// Its events, as JSON objects on lines.
    pub(crate) events: &'static [EventDecoder],
    /// Its own sandbox, where it has one that it says nothing about.
    pub(crate) sandbox: Option<CliSandbox>,
    /// Reads its own log on standard error, where it has one.
    pub(crate) log: Option<Log>,
}

/// Reads a line on standard error; none when it is no line of the log.
pub(crate) type Log = fn(&str) -> Option<Vec<CliEvent>>;

/// A sandbox of a CLI's own. A command that it stops fails like any other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CliSandbox {
    /// Whether it is around the commands of a call.
    pub(crate) holds: fn(&AgentRequest<'_>) -> bool,
    /// What the system says to a command that such a sandbox stops, in lower case.
    pub(crate) signs: &'static [&'static str],
}

impl EventSource {
    /// A CLI of which nothing but its events is read.
    pub(crate) const fn of(events: &'static [EventDecoder]) -> Self {
        Self { events, sandbox: None, log: None }
    }

    /// Any known CLI, for a program that is none by name.
    pub(crate) const fn any() -> Self {
        Self::of(event_decoder::ENVELOPES)
    }

    /// How it speaks in one call: without its sandbox where that does not hold.
    pub(crate) fn in_call(mut self, request: &AgentRequest<'_>) -> Self {
        self.sandbox = self.sandbox.filter(|sandbox| (sandbox.holds)(request));
        self
    }

    /// What a line on standard error says, when it is a line of the log.
    pub(super) fn logged(&self, line: &str) -> Option<Vec<CliEvent>> {
        self.log.and_then(|read| read(line))
    }

    /// A failed command that shows the sandbox's sign was denied. The words are the system's, of a command that ran; the
    /// model has no part in them.
    pub(super) fn judged(&self, cli_event: CliEvent) -> CliEvent {
        match (cli_event, &self.sandbox) {
            (CliEvent::ToolResult { id, output, outcome: ToolOutcome::Failed }, Some(sandbox)) => {
                let said = output.to_lowercase();
                let denied = sandbox.signs.iter().any(|sign| said.contains(sign));
                let outcome = if denied { ToolOutcome::Denied } else { ToolOutcome::Failed };
                CliEvent::ToolResult { id, output, outcome }
            }
            (cli_event, _) => cli_event,
        }
    }
}
