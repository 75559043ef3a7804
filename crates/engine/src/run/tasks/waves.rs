//! The end of a wave, and commits: one for each task, or one for all finished tasks of a wave.

use std::collections::BTreeMap;

use loopwright_domain::{
    CommitMode, Event, ExitReason, Fault, Iteration, Outcome, Phase, Settlement, TaskId, TaskStatus,
};
use loopwright_store::{Order, RecordedWave};
use loopwright_vcs::Oid;

use crate::run::commit::Committing;
use crate::run::crash;
use crate::run::driver::Driver;
use crate::run::tree::WaveWork;

/// How many iterations of a run are looked through.
const LOOK_BACK: u32 = 10_000;
/// How many commits of waves are looked through.
const RECORDED: u32 = 10_000;

impl Driver<'_> {
    /// Commits what an attempt changed, when each task is committed by itself.
    pub(super) async fn commit_attempt(&mut self, iteration: &mut Iteration) -> Result<Committing, Fault> {
        let rules = self.rules()?;
        if rules.commit == CommitMode::Wave && !self.wave_is_committed(iteration).await? {
            self.tree.keep_after(iteration).await?;
            return Ok(Committing::Done);
        }
        let subject = match (&self.task, rules.commit) {
            // What comes after its wave's commit is committed by itself.
            (Some(task), CommitMode::Task | CommitMode::Wave) => task.draft.title.clone(),
            (_, CommitMode::Iteration | CommitMode::Task | CommitMode::Wave) => {
                self.iteration_message(iteration)?
            }
            (_, CommitMode::None) => return Ok(Committing::Done),
        };
        let from = iteration.tree_before.clone().filter(|_| iteration.changed_tree() == Some(true));
        match from {
            Some(from) => self.commit_from(iteration, &from, &subject).await,
            None => Ok(Committing::Done),
        }
    }

    /// Whether the wave of an iteration was committed before: its task came later, or is done again.
    async fn wave_is_committed(&self, iteration: &Iteration) -> Result<bool, Fault> {
        let Some(wave) = iteration.wave else { return Ok(false) };
        let recorded = self.project.store().wave_commits(RECORDED).await?;
        let known = recorded.iter().any(|it| it.run == self.run.id && it.wave == wave);
        Ok(known || self.told_waves.contains(&wave))
    }

    /// That a wave is finished, told with the settlement of its last task. A wave that is committed as a whole is told
    /// with its commit.
    pub(super) async fn wave_event(
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

    /// Commits the waves that are over: all before the one that goes on.
    pub(crate) async fn finish_waves(&mut self, going_on: Option<u32>) -> Result<(), Fault> {
        if self.rules()?.commit != CommitMode::Wave {
            return Ok(());
        }
        let recorded = self.project.store().wave_commits(RECORDED).await?;
        for (wave, finished) in self.finished_waves().await? {
            let known = recorded.iter().any(|it| it.run == self.run.id && it.wave == wave);
            let over = going_on.is_none_or(|going_on| wave < going_on);
            if over && !known && self.told_waves.insert(wave) {
                self.commit_wave(wave, finished).await?;
            }
        }
        Ok(())
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

    async fn commit_wave(&mut self, wave: u32, finished: Vec<Iteration>) -> Result<(), Fault> {
        let mut tasks: Vec<TaskId> = finished.iter().filter_map(|iteration| iteration.task).collect();
        tasks.sort_unstable();
        tasks.dedup();
        let pieces: Vec<(Oid, Oid)> = finished.iter().filter_map(piece).collect();
        let work = WaveWork { wave, tasks: &tasks, pieces, subject: self.wave_subject(wave, &tasks) };
        crash::point("wave.before");
        let commit = match self.tree.commit_wave(&self.run, work).await {
            Ok(made) => {
                for note in made.notes {
                    self.warn(None, note).await?;
                }
                made.commit
            }
            Err(fault) => {
                // The work is there and kept; a person can commit it.
                self.warn(None, format!("wave {wave} is not committed: {}", fault.message)).await?;
                return Ok(());
            }
        };
        crash::point("wave.made");
        self.note(vec![Event::WaveFinished { run: self.run.id, wave, commit, tasks }]).await?;
        crash::point("wave.after");
        Ok(())
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
        if self.options.tasks.is_none() || !reason.status().is_over() {
            return;
        }
        let done = async {
            self.tasks = self.project.store().tasks().await?;
            self.finish_waves(None).await
        };
        if let Err(fault) = done.await {
            tracing::warn!(run = %self.run.id, "the last wave is not committed: {}", fault.message);
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

fn piece(iteration: &Iteration) -> Option<(Oid, Oid)> {
    Some((Oid::parse(iteration.tree_before.as_deref()?)?, Oid::parse(iteration.tree_after.as_deref()?)?))
}
