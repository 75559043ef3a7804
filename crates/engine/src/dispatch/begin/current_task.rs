//! What is known about the task that is worked on, and how far it is planned.

use loopwright_domain::promise::gates_misplaced;
use loopwright_domain::{
    AttemptFacts, Automation, CheckResult, Claim, Facts, Failures, Fault, GateKind, GateStatus, Iteration,
    Task, TaskId, TaskLimits, Verdict,
};

use crate::dispatch::dispatcher::Dispatcher;
use crate::prepare::task_rules::TaskRules;
use crate::prompt::task::Planning;

/// How many gates of a task are looked through for its plan.
const GATES: u32 = 50;

/// How many attempts at a task are looked through for a claim on the wrong line.
const ATTEMPTS: u32 = 50;

impl Dispatcher<'_> {
    /// The rules of a run over tasks.
    pub(crate) fn rules(&self) -> Result<TaskRules, Fault> {
        match &self.options.rules {
            Some(rules) => Ok(rules.clone()),
            None => Ok(TaskRules::of(&self.config)),
        }
    }

    pub(crate) fn task_limits(&self) -> Result<TaskLimits, Fault> {
        Ok(self.rules()?.limits())
    }

    pub(crate) async fn failures(&self, iteration: &Iteration) -> Result<Failures, Fault> {
        match iteration.task {
            Some(task) => Ok(self.project.store().failures_of(task, self.run.id).await?),
            None => Ok(Failures::default()),
        }
    }

    /// Reads the task that is worked on, and how far it is planned.
    pub(crate) async fn know_task(&mut self, id: Option<TaskId>) -> Result<(), Fault> {
        if id.is_none() {
            return Ok(());
        }
        let tasks = self.project.store().tasks().await?;
        self.know_task_among(tasks, id).await
    }

    /// The same, where the tasks are known.
    pub(crate) async fn know_task_among(
        &mut self,
        tasks: Vec<Task>,
        id: Option<TaskId>,
    ) -> Result<(), Fault> {
        let Some(id) = id else { return Ok(()) };
        self.tasks = tasks;
        self.task = self.tasks.iter().find(|task| task.id == id).cloned();
        self.planning = self.planning_of(id).await?;
        Ok(())
    }

    async fn planning_of(&self, id: TaskId) -> Result<Planning, Fault> {
        if self.options.automation != Automation::Plan {
            return Ok(Planning::None);
        }
        let gates = self.project.store().gates_of_task(id, GATES).await?;
        let approved = gates.into_iter().find(|gate| {
            gate.kind == GateKind::Plan && gate.run == self.run.id && gate.status == GateStatus::Approved
        });
        Ok(approved.map_or(Planning::ToDo, |gate| Planning::Approved(gate.summary)))
    }

    /// How much the agent may do in this iteration: what was planned and approved is carried out.
    pub(crate) fn automation(&self) -> Automation {
        match self.planning {
            Planning::Approved(_) => Automation::Auto,
            Planning::None | Planning::ToDo => self.options.automation,
        }
    }

    pub(crate) async fn attempt_facts(
        &self,
        iteration: &Iteration,
        results: &[CheckResult],
    ) -> Result<AttemptFacts, Fault> {
        let plan_only = self.planning == Planning::ToDo;
        Ok(AttemptFacts {
            facts: Facts {
                kind: self.run.kind,
                end: iteration.end,
                exit_code: iteration.exit_code,
                told: iteration.told(),
                claim: iteration.claim,
                verdict: Verdict::of(results),
                improved: false,
                change: self.change_in_attempt(iteration, results, plan_only).await?,
            },
            plan_only,
            require_signal: self.rules()?.require_signal,
            by_hand: iteration.by_hand,
            misplaced_before: false,
        })
    }

    /// Whether the agent put its claim on the wrong line, and did so before at this task in this run.
    pub(crate) async fn misplaced_again(&self, iteration: &Iteration) -> Result<bool, Fault> {
        let Some(task) = iteration.task.filter(|_| iteration.claim == Claim::Misplaced) else {
            return Ok(false);
        };
        let attempts = self.project.store().attempts_at(task, ATTEMPTS).await?;
        let earlier = attempts.iter().filter(|it| it.run == self.run.id && it.id != iteration.id);
        Ok(gates_misplaced(iteration.claim, earlier.map(|it| it.claim)))
    }

    /// The task that is worked on, as it is now. None when it is gone.
    pub(crate) async fn task_now(&self, iteration: &Iteration) -> Result<Option<Task>, Fault> {
        let Some(id) = iteration.task else { return Ok(None) };
        Ok(self.project.store().task(id).await?)
    }
}
