//! Work by hand: a person, or an agent a person talks to, does a task. The same loop with the spawn left out.

use std::ops::ControlFlow;
use std::sync::Arc;

use loopwright_config::TrustedConfig;
use loopwright_domain::{
    Claim, EndCause, ErrorCode, Event, ExitReason, Fault, GateId, Iteration, IterationId, NextAction,
    NextStep, Origin, Phase, RunKind, RunStatus, Settlement, Task, TaskGraph, TaskId, TaskStatus, Verdict,
};
use loopwright_plan::task::HandWork;
use serde::{Deserialize, Serialize};

use crate::attempt::phases::{CheckedAttempt, SettlingAttempt};
use crate::attempt::tree::undo_attempt::attempt_reference;
use crate::attempt::tree::work_tree::WorkTree;
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::launch::manual_harness::{BY_HAND, ManualHarness};
use crate::observer::Unobserved;
use crate::prepare::options::RunOptions;
use crate::prepare::prepared::Prepared;
use crate::prepare::request::{Request, RunRequest, TaskSelection};
use crate::prepare::source::WorkItem;
use crate::project::ProjectTasks;
use crate::recover::reconcile::reconcile;
use crate::run_lock::RunLock;
use crate::start::interrupted;
use crate::stop::StopHandle;

/// What finishing work by hand came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Finished {
    /// Checked and committed; the task is done.
    Done {
        /// The commit; none where nothing changed or there is no git.
        commit: Option<String>,
    },
    /// A gate waits for a person.
    Gate {
        /// The gate.
        gate: GateId,
    },
    /// Checks failed. The files stay as they are, and the work goes on.
    ChecksFailed {
        /// The failing ones.
        checks: Vec<String>,
    },
    /// The work was given up and the files put back; what was done is kept.
    GivenUp {
        /// Where it is kept.
        kept: Option<String>,
    },
}

impl<'a> ProjectTasks<'a> {
    /// Begins to work on a task by hand: the files are saved, and the prompt an agent would get is written down.
    ///
    /// # Errors
    /// The task cannot start, a run works here or waits, the tree has uncommitted work, or the state cannot be written.
    pub async fn begin(self, id: TaskId, origin: Origin) -> Result<HandWork, Fault> {
        self.project.require_person("work on a task by hand")?;
        let prepared = self.prepare_by_hand(id)?;
        let _lock =
            RunLock::take(&self.project.layout().state_dir, "begin", self.project.host().timestamp())?;
        self.refuse_work_by_hand().await?;
        let latest = self.project.store().latest_run().await?;
        if let Some(latest) = latest.as_ref().filter(|latest| !latest.status.is_over()) {
            let fault = Fault { hint: None, next: Vec::new(), ..interrupted(latest) };
            return Err(fault
                .next(NextAction::Resume, "Go on with it")
                .next(NextAction::CancelRun, "End it for good"));
        }
        let tree = WorkTree::open(self.project.host(), self.project.layout()).await?;
        let reconciled = reconcile(self.project, &tree, None).await?;
        let wave = self.startable(id).await?;
        let left = reconciled.starting_tree(self.project, latest);
        tree.refuse_dirty(&left).await.map_err(|fault| match fault.code {
            ErrorCode::RunDirty => {
                fault.hint("Commit them or put them aside first: then yours is what comes next.")
            }
            _ => fault,
        })?;
        let mut run = self.project.runs().new_run(&prepared, origin)?;
        run.head = tree.head().await?;
        let mut unobserved = Unobserved;
        let mut dispatcher =
            self.project.runs().dispatcher(run, prepared, tree, &mut unobserved, StopHandle::new()).await?;
        dispatcher.person_origin = Some(origin);
        dispatcher.open_by_hand(WorkItem::Task { id, wave }).await?;
        self.work_by_hand().await?.ok_or_else(nothing_begun)
    }

    /// Checks work by hand; what passes is committed, or waits at a gate. What does not stays as it is.
    ///
    /// # Errors
    /// Nothing was begun, an agent asks, or the state or git fails.
    pub async fn finish(self, summary: &str, origin: Origin) -> Result<Finished, Fault> {
        self.project.require_person("finish a task")?;
        let config = self.project.trusted_config()?;
        let _lock =
            RunLock::take(&self.project.layout().state_dir, "finish", self.project.host().timestamp())?;
        let iteration = self.iteration_by_hand().await?.ok_or_else(nothing_begun)?;
        if iteration.phase == Phase::AwaitingApproval {
            return self.waits(&iteration).await;
        }
        let id = iteration.id;
        let mut unobserved = Unobserved;
        let mut dispatcher = self.dispatcher_by_hand(&iteration, config, origin, &mut unobserved).await?;
        if let Some(failing) = Box::pin(dispatcher.finish_by_hand(iteration, summary)).await? {
            return Ok(Finished::ChecksFailed { checks: failing });
        }
        let iteration = self.project.store().iteration(id).await?.ok_or_else(nothing_begun)?;
        match iteration.phase {
            Phase::Settled => Ok(Finished::Done { commit: iteration.commit }),
            _ => self.waits(&iteration).await,
        }
    }

    /// Gives work by hand up: the files are put back, what was done is kept.
    ///
    /// # Errors
    /// As [`ProjectTasks::finish`].
    pub async fn give_up(self, origin: Origin) -> Result<Finished, Fault> {
        self.project.require_person("give a task up")?;
        let _lock =
            RunLock::take(&self.project.layout().state_dir, "finish", self.project.host().timestamp())?;
        let mut iteration = self.iteration_by_hand().await?.ok_or_else(nothing_begun)?;
        let mut unobserved = Unobserved;
        let config = self.project.config_for_asking()?;
        let mut dispatcher = self.dispatcher_by_hand(&iteration, config, origin, &mut unobserved).await?;
        iteration.message = Some("given up".to_owned());
        iteration.tree_after = None;
        let id = iteration.id;
        let settling = SettlingAttempt { iteration, settlement: Settlement::Again };
        dispatcher.carry_out(settling).await.map(drop)?;
        dispatcher
            .close(RunEnd { message: Some("given up".to_owned()), ..ExitReason::Cancelled.into() })
            .await;
        let iteration = self.project.store().iteration(id).await?.ok_or_else(nothing_begun)?;
        Ok(Finished::GivenUp { kept: iteration.restored.then(|| attempt_reference(id)) })
    }

    fn prepare_by_hand(self, id: TaskId) -> Result<Prepared, Fault> {
        let config = self.project.trusted_config()?;
        let selection = TaskSelection { task: Some(id), ..TaskSelection::default() };
        let request = RunRequest::new(Request::Tasks(selection)).harness(BY_HAND);
        let options = RunOptions::resolve(&request, &config, &Default::default())?;
        Ok(Prepared::by_hand(RunKind::Run, options, config, Arc::new(ManualHarness)))
    }

    async fn dispatcher_by_hand(
        self,
        iteration: &Iteration,
        config: TrustedConfig,
        origin: Origin,
        observer: &'a mut Unobserved,
    ) -> Result<Box<Dispatcher<'a>>, Fault> {
        let run = self.project.runs().find(Some(iteration.run)).await?;
        let prepared = self.project.gates().prepared_by_hand(&run, config)?;
        let tree = WorkTree::open(self.project.host(), self.project.layout()).await?;
        let mut dispatcher =
            self.project.runs().dispatcher(run, prepared, tree, observer, StopHandle::new()).await?;
        dispatcher.person_origin = Some(origin);
        Ok(dispatcher)
    }

    /// The wave of a task that can start.
    async fn startable(self, id: TaskId) -> Result<Option<u32>, Fault> {
        let tasks = self.project.store().tasks().await?;
        let graph = TaskGraph::new(&tasks);
        let task = graph.task(id).ok_or_else(|| {
            Fault::new(ErrorCode::TaskNotFound, format!("there is no task {id}"))
                .next(NextAction::ListTasks, "See them all")
        })?;
        let done = |id: &TaskId| graph.task(*id).is_none_or(|task| task.status == TaskStatus::Done);
        let waits: Vec<String> =
            task.draft.depends_on.iter().filter(|id| !done(id)).map(ToString::to_string).collect();
        match (task, waits.as_slice()) {
            (Task { status: TaskStatus::Pending, .. }, []) => Ok(graph.wave_of(id)),
            (Task { status: TaskStatus::Pending, .. }, waits) => {
                let message = format!("task {id} waits for {}", waits.join(", "));
                Err(Fault::new(ErrorCode::TaskStatus, message).hint("Finish those first."))
            }
            (Task { status, .. }, _) => {
                Err(Fault::new(ErrorCode::TaskStatus, format!("task {id} is {status} and cannot be begun"))
                    .hint("Only a pending task can.")
                    .next(NextAction::ReopenTask, "Take it up again")
                    .step(NextStep::new(NextAction::UnblockTask, "Unblock it").about(id.0.to_string())))
            }
        }
    }

    async fn waits(self, iteration: &Iteration) -> Result<Finished, Fault> {
        let gate = self.project.store().gate_of_iteration(iteration.id).await?;
        gate.map(|gate| Finished::Gate { gate: gate.id }).ok_or_else(nothing_begun)
    }
}

impl Dispatcher<'_> {
    /// Writes down that a person has begun.
    async fn open_by_hand(&mut self, work: WorkItem) -> Result<(), Fault> {
        let started = Event::RunStarted {
            run: self.run.id,
            kind: self.run.kind,
            title: self.run.title.clone(),
            harness: self.run.harness.clone(),
            max_iterations: self.run.limits.max_iterations,
            origin: self.run.origin,
        };
        self.run.status = RunStatus::Paused;
        self.run.reason = Some(ExitReason::NeedsPerson);
        self.run.code = None;
        self.run.message = Some("a person works on it".to_owned());
        self.note(vec![started]).await?;
        let mut iteration = self.planned(&work).await?;
        iteration.by_hand = true;
        self.begin_by_hand(&mut iteration, &work).await
    }

    /// Checks a person's work and settles it, or opens a gate. The names of failing checks mean that nothing changed.
    async fn finish_by_hand(
        &mut self,
        mut iteration: Iteration,
        summary: &str,
    ) -> Result<Option<Vec<String>>, Fault> {
        iteration.end = Some(EndCause::Exited);
        iteration.exit_code = Some(0);
        iteration.claim = Claim::Signal;
        iteration.claim_text = Some(summary.trim().to_owned());
        iteration.preview = summary.trim().to_owned();
        if iteration.phase == Phase::Committing {
            // Its commit could not be made before, for a reason outside of the work.
            self.know_task(iteration.task).await?;
            let id = iteration.id;
            let step = self.conclude_task(iteration).await?;
            return self.finished_by_hand(id, step).await;
        }
        if iteration.phase < Phase::AgentDone {
            iteration.phase = Phase::AgentDone;
        }
        let (mut attempt, mailbox) = self.attempt(Some(&iteration));
        iteration.tree_after = self.serve(mailbox, attempt.tree_now(&iteration)).await?;
        self.know_task(iteration.task).await?;
        let results = match self.check(&mut iteration).await? {
            ControlFlow::Continue(results) => results,
            ControlFlow::Break(ending) if ending.reason == ExitReason::Environment => {
                return Err(outside(ending));
            }
            ControlFlow::Break(_) => return Ok(Some(Vec::new())),
        };
        if Verdict::of(&results) == Verdict::Failed {
            let failed = results.iter().filter(|result| result.required && result.failed());
            return Ok(Some(failed.map(|result| result.name.clone()).collect()));
        }
        let id = iteration.id;
        let step = self.settle_checked(CheckedAttempt { iteration, results }).await?;
        self.finished_by_hand(id, step).await
    }

    /// Closes a run whose only work a person did, unless a gate is open.
    async fn finished_by_hand(
        &mut self,
        id: IterationId,
        step: ControlFlow<RunEnd>,
    ) -> Result<Option<Vec<String>>, Fault> {
        match step.break_value() {
            Some(ending) if ending.reason == ExitReason::Environment => return Err(outside(ending)),
            Some(RunEnd { message: Some(message), waiting: None, .. }) => {
                return Err(Fault::new(ErrorCode::GitMoved, message));
            }
            Some(ending) => {
                self.close(ending).await;
                return Ok(None);
            }
            None => {}
        }
        let settled = self.last.as_ref().filter(|last| last.id == id);
        if settled.is_some() {
            self.close(ExitReason::Finished.into()).await;
        }
        Ok(None)
    }
}

/// What a person has to put right before their work can be finished.
fn outside(ending: RunEnd) -> Fault {
    Fault::new(ending.code.unwrap_or(ErrorCode::GitFailed), ending.message.unwrap_or_default())
        .hint("Your files are as they were. Put that right.")
        .next(NextAction::FinishTask, "Then finish")
}

fn nothing_begun() -> Fault {
    Fault::new(ErrorCode::TaskStatus, "you work on no task")
        .next(NextAction::BeginTask, "Begin one")
        .next(NextAction::ShowNextTask, "See which comes next")
}
