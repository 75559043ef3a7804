//! Going back to a tree that a run has left, and taking that back again.
//!
//! Nothing is lost: everything as it is now is kept under a reference of its own first, and what could not be kept
//! (ignored files, very large ones) is not touched. HEAD, index and stash stay as they are. A restore that was cut off
//! is finished by restoring again, or taken back by its safety checkpoint.

use std::time::Duration;

use loopwright_domain::{ErrorCode, Event, Fault, NextAction, Origin};
use loopwright_process::ProcessIdentity;
use loopwright_vcs::{CheckpointName, Conflict, Oid, SkipReason, Snapshot, Unsaved, Workspace};

use crate::display_text::shown_path;
use crate::project::ProjectRestore;
use crate::run_lock::RunLock;
use crate::watch::diff_model::{RestorePreview, TreeOf, TreeRestored, TreeSide};

/// Where safety checkpoints are kept, in the place of a run.
const SAFETY: &str = "restore";
const SAFETY_REFS: &str = "refs/loopwright/checkpoints/restore/";
/// As many paths as a preview names.
const LISTED: usize = 500;
/// As many files as are named in what a person should know.
const NAMED: usize = 10;

/// How often, and how far apart, a lock of this very process is looked at before it counts.
const LOOKS: u32 = 5;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

impl ProjectRestore<'_> {
    /// What going back to a tree would do. Nothing is changed.
    ///
    /// # Errors
    /// A run works here, nothing was saved there, or git fails.
    pub async fn preview(self, tree: TreeOf) -> Result<RestorePreview, Fault> {
        self.refuse_live_run().await?;
        let (_, tree) = self.project.iterations().tree_of(tree).await?;
        preview(&self.project.workspace().await?, &tree).await
    }

    /// Goes back to a tree. `now` is the tree that was shown in the preview.
    ///
    /// # Errors
    /// The tree is another by now, a run works here, an agent asks, or git fails. Then nothing was changed, unless the
    /// fault says so.
    pub async fn apply(self, tree: TreeOf, now: &str, origin: Origin) -> Result<TreeRestored, Fault> {
        let (iteration, oid) = self.project.iterations().tree_of(tree).await?;
        let side = match tree.side {
            TreeSide::Before => "before",
            TreeSide::After => "after",
            TreeSide::GateFrom => "gate-from",
            TreeSide::GateTree => "gate",
        };
        let to = format!("the files {side} iteration {}", iteration.number + 1);
        self.return_to(&oid, to, now, origin).await
    }

    /// The commit that keeps everything as it was before a restore: the one whose id begins so, else the newest.
    ///
    /// # Errors
    /// There is none.
    pub async fn safety_checkpoint(self, begins_with: Option<&str>) -> Result<String, Fault> {
        let mut kept = safety_checkpoints(&self.project.workspace().await?).await?;
        kept.retain(|(_, commit)| begins_with.is_none_or(|begin| commit.as_str().starts_with(begin)));
        let newest = kept.into_iter().max_by_key(|(number, _)| *number);
        newest.map(|(_, commit)| commit.as_str().to_owned()).ok_or_else(nothing_to_undo)
    }

    /// What taking a restore back would do. Nothing is changed.
    ///
    /// # Errors
    /// There was no such restore, a run works here, or git fails.
    pub async fn preview_undo(self, safety: &str) -> Result<RestorePreview, Fault> {
        self.refuse_live_run().await?;
        let workspace = self.project.workspace().await?;
        let tree = safety_tree(&workspace, safety).await?;
        preview(&workspace, &tree).await
    }

    /// Takes a restore back. That can be taken back itself.
    ///
    /// # Errors
    /// There was no such restore; and as [`ProjectRestore::apply`].
    pub async fn undo(self, safety: &str, now: &str, origin: Origin) -> Result<TreeRestored, Fault> {
        let tree = safety_tree(&self.project.workspace().await?, safety).await?;
        self.return_to(&tree, "the files before a restore".to_owned(), now, origin).await
    }

    async fn return_to(
        self,
        tree: &Oid,
        to: String,
        now: &str,
        origin: Origin,
    ) -> Result<TreeRestored, Fault> {
        self.project.require_person("restore files")?;
        let _lock =
            RunLock::take(&self.project.layout().state_dir, "restore", self.project.host().timestamp())?;
        self.refuse_surviving_agent().await?;
        let workspace = self.project.workspace().await?;
        let now = Oid::parse(now).ok_or_else(changed)?;
        if workspace.snapshot().await?.tree != now {
            return Err(changed());
        }
        let plan = workspace.plan_return(tree, &now).await?;
        let name = self.safety_name(&workspace).await?;
        let safety = workspace.checkpoint(&name).await?;
        if safety.snapshot.tree != now {
            workspace.delete_refs(&[(name.reference(), safety.commit)]).await?;
            return Err(changed());
        }
        let commit = safety.commit.as_str().to_owned();
        let unfinished = |fault: Fault| cut_off(&fault, &commit);
        let restored = workspace.carry_out(&plan, safety).await.map_err(|error| unfinished(error.into()))?;
        let after = workspace.snapshot().await.map_err(|error| unfinished(error.into()))?.tree;
        let event = Event::TreeRestored { to, safety: commit.clone(), origin };
        self.project.store().append(&self.project.host().timestamp(), &event).await?;
        Ok(TreeRestored {
            safety: commit,
            now: after.as_str().to_owned(),
            written: count(restored.written.len()),
            deleted: count(restored.deleted.len()),
            notes: notes(&restored.left),
        })
    }

    /// A lock that this process has just let go of is still held for a moment by a child that it was about to start, so
    /// it is looked at more than once.
    async fn refuse_live_run(self) -> Result<(), Fault> {
        for _ in 1..LOOKS {
            if self.project.runs().live().is_none_or(|holder| holder.pid != std::process::id()) {
                break;
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        self.project.runs().live().map_or(Ok(()), |holder| {
            Err(Fault::new(ErrorCode::RunLocked, format!("\"{}\" works on these files now", holder.what))
                .hint("Wait until it ends.")
                .next(NextAction::CancelRun, "Or end it"))
        })
    }

    /// An agent that outlived its run would go on writing.
    async fn refuse_surviving_agent(self) -> Result<(), Fault> {
        for iteration in self.project.store().unsettled().await? {
            let agent = iteration.pid.zip(iteration.process_started);
            if let Some((pid, started)) = agent
                && (ProcessIdentity { pid, started }).is_alive()
            {
                let message = format!("the agent of a run that was cut off still works here (process {pid})");
                return Err(Fault::new(ErrorCode::RunLocked, message)
                    .next(NextAction::Recover, "End it, then try again"));
            }
        }
        Ok(())
    }

    /// A name that no safety checkpoint had before, and that sorts behind them whatever the clock says.
    async fn safety_name(self, workspace: &Workspace) -> Result<CheckpointName, Fault> {
        let last = safety_checkpoints(workspace).await?.into_iter().map(|(number, _)| number).max();
        let next =
            last.map_or(0, |last| last.saturating_add(1)).max(crate::ids::unix_millis(self.project.host()));
        Ok(CheckpointName::new(SAFETY, next)?)
    }
}

/// The numbers and commits of all safety checkpoints.
async fn safety_checkpoints(workspace: &Workspace) -> Result<Vec<(u64, Oid)>, Fault> {
    let kept = workspace.refs(SAFETY_REFS).await?;
    let numbered =
        |(name, commit): (String, Oid)| Some((name.strip_prefix(SAFETY_REFS)?.parse().ok()?, commit));
    Ok(kept.into_iter().filter_map(numbered).collect())
}

/// The tree of a safety checkpoint, and of nothing else.
async fn safety_tree(workspace: &Workspace, safety: &str) -> Result<Oid, Fault> {
    let kept = safety_checkpoints(workspace).await?;
    let found = kept.into_iter().find(|(_, commit)| commit.as_str() == safety);
    let (_, commit) = found.ok_or_else(nothing_to_undo)?;
    Ok(workspace.load_checkpoint(&commit).await?.snapshot.tree)
}

async fn preview(workspace: &Workspace, tree: &Oid) -> Result<RestorePreview, Fault> {
    let now = workspace.snapshot().await?;
    let plan = workspace.plan_return(tree, &now.tree).await?;
    let listed = |paths: &[std::path::PathBuf]| -> Vec<String> {
        paths.iter().take(LISTED).map(|path| shown_path(path)).collect()
    };
    Ok(RestorePreview {
        writes: listed(&plan.write),
        writes_total: count(plan.write.len()),
        deletes: listed(&plan.delete),
        deletes_total: count(plan.delete.len()),
        kept: plan.conflicts.iter().map(left).chain(skipped(&now)).take(LISTED).collect(),
        now: now.tree.as_str().to_owned(),
    })
}

fn left(conflict: &Conflict) -> String {
    let why = match conflict.why {
        Unsaved::Edited => "ignored by git or too large, so no checkpoint could bring it back",
        Unsaved::InTheWay => "something else is in its place",
        Unsaved::Ignored => "ignored by git in that tree",
        Unsaved::Submodule => "a repository of its own",
        Unsaved::Damaged => "git's object of it was rewritten",
        Unsaved::Refused => "the system refused",
    };
    format!("{}: {why}", shown_path(&conflict.path))
}

fn skipped(now: &Snapshot) -> impl Iterator<Item = String> {
    now.skipped.iter().map(|skipped| {
        let why = match skipped.why {
            SkipReason::TooLarge => "too large for a checkpoint",
            SkipReason::TooManyFiles => "too many new files for a checkpoint",
            SkipReason::Secret => "by its name it holds secrets",
            SkipReason::Unreadable => "it cannot be read",
            SkipReason::Special => "neither a file nor a link",
            SkipReason::Ignored => "ignored",
            SkipReason::Nested => "a repository of its own",
        };
        format!("{}: {why}", shown_path(&skipped.path))
    })
}

fn notes(conflicts: &[Conflict]) -> Vec<String> {
    let mut notes: Vec<String> =
        conflicts.iter().take(NAMED).map(|it| format!("Not changed: {}", left(it))).collect();
    let more = conflicts.len().saturating_sub(NAMED);
    if more > 0 {
        notes.push(format!("Not changed: {more} more"));
    }
    notes
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn changed() -> Fault {
    Fault::new(ErrorCode::RestoreChanged, "the files changed while you were looking; nothing was restored")
        .hint("Look at what would be done again, then decide.")
}

fn nothing_to_undo() -> Fault {
    Fault::new(ErrorCode::TreeNotSaved, "there is no such restore to take back")
        .hint("Only a restore made with Loopwright can be taken back.")
}

/// Something went wrong in the middle.
fn cut_off(fault: &Fault, safety: &str) -> Fault {
    Fault::new(fault.code, format!("the restore was cut off: {}", fault.message))
        .because(fault)
        .hint(format!("Everything as it was is kept in {safety}. Restoring again goes on."))
        .next(NextAction::UndoRestore, "Bring it back")
}
