//! The loop: asks the source for work, carries each iteration out, and stops when a rule says so.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::future::Future;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use loopwright_agents::Harness;
use loopwright_config::{TrustedCheck, TrustedConfig};
use loopwright_domain::check::failing;
use loopwright_domain::decide::{finish, stop_reason};
use loopwright_domain::{
    Automation, CheckResult, CommitMode, ControlKind, ErrorCode, Event, ExitReason, Fault, Iteration,
    IterationId, Origin, Prices, ReviewMode, Run, RunStatus, Task, TaskStatus, Verdict, WaitReason,
};
use loopwright_process::Secrets;

use crate::attempt::phases::AttemptWorker;
use crate::attempt::tree::agent_repository::end_agent_repositories;
use crate::attempt::tree::commit::needs_person;
use crate::attempt::tree::shared_repository::end_records;
use crate::attempt::tree::work_tree::{WorkTree, keep_tree_of};
use crate::crash;
use crate::dispatch::begin::availability::AgentReadiness;
use crate::dispatch::gate::edit_watch::GateEditWatch;
use crate::dispatch::gate::loop_gates::{EndApproval, PersonFeedback};
use crate::dispatch::gate::refused_edits::RefusedEdits;
use crate::dispatch::journal::{Journal, JournalNote};
use crate::dispatch::lanes::{EndedLane, LaneActivity, Lanes};
use crate::dispatch::steering::Steering;
use crate::dispatch::step::{GO_ON, StepFuture, StepResult, end, proceed};
use crate::launch::AgentOptions;
use crate::observer::Observer;
use crate::prepare::options::RunOptions;
use crate::prepare::source::{Source, WorkContext, WorkItem};
use crate::project::Project;
use crate::prompt::task::Planning;
use crate::recover::backup::Backup;
use crate::report;
use crate::sandbox::RunSandbox;

/// Why a run stops, and in which words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunEnd {
    pub(crate) reason: ExitReason,
    /// The code of what went wrong, when something did.
    pub(crate) code: Option<ErrorCode>,
    pub(crate) message: Option<String>,
    /// What the run waits for, when it does.
    pub(crate) waiting: Option<WaitReason>,
}

impl From<ExitReason> for RunEnd {
    fn from(reason: ExitReason) -> Self {
        Self { reason, code: None, message: None, waiting: None }
    }
}

impl From<Fault> for RunEnd {
    fn from(fault: Fault) -> Self {
        let reason = match fault.code {
            ErrorCode::StoreGone | ErrorCode::StoreCorrupt | ErrorCode::WorkspaceDamaged => {
                ExitReason::WorkspaceDamaged
            }
            _ => ExitReason::Error,
        };
        Self { reason, code: Some(fault.code), message: Some(fault.told()), waiting: None }
    }
}

/// The agent that a run was started with.
pub(crate) struct ChosenAgent {
    pub(crate) agent: AgentOptions,
    pub(crate) harness: Arc<dyn Harness>,
}

/// Everything that can happen while attempts work.
pub(crate) enum Happening {
    /// An agent has ended: its work is checked, judged and settled.
    AttemptEnded(Box<EndedLane>),
    /// An attempt tells something.
    Lane(LaneActivity),
    /// It is time to see whether somebody wants the run to stop, to pause or to go on.
    RequestsDue,
}

/// Drives one run from where it stands to its end.
pub(crate) struct Dispatcher<'a> {
    pub(crate) project: &'a Project,
    pub(crate) run: Run,
    pub(crate) options: RunOptions,
    pub(crate) harness: Arc<dyn Harness>,
    /// What is put around the agents.
    pub(crate) sandbox: RunSandbox,
    /// The agent that was chosen for the run, whoever works now.
    pub(crate) chosen: ChosenAgent,
    /// What models cost.
    pub(crate) prices: Prices,
    /// What commands are built from: the settings as they were trusted when this process took the run up.
    pub(crate) config: Arc<TrustedConfig>,
    /// What was told last to have changed in the settings since.
    pub(crate) told_changes: Vec<String>,
    pub(crate) checks: Vec<TrustedCheck>,
    /// What must not show in anything that is kept or shown.
    pub(crate) secrets: Secrets,
    pub(crate) source: Source,
    pub(crate) tree: Arc<WorkTree>,
    pub(crate) journal: Journal<'a>,
    pub(crate) steering: Steering<'a>,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) backup: Backup,
    /// The last iteration that was settled.
    pub(crate) last: Option<Iteration>,
    /// The last round of checks.
    pub(crate) last_checks: Vec<CheckResult>,
    /// Who carries attempts out.
    pub(crate) worker: Arc<dyn AttemptWorker>,
    /// The attempts that work.
    pub(crate) lanes: Lanes<'a>,
    /// Why the run is to stop, asked for while an attempt worked.
    pub(crate) stopping: Option<ExitReason>,
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
    /// What a person said about the last iteration, in `loop` and `fix`.
    pub(crate) person: Option<PersonFeedback>,
    /// Where a person who works by hand asked from; none where agents work.
    pub(crate) person_origin: Option<Origin>,
    /// The checks that a person's edits at a gate did not pass.
    pub(crate) refused_edits: RefusedEdits,
    /// Which files the last iteration's work was, told with its outcome.
    pub(crate) about_files: Vec<Event>,
    /// Files that could not be put back after the last iteration.
    pub(crate) not_put_back: Vec<String>,
    /// What a person has changed at the gate that the run waits at.
    pub(crate) edits_at_gate: GateEditWatch,
    /// The new files of checks that were told.
    pub(crate) told_made: BTreeSet<PathBuf>,
    /// The iteration whose commit a hook has changed.
    pub(crate) hook_edited: Option<IterationId>,
    /// Why no other task is begun, though some could be.
    pub(crate) held_by: Option<RunEnd>,
    /// What checks were seen to pass without.
    pub(crate) not_needed: BTreeSet<PathBuf>,
}

impl<'a> Dispatcher<'a> {
    /// Works until something ends or stops the run, and writes that down.
    pub(crate) fn drive(
        mut self: Box<Self>,
        unfinished: Option<Iteration>,
    ) -> Pin<Box<dyn Future<Output = Run> + Send + 'a>> {
        Box::pin(async move {
            let ending = match self.work(unfinished).await {
                Ok(ControlFlow::Break(ending)) => ending,
                Err(fault) if needs_person(&fault) || fault.code == ErrorCode::GitHook => {
                    let message =
                        Some(format!("{}. Then resume", report::fault(&fault).trim_end_matches('.')));
                    RunEnd { code: Some(fault.code), message, ..ExitReason::NeedsPerson.into() }
                }
                Err(fault) => self.ending_of(fault),
            };
            self.tell_task_waits(&ending).await;
            self.close(ending).await;
            self.run
        })
    }

    /// A task whose attempt is not over while the run waits for a person waits too.
    async fn tell_task_waits(&mut self, ending: &RunEnd) {
        let needs = matches!(ending.reason, ExitReason::NeedsPerson | ExitReason::Environment);
        let Some(task) = self.task.as_ref().filter(|_| needs).map(|task| task.id) else {
            return;
        };
        // Moved only if it still stands there: a task that is settled or at a gate does not.
        let waits = Event::TaskStatusChanged {
            task,
            from: TaskStatus::InProgress,
            to: TaskStatus::AwaitingApproval,
            reason: ending.message.clone(),
            iteration: None,
            origin: None,
        };
        if let Err(fault) = self.note(vec![waits]).await {
            tracing::warn!(run = %self.run.id, "where task {} stands is not written: {fault}", task);
        }
    }

    fn work(&mut self, unfinished: Option<Iteration>) -> StepFuture<'_, Infallible> {
        Box::pin(async move {
            self.decay_solutions().await;
            self.project.take_over_learnings().await;
            // What an earlier process saw of the untouched tree is not seen again.
            let fresh = unfinished.is_none() && self.last.is_none() && self.run.baseline.is_none();
            if let Some(iteration) = unfinished {
                proceed!(self.conclude(iteration).await?);
            }
            // A process that vanished may have settled the iteration that ends the run and not written the end.
            let verdict = Verdict::of(&self.last_checks);
            if let Some(reason) = self.last.as_ref().and_then(|last| finish(self.options.goal, last, verdict))
            {
                return end(reason);
            }
            proceed!(self.look_first(fresh).await?);
            let ending = self.dispatch().await;
            // A run that ends leaves nobody at work.
            self.end_lanes().await;
            ending
        })
    }

    /// The loop of a run: fills the lanes, and answers what happens in them.
    fn dispatch(&mut self) -> StepFuture<'_, Infallible> {
        Box::pin(async move {
            loop {
                proceed!(self.fill_lanes().await?);
                match self.next_happening().await {
                    Happening::AttemptEnded(lane) => proceed!(self.conclude_lane(*lane).await?),
                    Happening::Lane(activity) => self.answer_lane(activity).await,
                    // Those who work are told, and end by it.
                    Happening::RequestsDue => drop(self.hand_on_pending().await),
                }
            }
        })
    }

    /// Waits for what happens next while somebody works.
    pub(crate) async fn next_happening(&mut self) -> Happening {
        if let Some(lane) = self.lanes.take_ended() {
            return Happening::AttemptEnded(Box::new(lane));
        }
        tokio::select! {
            // Whoever wants to stop an agent that talks without end is heard.
            biased;
            () = self.steering.due() => Happening::RequestsDue,
            activity = self.lanes.next_activity() => Happening::Lane(activity),
        }
    }

    /// Begins attempts while there is work and a lane is free.
    fn fill_lanes(&mut self) -> StepFuture<'_> {
        Box::pin(async move {
            while self.lanes.has_room() {
                let work = match self.lanes.is_idle() {
                    true => proceed!(self.first_work().await?),
                    false => self.more_work().await?,
                };
                match work {
                    Some(work) => self.begin(work).await?,
                    None if self.lanes.is_idle() => {}
                    None => break,
                }
            }
            GO_ON
        })
    }

    /// What to begin while nobody works, or how the run ends; none when that is to be asked again.
    fn first_work(&mut self) -> StepFuture<'_, Option<WorkItem>> {
        Box::pin(async move {
            proceed!(self.between_iterations().await?);
            self.tell_changed_settings().await?;
            let work = proceed!(self.next_work().await?);
            // Only here is it known that the run is not over anyway.
            if self.steering.stop().stops_after_iteration() {
                return end(ExitReason::Interrupted);
            }
            match proceed!(self.choose_agent(&work).await?) {
                AgentReadiness::Ready => Ok(ControlFlow::Continue(Some(work))),
                AgentReadiness::Later => {
                    self.allowed = self.allowed.saturating_add(1);
                    Ok(ControlFlow::Continue(None))
                }
            }
        })
    }

    /// What to begin while others work. Whatever needs the whole run waits until nobody does: a person's word, a review,
    /// the commit of a wave, an agent that rests.
    async fn more_work(&mut self) -> Result<Option<WorkItem>, Fault> {
        let asked = self.stopping.is_some()
            || self.pause.is_some()
            || self.held_by.is_some()
            || self.steering.stop().stops_after_iteration();
        if asked || !self.run.holds.is_empty() || self.options.automation == Automation::Manual {
            return Ok(None);
        }
        let rules = self.rules()?;
        if rules.commit == CommitMode::Wave || matches!(rules.gates.mode, ReviewMode::Every(_)) {
            return Ok(None);
        }
        let mut progress = self.run.progress.clone();
        progress.iteration = progress.iteration.saturating_add(self.lanes.busy());
        progress.usage = progress.usage.plus(&self.lanes.used());
        if stop_reason(&progress, &self.run.limits).is_some() {
            return Ok(None);
        }
        self.tasks = self.project.store().tasks().await?;
        Ok(self.source.next_task(&self.tasks))
    }

    /// The checks before the first agent: the baseline of a fresh run, and otherwise those that the work begins with.
    async fn look_first(&mut self, fresh: bool) -> StepResult {
        match fresh {
            true => self.baseline().await,
            false if self.last_checks.is_empty() => self.check_first().await,
            false => GO_ON,
        }
    }

    /// Runs the checks where the work begins with them.
    pub(crate) async fn check_first(&mut self) -> StepResult {
        if !self.source.starts_with_checks() {
            return GO_ON;
        }
        let marker = self.new_iteration_id()?.to_string();
        let (mut attempt, mailbox) = self.attempt(None);
        self.last_checks = self.serve(mailbox, attempt.run_checks(&marker, None)).await;
        match Verdict::of(&self.last_checks) {
            Verdict::Stopped => end(self.why_stopped()),
            _ => GO_ON,
        }
    }

    /// The next piece of work, or how the run ends.
    async fn next_work(&mut self) -> StepResult<WorkItem> {
        match self.source {
            Source::Tasks(_) => self.next_task().await,
            Source::Prompt(_) | Source::Checks(_) => self.next_prompt().await,
        }
    }

    /// The next prompt. A run without tasks stops at its limits before it asks for one.
    async fn next_prompt(&mut self) -> StepResult<WorkItem> {
        loop {
            proceed!(self.review().await?);
            self.person = self.person_feedback().await?;
            if let Some(ending) = self.may_not_go_on() {
                return self.ends(ending).await.map(ControlFlow::Break);
            }
            let context = WorkContext {
                progress: &self.run.progress,
                last: self.last.as_ref(),
                checks: &self.last_checks,
                rejected: self.person.as_ref().is_some_and(|person| person.rejected),
            };
            if let Some(work) = self.source.next_prompt(context).await? {
                return Ok(ControlFlow::Continue(work));
            }
            match proceed!(self.approve_end().await?) {
                EndApproval::Good => return end(self.source.finished()),
                // Now there is something to do: what the person said.
                EndApproval::Rejected => {}
            }
        }
    }

    /// How the run ends at a limit. For a procedure without a promise its last iteration is a good end.
    async fn ends(&mut self, ending: RunEnd) -> Result<RunEnd, Fault> {
        if self.run.goal || ending.reason != ExitReason::MaxIterations {
            return Ok(ending);
        }
        Ok(match self.approve_end().await? {
            ControlFlow::Break(ending) => ending,
            ControlFlow::Continue(EndApproval::Good) => ending,
            ControlFlow::Continue(EndApproval::Rejected) => {
                let message =
                    "the work was rejected and all iterations are used; with more of them it goes on with \
                               what you said"
                        .to_owned();
                RunEnd { message: Some(message), ..ExitReason::NeedsPerson.into() }
            }
        })
    }

    pub(crate) fn may_not_go_on(&mut self) -> Option<RunEnd> {
        if let Some(reason) = stop_reason(&self.run.progress, &self.run.limits) {
            return Some(reason.into());
        }
        (!self.may_start()).then(|| ExitReason::NeedsPerson.into())
    }

    /// In `manual` mode each iteration needs a person's word.
    fn may_start(&mut self) -> bool {
        if self.options.automation != Automation::Manual {
            return true;
        }
        if self.allowed > 0 {
            self.allowed -= 1;
            return true;
        }
        self.observer.may_start(self.run.progress.iteration)
    }

    pub(crate) async fn set_status(
        &mut self,
        status: RunStatus,
        waiting: Option<WaitReason>,
        message: String,
    ) -> Result<(), Fault> {
        self.run.status = status;
        self.run.waiting = waiting;
        self.note(vec![Event::status_of(&self.run, message)]).await
    }

    /// Writes the run with some events.
    pub(crate) async fn note(&mut self, events: Vec<Event>) -> Result<(), Fault> {
        let note = JournalNote { run: Some(&self.run), ..JournalNote::default() };
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

    /// What failed in the last round of checks.
    pub(crate) fn failing(&self) -> BTreeSet<String> {
        failing(&self.last_checks)
    }

    pub(crate) fn new_iteration_id(&self) -> Result<IterationId, Fault> {
        crate::ids::new_iteration_id(self.project.host())
    }

    /// Writes down how the run ended. Where even that cannot be written there is nothing left to try but the backup.
    pub(crate) async fn close(&mut self, ending: RunEnd) {
        self.finish_last_wave(ending.reason).await;
        crash::point("ended.before");
        let message = ending.message.unwrap_or_else(|| report::ending(&self.run, ending.reason));
        self.run.status = match ending.waiting {
            Some(_) => RunStatus::Waiting,
            None => ending.reason.status(self.run.goal),
        };
        self.run.waiting = ending.waiting;
        self.run.reason = Some(ending.reason);
        self.run.code = ending.code;
        self.run.message = Some(message.clone());
        self.run.ended_at = Some(self.project.host().timestamp());
        let event = Event::status_of(&self.run, message);
        if let Err(fault) = self.note(vec![event.clone()]).await {
            self.journal.tell_only(self.observer, event);
            tracing::error!(run = %self.run.id, code = %fault.code, "the end was not written: {fault}");
        }
        crash::point("ended.after");
        self.write_handoff().await;
        keep_tree_of(&self.tree, self.last.as_ref()).await;
        if self.run.status.is_over() {
            let state_dir = &self.project.layout().state_dir;
            end_agent_repositories(state_dir, &self.tree, self.run.id).await;
            end_records(state_dir, &self.tree, self.run.id).await;
        }
        self.backup.at_end(self.project, &self.tree).await;
    }
}
