//! Starting agents: which harness, its command line, its environment, the sandbox around it and the files beside it. Runs and
//! trials start agents through here and nowhere else.

mod agent_options;
pub(crate) mod harness;
mod launcher;
pub(crate) mod manual_harness;
mod settings_mirror;
mod side_files;

pub use agent_options::AgentOptions;
pub(crate) use launcher::{AgentLauncher, secrets, write_files};
pub(crate) use side_files::SideFiles;

/// What agents know the server by that they report to.
pub(crate) const MCP_SERVER: &str = "loopwright";
