//! The server that lets an agent report by tools: `loopwright mcp`, attached to one call.

use std::path::PathBuf;

use loopwright_agents::{Harness, McpServer};
use loopwright_config::Host;
use loopwright_process::AGENT_MARKER;

use crate::attempt::agent::process::AgentLaunch;
use crate::attempt::agent::signal_endpoint::{NONCE, SIGNAL_FILE, TASK_FILE};
use crate::launch::MCP_SERVER;

const PROGRAM: &str = "loopwright";

/// Whether this agent gets the server: it takes one, and our program is there.
pub(crate) fn offers_tools(host: &Host, harness: &dyn Harness) -> bool {
    program(host, harness).is_some()
}

fn program(host: &Host, harness: &dyn Harness) -> Option<PathBuf> {
    harness.takes_mcp().then(|| host.find_program(PROGRAM)).flatten()
}

/// The server for one iteration.
pub(crate) struct McpAttachment {
    program: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl McpAttachment {
    /// None where the agent gets none, or where a path is no text: then file and words remain.
    pub(crate) fn to(launch: &AgentLaunch<'_>, iteration: &str) -> Option<Self> {
        let program = program(launch.host, launch.harness)?;
        let text = |path: PathBuf| path.into_os_string().into_string().ok();
        let variables = vec![
            (SIGNAL_FILE, text(launch.signal_file.to_path_buf())?),
            (NONCE, launch.nonce.to_owned()),
            (TASK_FILE, text(launch.files.task())?),
            (AGENT_MARKER, iteration.to_owned()),
        ];
        Some(Self { program, variables })
    }

    pub(crate) fn variables(&self) -> Vec<(&str, &str)> {
        self.variables.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }

    pub(crate) fn server<'s>(&'s self, variables: &'s [(&'s str, &'s str)]) -> McpServer<'s> {
        McpServer { name: MCP_SERVER, program: &self.program, args: &["mcp"], env: variables }
    }
}
