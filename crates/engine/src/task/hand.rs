//! Work by hand: a person, or an agent a person talks to, does a task. The same loop with the spawn left out.

use std::sync::Arc;

use loopwright_domain::{
    Claim, EndCause, ErrorCode, Event, ExitReason, Fault, Iteration, Origin, Phase, RunStatus, Settlement,
    Task, TaskGraph, TaskId, TaskStatus, Verdict,
};

use super::{Finished, HandWork};
use crate::project::Project;
use crate::run::{
    BY_HAND, Driver, Ending, Hand, Prepared, Request, RunLock, RunOptions, RunRequest, StopHandle,
    TaskSelection, Tree, Unobserved, Work, attempt_reference, interrupted, reconcile,
};
use crate::trust;

impl Project {
    /// Begins to work on a task by hand: the files are saved, and the prompt an agent would get is written down.
    ///
    /// # Errors
    /// The task cannot start, a run works here or waits, the tree has uncommitted work, or the state cannot be written.
    pub async fn begin(&self, id: TaskId, origin: Origin) -> Result<HandWork, Fault> {
        self.require_person("work on a task by hand")?;
        let prepared = self.prepare_by_hand(id)?;
        let _lock = RunLock::take(&self.layout().state_dir, "begin", self.host().timestamp())?;
        self.refuse_work_by_hand().await?;
        let latest = self.store().latest_run().await?;
        if let Some(latest) = latest.as_ref().filter(|latest| !latest.status.is_over()) {
            return Err(interrupted(latest)
                .hint("Go on with it: \"loopwright resume\". Or end it for good: \"loopwright cancel\"."));
        }
        let tree = Tree::open(self.host(), self.layout()).await?;
        let reconciled = reconcile(self, &tree, None).await?;
        let wave = self.startable(id).await?;
        let left = reconciled.left_by(self, latest);
        tree.refuse_dirty(&left, "Commit them or put them aside first: then yours is what comes next.")
            .await?;
        let mut run = self.new_run(&prepared, origin)?;
        run.head = tree.head().await?;
        let mut unobserved = Unobserved;
        let mut driver = self.driver(run, prepared, tree, &mut unobserved, StopHandle::new()).await?;
        driver.open_by_hand(Work { request: String::new(), task: Some(id), wave }).await?;
        self.work_by_hand().await?.ok_or_else(nothing_begun)
    }

    /// Checks work by hand; what passes is committed, or waits at a gate. What does not stays as it is.
    ///
    /// # Errors
    /// Nothing was begun, an agent asks, or the state or git fails.
    pub async fn finish(&self, summary: &str, _origin: Origin) -> Result<Finished, Fault> {
        self.require_person("finish a task")?;
        let config = self.config().strict()?;
        let state = self.trust_judgement(&config)?.state;
        if !state.may_run() {
            return Err(trust::refusal(state));
        }
        let _lock = RunLock::take(&self.layout().state_dir, "finish", self.host().timestamp())?;
        let iteration = self.iteration_by_hand().await?.ok_or_else(nothing_begun)?;
        if iteration.phase == Phase::AwaitingApproval {
            return self.waits(&iteration).await;
        }
        let id = iteration.id;
        let mut unobserved = Unobserved;
        let mut driver = self.driver_by_hand(&iteration, &mut unobserved).await?;
        if let Some(failing) = driver.finish_by_hand(iteration, summary).await? {
            return Ok(Finished::ChecksFailed { checks: failing });
        }
        let iteration = self.store().iteration(id).await?.ok_or_else(nothing_begun)?;
        match iteration.phase {
            Phase::Settled => Ok(Finished::Done { commit: iteration.commit }),
            _ => self.waits(&iteration).await,
        }
    }

    /// Gives work by hand up: the files are put back, what was done is kept.
    ///
    /// # Errors
    /// As [`Project::finish`].
    pub async fn give_up(&self, _origin: Origin) -> Result<Finished, Fault> {
        self.require_person("give a task up")?;
        let _lock = RunLock::take(&self.layout().state_dir, "finish", self.host().timestamp())?;
        let mut iteration = self.iteration_by_hand().await?.ok_or_else(nothing_begun)?;
        let mut unobserved = Unobserved;
        let mut driver = self.driver_by_hand(&iteration, &mut unobserved).await?;
        iteration.message = Some("given up".to_owned());
        iteration.tree_after = None;
        let id = iteration.id;
        driver.carry_out(iteration, Settlement::Again).await?;
        driver.close(Ending { message: Some("given up".to_owned()), ..ExitReason::Cancelled.into() }).await;
        let iteration = self.store().iteration(id).await?.ok_or_else(nothing_begun)?;
        Ok(Finished::GivenUp { kept: iteration.restored.then(|| attempt_reference(id)) })
    }

    /// While a person works on a task, no run begins.
    pub(crate) async fn refuse_work_by_hand(&self) -> Result<(), Fault> {
        match self.iteration_by_hand().await?.and_then(|iteration| iteration.task) {
            None => Ok(()),
            Some(task) => Err(Fault::new(ErrorCode::RunLocked, format!("you work on task {task} by hand"))
                .hint(
                    "End it with \"loopwright finish\", or give it up with \"loopwright finish --give-up\".",
                )),
        }
    }

    async fn iteration_by_hand(&self) -> Result<Option<Iteration>, Fault> {
        Ok(self.store().unsettled().await?.into_iter().find(|iteration| iteration.by_hand))
    }

    fn prepare_by_hand(&self, id: TaskId) -> Result<Prepared, Fault> {
        let config = self.config().strict()?;
        let state = self.trust_judgement(&config)?.state;
        if !state.may_run() {
            return Err(trust::refusal(state));
        }
        let selection = TaskSelection { task: Some(id), ..TaskSelection::default() };
        let request = RunRequest::new(Request::Tasks(selection)).harness(BY_HAND);
        let options = RunOptions::resolve(&request, &config, &Default::default())?;
        Ok(Prepared::by_hand(options, &config, Arc::new(Hand)))
    }

    async fn driver_by_hand<'a>(
        &'a self,
        iteration: &Iteration,
        observer: &'a mut Unobserved,
    ) -> Result<Driver<'a>, Fault> {
        let run = self.find_run(Some(iteration.run)).await?;
        let prepared = self.prepared_by_hand(&run.options)?;
        let tree = Tree::open(self.host(), self.layout()).await?;
        self.driver(run, prepared, tree, observer, StopHandle::new()).await
    }

    /// The wave of a task that can start.
    async fn startable(&self, id: TaskId) -> Result<Option<u32>, Fault> {
        let tasks = self.store().tasks().await?;
        let graph = TaskGraph::new(&tasks);
        let task = graph.task(id).ok_or_else(|| {
            Fault::new(ErrorCode::TaskNotFound, format!("there is no task {id}"))
                .hint("\"loopwright task list\" shows all of them.")
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
                    .hint("Only a pending task can; see \"loopwright task reopen\" and \"unblock\"."))
            }
        }
    }

    async fn waits(&self, iteration: &Iteration) -> Result<Finished, Fault> {
        let gate = self.store().gate_of_iteration(iteration.id).await?;
        gate.map(|gate| Finished::Gate { gate: gate.id }).ok_or_else(nothing_begun)
    }
}

impl Driver<'_> {
    /// Writes down that a person has begun.
    async fn open_by_hand(&mut self, work: Work) -> Result<(), Fault> {
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
        if iteration.phase < Phase::AgentDone {
            iteration.phase = Phase::AgentDone;
        }
        iteration.tree_after = self.tree_now(&iteration).await?;
        self.know_task(iteration.task).await?;
        let results = match self.check(&mut iteration).await? {
            Ok(results) => results,
            Err(_) => return Ok(Some(Vec::new())),
        };
        if Verdict::of(&results) == Verdict::Failed {
            let failed = results.iter().filter(|result| result.required && result.failed());
            return Ok(Some(failed.map(|result| result.name.clone()).collect()));
        }
        let id = iteration.id;
        let ending = self.settle_checked(iteration, results).await?;
        match ending {
            Some(Ending { message: Some(message), waiting: None, .. }) => {
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

fn nothing_begun() -> Fault {
    Fault::new(ErrorCode::TaskStatus, "you work on no task")
        .hint("Begin one with \"loopwright begin ID\"; \"loopwright task next\" names the next one.")
}
