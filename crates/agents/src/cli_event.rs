//! What an event decoder finds in one value, before it is put together with what came before.

use loopwright_domain::{AgentProblem, Usage, UsageLimit};

/// One statement of a CLI about its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CliEvent {
    /// The agent says who it is.
    Session { id: Option<String>, model: Option<String> },
    /// The model, of an agent that says so aside. The first that is told holds: helpers may have another.
    Model(String),
    /// A piece of a message of the agent's own.
    Piece { message: Option<String>, text: String },
    /// A whole message, or a whole part of one, of the agent's own. It replaces the pieces it came in.
    Whole { message: Option<String>, text: String },
    /// The final answer, told again at the end.
    Answer { text: String },
    /// The answer by the schema that was asked for, as JSON.
    Structured(String),
    /// Thoughts, and the words of helpers.
    Aside { text: String },
    /// A tool is called.
    ToolCall { id: Option<String>, name: String, input: String },
    /// A tool has answered.
    ToolResult { id: Option<String>, output: String, outcome: ToolOutcome },
    /// A tool was denied.
    Denied { tool: String },
    /// A tool was denied, and nothing else tells of its call.
    Refused { id: Option<String>, tool: String, output: String },
    /// The model answered in a conversation: the agent's own, or a helper's.
    Answered { session: String, usage: Usage },
    /// What one response used.
    Used { response: Option<String>, usage: Usage },
    /// What everything used, but for the helpers of an agent that tells of them aside.
    UsedInAll { usage: Usage },
    /// How often the model answered.
    Turns(u32),
    /// The model answered once more.
    Turn,
    /// A limit of the account.
    Limit(UsageLimit),
    /// The agent tries again.
    Retry { attempt: Option<u32>, attempts: Option<u32>, wait_ms: Option<u32>, problem: AgentProblem },
    /// Something went wrong, and the agent goes on.
    Warning(AgentProblem),
    /// Something went wrong, and the agent gives up.
    Failed(AgentProblem),
    /// The agent ended well: trouble before this was overcome.
    Succeeded,
}

/// How a tool call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolOutcome {
    Worked,
    Failed,
    Denied,
}

impl ToolOutcome {
    /// Failed or not.
    pub(crate) const fn failed(failed: bool) -> Self {
        if failed { Self::Failed } else { Self::Worked }
    }
}
