//! The sandbox of agents, as people see it.

use loopwright_config::SandboxMode;
use loopwright_domain::SandboxState;
use serde::{Deserialize, Serialize};

/// The sandbox of agents here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SandboxReport {
    /// What is set: `auto`, `on` or `off`.
    #[cfg_attr(feature = "specta", specta(type = String))]
    pub setting: SandboxMode,
    /// What a run would have.
    #[serde(rename = "confinement")]
    pub state: SandboxState,
    /// The same in a sentence, with what to do where it is missing.
    pub detail: String,
    /// Whether agents reach the network.
    pub network: bool,
}
