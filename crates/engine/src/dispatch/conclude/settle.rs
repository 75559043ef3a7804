//! The outcome of an iteration, written down together with the run's progress.

use loopwright_domain::decide::advance;
use loopwright_domain::{CheckResult, Event, Fault, Iteration, Outcome, Phase, Progress, Verdict, caps};
use loopwright_transcript::HostEvent;

use crate::attempt::tree::shared_repository;
use crate::crash;
use crate::dispatch::conclude::diagnosis;
use crate::dispatch::dispatcher::Dispatcher;
use crate::dispatch::journal::JournalNote;
use crate::report;

impl Dispatcher<'_> {
    /// Writes the outcome, and with it the run's progress.
    pub(crate) async fn settle(
        &mut self,
        mut iteration: Iteration,
        outcome: Outcome,
        verdict: Verdict,
        same_failures: bool,
        more: Vec<Event>,
    ) -> Result<(), Fault> {
        crash::point("settled.before");
        let now = self.project.host().timestamp();
        iteration.phase = Phase::Settled;
        iteration.outcome = Some(outcome);
        iteration.ended_at = Some(now.clone());
        let before = std::mem::take(&mut self.run.progress);
        self.run.progress = advance(&before, &iteration, verdict, same_failures);
        let told = self
            .about_caps(&before, iteration.agent.model.as_deref())
            .into_iter()
            .map(|message| Event::RunWarning { run: self.run.id, iteration: Some(iteration.id), message });
        let files = std::mem::take(&mut self.about_files);
        let failure = diagnosis::recorded(self.project, &self.config.patterns, &iteration, &self.last_checks);
        let mut more: Vec<Event> = files.into_iter().chain(more).chain(told).chain(failure).collect();
        let memory = self.memory_events(&iteration, &more).await;
        more.extend(memory);
        self.run.last_iteration_at = Some(now);
        let left = if iteration.restored { &iteration.tree_before } else { &iteration.tree_after };
        self.run.tree = left.clone().or(self.run.tree.take());
        let settled = Event::IterationSettled {
            run: self.run.id,
            iteration: iteration.id,
            number: iteration.number,
            outcome,
            code: iteration.agent.code,
            message: iteration.message.clone(),
            elapsed_ms: iteration.elapsed_ms,
            commit: iteration.commit.clone(),
        };
        let note = JournalNote { run: Some(&self.run), iteration: Some(&iteration), checks: &[] };
        self.journal.write(self.observer, note, [settled].into_iter().chain(more).collect()).await?;
        crash::point("settled.after");
        tracing::info!(
            outcome = outcome.as_str(),
            duration_ms = iteration.elapsed_ms,
            number = iteration.number + 1,
            "iteration settled"
        );
        shared_repository::forget(&self.project.layout().state_dir, iteration.id);
        self.source.settled(&iteration).await?;
        self.keep_in_step(&iteration).await?;
        self.last = Some(iteration);
        Ok(())
    }

    /// Adds the commit to the transcript.
    pub(crate) fn note_commit(&self, iteration: &Iteration) {
        if let Some(commit) = iteration.commit.clone() {
            HostEvent::Committed { commit }.note(&self.project.iterations().files(iteration).transcript());
        }
    }

    pub(crate) async fn write(
        &mut self,
        iteration: &Iteration,
        checks: &[CheckResult],
        events: Vec<Event>,
    ) -> Result<(), Fault> {
        // With the run each time: an entry that could not be written may have been the run's first.
        let note = JournalNote { run: Some(&self.run), iteration: Some(iteration), checks };
        self.journal.write(self.observer, note, events).await
    }

    /// What a person should know of the caps since an earlier point of the run.
    fn about_caps(&self, before: &Progress, model: Option<&str>) -> Vec<String> {
        let (progress, limits) = (&self.run.progress, &self.run.limits);
        let near = caps::neared(before, progress, limits).into_iter().map(|cap| report::near(&self.run, cap));
        let unpriced = caps::unpriced(before, progress, limits).then(|| report::unpriced(&self.run, model));
        near.chain(unpriced).collect()
    }

    /// Writes where an iteration's task stands now into the file it came from, and whatever was moved meanwhile. What
    /// cannot be written is only told.
    async fn keep_in_step(&mut self, iteration: &Iteration) -> Result<(), Fault> {
        let mut tasks = self.project.tasks().behind().await?;
        tasks.extend(iteration.task);
        if tasks.is_empty() {
            return Ok(());
        }
        let synced = self.project.tasks().sync_external(&tasks).await;
        if synced.written {
            // Known to the run, so that the next one does not take it for somebody's uncommitted work.
            if let Ok(Some(snapshot)) = self.tree.snapshot().await {
                self.run.tree = Some(snapshot.tree.as_str().to_owned());
                self.note(Vec::new()).await?;
            }
        }
        for fault in synced.faults {
            self.warn(Some(iteration.id), fault.message).await?;
        }
        Ok(())
    }
}
