//! Taking finished work back: a commit that reverts another, and a task that is to be done again.

use std::path::PathBuf;

use loopwright_config::trust;
use loopwright_domain::{
    ErrorCode, Event, Fault, GateKind, Iteration, IterationId, NextAction, Origin, Outcome, Phase, Run,
    TaskId, TaskStatus, TrustState,
};
use loopwright_store::Entry;
use loopwright_vcs::{CheckpointName, CommitRequest, Oid, Without, Workspace};
use serde::{Deserialize, Serialize};

use super::model::GateDetail;
use crate::dispatch::conclude::waves::commit_of;
use crate::display_text::shown_path;
use crate::project::ProjectGates;
use crate::run_lock::RunLock;

/// The trailer that says what a commit takes back.
const REVERTS_TRAILER: &str = "Loopwright-Reverts";
/// How many files are named in a message.
const NAMED: usize = 10;
/// As many commits of waves, and iterations of their runs, as are looked through.
const WAVES: u32 = 10_000;
/// How short the beginning of a commit's id may be.
const SHORTEST_ID: usize = 4;

/// Finished work that was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Reverted {
    /// The iteration that had done it.
    pub iteration: IterationId,
    /// The commit that was taken back.
    pub reverted: String,
    /// The commit that takes it back.
    pub commit: String,
    /// The task that is to be done again.
    pub task: Option<TaskId>,
}

impl ProjectGates<'_> {
    /// Takes the commit of an iteration back with a commit of its own, and puts its task back into the queue. Where later
    /// work changed the same lines, or uncommitted work is in the way, nothing is changed.
    ///
    /// # Errors
    /// There is no such iteration or no commit of it, a run works here, a gate about uncommitted work is open, later work
    /// stands in the way, a hook refuses, an agent asks, or git fails.
    pub async fn revert_work(self, id: IterationId, origin: Origin) -> Result<Reverted, Fault> {
        self.project.require_person("revert work")?;
        let iteration = self.project.iterations().find(id).await?;
        let waves = self.project.store().wave_commits(WAVES).await?;
        let commit = commit_of(&iteration, &waves).and_then(Oid::parse).ok_or_else(|| {
            Fault::new(ErrorCode::UsageInvalid, "nothing of this iteration is committed")
                .next(NextAction::ListIterations, "See the iterations and their commits")
        })?;
        let config = self.project.trusted_config()?;
        let _review = self.review_lock("revert")?;
        let _lock = self.lock_unless_in_review().await?;
        self.refuse_uncommitted_work().await?;
        if !config.changed_hooks(self.project.layout())?.is_empty() {
            return Err(trust::refusal(TrustState::Changed));
        }
        let workspace = self.project.workspace().await?;
        let title = self.title_of(&iteration).await?;
        let made = take_back(&workspace, &iteration, &commit, &title).await?;
        let task = self.requeue(&iteration, origin).await?;
        Ok(Reverted { iteration: id, reverted: commit.as_str().to_owned(), commit: made, task })
    }

    /// The iteration that is meant by its id or by its commit, of which a beginning is enough.
    ///
    /// # Errors
    /// There is none, or more than one.
    pub async fn find_work(self, name: &str) -> Result<Iteration, Fault> {
        if let Ok(id) = name.parse() {
            return self.project.iterations().find(id).await;
        }
        let is_commit = name.len() >= SHORTEST_ID && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut found = match is_commit {
            true => self.project.store().iterations_of_commit(&name.to_ascii_lowercase()).await?,
            false => Vec::new(),
        };
        if found.is_empty() && is_commit {
            found = self.work_of_wave(&name.to_ascii_lowercase()).await?;
        }
        let wrong = |message: String| {
            Err(Fault::new(ErrorCode::UsageInvalid, message)
                .hint("Name an iteration's id or its commit.")
                .next(NextAction::ListIterations, "See both"))
        };
        match <[Iteration; 1]>::try_from(found) {
            Ok([iteration]) => Ok(iteration),
            Err(found) if found.is_empty() => wrong(format!("no iteration has the commit {name:?}")),
            Err(found) if found.iter().all(|iteration| iteration.commit.is_none()) => {
                let work: Vec<String> =
                    found.iter().map(|it| format!("{} {}", task_name(it), it.id)).collect();
                wrong(format!("the commit {name:?} holds the work of a whole wave: {}", work.join(", ")))
            }
            Err(_) => wrong(format!("more than one commit begins with {name:?}")),
        }
    }

    /// The iterations whose work a wave's commit holds.
    async fn work_of_wave(self, begin: &str) -> Result<Vec<Iteration>, Fault> {
        let mut waves = self.project.store().wave_commits(WAVES).await?;
        waves.retain(|wave| wave.commit.starts_with(begin));
        let Some(run) = waves.first().map(|wave| wave.run) else { return Ok(Vec::new()) };
        let mut work = self.project.store().last_iterations(run, WAVES).await?;
        work.retain(|it| {
            it.outcome == Some(Outcome::Succeeded) && it.commit.is_none() && commit_of(it, &waves).is_some()
        });
        work.reverse();
        Ok(work)
    }

    /// The review that looks back at an iteration, else its own gate: what is shown after a revert.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn about(self, id: IterationId) -> Result<GateDetail, Fault> {
        let iteration = self.project.iterations().find(id).await?;
        for stored in self.project.store().open_gates().await? {
            if stored.gate.kind == GateKind::Review && stored.gate.run == iteration.run {
                return self.detail(stored.gate.id).await;
            }
        }
        match self.project.store().gate_of_iteration(id).await? {
            Some(gate) => self.detail(gate.id).await,
            None => Err(Fault::new(ErrorCode::GateNotFound, "no gate is about this iteration")
                .next(NextAction::ListGates, "See what waits for you")),
        }
    }

    /// Nobody decides a review while its work is being reverted.
    pub(super) fn review_lock(self, what: &str) -> Result<RunLock, Fault> {
        RunLock::take(&self.project.layout().state_dir.join("review"), what, self.project.host().timestamp())
    }

    /// The project's lock; none is needed beside a process that only waits for a review to be decided.
    async fn lock_unless_in_review(self) -> Result<Option<RunLock>, Fault> {
        let gates = self.project.store().open_gates().await?;
        for stored in gates.iter().filter(|stored| stored.gate.kind == GateKind::Review) {
            if self.waits_for_decisions(&stored.gate).await? {
                return Ok(None);
            }
        }
        RunLock::take(&self.project.layout().state_dir, "revert", self.project.host().timestamp()).map(Some)
    }

    /// Work that nobody has decided about is in the files; a revert would mix with it.
    async fn refuse_uncommitted_work(self) -> Result<(), Fault> {
        let open = self.project.store().unsettled().await?;
        let waits = open.iter().any(|iteration| iteration.phase >= Phase::AgentDone || iteration.by_hand);
        if !waits {
            return Ok(());
        }
        Err(Fault::new(ErrorCode::RunInterrupted, "other work is not decided about yet")
            .hint("Approve or reject it first, or cancel its run.")
            .next(NextAction::ListGates, "See it"))
    }

    async fn title_of(self, iteration: &Iteration) -> Result<String, Fault> {
        let task = match iteration.task {
            Some(task) => self.project.store().task(task).await?,
            None => None,
        };
        match task {
            Some(task) => Ok(task.draft.title),
            None => Ok(self.project.runs().find(Some(iteration.run)).await?.title),
        }
    }

    /// Puts the task back into the queue, and the run's own tree to what is there now.
    async fn requeue(self, iteration: &Iteration, origin: Origin) -> Result<Option<TaskId>, Fault> {
        let task = match iteration.task {
            Some(task) => self.project.store().task(task).await?,
            None => None,
        };
        let task = task.filter(|task| task.status == TaskStatus::Done);
        let event = task.as_ref().map(|task| Event::TaskStatusChanged {
            task: task.id,
            from: task.status,
            to: TaskStatus::Pending,
            reason: Some("its commit was reverted".to_owned()),
            iteration: Some(iteration.id),
            origin: Some(origin),
        });
        let events: Vec<Event> = event.into_iter().collect();
        let run = self.run_that_rests(iteration).await?;
        let entry = Entry { run: run.as_ref(), events: &events, ..Entry::default() };
        self.project.store().journal(&self.project.host().timestamp(), entry).await?;
        Ok(task.map(|task| task.id))
    }

    /// The run with the tree as it is now, when no process works on it: it is then not asked about the change.
    async fn run_that_rests(self, iteration: &Iteration) -> Result<Option<Run>, Fault> {
        let mut run = self.project.runs().find(Some(iteration.run)).await?;
        let live = self.project.runs().state(Some(run.id)).await?.is_some_and(|state| state.live.is_some());
        if run.status.is_over() || live {
            return Ok(None);
        }
        run.tree = Some(self.project.workspace().await?.snapshot().await?.tree.as_str().to_owned());
        Ok(Some(run))
    }
}

/// Makes the files what they would be without the commit, and commits that.
async fn take_back(
    workspace: &Workspace,
    iteration: &Iteration,
    commit: &Oid,
    title: &str,
) -> Result<String, Fault> {
    let (head, without) = match change_of(workspace, iteration, commit).await? {
        Without::Trees { head, without } if head != without => (head, without),
        Without::Trees { .. } => {
            return Err(Fault::new(ErrorCode::UsageInvalid, "nothing of that commit is left to revert")
                .hint("It was reverted before, or never became part of this branch."));
        }
        Without::Conflicts(files) => {
            let message =
                format!("later work changed the same lines: {}; nothing was changed", named(&files));
            return Err(Fault::new(ErrorCode::GitMoved, message)
                .hint("Revert the later work first, or change the files yourself."));
        }
    };
    let plan = workspace.plan_return(&without, &head).await?;
    if !plan.conflicts.is_empty() {
        let files: Vec<PathBuf> = plan.conflicts.iter().map(|conflict| conflict.path.clone()).collect();
        let message = format!("uncommitted changes are in the way: {}; nothing was changed", named(&files));
        return Err(Fault::new(ErrorCode::RunDirty, message).hint("Commit them or put them aside first."));
    }
    let safety = CheckpointName::new(iteration.run, format!("safety-revert-{}", iteration.number + 1))?;
    workspace.restore(&plan, &safety).await?;
    let mut request = CommitRequest::new(
        head.clone(),
        without.clone(),
        format!("Revert \"{title}\""),
        workspace.state().await?.head,
    )
    .trailer("Loopwright-Run", iteration.run.to_string())
    .trailer(REVERTS_TRAILER, iteration.id.to_string());
    request.body = match iteration.commit {
        Some(_) => format!("This reverts commit {commit}."),
        None => format!("This takes the work of task {} out of commit {commit}.", task_name(iteration)),
    };
    let refused = match workspace.commit(&request).await {
        Ok(Some(made)) => return Ok(made.commit.as_str().to_owned()),
        Ok(None) => Fault::new(ErrorCode::GitFailed, "there was nothing to commit"),
        Err(error) => error.into(),
    };
    let back = workspace.plan_return(&head, &without).await?;
    workspace.restore(&back, &safety).await?;
    Err(refused)
}

/// What HEAD would be without an iteration's work: without its commit, or without its part of its wave's.
async fn change_of(workspace: &Workspace, iteration: &Iteration, commit: &Oid) -> Result<Without, Fault> {
    let tree = |name: &Option<String>| name.as_deref().and_then(Oid::parse);
    match (&iteration.commit, tree(&iteration.tree_before), tree(&iteration.tree_after)) {
        (None, Some(before), Some(after)) => Ok(workspace.without_change(&before, &after).await?),
        _ => Ok(workspace.without(commit).await?),
    }
}

fn task_name(iteration: &Iteration) -> String {
    iteration.task.map_or_else(|| format!("iteration {}", iteration.number + 1), |task| task.to_string())
}

fn named(files: &[PathBuf]) -> String {
    let names: Vec<String> = files.iter().take(NAMED).map(|path| shown_path(path)).collect();
    match files.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
