//! The server that lets an agent report by tools: `loopwright mcp`, attached to one call.

use std::path::PathBuf;

use loopwright_agents::{Harness, McpServer};
use loopwright_process::AGENT_MARKER;

use super::agent::Stage;
use super::desk::{NONCE, SIGNAL_FILE, TASK_FILE};
use crate::host::Host;

/// What agents know the server by.
pub(crate) const SERVER: &str = "loopwright";
const PROGRAM: &str = "loopwright";

/// Whether this agent gets the server: it takes one, and our program is there.
pub(crate) fn offers_tools(host: &Host, harness: &dyn Harness) -> bool {
    program(host, harness).is_some()
}

fn program(host: &Host, harness: &dyn Harness) -> Option<PathBuf> {
    harness.takes_mcp().then(|| host.find_program(PROGRAM)).flatten()
}

/// The server for one iteration.
pub(super) struct Attached {
    program: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Attached {
    /// None where the agent gets none, or where a path is no text: then file and words remain.
    pub(super) fn to(stage: &Stage<'_>, iteration: &str) -> Option<Self> {
        let program = program(stage.host, stage.harness)?;
        let text = |path: PathBuf| path.into_os_string().into_string().ok();
        let variables = vec![
            (SIGNAL_FILE, text(stage.signal_file.to_path_buf())?),
            (NONCE, stage.nonce.to_owned()),
            (TASK_FILE, text(stage.files.task())?),
            (AGENT_MARKER, iteration.to_owned()),
        ];
        Some(Self { program, variables })
    }

    pub(super) fn variables(&self) -> Vec<(&str, &str)> {
        self.variables.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }

    pub(super) fn server<'s>(&'s self, variables: &'s [(&'s str, &'s str)]) -> McpServer<'s> {
        McpServer { name: SERVER, program: &self.program, args: &["mcp"], env: variables }
    }
}
