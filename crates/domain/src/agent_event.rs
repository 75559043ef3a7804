//! What an agent says and does while it works, the same for every agent CLI: for the transcript and the UI.

use serde::{Deserialize, Serialize};

use crate::figures::elapsed;
use crate::usage::Usage;
use crate::word::words;

/// One thing an agent said or did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AgentEvent {
    /// The agent has begun and says who it is.
    Session {
        /// Its name for this conversation.
        id: Option<String>,
        /// The model it uses.
        model: Option<String>,
    },
    /// Its own words.
    Message {
        /// The words.
        text: String,
        /// Whether they go right behind the words before: a piece of the same message.
        continues: bool,
    },
    /// Words that are not its answer: what it thinks, and what helpers of its own say. They never count as a claim.
    Aside {
        /// The words.
        text: String,
    },
    /// It uses a tool.
    ToolCall {
        /// Ties the call to its result.
        id: Option<String>,
        /// The tool.
        name: String,
        /// What the tool is asked for, as JSON, cut when it is long.
        input: String,
    },
    /// A tool has answered.
    ToolResult {
        /// Ties the result to its call.
        id: Option<String>,
        /// The tool, where its call was told; none in transcripts of earlier versions.
        #[serde(default)]
        tool: Option<String>,
        /// The answer, cut when it is long.
        output: String,
        /// Whether the tool failed.
        failed: bool,
        /// Whether it failed because the agent was not allowed to use it.
        denied: bool,
    },
    /// What the agent has used so far, all in all.
    Usage {
        /// Tokens and money.
        usage: Usage,
    },
    /// The agent's account has reached a limit.
    Limit {
        /// Which, and until when.
        limit: UsageLimit,
    },
    /// The agent has trouble and tries again by itself.
    Retry {
        /// Which try comes next, counted from 1, when it says so.
        attempt: Option<u32>,
        /// How many tries there are.
        attempts: Option<u32>,
        /// How long it waits before, in milliseconds.
        wait_ms: Option<u32>,
        /// Why.
        problem: AgentProblem,
    },
    /// Something went wrong.
    Error {
        /// What.
        problem: AgentProblem,
        /// Whether the agent gives up because of it.
        fatal: bool,
    },
    /// A line was too long to be read.
    Skipped {
        /// How long it was.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        bytes: u64,
    },
    /// A line that nobody understands: kept, and no reason to stop.
    Unknown {
        /// What the line calls itself.
        kind: Option<String>,
        /// Its beginning.
        text: String,
    },
}

/// A limit of the agent's account that only time, or money, lifts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct UsageLimit {
    /// What the agent says about it.
    pub message: String,
    /// When it is lifted, as an RFC 3339 time in UTC; none where the agent does not say.
    pub resets_at: Option<String>,
}

/// What went wrong for an agent, told by its structured output and never by its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentProblem {
    /// What to decide on.
    pub kind: ProblemKind,
    /// What the agent says about it.
    pub message: String,
    /// The HTTP status of the model's service, when the agent gives it.
    pub status: Option<u16>,
}

impl AgentProblem {
    /// What went wrong, in the agent's own words.
    #[must_use]
    pub fn told(&self) -> String {
        let said = if self.message.is_empty() { self.kind.as_str() } else { &self.message };
        match self.status {
            Some(status) => format!("{said}, status {status}"),
            None => said.to_owned(),
        }
    }

    /// That the agent has this trouble with its service and tries again by itself.
    #[must_use]
    pub fn retried(&self, attempt: Option<u32>, attempts: Option<u32>, wait_ms: Option<u32>) -> String {
        let which = match (attempt, attempts) {
            (Some(attempt), Some(attempts)) => Some(format!("try {attempt} of {attempts}")),
            (Some(attempt), None) => Some(format!("try {attempt}")),
            _ => None,
        };
        let wait = wait_ms.map(|wait| format!("in {}", elapsed(u64::from(wait))));
        [Some(self.told()), which, wait].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

words! {
    /// The sorts of trouble an agent can have.
    ProblemKind {
        /// The agent is not logged in, or its key is refused.
        Login = "login",
        /// The account has used what it is given for some hours or days.
        UsageLimit = "usage_limit",
        /// Too many requests at once.
        RateLimit = "rate_limit",
        /// The model's service is overloaded or down.
        Overload = "overload",
        /// The account has no money left.
        Billing = "billing",
        /// The agent was not allowed to do what it wanted.
        Permission = "permission",
        /// The agent used the turns it was given.
        TurnLimit = "turn_limit",
        /// The agent used the money it was given.
        BudgetLimit = "budget_limit",
        /// The agent refuses to work in a folder it was not told to trust.
        UntrustedFolder = "untrusted_folder",
        /// The agent refuses to work as root.
        Root = "root",
        /// The agent does not know one of its options.
        BadOption = "bad_option",
        /// The connection to the model broke.
        Connection = "connection",
        /// What the agent printed cannot be read as what it should be.
        Output = "output",
        /// Anything else.
        Other = "other",
    }
}

impl ProblemKind {
    /// What an HTTP status of the model's service means.
    #[must_use]
    pub const fn of_status(status: u16) -> Self {
        match status {
            401 | 403 => Self::Login,
            402 => Self::Billing,
            408 => Self::Connection,
            429 => Self::RateLimit,
            500..=599 => Self::Overload,
            _ => Self::Other,
        }
    }
}

/// How much of a tool's input and output goes into an event, in bytes. The raw output has all of it.
pub const TOOL_TEXT_LIMIT: usize = 16 * 1024;

/// Stands where a text was cut.
const CLIPPED: char = '…';

/// Cuts a text that is too long, at a character, and says so.
#[must_use]
pub fn clip(mut text: String, limit: usize) -> String {
    if text.len() > limit {
        text.truncate(text.floor_char_boundary(limit));
        text.push(CLIPPED);
    }
    text
}

/// Whether an event holds only the beginning of what a tool was asked for or has answered.
#[must_use]
pub fn is_clipped(tool_text: &str) -> bool {
    // A cut goes back by a part of a character at most, and what stands there is longer than that.
    tool_text.len() >= TOOL_TEXT_LIMIT && tool_text.ends_with(CLIPPED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_tagged_by_its_type() {
        let event = AgentEvent::Message { text: "hi".into(), continues: false };
        let json = serde_json::to_string(&event).unwrap();
        assert_eq!(json, r#"{"type":"message","text":"hi","continues":false}"#);
        assert_eq!(serde_json::from_str::<AgentEvent>(&json).unwrap(), event);
    }

    #[test]
    fn a_result_of_an_earlier_version_is_read() {
        let json = r#"{"type":"tool_result","id":"c1","output":"ok","failed":false,"denied":false}"#;
        let event = AgentEvent::ToolResult {
            id: Some("c1".into()),
            tool: None,
            output: "ok".into(),
            failed: false,
            denied: false,
        };
        assert_eq!(serde_json::from_str::<AgentEvent>(json).unwrap(), event);
    }

    #[test]
    fn statuses_tell_login_limits_and_overload_apart() {
        let kinds = [401, 402, 429, 500, 529, 404].map(ProblemKind::of_status);
        assert_eq!(
            kinds.map(ProblemKind::as_str),
            ["login", "billing", "rate_limit", "overload", "overload", "other"]
        );
    }
}
