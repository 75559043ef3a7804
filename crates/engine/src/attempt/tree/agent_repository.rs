//! The git folder that an agent gets in the place of the repository's, where it can be shown one.
//!
//! In a run over tasks each attempt has a fresh one, and what is committed there is part of its work like any other
//! change of files. In a loop it lives as long as the run, so that later iterations see earlier commits.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use loopwright_domain::{Fault, Iteration, RunId, RunKind};
use loopwright_vcs::{AgentRepository, AgentRepositoryOptions, Workspace};

use crate::attempt::tree::work_tree::WorkTree;
use crate::attempt::unit::Attempt;

/// The folder in the private state that holds agents' git folders, each by the attempt or the run it is for.
const FOLDER: &str = "agents";

/// The git folder that an agent is shown, if any.
pub(crate) struct MountedRepository {
    repository: Option<AgentRepository>,
    /// Whether it goes with the attempt.
    for_attempt: bool,
}

impl Deref for MountedRepository {
    type Target = Option<AgentRepository>;

    fn deref(&self) -> &Self::Target {
        &self.repository
    }
}

impl Drop for MountedRepository {
    fn drop(&mut self) {
        let ended = self.repository.take().filter(|_| self.for_attempt);
        if let Some(Err(error)) = ended.map(AgentRepository::remove) {
            tracing::warn!("an agent's git folder is left behind: {error}");
        }
    }
}

impl Attempt<'_> {
    /// The git folder for an iteration's agent; none in a folder without git, and where nothing can be shown in
    /// another's place.
    pub(crate) async fn agent_repository(&self, iteration: &Iteration) -> Result<MountedRepository, Fault> {
        let for_attempt = self.run.kind == RunKind::Run;
        let repository = match self.tree.workspace() {
            Some(workspace) if self.sandbox.can_mount() => {
                Some(self.repository_for(workspace, iteration, for_attempt).await?)
            }
            _ => None,
        };
        Ok(MountedRepository { repository, for_attempt })
    }

    async fn repository_for(
        &self,
        workspace: &Workspace,
        iteration: &Iteration,
        for_attempt: bool,
    ) -> Result<AgentRepository, Fault> {
        let folders = folder(&self.project.layout().state_dir);
        let options = AgentRepositoryOptions { push: self.options.git.agent_push };
        if for_attempt {
            let folder = folders.join(iteration.id.to_string());
            return Ok(workspace.create_agent_repository(&folder, options).await?);
        }
        let folder = folders.join(self.run.id.to_string());
        if let Some(found) = workspace.find_agent_repository(&folder) {
            // Where the user or we ourselves have committed since, the agent begins on that.
            if workspace.state().await?.head == *found.base() {
                return Ok(found);
            }
            keep_commits(workspace, &found, &format!("{}-{}", self.run.id, iteration.number)).await;
        }
        Ok(workspace.create_agent_repository(&folder, options).await?)
    }
}

/// The git folder of a loop's agents, where there is one.
pub(crate) fn loop_repository(state_dir: &Path, tree: &WorkTree, run: RunId) -> Option<AgentRepository> {
    tree.workspace()?.find_agent_repository(&folder(state_dir).join(run.to_string()))
}

/// Keeps commits that did not become part of a branch, so that they can be found.
async fn keep_commits(workspace: &Workspace, own: &AgentRepository, label: &str) {
    let kept = match workspace.agent_commits(own).await {
        Ok(Some(commits)) => workspace.keep_agent_commits(own, &commits, label).await.map(drop),
        other => other.map(drop),
    };
    if let Err(error) = kept {
        tracing::warn!("an agent's commits are not kept as {label}: {error}");
    }
}

/// Removes the agents' git folders when a run is over. Commits in there that nobody adopted are kept.
pub(crate) async fn end_agent_repositories(state_dir: &Path, tree: &WorkTree, run: RunId) {
    if let (Some(workspace), Some(own)) = (tree.workspace(), loop_repository(state_dir, tree, run)) {
        keep_commits(workspace, &own, &run.to_string()).await;
    }
    sweep(state_dir, None);
}

fn folder(state_dir: &Path) -> PathBuf {
    state_dir.join(FOLDER)
}

/// Removes the git folders of agents that nobody comes back to: all but that of the run that goes on.
pub(crate) fn sweep(state_dir: &Path, going_on: Option<RunId>) {
    let Ok(entries) = fs::read_dir(folder(state_dir)) else { return };
    let kept = going_on.map(|run| run.to_string());
    for entry in entries.flatten() {
        if kept.is_none() || entry.file_name().to_str() != kept.as_deref() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
