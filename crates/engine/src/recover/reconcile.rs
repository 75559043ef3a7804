//! What an earlier process left unfinished is settled by looking at the world, never by doing it again blindly.

use std::collections::BTreeSet;
use std::time::Duration;

use loopwright_domain::{
    Event, Fault, GateStatus, Iteration, Outcome, Phase, Run, RunStatus, TaskId, TaskStatus, WaitReason,
};
use loopwright_process::{ProcessIdentity, Secrets, Stray, ask_survivors, end_survivors};
use loopwright_store::Entry;

use crate::attempt::agent::heartbeat;
use crate::attempt::tree::starting_tree::StartingTree;
use crate::attempt::tree::work_tree::{WorkTree, commit_marker, commit_marker_of_wave};
use crate::attempt::tree::{agent_repository, shared_repository};
use crate::project::Project;

/// As many checks are looked after even if fewer are set up now: each costs a look at all processes.
const CHECKS: usize = 8;
/// For so long a commit that nobody waits for any more may clean up.
const COMMIT_GRACE: Duration = Duration::from_secs(2);
/// How many iterations are looked through for waves whose commit was under way.
const LOOK_BACK: u32 = 200;

/// What was found and done.
#[derive(Debug, Default)]
pub(crate) struct Reconciled {
    /// An iteration of the run to resume whose agent had ended: its checks and its commit are still to be done.
    pub(crate) unfinished: Option<Iteration>,
    /// Programs that were still running and were ended.
    pub(crate) survivors: Vec<String>,
    /// What the repository had lost and has again, or has gained, in words.
    pub(crate) put_back: Vec<String>,
    /// How many iterations were settled as interrupted.
    pub(crate) interrupted: u32,
    /// The files as the last run knows them now, when something of ours changed them.
    pub(crate) tree: Option<String>,
}

impl Reconciled {
    /// What the last run has left in the files, now that all is settled.
    pub(crate) fn starting_tree(&self, project: &Project, latest: Option<Run>) -> StartingTree {
        let latest = latest.map(|run| Run { tree: self.tree.clone().or(run.tree), ..run });
        project.starting_tree(latest.as_ref())
    }
}

/// Settles everything unfinished. The caller holds the lock, so no live process works on any of it. The iterations of
/// the run `resuming` whose agent had ended are left to be concluded. Doing it twice changes nothing.
pub(crate) async fn reconcile(
    project: &Project,
    tree: &WorkTree,
    resuming: Option<&Run>,
) -> Result<Reconciled, Fault> {
    let mut found = Reconciled::default();
    agent_repository::sweep(&project.layout().state_dir, resuming.map(|run| run.id));
    for iteration in project.store().unsettled().await? {
        found.survivors.extend(end_what_lives(project, &iteration));
    }
    found.survivors.extend(end_wave_commits(project, resuming).await?);
    if let Some(workspace) = tree.workspace() {
        workspace.sweep_commits();
    }
    found.put_back = shared_repository::compare_left_over(project, tree).await?;
    for iteration in project.store().unsettled().await? {
        let temp = project.host().temp_dir.join(format!("loopwright-{}", iteration.id));
        let _ = std::fs::remove_dir_all(temp);
        let own = resuming.is_some_and(|run| run.id == iteration.run);
        if iteration.by_hand {
            // A person's work is theirs until they finish it or give it up.
            continue;
        }
        if own && iteration.phase >= Phase::AgentDone {
            found.unfinished = Some(iteration);
        } else {
            settle(project, tree, iteration).await?;
            found.interrupted += 1;
        }
    }
    if found.unfinished.is_none() {
        found.tree = project.sync_at_rest(tree, &[]).await?;
    }
    Ok(found)
}

/// Ends what an iteration's agent and checks left running: the same process, by number and start time, and whatever
/// carries the iteration's mark.
fn end_what_lives(project: &Project, iteration: &Iteration) -> Vec<String> {
    let leader = iteration
        .pid
        .zip(iteration.process_started.clone())
        .map(|(pid, started)| ProcessIdentity { pid, started });
    let secrets = Secrets::built_in();
    let mut strays = end_survivors(&iteration.id.to_string(), leader, &secrets);
    if iteration.phase == Phase::Committing {
        // A hook may take long: the commit must not be made behind our back.
        strays.extend(ask_survivors(&commit_marker(iteration.id), COMMIT_GRACE, &secrets));
    }
    if iteration.phase == Phase::Checking {
        for check in 0..project.config().checks.len().max(CHECKS) {
            strays.extend(end_survivors(&format!("{}.check-{check}", iteration.id), None, &secrets));
        }
    }
    named(&strays)
}

/// Ends commits of waves that outlived their run. The tasks of such a wave are done, each without a commit.
async fn end_wave_commits(project: &Project, resuming: Option<&Run>) -> Result<Vec<String>, Fault> {
    let latest = project.store().latest_run().await?;
    let Some(run) = resuming.cloned().or(latest.filter(|run| !run.status.is_over())) else {
        return Ok(Vec::new());
    };
    let past = project.store().last_iterations(run.id, LOOK_BACK).await?;
    let uncommitted = |it: &&Iteration| it.outcome == Some(Outcome::Succeeded) && it.commit.is_none();
    let waves: BTreeSet<u32> = past.iter().filter(uncommitted).filter_map(|it| it.wave).collect();
    let secrets = Secrets::built_in();
    let marker = |wave: &u32| commit_marker_of_wave(run.id, *wave);
    let strays = waves.iter().flat_map(|wave| ask_survivors(&marker(wave), COMMIT_GRACE, &secrets));
    Ok(named(&strays.collect::<Vec<_>>()))
}

fn named(strays: &[Stray]) -> Vec<String> {
    strays.iter().map(|stray| format!("{} ({})", stray.name, stray.pid)).collect()
}

/// An interruption is no failure and costs no attempt. A commit that was made is recorded.
async fn settle(project: &Project, tree: &WorkTree, mut iteration: Iteration) -> Result<(), Fault> {
    let mut notes = Vec::new();
    if iteration.phase == Phase::Committing
        && let Some(made) = tree.find_commit(iteration.id).await?
    {
        iteration.commit = made.commit;
        notes = made.notes;
    }
    if iteration.tree_before.is_none() {
        // The agent may have been started before this was written down.
        iteration.tree_before = tree.saved_before(&iteration).await?;
    }
    let outcome = match (&iteration.commit, iteration.outcome) {
        (Some(_), _) => Outcome::Succeeded,
        (None, Some(judged)) => judged,
        (None, None) => Outcome::Interrupted,
    };
    let mut run = None;
    if outcome == Outcome::Interrupted && iteration.phase == Phase::Running {
        iteration.usage = project.iterations().used_by(&iteration);
        iteration.agent_ms =
            heartbeat::read(&project.iterations().files(&iteration).heartbeat()).unwrap_or(0);
        iteration.elapsed_ms = iteration.agent_ms;
        run = project.store().run(iteration.run).await?.filter(|run| !run.status.is_over());
    }
    if let Some(run) = &mut run {
        run.progress.usage = run.progress.usage.plus(&iteration.usage);
        run.progress.worked_ms = run.progress.worked_ms.saturating_add(iteration.elapsed_ms);
    }
    let mut about_files = None;
    if iteration.task.is_some() && outcome != Outcome::Succeeded {
        notes.extend(shared_repository::take_off(&project.layout().state_dir, tree, &iteration).await?);
        let files = project.iterations().files(&iteration);
        let back = tree.put_back_all(&files, &mut iteration, &project.layout().state_dir).await?;
        notes.extend(back.notes);
        about_files = back.event;
    }
    let warning = |message| Event::RunWarning { run: iteration.run, iteration: Some(iteration.id), message };
    let mut events: Vec<Event> = notes.into_iter().map(warning).chain(about_files).collect();
    events.extend(close_gate(project, &iteration).await?);
    if let Some(task) = iteration.task {
        events.extend(release(&iteration, task, outcome));
    }
    let at = project.host().timestamp();
    iteration.phase = Phase::Settled;
    iteration.outcome = Some(outcome);
    iteration.ended_at = Some(at.clone());
    let ended = "the process that ran it ended before it was finished";
    iteration.message = iteration.message.or_else(|| Some(ended.to_owned()));
    let event = Event::IterationSettled {
        run: iteration.run,
        iteration: iteration.id,
        number: iteration.number,
        outcome,
        code: iteration.agent.code,
        message: iteration.message.clone(),
        elapsed_ms: iteration.elapsed_ms,
        commit: iteration.commit.clone(),
    };
    events.insert(0, event);
    let entry = Entry { run: run.as_ref(), iteration: Some(&iteration), events: &events, ..Entry::default() };
    project.store().journal(&at, entry).await?;
    shared_repository::forget(&project.layout().state_dir, iteration.id);
    Ok(())
}

/// Closes the gate that an iteration waits at, when nobody goes on with it.
async fn close_gate(project: &Project, iteration: &Iteration) -> Result<Option<Event>, Fault> {
    let gate = project.store().gate_of_iteration(iteration.id).await?;
    Ok(gate.filter(|gate| gate.status == GateStatus::Open).map(|gate| {
        let status = GateStatus::Replaced;
        Event::GateDecided { gate: gate.id, status, reason: None, origin: None }
    }))
}

/// What becomes of the task of an iteration that nobody goes on with.
fn release(iteration: &Iteration, task: TaskId, outcome: Outcome) -> Vec<Event> {
    let mut events = Vec::new();
    let to = match outcome {
        Outcome::Succeeded => TaskStatus::Done,
        Outcome::Failed | Outcome::Interrupted => TaskStatus::Pending,
    };
    // It stands in one of these; the other is left out.
    for from in [TaskStatus::InProgress, TaskStatus::AwaitingApproval] {
        let iteration = Some(iteration.id);
        events.push(Event::TaskStatusChanged { task, from, to, reason: None, iteration, origin: None });
    }
    events
}

/// A run that says it is running while nobody holds the lock was cut off.
pub(crate) async fn mark_interrupted(project: &Project, run: &mut Run) -> Result<(), Fault> {
    let waits_for_a_person = run.waiting.is_some_and(WaitReason::is_for_a_person);
    if !matches!(run.status, RunStatus::Running | RunStatus::Waiting) || waits_for_a_person {
        return Ok(());
    }
    let at = project.host().timestamp();
    run.status = RunStatus::Interrupted;
    run.waiting = None;
    run.reason = Some(loopwright_domain::ExitReason::Interrupted);
    run.code = None;
    run.message = Some("the process that ran it ended unexpectedly".to_owned());
    run.ended_at = Some(at.clone());
    let event = Event::status_of(run, run.message.clone().unwrap_or_default());
    let entry = Entry { run: Some(run), events: &[event], ..Entry::default() };
    project.store().journal(&at, entry).await?;
    Ok(())
}
