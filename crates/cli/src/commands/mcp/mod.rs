//! `loopwright mcp`: the agent's tools to report with, as an MCP server on standard input and output.

mod stdio;
mod tools;

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::run::SignalEndpoint;
use rmcp::ServiceExt;
use tokio::runtime::Builder;

use crate::output;
use stdio::StdioTransport;
use tools::Tools;

/// Serves until standard input ends. Without an iteration it serves too, and says with every answer what is missing:
/// an agent understands an answer better than a server that is gone.
pub(super) fn run() -> Result<ExitCode, Fault> {
    let endpoint = SignalEndpoint::of(|name| std::env::var_os(name));
    if let Err(fault) = &endpoint {
        output::tell(fault);
    }
    let runtime = Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| Fault::caused(ErrorCode::Internal, "cannot start the runtime", &error))?;
    runtime.block_on(async {
        // Whoever goes away before or after the greeting has just ended.
        if let Ok(serving) = Tools::new(endpoint).serve(StdioTransport::open()).await {
            let _ended = serving.waiting().await;
        }
    });
    Ok(ExitCode::SUCCESS)
}
