//! Who did an iteration's work, and what is known about it afterwards; and when an agent has to rest.

use serde::{Deserialize, Serialize};

use crate::agent_event::{AgentProblem, ProblemKind};
use crate::fault::ErrorCode;
use crate::word::words;

words! {
    /// Whether an agent is logged in, as far as its own CLI tells.
    LoginState {
        /// It says that it is.
        LoggedIn = "logged_in",
        /// It says that it is not.
        LoggedOut = "logged_out",
        /// It cannot tell, or was not asked.
        Unknown = "unknown",
    }
}

words! {
    /// What to do when an agent's account has reached its limit.
    OnLimit {
        /// Hold the run until the limit is lifted.
        Wait = "wait",
        /// Stop the run; it can be resumed.
        Stop = "stop",
        /// Go on with the next agent of the list; wait when none is left.
        Fallback = "fallback",
    }
}

words! {
    /// What keeps an agent from writing where it must not.
    SandboxState {
        /// The system's sandbox.
        Sandbox = "sandbox",
        /// Nothing: it was switched off.
        Off = "off",
        /// Nothing: this machine has no sandbox.
        Unavailable = "unavailable",
    }
}

/// Who did an iteration's work, and what it told besides its words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct AgentFacts {
    /// The agent's name; none before one was chosen.
    pub harness: Option<String>,
    /// The model that answered, else the one that was asked for.
    pub model: Option<String>,
    /// The agent's name for the conversation.
    pub session: Option<String>,
    /// How often the model answered.
    pub turns: Option<u32>,
    /// Why the agent gave up.
    pub problem: Option<AgentProblem>,
    /// The code of what kept it from working, also where it was not even started.
    pub code: Option<ErrorCode>,
    /// The tools it was not allowed to use.
    pub denied: Vec<String>,
    /// What it names as satisfying the work already: paths, and checks as `check:NAME`.
    pub satisfied_by: Vec<String>,
    /// The sandbox it worked in; none before it was started.
    #[serde(rename = "confinement")]
    pub sandbox: Option<SandboxState>,
}

/// An agent that has to rest: its account's limit, or a service that is overloaded or down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Hold {
    /// The agent as it is written in settings: `claude`, or `claude/opus` with a model.
    pub agent: String,
    /// What sort of trouble it is.
    pub kind: ProblemKind,
    /// The trouble's code.
    #[serde(default)]
    pub code: Option<ErrorCode>,
    /// What the agent says about it.
    pub message: String,
    /// Since when, as an RFC 3339 time in UTC.
    pub since: String,
    /// When it is tried again; never none for a run that waits by itself.
    pub until: Option<String>,
    /// How often it was tried again in vain.
    pub tries: u32,
}
