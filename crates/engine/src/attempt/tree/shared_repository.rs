//! Where nothing can be shown in another's place, agents share the user's repository. What must not get lost is recorded
//! before each agent and compared after it: by this process, or by the next one when this one was killed.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_config::Layout;
use loopwright_config::text_file::io_fault;
use loopwright_domain::{ErrorCode, Event, Fault, Iteration, IterationId, RunId, SandboxState};
use loopwright_store::Entry;
use loopwright_vcs::{Oid, PutBack, RepositoryRecord, Staged, TakenOff, Workspace};

use crate::attempt::tree::work_tree::WorkTree;
use crate::attempt::unit::Attempt;
use crate::project::Project;
use crate::report;

/// The folder in the private state that holds records, each by its iteration.
const FOLDER: &str = "records";
/// Says that a record was compared: what differs from it since is the user's.
const COMPARED: &str = "compared";
/// The name of what was staged when the agent had ended, in a record's folder.
const STAGED: &str = "staged";
/// What an agent left in the place of files that were put back, in a record's folder.
const TAKEN_AWAY: &str = "taken-away";
/// Leads git to another folder. In git's own folder of a first work tree it has no business.
const COMMONDIR: &str = "commondir";

fn folder(state_dir: &Path, iteration: IterationId) -> PathBuf {
    state_dir.join(FOLDER).join(iteration.to_string())
}

impl Attempt<'_> {
    /// Records the repository before an agent gets it. A record that cannot be made is told: the agent then works without.
    pub(crate) async fn record_repository(&mut self, iteration: &Iteration) -> Result<(), Fault> {
        let Some(workspace) = self.tree.workspace() else { return Ok(()) };
        let folder = folder(&self.project.layout().state_dir, iteration.id);
        if let Err(error) = workspace.record_repository(&folder, &self.run.id.to_string()).await {
            let message = format!(
                "your repository is not recorded, so nothing that the agent loses there is put back: {}",
                report::fault(&error.into())
            );
            self.warn(Some(iteration.id), message).await?;
        }
        Ok(())
    }

    /// Compares the repository when the agent has ended, and tells what is not as it was.
    pub(crate) async fn compare_repository(&mut self, iteration: &Iteration) {
        let folder = folder(&self.project.layout().state_dir, iteration.id);
        let Some(workspace) = self.tree.workspace() else { return };
        let told = match compare(workspace, &folder).await {
            Ok(done) => words(done),
            Err(fault) => vec![format!("your repository cannot be compared: {}", report::fault(&fault))],
        };
        self.tell_at_once(iteration, told).await;
    }
}

/// Whether HEAD is not where it was before an iteration's agent, in a repository that they share.
pub(crate) async fn head_moved_meanwhile(
    state_dir: &Path,
    tree: &WorkTree,
    iteration: &Iteration,
) -> Result<bool, Fault> {
    match (tree.workspace(), RepositoryRecord::find(&folder(state_dir, iteration.id))) {
        (Some(workspace), Some(record)) => Ok(workspace.state().await?.head != *record.head()),
        _ => Ok(false),
    }
}

/// Forgets what was kept for a run that is over.
pub(crate) async fn end_records(state_dir: &Path, tree: &WorkTree, run: RunId) {
    let records = state_dir.join(FOLDER);
    if !records.exists() {
        return;
    }
    if let Some(workspace) = tree.workspace()
        && let Err(error) = workspace.unpin(&run.to_string()).await
    {
        tracing::warn!(%run, "what was pinned stays so: {error}");
    }
    let _ = fs::remove_dir(&records);
}

/// Compares a repository with the record in a folder, once.
async fn compare(workspace: &Workspace, folder: &Path) -> Result<PutBack, Fault> {
    let Some(record) = RepositoryRecord::find(folder) else { return Ok(PutBack::default()) };
    let done = workspace.put_back_repository(&record, folder).await?;
    let mark = folder.join(COMPARED);
    fs::write(&mark, "").map_err(|error| io_fault("write", &mark, &error))?;
    Ok(done)
}

fn words(done: PutBack) -> Vec<String> {
    let restored = done.restored.into_iter().map(|what| format!("in your repository {what}"));
    let left = done.left.into_iter().map(|what| format!("in your repository {what}; it is left as it is"));
    restored.chain(left).collect()
}

/// Takes commits of a failed or rejected attempt off the branch again, and says what a person should know.
pub(crate) async fn take_off(
    state_dir: &Path,
    tree: &WorkTree,
    iteration: &Iteration,
) -> Result<Vec<String>, Fault> {
    let Some(workspace) = tree.workspace() else { return Ok(Vec::new()) };
    let Some(record) = RepositoryRecord::find(&folder(state_dir, iteration.id)) else {
        return Ok(Vec::new());
    };
    Ok(match workspace.take_commits_off(&record, &iteration.id.to_string()).await? {
        TakenOff::Nothing => Vec::new(),
        TakenOff::Done(kept) => {
            vec![format!(
                "HEAD is where it was before the attempt; where the agent had moved it is kept in {kept}"
            )]
        }
        TakenOff::Left(now) => vec![format!(
            "HEAD is on {now}, which may be your own doing, so it is left; the attempt's commits may be among them"
        )],
    })
}

/// Keeps the name of what is staged when an agent has ended that could stage: what is staged later is the user's.
pub(crate) fn note_staged(state_dir: &Path, iteration: IterationId, index_tree: &Oid) {
    let folder = folder(state_dir, iteration);
    if folder.exists() {
        let _ = fs::write(folder.join(STAGED), index_tree.as_str());
    }
}

/// What is staged, and by whom. An agent with a git folder of its own cannot reach the user's index.
pub(crate) fn staged(state_dir: &Path, iteration: &Iteration, now: Oid) -> Staged {
    let folder = folder(state_dir, iteration.id);
    let sandboxed = iteration.agent.sandbox == Some(SandboxState::Sandbox) && !iteration.by_hand;
    if sandboxed && !folder.exists() {
        return Staged::ByUser(now);
    }
    let noted = fs::read_to_string(folder.join(STAGED)).ok().and_then(|text| Oid::parse(&text));
    Staged::ByAnyone(noted.unwrap_or(now))
}

/// Removes the record of an iteration that is settled. What was taken away is kept.
pub(crate) fn forget(state_dir: &Path, iteration: IterationId) {
    let folder = folder(state_dir, iteration);
    if !folder.join(TAKEN_AWAY).exists() {
        let _ = fs::remove_dir_all(&folder);
        return;
    }
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        if entry.file_name() != TAKEN_AWAY {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Compares what a killed process left recorded and not compared, and returns what is not as it was.
pub(crate) async fn compare_left_over(project: &Project, tree: &WorkTree) -> Result<Vec<String>, Fault> {
    let Some(workspace) = tree.workspace() else { return Ok(Vec::new()) };
    let mut told = Vec::new();
    for iteration in project.store().unsettled().await? {
        let folder = folder(&project.layout().state_dir, iteration.id);
        if folder.join(COMPARED).exists() {
            continue;
        }
        let found = words(compare(workspace, &folder).await?);
        let warning = |message: &String| Event::RunWarning {
            run: iteration.run,
            iteration: Some(iteration.id),
            message: message.clone(),
        };
        let events: Vec<Event> = found.iter().map(warning).collect();
        if !events.is_empty() {
            let entry = Entry { events: &events, ..Entry::default() };
            project.store().journal(&project.host().timestamp(), entry).await?;
        }
        told.extend(found);
    }
    Ok(told)
}

/// Sees to it that no file in git's folder leads git elsewhere. One that was not there before an agent is taken away;
/// any other is for a person to look at.
pub(crate) fn refuse_redirection(layout: &Layout) -> Result<(), Fault> {
    let Some(repository) = &layout.repository else { return Ok(()) };
    let path = repository.git_dir.join(COMMONDIR);
    if repository.git_dir != repository.common_dir || path.symlink_metadata().is_err() {
        return Ok(());
    }
    let records = layout.state_dir.join(FOLDER);
    for entry in fs::read_dir(records).into_iter().flatten().flatten() {
        let Some(record) = RepositoryRecord::find(&entry.path()).filter(|record| !record.had_commondir())
        else {
            continue;
        };
        drop(record);
        let kept = entry.path().join(TAKEN_AWAY);
        fs::create_dir_all(&kept).map_err(|error| io_fault("make", &kept, &error))?;
        return fs::rename(&path, kept.join(COMMONDIR)).map_err(|error| io_fault("move", &path, &error));
    }
    Err(Fault::new(ErrorCode::WorkspaceDamaged, format!("{} leads git to another folder", path.display()))
        .hint("Loopwright does not follow it. Remove it, unless you made it yourself."))
}
