//! What is known about the task that is worked on, and how far it is planned.

use loopwright_domain::{
    Attempt, Facts, Failures, Fault, GateKind, GateStatus, Iteration, Task, TaskId, TaskLimits, Verdict,
};

use super::TaskRules;
use crate::run::driver::Driver;

/// How many gates of a task are looked through for its plan.
const GATES: u32 = 50;

/// How far a task is planned, where an agent has to plan first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Planning {
    /// No plan is asked for.
    #[default]
    None,
    /// The agent is to make one.
    ToDo,
    /// A person approved this one.
    Approved(String),
}

impl Driver<'_> {
    /// The rules of a run over tasks.
    pub(crate) fn rules(&self) -> Result<TaskRules, Fault> {
        match &self.options.rules {
            Some(rules) => Ok(rules.clone()),
            None => Ok(TaskRules::of(&self.project.config().strict()?)),
        }
    }

    pub(super) fn task_limits(&self) -> Result<TaskLimits, Fault> {
        Ok(self.rules()?.limits())
    }

    pub(super) async fn failures(&self, iteration: &Iteration) -> Result<Failures, Fault> {
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
        if self.options.automation != "plan" {
            return Ok(Planning::None);
        }
        let gates = self.project.store().gates_of_task(id, GATES).await?;
        let approved = gates.into_iter().find(|gate| {
            gate.kind == GateKind::Plan && gate.run == self.run.id && gate.status == GateStatus::Approved
        });
        Ok(approved.map_or(Planning::ToDo, |gate| Planning::Approved(gate.summary)))
    }

    /// How much the agent may do in this iteration: what was planned and approved is carried out.
    pub(crate) fn automation(&self) -> &str {
        match self.planning {
            Planning::Approved(_) => "auto",
            Planning::None | Planning::ToDo => &self.options.automation,
        }
    }

    pub(super) fn attempt(&self, iteration: &Iteration, verdict: Verdict) -> Result<Attempt, Fault> {
        Ok(Attempt {
            facts: Facts {
                kind: self.run.kind,
                end: iteration.end,
                exit_code: iteration.exit_code,
                told: iteration.told(),
                claim: iteration.claim,
                verdict,
                improved: false,
            },
            changed: iteration.changed_tree(),
            plan_only: self.planning == Planning::ToDo,
            require_signal: self.rules()?.require_signal,
            by_hand: iteration.by_hand,
        })
    }

    /// The task that is worked on, as it is now. None when it is gone.
    pub(super) async fn task_now(&self, iteration: &Iteration) -> Result<Option<Task>, Fault> {
        let tasks = self.project.store().tasks().await?;
        Ok(tasks.into_iter().find(|task| Some(task.id) == iteration.task))
    }
}
