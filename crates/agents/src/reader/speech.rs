//! How a known CLI speaks.

use crate::dialect::{self, Dialect};
use crate::harness::Request;
use crate::notice::{Notice, ToolOutcome};

/// What of a known CLI's output is certainly its own. Everything else says nothing: a hook or a plugin prints JSON too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Speech {
    /// Its events, as JSON objects on lines.
    pub(crate) events: &'static [Dialect],
    /// Its own sandbox, where it has one that it says nothing about.
    pub(crate) sandbox: Option<OwnSandbox>,
    /// Reads its own log on standard error, where it has one.
    pub(crate) log: Option<Log>,
}

/// Reads a line on standard error; none when it is no line of the log.
pub(crate) type Log = fn(&str) -> Option<Vec<Notice>>;

/// A sandbox of a CLI's own. A command that it stops fails like any other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnSandbox {
    /// Whether it is around the commands of a call.
    pub(crate) holds: fn(&Request<'_>) -> bool,
    /// What the system says to a command that such a sandbox stops, in lower case.
    pub(crate) signs: &'static [&'static str],
}

impl Speech {
    /// A CLI of which nothing but its events is read.
    pub(crate) const fn of(events: &'static [Dialect]) -> Self {
        Self { events, sandbox: None, log: None }
    }

    /// Any known CLI, for a program that is none by name.
    pub(crate) const fn any() -> Self {
        Self::of(dialect::ENVELOPES)
    }

    /// How it speaks in one call: without its sandbox where that does not hold.
    pub(crate) fn in_call(mut self, request: &Request<'_>) -> Self {
        self.sandbox = self.sandbox.filter(|sandbox| (sandbox.holds)(request));
        self
    }

    /// What a line on standard error says, when it is a line of the log.
    pub(super) fn logged(&self, line: &str) -> Option<Vec<Notice>> {
        self.log.and_then(|read| read(line))
    }

    /// A failed command that shows the sandbox's sign was denied. The words are the system's, of a command that ran; the
    /// model has no part in them.
    pub(super) fn judged(&self, notice: Notice) -> Notice {
        match (notice, &self.sandbox) {
            (Notice::ToolResult { id, output, outcome: ToolOutcome::Failed }, Some(sandbox)) => {
                let said = output.to_lowercase();
                let denied = sandbox.signs.iter().any(|sign| said.contains(sign));
                let outcome = if denied { ToolOutcome::Denied } else { ToolOutcome::Failed };
                Notice::ToolResult { id, output, outcome }
            }
            (notice, _) => notice,
        }
    }
}
