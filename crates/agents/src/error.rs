//! What can be wrong with a call before anything is started.

use loopwright_domain::{ErrorCode, Fault};

/// Why an agent cannot be called like this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentsError {
    /// A command line without a program, or with a quote left open.
    #[error("\"{0}\" is not a command")]
    BadCommand(String),
    /// The prompt is too long for an argument or a variable.
    #[error("the prompt is too long for {place}: {bytes} bytes, and {limit} are possible")]
    PromptTooLong {
        /// Where it was to go.
        place: &'static str,
        /// How long that would be.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// The prompt holds a NUL, which no argument and no variable can.
    #[error("the prompt holds a NUL byte, which {0} cannot")]
    PromptWithNul(&'static str),
    /// The arguments ask for a model and none is chosen.
    #[error("the agent's arguments name {{model}}, and no model is chosen")]
    NoModel,
    /// The agent gives up its own protection as root only inside a sandbox.
    #[error("{0} does not skip its permissions as root without a sandbox")]
    Root(&'static str),
    /// The variable for the prompt has a name that no variable can have.
    #[error("\"{0}\" cannot be the name of a variable")]
    BadVariable(String),
}

impl From<AgentsError> for Fault {
    fn from(error: AgentsError) -> Self {
        let (code, hint) = match &error {
            AgentsError::BadCommand(_) => {
                (ErrorCode::AgentCommand, "Write the program with its arguments, and close every quote.")
            }
            AgentsError::PromptTooLong { .. } | AgentsError::PromptWithNul(_) => (
                ErrorCode::AgentPromptArgument,
                "Use prompt_mode = \"stdin\", or \"file\" if the agent reads files.",
            ),
            AgentsError::NoModel => {
                (ErrorCode::AgentCommand, "Choose one, or take {model} out of the arguments.")
            }
            AgentsError::Root(_) => (
                ErrorCode::AgentRoot,
                "Set sandbox = \"on\" in your own settings, use automation \"auto\" instead of \"yolo\", or work as another user.",
            ),
            AgentsError::BadVariable(_) => {
                (ErrorCode::AgentCommand, "Set prompt_env to a name of letters, digits and underscores.")
            }
        };
        Self::new(code, error.to_string()).hint(hint)
    }
}
