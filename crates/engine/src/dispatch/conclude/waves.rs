//! The end of a wave, and commits: one for each task, or one for all finished tasks of a wave.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use loopwright_domain::environment::is_environment;
use loopwright_domain::{
    CommitMode, ErrorCode, Event, ExitReason, Fault, GateStatus, Iteration, Outcome, Phase, Settlement,
    TaskId, TaskStatus, Verdict,
};
use loopwright_store::{Order, RecordedWave};
use loopwright_vcs::Oid;

use crate::attempt::tree::work_tree::{CommitAttempt, HookEdits, WaveWork, made_by_hook};
use crate::crash;
use crate::dispatch::dispatcher::Dispatcher;
use crate::dispatch::gate::wave_gate::nobody_waits;
use crate::dispatch::step::{GO_ON, StepFuture, StepResult, proceed};
use crate::display_text::named_paths;
use crate::prepare::source::Source;

/// How many iterations of a run are looked through.
const LOOK_BACK: u32 = 10_000;
/// How many commits of waves are looked through.
pub(crate) const RECORDED: u32 = 10_000;

impl Dispatcher<'_> {
    /// Whether the wave of an iteration was committed before: its task came later, or is done again.
    pub(crate) async fn wave_is_committed(&self, iteration: &Iteration) -> Result<bool, Fault> {
        let Some(wave) = iteration.wave else { return Ok(false) };
        let recorded = self.project.store().wave_commits(RECORDED).await?;
        let known = recorded.iter().any(|it| it.run == self.run.id && it.wave == wave);
        Ok(known || self.told_waves.contains(&wave))
    }

    /// That a wave is finished, told with the settlement of its last task. A wave that is committed as a whole is told
    /// with its commit.
    pub(crate) async fn wave_event(
        &self,
        iteration: &Iteration,
        settlement: &Settlement,
    ) -> Result<Option<Event>, Fault> {
        let (Some(wave), Some(own), Settlement::Done) = (iteration.wave, iteration.task, settlement) else {
            return Ok(None);
        };
        if self.rules()?.commit == CommitMode::Wave {
            return Ok(None);
        }
        let mut tasks = self.project.store().tasks().await?;
        for task in tasks.iter_mut().filter(|task| task.id == own) {
            task.status = TaskStatus::Done;
        }
        let summaries = loopwright_domain::TaskGraph::new(&tasks).summaries();
        let finished = summaries.into_iter().find(|it| it.number == wave && it.done == it.total);
        Ok(finished.map(|it| Event::WaveFinished { run: self.run.id, wave, commit: None, tasks: it.tasks }))
    }

    /// Commits the waves that are over: all before the one that goes on. An ending means that the run stops first, at a
    /// gate; where it cannot wait for what is decided there, that is a fault.
    pub(crate) fn finish_waves(&mut self, going_on: Option<u32>, can_wait: bool) -> StepFuture<'_> {
        Box::pin(async move {
            if self.rules()?.commit != CommitMode::Wave {
                return GO_ON;
            }
            let recorded = self.project.store().wave_commits(RECORDED).await?;
            for (wave, finished) in self.finished_waves().await? {
                let known = recorded.iter().any(|it| it.run == self.run.id && it.wave == wave);
                let over = going_on.is_none_or(|going_on| wave < going_on);
                if over && !known {
                    proceed!(self.commit_wave_once(wave, finished, can_wait).await?);
                }
            }
            GO_ON
        })
    }

    /// Carries out what was decided about a hook's edits at the gate of the iteration that finished a wave: commits the wave,
    /// or puts the edits back and ends the run.
    pub(crate) async fn commit_wave_of(&mut self, iteration: &Iteration) -> StepResult {
        self.tasks = self.project.store().tasks().await?;
        let Some(wave) = iteration.wave else { return GO_ON };
        let rejected = [GateStatus::Rejected, GateStatus::Skipped];
        if self.hook_gate(iteration).await?.is_some_and(|gate| rejected.contains(&gate.status)) {
            proceed!(self.at_hook_gate(iteration).await?);
        }
        match self.finished_waves().await?.remove(&wave) {
            Some(finished) => self.commit_wave_once(wave, finished, true).await,
            None => GO_ON,
        }
    }

    /// Commits a wave, unless this process has. What could not be committed yet is tried again when it is asked for.
    fn commit_wave_once(&mut self, wave: u32, finished: Vec<Iteration>, can_wait: bool) -> StepFuture<'_> {
        Box::pin(async move {
            if !self.told_waves.insert(wave) {
                return GO_ON;
            }
            let committed = self.commit_wave(wave, &finished, can_wait).await;
            if !matches!(committed, Ok(ControlFlow::Continue(()))) {
                self.told_waves.remove(&wave);
            }
            committed
        })
    }

    /// What this run has finished and not committed by itself, by wave; in each wave the oldest first.
    async fn finished_waves(&self) -> Result<BTreeMap<u32, Vec<Iteration>>, Fault> {
        let all = self.project.store().iterations(self.run.id, 0, LOOK_BACK, Order::OldestFirst).await?;
        let mut waves: BTreeMap<u32, Vec<Iteration>> = BTreeMap::new();
        let done = |id: TaskId| self.tasks.iter().any(|it| it.id == id && it.status == TaskStatus::Done);
        for iteration in all {
            let finishes = iteration.phase == Phase::Settled
                && iteration.outcome == Some(Outcome::Succeeded)
                && iteration.commit.is_none()
                && iteration.task.is_some_and(done);
            if let (true, Some(wave)) = (finishes, iteration.wave) {
                waves.entry(wave).or_default().push(iteration);
            }
        }
        Ok(waves)
    }

    /// The finished work of an iteration's wave that is not committed yet.
    pub(crate) async fn uncommitted_pieces(&self, iteration: &Iteration) -> Result<Vec<(Oid, Oid)>, Fault> {
        let Some(wave) = iteration.wave else { return Ok(Vec::new()) };
        if self.wave_is_committed(iteration).await? {
            return Ok(Vec::new());
        }
        let finished = self.finished_waves().await?;
        Ok(finished.get(&wave).into_iter().flatten().filter_map(piece).collect())
    }

    async fn commit_wave(&mut self, wave: u32, finished: &[Iteration], can_wait: bool) -> StepResult {
        let mut tasks: Vec<TaskId> = finished.iter().filter_map(|iteration| iteration.task).collect();
        tasks.sort_unstable();
        tasks.dedup();
        let mut pieces: Vec<(Oid, Oid)> = finished.iter().filter_map(piece).collect();
        let subject = self.wave_subject(wave, &tasks);
        let mut shown = false;
        if let Some(last) = finished.last()
            && let Some(gate) = self.hook_gate(last).await?
            && matches!(gate.status, GateStatus::Open | GateStatus::Approved)
        {
            if gate.status == GateStatus::Open && !can_wait {
                return Err(nobody_waits());
            }
            // An earlier process has shown what a hook made of it.
            add_edits(&mut pieces, proceed!(self.at_hook_gate(last).await?));
            shown = true;
        }
        crash::point("wave.before");
        let work = WaveWork { wave, tasks: &tasks, pieces: pieces.clone(), subject: subject.clone() };
        let mut made = self.tree.commit_wave(&self.run, work).await;
        if let (Ok(CommitAttempt::Edited(hook)), Some(last), false) = (&made, finished.last(), shown) {
            let checked = self.check_hook_edits(last, hook).await?;
            add_edits(&mut pieces, proceed!(self.gate_hook_edits(finished, checked, can_wait).await?));
            let work = WaveWork { wave, tasks: &tasks, pieces, subject };
            made = match self.tree.commit_wave(&self.run, work).await {
                Ok(CommitAttempt::Edited(again)) => Err(again.fault),
                made => made,
            };
        }
        let (commit, files) = match made {
            Ok(CommitAttempt::Made(made)) => {
                let files = made.files_event(None);
                for note in made.notes {
                    self.warn(None, note).await?;
                }
                (made.commit, files)
            }
            Ok(CommitAttempt::Edited(HookEdits { fault, .. })) => return Err(fault),
            // A person has to see to it; whoever resumes commits it.
            Err(fault) if is_environment(fault.code, self.run.kind) || fault.code == ErrorCode::GitHook => {
                return Err(fault);
            }
            Err(fault) => {
                // The work is there and kept; a person can commit it.
                self.warn(None, format!("wave {wave} is not committed: {}", fault.message)).await?;
                return GO_ON;
            }
        };
        crash::point("wave.made");
        let finished = Event::WaveFinished { run: self.run.id, wave, commit, tasks };
        self.note([finished].into_iter().chain(files).collect()).await?;
        crash::point("wave.after");
        GO_ON
    }

    /// Runs the required checks on what a commit hook made of a wave's work, and returns the tree that they passed on.
    async fn check_hook_edits(&mut self, last: &Iteration, hook: &HookEdits) -> Result<Oid, Fault> {
        let names = named_paths(&hook.edits.edited);
        let told = format!("a commit hook changed {names}; nothing was committed, and the checks run again");
        self.warn(None, told).await?;
        if let Some(told) = made_by_hook(&hook.edits) {
            self.warn(None, told).await?;
        }
        let tree_after = Some(hook.edits.tree.as_str().to_owned());
        let mut edited = Iteration { tree_after, ..last.clone() };
        let folder = self.project.iterations().files(last).checks();
        let (mut attempt, mailbox) = self.attempt(Some(last));
        let results = self.serve(mailbox, attempt.check_tree(&mut edited, &folder)).await?;
        let passed = matches!(Verdict::of(&results), Verdict::Passed | Verdict::Unchecked);
        let tree = edited.tree_after.as_deref().and_then(Oid::parse).filter(|_| passed);
        self.run.tree = edited.tree_after;
        tree.ok_or_else(|| {
            let failed = results.iter().filter(|result| result.required && result.failed());
            let failed: Vec<&str> = failed.map(|result| result.name.as_str()).collect();
            let message = format!(
                "a commit hook changed {names}, and the checks do not pass on that: {}",
                failed.join(", ")
            );
            Fault::new(ErrorCode::GitHook, message)
        })
    }

    fn wave_subject(&self, wave: u32, done: &[TaskId]) -> String {
        let tag =
            self.options.tasks.as_ref().and_then(|selection| selection.tag.as_deref()).unwrap_or("tasks");
        let summaries = loopwright_domain::TaskGraph::new(&self.tasks).summaries();
        let total = summaries.iter().find(|it| it.number == wave).map_or(0, |it| it.total);
        let count = u32::try_from(done.len()).unwrap_or(u32::MAX);
        if count < total {
            format!("feat({tag}): {count} of {total} tasks of wave {wave}")
        } else {
            format!("feat({tag}): complete wave {wave}")
        }
    }

    /// What a run that is over leaves: finished work does not stay uncommitted.
    pub(crate) async fn finish_last_wave(&mut self, reason: ExitReason) {
        if !matches!(self.source, Source::Tasks(_)) || !reason.status(self.run.goal).is_over() {
            return;
        }
        let done = async {
            self.tasks = self.project.store().tasks().await?;
            self.finish_waves(None, false).await
        };
        if let Err(fault) = done.await {
            let told = format!("the last wave is not committed: {}", fault.message);
            if let Err(fault) = self.warn(None, told).await {
                tracing::warn!(run = %self.run.id, "{}", fault.message);
            }
        }
    }
}

/// The commit that holds a finished iteration's work: its own, or that of its wave.
pub(crate) fn commit_of<'a>(iteration: &'a Iteration, waves: &'a [RecordedWave]) -> Option<&'a str> {
    let holds = |wave: &&RecordedWave| {
        wave.run == iteration.run
            && Some(wave.wave) == iteration.wave
            && iteration.task.is_some_and(|task| wave.tasks.contains(&task))
    };
    let of_wave = || waves.iter().find(holds).map(|wave| wave.commit.as_str());
    iteration.commit.as_deref().or_else(of_wave)
}

/// What a hook made of the last task's tree is committed with it.
fn add_edits(pieces: &mut Vec<(Oid, Oid)>, edited: Oid) {
    pieces.extend(pieces.last().map(|(_, to)| (to.clone(), edited)));
}

pub(crate) fn piece(iteration: &Iteration) -> Option<(Oid, Oid)> {
    Some((Oid::parse(iteration.tree_before.as_deref()?)?, Oid::parse(iteration.tree_after.as_deref()?)?))
}
