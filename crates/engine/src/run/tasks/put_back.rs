//! Taking an attempt's work back: it is kept under a reference of its own, and the files become what they were before
//! it. What somebody else changed meanwhile is left and told.

use std::time::SystemTime;

use jiff::Timestamp;
use loopwright_domain::{Fault, Iteration, IterationId};
use loopwright_vcs::{Checkpoint, CheckpointName, Conflict, Oid, Produced, Workspace};

use crate::run::crash;
use crate::run::tree::{Tree, label};
use crate::run::visible::shown_path;

/// How many paths are named in a message before the rest is counted.
const NAMED: usize = 5;

/// Where the work of an attempt that was put back is kept.
pub(crate) fn attempt_reference(iteration: IterationId) -> String {
    format!("refs/loopwright/attempts/{iteration}")
}

impl Tree {
    /// Puts the files back as they were before an iteration, and returns what a person should know. Where nothing was
    /// saved or nothing changed, nothing is done. Doing it twice changes nothing.
    pub(crate) async fn put_back(&self, iteration: &mut Iteration) -> Result<Vec<String>, Fault> {
        let Some(workspace) = self.workspace() else { return Ok(Vec::new()) };
        let Some(before) = self.checkpoint_of(iteration).await? else { return Ok(Vec::new()) };
        let now = workspace.snapshot().await?;
        let after = iteration.tree_after.as_deref().and_then(Oid::parse).unwrap_or_else(|| now.tree.clone());
        iteration.tree_before = Some(before.snapshot.tree.as_str().to_owned());
        iteration.tree_after = Some(after.as_str().to_owned());
        if after == before.snapshot.tree && now.index_tree == before.snapshot.index_tree {
            return Ok(Vec::new());
        }
        workspace.keep_attempt_tree(iteration.id, &after).await?;
        crash::point("attempt.kept");
        let produced = Produced { tree: after, index_tree: Some(now.index_tree) };
        let notes = restore(workspace, iteration, &before, produced).await?;
        crash::point("attempt.restored");
        iteration.restored = true;
        Ok(notes)
    }

    /// The checkpoint that was taken before an iteration, also when that was not written down any more.
    async fn checkpoint_of(&self, iteration: &Iteration) -> Result<Option<Checkpoint>, Fault> {
        let Some(workspace) = self.workspace() else { return Ok(None) };
        let found = workspace.find_checkpoint(&CheckpointName::new(iteration.run, label(iteration))?).await?;
        match (found, iteration.checkpoint.as_deref().and_then(Oid::parse)) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(commit)) => Ok(Some(workspace.load_checkpoint(&commit).await?)),
            (None, None) => Ok(None),
        }
    }
}

async fn restore(
    workspace: &Workspace,
    iteration: &Iteration,
    before: &Checkpoint,
    produced: Produced,
) -> Result<Vec<String>, Fault> {
    let since = iteration.started_at.parse::<Timestamp>().ok().map(SystemTime::from);
    let plan = workspace.plan_restore(before, produced, since).await?;
    let safety = CheckpointName::new(iteration.run, format!("safety-{}", label(iteration)))?;
    let restored = workspace.restore(&plan, &safety).await?;
    let mut notes = Vec::new();
    if !restored.left.is_empty() {
        notes.push(format!(
            "not put back, because they are not as the attempt left them: {}",
            named(&restored.left)
        ));
    }
    if !restored.index_restored {
        notes.push("git's index was locked and still knows of the attempt's work".to_owned());
    }
    if plan.head_moved {
        notes.push(
            "HEAD moved while the attempt went on: its commits are still on the branch, only the files were put back"
                .to_owned(),
        );
    }
    Ok(notes)
}

fn named(left: &[Conflict]) -> String {
    let names: Vec<String> = left.iter().take(NAMED).map(|conflict| shown_path(&conflict.path)).collect();
    match left.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
