//! Agents: which there are, how they stand, and whether they answer.

use loopwright_domain::Fault;
use loopwright_engine::Host;
use loopwright_engine::agent::{AgentTrial, AgentsReport, examine_agents};
use loopwright_engine::config::TrustedConfig;
use loopwright_engine::trial::try_agent as ask;
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
    let (host, config) = background(&window, &shell).await?;
    Ok(examine_agents(&host, &config).await)
}

/// Asks an agent one question. It costs what one short answer costs.
#[tauri::command]
#[specta::specta]
pub(crate) async fn try_agent<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
) -> Result<AgentTrial, Fault> {
    let (host, config) = background(&window, &shell).await?;
    ask(&host, &config, &name).await
}

/// The machine as the calling window's project sees it, with the settings as far as it is trusted; on the start page
/// the user's.
async fn background<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
) -> Result<(Host, TrustedConfig), Fault> {
    match own_project(window, shell).await?.as_deref() {
        Some(project) => Ok((project.host().clone(), project.config_for_asking()?)),
        None => Ok((shell.host().clone(), TrustedConfig::of_user(shell.host()))),
    }
}
