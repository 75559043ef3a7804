//! What an agent committed in a loop becomes part of the branch, once the verdict is good.

use loopwright_domain::{ErrorCode, Fault, Iteration, RunKind};
use loopwright_process::Secrets;
use loopwright_vcs::{AgentCommits, AgentRepository, Oid, Workspace};

use crate::assessment::{GateRules, assess};
use crate::attempt::tree::agent_repository::loop_repository;
use crate::attempt::tree::commit::CommitOutcome;
use crate::attempt::tree::work_tree::INDEX_BEHIND;
use crate::attempt::unit::Attempt;
use crate::display_text::named_paths;
use crate::report;

/// How many commits are named before the rest is counted.
const NAMED: usize = 5;
/// As many digits of a commit's name as are shown.
const SHORT: usize = 7;

/// What became of an agent's commits.
pub(crate) enum AdoptionOutcome {
    /// There were none, or they are part of the branch now, or they are kept elsewhere and that was told.
    Settled,
    /// They are to be one commit of ours with this subject: hooks or signing are configured, or one of them holds what
    /// all of them together do not.
    Fold(String),
    /// It could not be done.
    Not(CommitOutcome),
}

impl Attempt<'_> {
    /// Makes what an agent committed part of the branch: moves it forward, or says why not. Doing it again changes
    /// nothing.
    pub(crate) async fn adopt(&mut self, iteration: &mut Iteration) -> Result<AdoptionOutcome, Fault> {
        if !matches!(self.run.kind, RunKind::Loop | RunKind::Fix) {
            return Ok(AdoptionOutcome::Settled);
        }
        let state_dir = &self.project.layout().state_dir;
        let Some(mut own) = loop_repository(state_dir, &self.tree, self.run.id) else {
            return Ok(AdoptionOutcome::Settled);
        };
        let Some(workspace) = self.tree.workspace() else { return Ok(AdoptionOutcome::Settled) };
        let Some(commits) = workspace.agent_commits(&own).await? else { return Ok(AdoptionOutcome::Settled) };
        if !commits.fast_forward {
            let label = iteration.id.to_string();
            let kept = workspace.keep_agent_commits(&own, &commits, &label).await?;
            let told = format!(
                "the agent's commits do not follow on {}, so the branch is as it was; the work is in the files, the \
                 commits in {kept}: {}",
                base(&own),
                named(&commits),
            );
            let told = self.secrets.redact(&told).into_owned();
            self.warn(Some(iteration.id), told).await?;
            return Ok(AdoptionOutcome::Settled);
        }
        let rules = GateRules::of(&self.config);
        // Brought over first, with every object checked: only what is there can be looked at.
        workspace.keep_agent_commits(&own, &commits, &iteration.id.to_string()).await?;
        let checked = iteration.tree_after.as_deref().and_then(Oid::parse);
        if workspace.commits_run_programs().await?
            || is_risky(workspace, &rules, &own, &commits, &self.secrets, checked.as_ref()).await?
        {
            return Ok(AdoptionOutcome::Fold(self.secrets.redact(&subject(&commits)).into_owned()));
        }
        // Written down before the branch is moved, with where it stood.
        let told = format!("the agent's commits become part of {}: {}", base(&own), named(&commits));
        let told = self.secrets.redact(&told).into_owned();
        self.warn(Some(iteration.id), told).await?;
        let Some(workspace) = self.tree.workspace() else { return Ok(AdoptionOutcome::Settled) };
        match workspace.adopt_agent_commits(&mut own, &commits).await.map_err(Fault::from) {
            Ok(follows) => {
                iteration.commit = Some(commits.tip.as_str().to_owned());
                if !follows {
                    self.warn(Some(iteration.id), INDEX_BEHIND.to_owned()).await?;
                }
                self.tell_uncommitted(iteration).await?;
                Ok(AdoptionOutcome::Settled)
            }
            Err(fault) if fault.code == ErrorCode::GitMoved => {
                Ok(AdoptionOutcome::Not(CommitOutcome::NeedsPerson(fault.message)))
            }
            Err(fault) => {
                tracing::warn!(run = %self.run.id, "{}", report::fault(&fault));
                Ok(AdoptionOutcome::Not(CommitOutcome::Failed(fault)))
            }
        }
    }

    /// Names what the checks passed on and the agent's commits lack, where nobody commits it: edits of checks, or what the
    /// agent left.
    async fn tell_uncommitted(&mut self, iteration: &Iteration) -> Result<(), Fault> {
        let Some(workspace) = self.tree.workspace().filter(|_| !self.options.git.auto_commit) else {
            return Ok(());
        };
        let left = workspace.uncommitted(true).await?;
        if left.is_empty() {
            return Ok(());
        }
        let told = format!(
            "not in the agent's commits and left uncommitted, because the run makes no commits of its own: {}",
            named_paths(&left)
        );
        self.warn(Some(iteration.id), told).await
    }
}

/// Whether a single commit holds what a person should see, whatever they come to together: a secret that a later commit
/// took out again would still be in the history, and so would one in a message, and a file that no snapshot has.
async fn is_risky(
    workspace: &Workspace,
    rules: &GateRules,
    own: &AgentRepository,
    commits: &AgentCommits,
    secrets: &Secrets,
    checked: Option<&Oid>,
) -> Result<bool, Fault> {
    if commits.commits.iter().any(|commit| secrets.stands_in(&commit.message)) {
        return Ok(true);
    }
    // What was looked at as a whole.
    if let [only] = commits.commits.as_slice()
        && Some(&only.tree) == checked
    {
        return Ok(false);
    }
    if let Some(checked) = checked
        && workspace.holds_unchecked_files(own, commits, checked).await?
    {
        return Ok(true);
    }
    let mut before: Option<Oid> = match &own.base().commit {
        Some(commit) => Some(workspace.load_checkpoint(commit).await?.snapshot.tree),
        None => None,
    };
    for commit in &commits.commits {
        if let Some(before) = &before {
            let found =
                assess(Some(workspace), rules, Some(before.as_str()), Some(commit.tree.as_str()), secrets)
                    .await?;
            if !found.flags.is_empty() {
                return Ok(true);
            }
        }
        before = Some(commit.tree.clone());
    }
    Ok(false)
}

fn base(own: &AgentRepository) -> String {
    let base = own.base();
    let at = base.commit.as_ref().map_or("no commit", |oid| oid.as_str().get(..SHORT).unwrap_or_default());
    format!("{} ({at})", base.branch.as_deref().unwrap_or("no branch"))
}

fn named(commits: &AgentCommits) -> String {
    let all = &commits.commits;
    let shown = all.iter().take(NAMED).map(|one| {
        let short = one.commit.as_str().get(..SHORT).unwrap_or_default();
        format!("{short} {}", one.subject)
    });
    let shown: Vec<String> = shown.collect();
    match all.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The subject of one commit in the place of several.
fn subject(commits: &AgentCommits) -> String {
    match commits.commits.as_slice() {
        [only] => only.subject.clone(),
        all => format!("{} (and {} more)", all.last().map_or("", |one| &one.subject), all.len() - 1),
    }
}
