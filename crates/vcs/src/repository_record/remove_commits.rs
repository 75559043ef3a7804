//! Taking an agent's commits off the branch again, when its attempt failed or was rejected.

use std::fs;

use super::{AGENT_REFLOG_ACTION, RepositoryRecord, files};
use crate::error::VcsError;
use crate::head::Position;
use crate::oid::Oid;
use crate::workspace::{Memory, Workspace};

/// Where commits are kept that did not stay part of a branch.
const KEPT: &str = "refs/loopwright/commits";

/// What became of commits that were made while an agent worked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakenOff {
    /// HEAD stands where it stood.
    Nothing,
    /// HEAD stands where it stood before, again; the reference keeps where it had been moved to.
    Done(String),
    /// HEAD was moved, and nobody can tell whether by the agent or by the user, so it is left.
    Left(String),
}

impl Workspace {
    /// Moves HEAD and its branch back to where a record has them, when only the agent has moved them since: by
    /// compare-and-swap, and with what was there kept under a name. Files and index stay as they are.
    ///
    /// # Errors
    /// Git fails.
    pub async fn take_commits_off(
        &self,
        record: &RepositoryRecord,
        label: &str,
    ) -> Result<TakenOff, VcsError> {
        let memory = self.remembered().await?;
        let (was, is) = (&record.head, self.state_now(&memory).await?.head);
        if *was == is {
            return Ok(TakenOff::Nothing);
        }
        if !self.only_the_agent_moved(&memory, record).await? {
            return Ok(TakenOff::Left(words(&is)));
        }
        let reference = format!("{KEPT}/{label}");
        let run = async |args: &[&str]| self.git().run(self.inspecting(&memory, args)).await.map(drop);
        if let Some(commit) = &is.commit {
            run(&["update-ref", "--no-deref", &reference, commit.as_str()]).await?;
        }
        match (&was.branch, &was.commit) {
            (Some(branch), commit) => {
                let name = format!("refs/heads/{branch}");
                if let Some(commit) = commit {
                    let now = self.reference_now(&memory, &name).await?;
                    self.swap(&memory, &name, commit, now.as_ref()).await?;
                }
                if is.branch != was.branch {
                    run(&["symbolic-ref", "-m", "loopwright: put back", "HEAD", &name]).await?;
                }
            }
            (None, Some(commit)) => {
                let old = is.commit.as_ref().map_or("", Oid::as_str);
                run(&[
                    "update-ref",
                    "--no-deref",
                    "-m",
                    "loopwright: put back",
                    "HEAD",
                    commit.as_str(),
                    old,
                ])
                .await?;
            }
            (None, None) => return Ok(TakenOff::Left(words(&is))),
        }
        Ok(TakenOff::Done(reference))
    }

    async fn swap(
        &self,
        memory: &Memory,
        name: &str,
        wanted: &Oid,
        now: Option<&Oid>,
    ) -> Result<(), VcsError> {
        if now == Some(wanted) {
            return Ok(());
        }
        let zeros = Oid::zeros(memory.profile().format);
        let old = now.map_or(zeros.as_str(), Oid::as_str);
        let args = ["update-ref", "--no-deref", "-m", "loopwright: put back", name, wanted.as_str(), old];
        self.git().run(self.inspecting(memory, &args)).await.map(drop)
    }

    /// Whether the log of HEAD says so of every move since the record.
    async fn only_the_agent_moved(
        &self,
        memory: &Memory,
        record: &RepositoryRecord,
    ) -> Result<bool, VcsError> {
        let length = usize::try_from(record.head_log).unwrap_or(usize::MAX);
        let moves = if memory.profile().reftable {
            let mut moves = self.moves_of_head(memory).await?;
            moves.truncate(moves.len().saturating_sub(length));
            moves
        } else {
            let log = fs::read(files::head_log(self.repository())).unwrap_or_default();
            let lines = log.get(length..).unwrap_or_default().split(|byte| *byte == b'\n');
            let message = |line: &[u8]| {
                let tab = line.iter().position(|byte| *byte == b'\t')?;
                line.get(tab + 1..).map(<[u8]>::to_vec)
            };
            lines.filter(|line| !line.is_empty()).map(|line| message(line).unwrap_or_default()).collect()
        };
        let is_agents = |message: &Vec<u8>| {
            message.starts_with(AGENT_REFLOG_ACTION.as_bytes()) || message.starts_with(b"loopwright:")
        };
        Ok(!moves.is_empty() && moves.iter().all(is_agents))
    }
}

fn words(position: &Position) -> String {
    let branch = position.branch.as_deref().unwrap_or("no branch");
    let commit = position.commit.as_ref().and_then(|oid| oid.as_str().get(..7)).unwrap_or("no commit");
    format!("{branch} at {commit}")
}
