//! The run's view of the work tree: saved before every agent, compared after, committed when asked. In a folder
//! without git all of it is nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loopwright_checks::text::tail;
use loopwright_config::{Host, Layout, PROJECT_DIR};
use loopwright_domain::event::NAMED_FILES;
use loopwright_domain::{ErrorCode, Event, Fault, Iteration, IterationId, NextAction, Run, RunId, TaskId};
use loopwright_vcs::{
    Checkpoint, CheckpointName, CommitRequest, Committed, Edits, Oid, Snapshot, VcsError, Workspace,
};

use crate::attempt::tree::shared_repository::refuse_redirection;
use crate::attempt::tree::starting_tree::StartingTree;
use crate::display_text::{named_paths, shown_path};

/// How many paths are named in a message before the rest is counted.
const NAMED: usize = 5;

/// As much of what a hook said as is told, in characters.
const LONGEST_OUTPUT: usize = 3_000;

/// The trailer that ties a commit to its iteration, so that it is never made twice.
const ITERATION_TRAILER: &str = "Loopwright-Iteration";
const RUN_TRAILER: &str = "Loopwright-Run";
/// The trailers of commits that belong to tasks and waves.
const TASK_TRAILER: &str = "Loopwright-Task";
const WAVE_TRAILER: &str = "Loopwright-Wave";

/// The finished work of a wave.
pub(crate) struct WaveWork<'a> {
    pub(crate) wave: u32,
    pub(crate) tasks: &'a [TaskId],
    /// The trees before and after each finished task, the oldest first.
    pub(crate) pieces: Vec<(Oid, Oid)>,
    pub(crate) subject: String,
}

/// What a commit came to.
pub(crate) struct Made {
    pub(crate) commit: Option<String>,
    /// The files in it; none where an earlier process made it.
    pub(crate) files: Vec<PathBuf>,
    /// What a person should know about it.
    pub(crate) notes: Vec<String>,
}

/// What is said of a commit that the user's index does not know of.
pub(crate) const INDEX_BEHIND: &str = "the commit is made, but git's index was locked and does not know of it yet; \
     when no other git works here, remove .git/index.lock and tell the index with \"git reset\"";

/// What became of a commit that was asked for.
pub(crate) enum CommitAttempt {
    Made(Made),
    /// A hook changed the files, and nothing was committed.
    Edited(HookEdits),
}

/// What a hook did.
pub(crate) struct HookEdits {
    /// The files with its edits.
    pub(crate) edits: Edits,
    /// What is said when it does so again.
    pub(crate) fault: Fault,
}

impl Made {
    const NOTHING: Self = Self { commit: None, files: Vec::new(), notes: Vec::new() };

    fn of(made: Committed) -> Self {
        let mut notes = Vec::new();
        if !made.excluded.is_empty() {
            let names: Vec<String> = made.excluded.iter().map(|path| path.display().to_string()).collect();
            notes.push(format!("left out of the commit as secrets: {}", names.join(", ")));
        }
        notes.extend((!made.index_updated).then(|| INDEX_BEHIND.to_owned()));
        Self { commit: Some(made.commit.as_str().to_owned()), files: made.files, notes }
    }

    /// Names the files of a commit that was made just now.
    pub(crate) fn files_event(&self, iteration: Option<IterationId>) -> Option<Event> {
        let commit = self.commit.clone().filter(|_| !self.files.is_empty())?;
        let files: Vec<String> = self.files.iter().take(NAMED_FILES).map(|path| shown_path(path)).collect();
        let more = u32::try_from(self.files.len() - files.len()).unwrap_or(u32::MAX);
        Some(Event::FilesCommitted { iteration, commit, files, more })
    }
}

/// Sees to it that what an iteration left can be restored for as long as its run is known.
pub(crate) async fn keep_tree_of(tree: &WorkTree, iteration: Option<&Iteration>) {
    if let Some(last) = iteration
        && let Err(fault) = tree.keep_after(last).await
    {
        tracing::warn!(run = %last.run, "what iteration {} left is not kept: {}", last.number + 1, fault.message);
    }
}

/// The work tree of a run.
pub(crate) struct WorkTree {
    workspace: Option<Arc<Workspace>>,
    git_dir: Option<PathBuf>,
}

impl WorkTree {
    /// Opens the repository of a project, if there is one.
    pub(crate) async fn open(host: &Host, layout: &Layout) -> Result<Self, Fault> {
        let Some(repository) = &layout.repository else {
            return Ok(Self { workspace: None, git_dir: None });
        };
        refuse_redirection(layout)?;
        let workspace = host.git()?.workspace(repository).await?;
        Ok(Self { workspace: Some(Arc::new(workspace)), git_dir: Some(repository.git_dir.clone()) })
    }

    /// No repository at all: for what only looks.
    pub(crate) const fn none() -> Self {
        Self { workspace: None, git_dir: None }
    }

    pub(crate) fn workspace(&self) -> Option<&Workspace> {
        self.workspace.as_deref()
    }

    /// The same, for what outlives a borrow.
    pub(crate) fn shared_workspace(&self) -> Option<Arc<Workspace>> {
        self.workspace.clone()
    }

    /// Whether repository and state are still there. An agent may have deleted them; then nothing more may be
    /// written, least of all a new empty repository.
    pub(crate) fn look(&self, database: &Path) -> Result<(), Fault> {
        let gone = match &self.git_dir {
            Some(git_dir) if !git_dir.join("HEAD").exists() => Some(git_dir.as_path()),
            _ if !database.exists() => Some(database),
            _ => None,
        };
        gone.map_or(Ok(()), |path| Err(damaged(path)))
    }

    /// The branch that is checked out; none when HEAD is detached or there is no git.
    pub(crate) async fn branch(&self) -> Result<Option<String>, Fault> {
        match &self.workspace {
            Some(workspace) => Ok(workspace.state().await?.head.branch),
            None => Ok(None),
        }
    }

    /// The commit that is checked out.
    pub(crate) async fn head(&self) -> Result<Option<String>, Fault> {
        match &self.workspace {
            Some(workspace) => Ok(workspace.state().await?.head.commit.map(|oid| oid.as_str().to_owned())),
            None => Ok(None),
        }
    }

    /// The files that are neither committed nor as the last run left them. Only in a folder that is trusted are the user's
    /// filters asked about files that differ from what git stores.
    pub(crate) async fn uncommitted(
        &self,
        left: &StartingTree,
        trusted: bool,
    ) -> Result<Vec<PathBuf>, Fault> {
        let Some(workspace) = &self.workspace else { return Ok(Vec::new()) };
        let mut dirty = workspace.uncommitted(trusted).await?;
        dirty.retain(|path| !left.is_own(path));
        if !dirty.is_empty()
            && let Some(tree) = &left.tree
            && let Ok(changed) = workspace.changed_since(tree).await
            && changed.iter().all(|path| left.is_own(path))
        {
            return Ok(Vec::new());
        }
        Ok(dirty)
    }

    /// What a run may begin on: a clean tree, or what the last one left.
    pub(crate) async fn refuse_dirty(&self, left: &StartingTree) -> Result<(), Fault> {
        let dirty = self.uncommitted(left, true).await?;
        if dirty.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = dirty.iter().take(NAMED).map(|path| path.display().to_string()).collect();
        let more = dirty.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Err(Fault::new(
            ErrorCode::RunDirty,
            format!("the tree has uncommitted changes: {}{more}", names.join(", ")),
        ))
    }

    /// Saves the tree before an iteration's agent.
    pub(crate) async fn checkpoint(&self, iteration: &Iteration) -> Result<Option<Checkpoint>, Fault> {
        let Some(workspace) = &self.workspace else { return Ok(None) };
        Ok(Some(workspace.checkpoint(&checkpoint_name(iteration)?).await?))
    }

    /// The tree that was saved before an iteration's agent, also when that was not written down any more.
    pub(crate) async fn saved_before(&self, iteration: &Iteration) -> Result<Option<String>, Fault> {
        let Some(workspace) = &self.workspace else { return Ok(None) };
        let found = workspace.find_checkpoint(&checkpoint_name(iteration)?).await?;
        Ok(found.map(|checkpoint| checkpoint.snapshot.tree.as_str().to_owned()))
    }

    /// Keeps what an iteration left where no later checkpoint does, or git would throw it away one day.
    pub(crate) async fn keep_after(&self, iteration: &Iteration) -> Result<(), Fault> {
        let tree = iteration.tree_after.as_deref().and_then(Oid::parse);
        if let (Some(workspace), Some(tree), Some(true)) = (&self.workspace, tree, iteration.changed_tree()) {
            let name = CheckpointName::new(iteration.run, format!("after-{}", label(iteration)))?;
            match workspace.keep_tree(&name, &tree).await {
                // It left another tree before, which a gate showed or a hook has changed since.
                Err(VcsError::Exists { .. }) => {
                    let name = format!("after-{}-{}", label(iteration), tree);
                    workspace.keep_tree(&CheckpointName::new(iteration.run, name)?, &tree).await?;
                }
                kept => drop(kept?),
            }
        }
        Ok(())
    }

    /// Keeps the tree that an iteration's work is shown against.
    pub(crate) async fn keep_base(&self, iteration: &Iteration, base: &Oid) -> Result<(), Fault> {
        if let Some(workspace) = &self.workspace {
            let name = CheckpointName::new(iteration.run, format!("base-{}", label(iteration)))?;
            workspace.keep_tree(&name, base).await?;
        }
        Ok(())
    }

    /// The tree as it is now.
    pub(crate) async fn snapshot(&self) -> Result<Option<Snapshot>, Fault> {
        match &self.workspace {
            Some(workspace) => Ok(Some(workspace.snapshot().await?)),
            None => Ok(None),
        }
    }

    /// What a checkpoint could not hold, in words.
    pub(crate) fn notes(&self, snapshot: &Snapshot) -> Vec<String> {
        let mut notes = Vec::new();
        if snapshot.skipped_count > 0 {
            let names: Vec<String> =
                snapshot.skipped.iter().take(NAMED).map(|item| item.path.display().to_string()).collect();
            notes.push(format!(
                "{} files are not in the checkpoint (large, many, or secret): {}",
                snapshot.skipped_count,
                names.join(", ")
            ));
        }
        if !snapshot.nested.is_empty() {
            let names: Vec<String> =
                snapshot.nested.iter().take(NAMED).map(|path| path.display().to_string()).collect();
            notes.push(format!("changes inside nested repositories are not saved: {}", names.join(", ")));
        }
        notes
    }

    pub(crate) async fn create_branch(&self, name: &str) -> Result<(), Fault> {
        match &self.workspace {
            Some(workspace) => Ok(workspace.create_branch(name).await?),
            None => Ok(()),
        }
    }

    /// The commit that an earlier process made of an iteration's work.
    pub(crate) async fn find_commit(&self, iteration: IterationId) -> Result<Option<Made>, Fault> {
        let Some(workspace) = &self.workspace else { return Ok(None) };
        found_commit(workspace, ITERATION_TRAILER, &iteration.to_string()).await
    }

    /// Commits exactly what changed from the tree `from` to the one an iteration left.
    pub(crate) async fn commit(
        &self,
        run: &Run,
        iteration: &Iteration,
        from: &str,
        message: &str,
    ) -> Result<CommitAttempt, Fault> {
        let trees = (Oid::parse(from), iteration.tree_after.as_deref().and_then(Oid::parse));
        let (Some(workspace), (Some(from), Some(to))) = (&self.workspace, trees) else {
            return Ok(CommitAttempt::Made(Made::NOTHING));
        };
        let expected = workspace.state().await?.head;
        let request = CommitRequest::new(from, to, message, expected)
            .marker(commit_marker(iteration.id))
            .trailer(RUN_TRAILER, run.id.to_string());
        let request = match iteration.task {
            Some(task) => request.trailer(TASK_TRAILER, task.0.to_string()),
            None => request,
        };
        let request = request.trailer(ITERATION_TRAILER, iteration.id.to_string());
        commit_once(workspace, &request).await
    }

    /// Commits the finished tasks of a wave, and nothing else, once: a commit that an earlier process made is found.
    pub(crate) async fn commit_wave(&self, run: &Run, work: WaveWork<'_>) -> Result<CommitAttempt, Fault> {
        let nothing = || CommitAttempt::Made(Made::NOTHING);
        let Some(workspace) = &self.workspace else { return Ok(nothing()) };
        let value = format!("{}/{}", run.id, work.wave);
        if let Some(made) = found_commit(workspace, WAVE_TRAILER, &value).await? {
            return Ok(CommitAttempt::Made(made));
        }
        let mut pieces = work.pieces;
        let Some((from, to)) = pieces.pop() else { return Ok(nothing()) };
        let expected = workspace.state().await?.head;
        let tasks: Vec<String> = work.tasks.iter().map(|task| task.0.to_string()).collect();
        let request = CommitRequest::new(from, to, work.subject, expected)
            .after(pieces)
            .marker(commit_marker_of_wave(run.id, work.wave))
            .trailer(RUN_TRAILER, run.id.to_string())
            .trailer(TASK_TRAILER, tasks.join(", "))
            .trailer(WAVE_TRAILER, value);
        commit_once(workspace, &request).await
    }
}

/// Commits, unless a hook changes what is to be committed or the files. One that refuses and has changed files, as those
/// do that format, may be content with what it made of them.
async fn commit_once(workspace: &Workspace, request: &CommitRequest) -> Result<CommitAttempt, Fault> {
    let before = match workspace.commits_run_hooks().await? {
        true => Some(workspace.snapshot().await?.tree),
        false => None,
    };
    let (error, staged) = match workspace.commit(request).await {
        Ok(made) => {
            let mut made = made.map_or(Made::NOTHING, Made::of);
            if let Some(before) = before {
                made.notes.extend(left_by_hooks(workspace, &before).await);
            }
            return Ok(CommitAttempt::Made(made));
        }
        Err(VcsError::HookEdited { hook, tree, output }) => {
            let staged = Some(tree.clone());
            (VcsError::HookEdited { hook, tree, output }, staged)
        }
        Err(error @ VcsError::Hook { .. }) => (error, None),
        Err(error) => return Err(error.into()),
    };
    let edits = workspace.take_edits(&request.to, staged.as_ref()).await?;
    let fault = hook_fault(error);
    match edits.edited.is_empty() && staged.is_none() {
        true => Err(fault),
        false => Ok(CommitAttempt::Edited(HookEdits { edits, fault })),
    }
}

/// What hooks of a commit that was made left in the files besides it: new files, and what those changed that run too late
/// to be part of it. That this cannot be found out takes nothing from the commit.
async fn left_by_hooks(workspace: &Workspace, before: &Oid) -> Vec<String> {
    match workspace.take_edits(before, None).await {
        Ok(edits) => hook_notes(&edits),
        Err(error) => {
            tracing::warn!("what the hooks of a commit left is not known: {error}");
            Vec::new()
        }
    }
}

fn hook_notes(edits: &Edits) -> Vec<String> {
    let edited = (!edits.edited.is_empty()).then(|| {
        let names = named_paths(&edits.edited);
        format!(
            "a commit hook changed {names} when the commit was made; that is in the files and not committed"
        )
    });
    edited.into_iter().chain(made_by_hook(edits)).collect()
}

/// The new files that a hook made, in words.
pub(crate) fn made_by_hook(edits: &Edits) -> Option<String> {
    let names = (!edits.made.is_empty()).then(|| named_paths(&edits.made))?;
    Some(format!("a commit hook made new files, which are not committed: {names}"))
}

/// What a hook that refused said, for whoever is to mend it.
fn hook_fault(error: VcsError) -> Fault {
    let output = match &error {
        VcsError::Hook { output } | VcsError::HookEdited { output, .. } => {
            tail(output.trim(), LONGEST_OUTPUT).to_owned()
        }
        _ => String::new(),
    };
    let fault = Fault::from(error);
    match output.lines().count() {
        0 | 1 => fault,
        _ => Fault { message: format!("{}\nThe hook said:\n{output}\n", fault.message), ..fault },
    }
}

/// The commit with this trailer. The process that made it may have ended before the user's index followed.
async fn found_commit(workspace: &Workspace, trailer: &str, value: &str) -> Result<Option<Made>, Fault> {
    let Some(found) = workspace.find_commit(trailer, value).await? else { return Ok(None) };
    let follows = workspace.sync_index(&found).await?;
    let notes = (!follows).then(|| INDEX_BEHIND.to_owned()).into_iter().collect();
    Ok(Some(Made { commit: Some(found.as_str().to_owned()), files: Vec::new(), notes }))
}

/// What the processes of an iteration's commit, hooks among them, carry in their environment.
pub(crate) fn commit_marker(iteration: IterationId) -> String {
    format!("{iteration}.commit")
}

/// The same for the commit of a wave.
pub(crate) fn commit_marker_of_wave(run: RunId, wave: u32) -> String {
    format!("{run}.wave-{wave}.commit")
}

fn checkpoint_name(iteration: &Iteration) -> Result<CheckpointName, Fault> {
    Ok(CheckpointName::new(iteration.run, label(iteration))?)
}

/// What an iteration is called in its run.
pub(crate) fn label(iteration: &Iteration) -> String {
    match iteration.attempt {
        0 | 1 => (iteration.number + 1).to_string(),
        attempt => format!("{}-{attempt}", iteration.number + 1),
    }
}

fn damaged(path: &Path) -> Fault {
    Fault::new(ErrorCode::WorkspaceDamaged, format!("{} was deleted while the run worked", path.display()))
        .hint(format!("Your files and {PROJECT_DIR} were not touched."))
        .next(NextAction::Recover, "Bring it back")
}
