//! The beginning of an attempt: its intent is written down, then it is given a lane.

pub(crate) mod availability;
pub(crate) mod baseline;
pub(crate) mod changed_settings;
pub(crate) mod current_task;
pub(crate) mod memory;
pub(crate) mod next_task;
pub(crate) mod prompt;
pub(crate) mod task_prompt;

use std::time::Instant;

use std::sync::Mutex;

use loopwright_domain::{
    ErrorCode, Event, Fault, ItemState, Iteration, IterationId, Phase, PromptItem, TaskStatus,
};
use loopwright_transcript::IterationFiles;
use tracing::Instrument;

use crate::attempt::agent::signal::{self, signal_file};
use crate::attempt::phases::PlannedAttempt;
use crate::crash;
use crate::dispatch::dispatcher::Dispatcher;
use crate::dispatch::lanes::{AttemptRecord, CurrentTask, Lane};
use crate::logging::log_phase;
use crate::prepare::source::WorkItem;
use crate::prompt::compose::PromptSize;
use crate::prompt::task::ComposedPrompt;
use crate::report;

impl Dispatcher<'_> {
    /// Plans an attempt at some work and begins it in a lane of its own.
    pub(crate) async fn begin(&mut self, work: WorkItem) -> Result<(), Fault> {
        let mut iteration = self.planned(&work).await?;
        let span = tracing::info_span!(
            "iteration", iteration = iteration.number + 1, id = %iteration.id, harness = %self.run.harness
        );
        let files = IterationFiles::of(&self.project.layout().state_dir, &iteration);
        let prompt = self.plan(&mut iteration, &work, &files).instrument(span.clone()).await?;
        let (attempt, mailbox) = self.attempt(Some(&iteration));
        let number = iteration.number;
        let planned = PlannedAttempt { iteration, prompt, files };
        self.lanes.begin(Lane {
            number,
            work: Mutex::new(Box::pin(self.worker.run_agent(attempt, planned).instrument(span.clone()))),
            mailbox,
            record: AttemptRecord::default(),
            current: CurrentTask { task: self.task.clone(), planning: self.planning.clone() },
            span,
            ended: None,
        });
        Ok(())
    }

    /// An iteration for some work, before anything is written down.
    pub(crate) async fn planned(&mut self, work: &WorkItem) -> Result<Iteration, Fault> {
        let (number, attempt) = self.lanes.next_number(self.run.progress.iteration, self.last.as_ref());
        let id = self.new_iteration_id()?;
        let now = self.project.host().timestamp();
        let mut iteration = Iteration::planned(id, self.run.id, number, attempt, now);
        iteration.task = work.task();
        iteration.wave = work.wave();
        self.know_task(work.task()).await?;
        if let Some(task) = self.task.as_ref().filter(|_| work.task().is_some()) {
            let attempt = self.attempt_number(&iteration);
            self.observer.task(&iteration, task, attempt);
        }
        Ok(iteration)
    }

    /// Writes the intent down: the prompt, the iteration, nothing started yet.
    async fn plan(
        &mut self,
        iteration: &mut Iteration,
        work: &WorkItem,
        files: &IterationFiles,
    ) -> Result<String, Fault> {
        let begun = Instant::now();
        let composed = self.prompt(work).await?;
        let included = memory_included(iteration.id, &composed.items);
        let items = self.items_of(&composed)?;
        let ComposedPrompt { prompt, notes, .. } = composed;
        let size = PromptSize::of(&prompt, self.options.token_budget);
        iteration.prompt_tokens = size.tokens;
        iteration.head = self.tree.branch().await?;
        let kept = files.make().and_then(|()| {
            files.write(&files.prompt(), &prompt)?;
            if let Some(items) = &items {
                files.write(&files.prompt_items(), items)?;
            }
            files.write(&files.task(), &self.assignment(work).to_json())
        });
        let cleared = signal::clear(&signal_file(&self.project.layout().root));
        crash::point("planned.before");
        let started = Event::IterationStarted {
            run: self.run.id,
            iteration: iteration.id,
            number: iteration.number,
            task: work.task(),
            attempt: if work.task().is_some() { self.attempt_number(iteration) } else { iteration.attempt },
        };
        let begins = work.task().map(|task| Event::TaskStatusChanged {
            task,
            from: TaskStatus::Pending,
            to: TaskStatus::InProgress,
            reason: None,
            iteration: Some(iteration.id),
            origin: self.person_origin,
        });
        self.write(iteration, &[], [started].into_iter().chain(begins).chain(included).collect()).await?;
        crash::point("planned.after");
        let faults = [kept, cleared].into_iter().filter_map(Result::err);
        for note in faults.map(|fault| report::fault(&fault)).chain(notes) {
            self.warn(Some(iteration.id), note).await?;
        }
        if size.over() {
            let message = format!("the prompt is over its budget: {} of {} tokens", size.tokens, size.budget);
            self.warn(Some(iteration.id), message).await?;
        }
        self.observer.prompt(iteration, &self.secrets.redact(&prompt), size);
        log_phase("plan", begun, "ok");
        Ok(prompt)
    }

    /// What a task's prompt is made of, as it is kept; none where the work is no task.
    fn items_of(&self, composed: &ComposedPrompt) -> Result<Option<String>, Fault> {
        let Some(task) = self.task.as_ref().filter(|_| !composed.items.is_empty()) else { return Ok(None) };
        let mut preview = self.preview_of(task, composed.clone())?;
        // The prompt has a file of its own.
        preview.prompt.clear();
        let json = serde_json::to_string(&preview);
        json.map(Some).map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()).because(&error))
    }

    /// Begins an iteration that a person carries out: the prompt is written down and the files are saved.
    pub(crate) async fn begin_by_hand(
        &mut self,
        iteration: &mut Iteration,
        work: &WorkItem,
    ) -> Result<(), Fault> {
        let files = IterationFiles::of(&self.project.layout().state_dir, iteration);
        self.plan(iteration, work, &files).await?;
        let (mut attempt, mailbox) = self.attempt(Some(iteration));
        self.serve(mailbox, attempt.checkpoint(iteration)).await?;
        iteration.phase = Phase::Running;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Running };
        self.write(iteration, &[], vec![phase]).await
    }
}

/// Which solutions and learnings are in a prompt; none when there is none of either.
fn memory_included(iteration: IterationId, items: &[PromptItem]) -> Option<Event> {
    let numbers = |prefix: &str| -> Vec<u32> {
        let there = items.iter().filter(|item| item.state != ItemState::Out);
        there.filter_map(|item| item.key.strip_prefix(prefix)?.parse().ok()).collect()
    };
    let (solutions, learnings) = (numbers("solution:"), numbers("learning:"));
    let none = solutions.is_empty() && learnings.is_empty();
    (!none).then_some(Event::MemoryIncluded { iteration, solutions, learnings })
}
