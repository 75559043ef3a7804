//! `loopwright mcp`: the agent's tools to report with, as an MCP server on standard input and output.

mod stdio;
mod tools;

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::run::Desk;
use rmcp::ServiceExt;
use tokio::runtime::Builder;

use crate::output;
use stdio::StdioTransport;
use tools::Tools;

/// Serves until standard input ends. Without an iteration it serves too, and says with every answer what is missing:
/// an agent understands an answer better than a server that is gone.
pub(super) fn run() -> Result<ExitCode, Fault> {
    let desk = Desk::of(|name| std::env::var_os(name));
    if let Err(fault) = &desk {
        output::tell(fault);
    }
    let runtime = Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| Fault::new(ErrorCode::Internal, format!("cannot start the runtime: {error}")))?;
    runtime.block_on(async {
        // Whoever goes away before or after the greeting has just ended.
        if let Ok(serving) = Tools::new(desk).serve(StdioTransport::open()).await {
            let _ended = serving.waiting().await;
        }
    });
    Ok(ExitCode::SUCCESS)
}
