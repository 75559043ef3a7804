//! The run's view of the work tree: saved before every agent, compared after, committed when asked. In a folder
//! without git all of it is nothing.

use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault, Iteration, IterationId, Run, RunId, TaskId};
use loopwright_vcs::{Checkpoint, CheckpointName, CommitRequest, Committed, Git, Oid, Snapshot, Workspace};

use super::left::Left;
use crate::host::Host;
use crate::layout::{Layout, PROJECT_DIR};

/// How many paths are named in a message before the rest is counted.
const NAMED: usize = 5;

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
    /// What a person should know about it.
    pub(crate) notes: Vec<String>,
}

/// What is said of a commit that the user's index does not know of.
const INDEX_BEHIND: &str = "the commit is made, but git's index was locked and does not know of it yet; \"git reset --mixed\" tells it";

impl Made {
    const NOTHING: Self = Self { commit: None, notes: Vec::new() };

    fn of(made: Committed) -> Self {
        let mut notes = Vec::new();
        if !made.excluded.is_empty() {
            let names: Vec<String> = made.excluded.iter().map(|path| path.display().to_string()).collect();
            notes.push(format!("left out of the commit as secrets: {}", names.join(", ")));
        }
        notes.extend((!made.index_updated).then(|| INDEX_BEHIND.to_owned()));
        Self { commit: Some(made.commit.as_str().to_owned()), notes }
    }
}

/// The work tree of a run.
pub(crate) struct Tree {
    workspace: Option<Workspace>,
    git_dir: Option<PathBuf>,
}

impl Tree {
    /// Opens the repository of a project, if there is one.
    pub(crate) async fn open(host: &Host, layout: &Layout) -> Result<Self, Fault> {
        let Some(repository) = &layout.repository else {
            return Ok(Self { workspace: None, git_dir: None });
        };
        let workspace = Git::locate(&host.search_path)?.workspace(repository).await?;
        Ok(Self { workspace: Some(workspace), git_dir: Some(repository.git_dir.clone()) })
    }

    /// No repository at all: for what only looks.
    pub(crate) const fn none() -> Self {
        Self { workspace: None, git_dir: None }
    }

    pub(crate) fn workspace(&self) -> Option<&Workspace> {
        self.workspace.as_ref()
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

    /// The files that are neither committed nor as the last run left them.
    pub(crate) async fn uncommitted(&self, left: &Left) -> Result<Vec<PathBuf>, Fault> {
        let Some(workspace) = &self.workspace else { return Ok(Vec::new()) };
        let mut dirty = workspace.dirty(None).await?;
        dirty.retain(|path| !left.is_own(path));
        if !dirty.is_empty()
            && let Some(tree) = &left.tree
            && let Ok(changed) = workspace.dirty(Some(tree)).await
            && changed.iter().all(|path| left.is_own(path))
        {
            return Ok(Vec::new());
        }
        Ok(dirty)
    }

    /// What a run may begin on: a clean tree, or what the last one left. `hint` says what else can be done.
    pub(crate) async fn refuse_dirty(&self, left: &Left, hint: &str) -> Result<(), Fault> {
        let dirty = self.uncommitted(left).await?;
        if dirty.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = dirty.iter().take(NAMED).map(|path| path.display().to_string()).collect();
        let more = dirty.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Err(Fault::new(
            ErrorCode::RunDirty,
            format!("the tree has uncommitted changes: {}{more}", names.join(", ")),
        )
        .hint(hint))
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
            workspace.keep_tree(&name, &tree).await?;
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
    ) -> Result<Made, Fault> {
        let trees = (Oid::parse(from), iteration.tree_after.as_deref().and_then(Oid::parse));
        let (Some(workspace), (Some(from), Some(to))) = (&self.workspace, trees) else {
            return Ok(Made::NOTHING);
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
        Ok(workspace.commit(&request).await?.map_or(Made::NOTHING, Made::of))
    }

    /// Commits the finished tasks of a wave, and nothing else, once: a commit that an earlier process made is found.
    pub(crate) async fn commit_wave(&self, run: &Run, work: WaveWork<'_>) -> Result<Made, Fault> {
        let Some(workspace) = &self.workspace else { return Ok(Made::NOTHING) };
        let value = format!("{}/{}", run.id, work.wave);
        if let Some(made) = found_commit(workspace, WAVE_TRAILER, &value).await? {
            return Ok(made);
        }
        let mut pieces = work.pieces;
        let Some((from, to)) = pieces.pop() else { return Ok(Made::NOTHING) };
        let expected = workspace.state().await?.head;
        let tasks: Vec<String> = work.tasks.iter().map(|task| task.0.to_string()).collect();
        let request = CommitRequest::new(from, to, work.subject, expected)
            .after(pieces)
            .marker(commit_marker_of_wave(run.id, work.wave))
            .trailer(RUN_TRAILER, run.id.to_string())
            .trailer(TASK_TRAILER, tasks.join(", "))
            .trailer(WAVE_TRAILER, value);
        Ok(workspace.commit(&request).await?.map_or(Made::NOTHING, Made::of))
    }
}

/// The commit with this trailer. The process that made it may have ended before the user's index followed.
async fn found_commit(workspace: &Workspace, trailer: &str, value: &str) -> Result<Option<Made>, Fault> {
    let Some(found) = workspace.find_commit(trailer, value).await? else { return Ok(None) };
    let follows = workspace.sync_index(&found).await?;
    let notes = (!follows).then(|| INDEX_BEHIND.to_owned()).into_iter().collect();
    Ok(Some(Made { commit: Some(found.as_str().to_owned()), notes }))
}

/// What the processes of an iteration's commit, hooks among them, carry in their environment.
pub(crate) fn commit_marker(iteration: IterationId) -> String {
    format!("{iteration}.commit")
}

fn commit_marker_of_wave(run: RunId, wave: u32) -> String {
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
        .hint(format!(
            "Bring it back with \"loopwright recover\". Your files and {PROJECT_DIR} were not touched."
        ))
}
