//! What a person can choose from when starting a run, and what would be taken unasked.

use loopwright_domain::{Automation, Fault, TrustState};
use serde::Serialize;

use super::lock::Holder;
use super::state::RunSummary;

/// An agent to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct HarnessChoice {
    /// The name it is chosen by.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// Whether it follows a script and is no agent.
    pub scripted: bool,
    /// Why it cannot be used now; none when it can.
    pub problem: Option<Fault>,
}

/// A procedure to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ProcedureChoice {
    /// The name it is chosen by.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it does, in one line.
    pub summary: String,
    /// Whether it is the project's own.
    pub own: bool,
    /// How many iterations it asks for.
    pub max_iterations: Option<u32>,
    /// The completion promise it asks for.
    pub promise: Option<String>,
    /// The agent it asks for.
    pub harness: Option<String>,
    /// Why it cannot be used.
    pub problem: Option<Fault>,
}

/// What a run takes unless told otherwise, as the settings hold it. Times and money are written as in the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct StartDefaults {
    /// How many iterations a loop over a prompt takes; 0 is without end.
    pub loop_iterations: u32,
    /// How many iterations mending takes.
    pub fix_iterations: u32,
    /// How many failures in a row stop it.
    pub failure_threshold: u32,
    /// How many iterations without any change stop it.
    pub no_progress: u32,
    /// How long it may work.
    pub max_runtime: String,
    /// How much it may cost.
    pub max_cost: String,
    /// How many tokens it may use.
    pub max_tokens: String,
    /// How long one agent may take.
    pub timeout: String,
    /// How much the agent may do.
    pub automation: Automation,
    /// The completion promise.
    pub promise: String,
    /// Whether each good iteration is committed.
    pub auto_commit: bool,
    /// Whether it works on a branch of its own.
    pub create_branch: bool,
}

/// Everything the start panel offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RunChoices {
    /// The agents, those that can be used first.
    pub harnesses: Vec<HarnessChoice>,
    /// The one that is taken unless told otherwise.
    pub harness: Option<String>,
    /// The procedures.
    pub procedures: Vec<ProcedureChoice>,
    /// What is taken unless told otherwise.
    pub defaults: StartDefaults,
    /// How many checks are on.
    pub checks: u32,
    /// How many of them are required.
    pub required_checks: u32,
    /// How many files have uncommitted changes; none where there is no git.
    pub uncommitted: Option<u32>,
    /// Whether the folder may run anything.
    pub trust: TrustState,
    /// An earlier run that was stopped and can be resumed.
    pub earlier: Option<RunSummary>,
    /// Who works here now.
    pub live: Option<Holder>,
}
