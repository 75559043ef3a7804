//! Agents as people see them: in Settings, in `doctor`, and where one is chosen.

use crate::sandbox::SandboxReport;
use loopwright_domain::{Fault, LoginState, Usage};
use serde::{Deserialize, Serialize};

/// An agent and how it stands on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentCard {
    /// Its name in the configuration.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// Whether it plays a script instead of thinking.
    pub scripted: bool,
    /// Whether it was driven by Loopwright's own tests; others are called by their documented options.
    pub tested: bool,
    /// Where its program is; none when it was not found.
    pub program: Option<String>,
    /// What it says its version is.
    pub version: Option<String>,
    /// Whether it is logged in.
    pub login: LoginState,
    /// How it is logged in, or what it says about it.
    pub login_detail: Option<String>,
    /// What keeps it from being used.
    pub problem: Option<Fault>,
    /// What is worth doing about it, the most useful first.
    pub hints: Vec<String>,
    /// The command that installs it; none where there is none.
    pub install: Option<String>,
}

/// Every agent, and who would be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentsReport {
    /// Those that can be used first, scripted ones last.
    pub agents: Vec<AgentCard>,
    /// The one that is taken unless told otherwise.
    pub chosen: Option<String>,
    /// Why none is.
    pub problem: Option<Fault>,
    /// Their sandbox.
    pub sandbox: SandboxReport,
}

/// What came of asking an agent one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentTrial {
    /// The agent.
    pub name: String,
    /// Whether it answered as it should.
    pub answered: bool,
    /// Its answer, or what it said instead.
    pub answer: String,
    /// The model that answered.
    pub model: Option<String>,
    /// How long it took, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub elapsed_ms: u64,
    /// What it used.
    pub usage: Usage,
    /// What went wrong, and what to do about it.
    pub problem: Option<Fault>,
}
