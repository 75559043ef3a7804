//! Agents: which there are, how they stand, and whether they answer.

use loopwright_domain::Fault;
use loopwright_engine::agent::{AgentTrial, AgentsReport, examine_agents, try_agent as ask};
use loopwright_engine::config::Config;
use tauri::{Runtime, State, WebviewWindow};

use super::settings::own_project;
use crate::shell::Shell;

/// Every agent with version and login. Their programs are asked, which takes a few seconds.
#[tauri::command]
#[specta::specta]
pub(crate) async fn agents<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<AgentsReport, Fault> {
    let config = config(&window, &shell).await?;
    Ok(examine_agents(shell.host(), &config).await)
}

/// Asks an agent one question. It costs what one short answer costs.
#[tauri::command]
#[specta::specta]
pub(crate) async fn try_agent<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
) -> Result<AgentTrial, Fault> {
    let config = config(&window, &shell).await?;
    ask(shell.host(), &config, &name).await
}

/// The settings of the calling window's project, as far as it is trusted; on the start page the user's.
async fn config<R: Runtime>(window: &WebviewWindow<R>, shell: &Shell) -> Result<Config, Fault> {
    match own_project(window, shell).await?.as_deref() {
        Some(project) => project.config_for_asking(),
        None => Ok(Config::load(shell.host(), None)),
    }
}
