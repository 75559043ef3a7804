//! The loop: asks the source for work, carries each iteration out, and stops when a rule says so.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use loopwright_agents::Harness;
use loopwright_domain::check::failing;
use loopwright_domain::decide::stop_reason;
use loopwright_domain::{
    CheckResult, ControlKind, ErrorCode, Event, ExitReason, Fault, Goal, Iteration, IterationId, Prices, Run,
    RunStatus, Task, Verdict, WaitReason,
};

use loopwright_process::Secrets;

use super::backup::Backup;
use super::crash;
use super::journal::{Journal, Note};
use super::observe::Observer;
use super::options::{AgentOptions, RunOptions};
use super::outage::Next;
use super::report;
use super::source::{SoFar, Source, Work};
use super::steer::{Steering, Wish};
use super::tasks::Planning;
use super::tree::Tree;
use crate::check::Check;
use crate::project::Project;
use crate::sandbox::Guard;

/// Why a run stops, and in which words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) reason: ExitReason,
    /// The code of what went wrong, when something did.
    pub(crate) code: Option<ErrorCode>,
    pub(crate) message: Option<String>,
    /// What the run waits for, when it does.
    pub(crate) waiting: Option<WaitReason>,
}

impl From<ExitReason> for Ending {
    fn from(reason: ExitReason) -> Self {
        Self { reason, code: None, message: None, waiting: None }
    }
}

impl From<Fault> for Ending {
    fn from(fault: Fault) -> Self {
        let reason = match fault.code {
            ErrorCode::StoreGone | ErrorCode::StoreCorrupt | ErrorCode::WorkspaceDamaged => {
                ExitReason::WorkspaceDamaged
            }
            _ => ExitReason::Error,
        };
        let message = match &fault.hint {
            Some(hint) => format!("{}. {hint}", fault.message.trim_end_matches('.')),
            None => fault.message,
        };
        Self { reason, code: Some(fault.code), message: Some(message), waiting: None }
    }
}

/// The agent that a run was started with.
pub(crate) struct Chosen {
    pub(crate) agent: AgentOptions,
    pub(crate) harness: Arc<dyn Harness>,
}

/// Drives one run from where it stands to its end.
pub(crate) struct Driver<'a> {
    pub(crate) project: &'a Project,
    pub(crate) run: Run,
    pub(crate) options: RunOptions,
    pub(crate) harness: Arc<dyn Harness>,
    /// What is put around the agents.
    pub(crate) guard: Guard,
    /// The agent that was chosen for the run, whoever works now.
    pub(crate) chosen: Chosen,
    /// What models cost.
    pub(crate) prices: Prices,
    pub(crate) checks: Vec<Check>,
    /// What must not show in anything that is kept or shown.
    pub(crate) secrets: Secrets,
    pub(crate) source: Box<dyn Source>,
    pub(crate) tree: Tree,
    pub(crate) journal: Journal<'a>,
    pub(crate) steering: Steering<'a>,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) backup: Backup,
    /// The last iteration that was settled.
    pub(crate) last: Option<Iteration>,
    /// The last round of checks.
    pub(crate) last_checks: Vec<CheckResult>,
    /// A pause that was asked for and has not happened yet.
    pub(crate) pause: Option<ControlKind>,
    /// In `manual` mode: how many iterations a person has allowed.
    pub(crate) allowed: u32,
    /// All tasks, as they were when work was last asked for; only in a run over tasks.
    pub(crate) tasks: Vec<Task>,
    /// The task that is worked on.
    pub(crate) task: Option<Task>,
    /// How far it is planned.
    pub(crate) planning: Planning,
    /// The waves that this process has committed.
    pub(crate) told_waves: BTreeSet<u32>,
    /// The checks that a person's edits at a gate did not pass.
    pub(crate) refused_edits: Vec<String>,
}

impl Driver<'_> {
    /// Works until something ends or stops the run, and writes that down.
    pub(crate) async fn drive(mut self, unfinished: Option<Iteration>) -> Run {
        let ending = match self.work(unfinished).await {
            Ok(ending) => ending,
            Err(fault) => fault.into(),
        };
        self.close(ending).await;
        self.run
    }

    async fn work(&mut self, unfinished: Option<Iteration>) -> Result<Ending, Fault> {
        if let Some(iteration) = unfinished
            && let Some(ending) = self.conclude(iteration).await?
        {
            return Ok(ending);
        }
        if self.last_checks.is_empty()
            && let Some(ending) = self.check_first().await
        {
            return Ok(ending);
        }
        loop {
            if let Some(ending) = self.between_iterations().await? {
                return Ok(ending);
            }
            let work = match self.next_work().await? {
                Ok(work) => work,
                Err(ending) => return Ok(ending),
            };
            // Only here is it known that the run is not over anyway.
            if self.steering.stop().stops_after_iteration() {
                return Ok(ExitReason::Interrupted.into());
            }
            match self.choose_agent(&work).await? {
                Next::Ready => {}
                Next::Later => {
                    self.allowed = self.allowed.saturating_add(1);
                    continue;
                }
                Next::End(ending) => return Ok(ending),
            }
            if let Some(ending) = self.iterate(work).await? {
                return Ok(ending);
            }
        }
    }

    /// Runs the checks where the work begins with them.
    pub(super) async fn check_first(&mut self) -> Option<Ending> {
        if !self.source.starts_with_checks() {
            return None;
        }
        let marker = self.new_iteration_id().to_string();
        self.last_checks = self.run_checks(&marker, None).await;
        (Verdict::of(&self.last_checks) == Verdict::Stopped).then(|| self.why_stopped())
    }

    /// The next piece of work, or how the run ends. A run over tasks is over when they are, whatever limit is reached
    /// with the last one; others stop at their limits first.
    async fn next_work(&mut self) -> Result<Result<Work, Ending>, Fault> {
        if self.options.goal == Goal::Tasks {
            let next = self.next_task().await?;
            return Ok(next.and_then(|work| self.may_not_go_on().map_or(Ok(work), Err)));
        }
        if let Some(ending) = self.may_not_go_on() {
            return Ok(Err(ending));
        }
        let so_far = SoFar {
            progress: &self.run.progress,
            last: self.last.as_ref(),
            checks: &self.last_checks,
            tasks: &[],
        };
        let next = self.source.next(so_far).await?;
        Ok(next.ok_or_else(|| match self.options.goal {
            Goal::Checks => ExitReason::ChecksPass.into(),
            _ => ExitReason::Finished.into(),
        }))
    }

    fn may_not_go_on(&mut self) -> Option<Ending> {
        if let Some(reason) = stop_reason(&self.run.progress, &self.run.limits) {
            return Some(reason.into());
        }
        (!self.may_start()).then(|| ExitReason::NeedsPerson.into())
    }

    /// In `manual` mode each iteration needs a person's word.
    fn may_start(&mut self) -> bool {
        if self.options.automation != "manual" {
            return true;
        }
        if self.allowed > 0 {
            self.allowed -= 1;
            return true;
        }
        self.observer.may_start(self.run.progress.iteration)
    }

    /// Takes wishes that came meanwhile and waits where a pause was asked for.
    async fn between_iterations(&mut self) -> Result<Option<Ending>, Fault> {
        while let Some(wish) = self.steering.pending().await {
            if let Some(ending) = self.heed(wish) {
                return Ok(Some(ending));
            }
        }
        match self.pause.take() {
            Some(_) if !self.steering.stop().stops_after_iteration() => self.hold().await,
            _ => Ok(None),
        }
    }

    /// Takes wishes that came meanwhile, and waits at a phase boundary when an immediate pause was asked for.
    pub(crate) async fn between_phases(&mut self) -> Result<Option<Ending>, Fault> {
        while let Some(wish) = self.steering.pending().await {
            if let Some(ending) = self.heed(wish) {
                return Ok(Some(ending));
            }
        }
        if self.steering.stop().urgency().is_some() {
            return Ok(Some(ExitReason::Interrupted.into()));
        }
        match self.pause {
            Some(ControlKind::Pause) => {
                self.pause = None;
                self.hold().await
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn heed(&mut self, wish: Wish) -> Option<Ending> {
        match wish {
            Wish::Stop(_) => Some(ExitReason::Interrupted.into()),
            Wish::Asked(ControlKind::Cancel) => Some(ExitReason::Cancelled.into()),
            Wish::Asked(ControlKind::Resume) => {
                self.pause = None;
                None
            }
            Wish::Asked(kind) => {
                self.pause = Some(kind);
                None
            }
        }
    }

    /// Stays paused until somebody resumes, cancels or stops the run.
    pub(super) async fn hold(&mut self) -> Result<Option<Ending>, Fault> {
        self.set_status(RunStatus::Paused, None, "paused".to_owned()).await?;
        let stop = self.steering.stop().clone();
        loop {
            let wish = tokio::select! {
                wish = self.steering.next() => wish,
                () = stop.wait_for_stop_after_iteration() => return Ok(Some(ExitReason::Interrupted.into())),
            };
            match wish {
                Wish::Asked(ControlKind::Resume) => break,
                Wish::Asked(ControlKind::Pause | ControlKind::PauseAfterIteration) => {}
                wish => return Ok(self.heed(wish)),
            }
        }
        self.run.status = RunStatus::Running;
        let resumed = Event::RunResumed {
            run: self.run.id,
            iteration: self.run.progress.iteration,
            origin: self.steering.asked_by(),
        };
        self.note(vec![resumed]).await?;
        Ok(None)
    }

    pub(crate) async fn set_status(
        &mut self,
        status: RunStatus,
        waiting: Option<WaitReason>,
        message: String,
    ) -> Result<(), Fault> {
        self.run.status = status;
        self.run.waiting = waiting;
        self.note(vec![status_of(&self.run, message)]).await
    }

    /// Writes the run with some events.
    pub(crate) async fn note(&mut self, events: Vec<Event>) -> Result<(), Fault> {
        let note = Note { run: Some(&self.run), ..Note::default() };
        self.journal.write(self.observer, note, events).await
    }

    /// Tells of something that does not stop the run.
    pub(crate) async fn warn(
        &mut self,
        iteration: Option<IterationId>,
        message: String,
    ) -> Result<(), Fault> {
        tracing::warn!(run = %self.run.id, "{message}");
        self.note(vec![Event::RunWarning { run: self.run.id, iteration, message }]).await
    }

    /// Why a phase was stopped from outside.
    pub(crate) fn why_stopped(&self) -> Ending {
        match self.steering.stop().urgency() {
            Some(_) => ExitReason::Interrupted.into(),
            None => ExitReason::Cancelled.into(),
        }
    }

    /// What failed in the last round of checks.
    pub(crate) fn failing(&self) -> BTreeSet<String> {
        failing(&self.last_checks)
    }

    pub(crate) fn time_left(&self) -> Option<Duration> {
        let limit = self.run.limits.max_runtime_ms?;
        Some(Duration::from_millis(limit.saturating_sub(self.run.progress.worked_ms).max(1)))
    }

    pub(crate) fn new_iteration_id(&self) -> IterationId {
        super::new_iteration_id(self.project.host())
    }

    /// Sees to it that what the last iteration left can be restored for as long as the run is known.
    pub(crate) async fn keep_last_tree(&self) {
        if let Some(last) = &self.last
            && let Err(fault) = self.tree.keep_after(last).await
        {
            tracing::warn!(run = %self.run.id, "what iteration {} left is not kept: {}", last.number + 1, fault.message);
        }
    }

    /// Writes down how the run ended. Where even that cannot be written there is nothing left to try but the backup.
    pub(crate) async fn close(&mut self, ending: Ending) {
        self.finish_last_wave(ending.reason).await;
        crash::point("ended.before");
        let message = ending.message.unwrap_or_else(|| report::ending(&self.run, ending.reason));
        self.run.status = match ending.waiting {
            Some(_) => RunStatus::Waiting,
            None => ending.reason.status(),
        };
        self.run.waiting = ending.waiting;
        self.run.reason = Some(ending.reason);
        self.run.code = ending.code;
        self.run.message = Some(message.clone());
        self.run.ended_at = Some(self.project.host().timestamp());
        let event = status_of(&self.run, message);
        if let Err(fault) = self.note(vec![event.clone()]).await {
            self.journal.tell_only(self.observer, event);
            tracing::error!(run = %self.run.id, code = %fault.code, "the end was not written: {fault}");
        }
        crash::point("ended.after");
        self.write_handoff().await;
        self.keep_last_tree().await;
        self.backup.at_end(self.project, &self.tree).await;
    }
}

/// Where a run stands now, as an event.
pub(crate) fn status_of(run: &Run, message: String) -> Event {
    Event::RunStatusChanged { run: run.id, status: run.status, reason: run.reason, code: run.code, message }
}
