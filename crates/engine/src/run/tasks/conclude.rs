//! The end of an attempt at a task: checks, judgement, and what follows from it. Each step can be taken up again by
//! another process: what was judged is written down before anything is done about it.

use loopwright_domain::check::failing;
use loopwright_domain::settle::{block_words, failed, judge_attempt, settle};
use loopwright_domain::{
    CheckResult, Event, ExitReason, FailureCause, Fault, Iteration, Outcome, Phase, Settlement, TaskStatus,
    Verdict,
};

use super::facts::Planning;
use crate::gate::{Assessment, assess};
use crate::run::commit::Committing;
use crate::run::crash;
use crate::run::driver::{Driver, Ending};
use crate::run::report;

impl Driver<'_> {
    /// Checks, judges and settles an attempt whose agent has ended: also one that an earlier process left behind.
    pub(crate) async fn conclude_attempt(
        &mut self,
        mut iteration: Iteration,
    ) -> Result<Option<Ending>, Fault> {
        let known = self.task.is_some();
        self.know_task(iteration.task).await?;
        if let Some(task) = self.task.as_ref().filter(|_| !known) {
            self.observer.task_again(&iteration, task);
        }
        if let Some(outcome) = iteration.outcome {
            // It was judged before the process ended; what follows is done to its end.
            let settlement = self.again(&iteration, outcome).await?;
            return self.carry_out(iteration, settlement).await;
        }
        match iteration.phase {
            Phase::AwaitingApproval => return self.at_gate(iteration).await,
            Phase::Committing => {
                self.last_checks = self.project.store().check_results(iteration.id).await?;
                return self.carry_out(iteration, Settlement::Done).await;
            }
            _ => {}
        }
        let results = match self.check_attempt(&mut iteration).await? {
            Ok(results) => results,
            Err(ending) => return Ok(Some(ending)),
        };
        self.settle_checked(iteration, results).await
    }

    /// Judges and settles an attempt whose checks have run.
    pub(crate) async fn settle_checked(
        &mut self,
        mut iteration: Iteration,
        results: Vec<CheckResult>,
    ) -> Result<Option<Ending>, Fault> {
        let (settlement, assessment) = self.judge(&mut iteration, results).await?;
        match settlement {
            Settlement::Gate(reasons) => {
                self.open_gate(&mut iteration, reasons, assessment).await?;
                self.at_gate(iteration).await
            }
            settlement => self.carry_out(iteration, settlement).await,
        }
    }

    /// Runs the checks, unless the agent was only to plan or was never started.
    async fn check_attempt(
        &mut self,
        iteration: &mut Iteration,
    ) -> Result<Result<Vec<CheckResult>, Ending>, Fault> {
        if iteration.end.is_none() || self.planning == Planning::ToDo {
            return Ok(Ok(Vec::new()));
        }
        self.check(iteration).await
    }

    /// What becomes of the task by what agent and checks say.
    async fn judge(
        &mut self,
        iteration: &mut Iteration,
        results: Vec<CheckResult>,
    ) -> Result<(Settlement, Assessment), Fault> {
        let verdict = Verdict::of(&results);
        let attempt = self.attempt(iteration, verdict)?;
        let (outcome, cause) = judge_attempt(&attempt);
        let told = iteration.message.take();
        iteration.message = report::iteration(iteration, cause, &results, told);
        iteration.failing = failing(&results).into_iter().collect();
        self.last_checks = results;
        let rules = self.rules()?;
        let assessment = match outcome {
            Outcome::Succeeded if !attempt.plan_only => {
                let (from, to) = (iteration.tree_before.as_deref(), iteration.tree_after.as_deref());
                assess(self.tree.workspace(), &rules.gates, from, to).await?
            }
            _ => Assessment::default(),
        };
        let failures = self.failures(iteration).await?;
        Ok((settle(&attempt, &assessment.reasons, failures, rules.limits()), assessment))
    }

    /// What was decided about an attempt before the process ended.
    async fn again(&self, iteration: &Iteration, outcome: Outcome) -> Result<Settlement, Fault> {
        Ok(match outcome {
            Outcome::Succeeded => Settlement::Done,
            Outcome::Interrupted => Settlement::Again,
            Outcome::Failed => {
                let cause = iteration.cause.unwrap_or(FailureCause::AgentError);
                failed(cause, self.failures(iteration).await?, self.task_limits()?)
            }
        })
    }

    /// Carries out what becomes of a task: commits, or puts the files back; then writes the outcome down together with
    /// the task's new status. An ending means that the run stops with it.
    pub(crate) async fn carry_out(
        &mut self,
        mut iteration: Iteration,
        settlement: Settlement,
    ) -> Result<Option<Ending>, Fault> {
        match &settlement {
            Settlement::Done => match self.commit_attempt(&mut iteration).await? {
                Committing::Done => self.note_commit(&iteration),
                Committing::NeedsPerson(message) => {
                    return Ok(Some(Ending { message: Some(message), ..ExitReason::NeedsPerson.into() }));
                }
                Committing::Failed(fault) => {
                    let cause = FailureCause::Commit;
                    let told = Some(report::fault(&fault));
                    iteration.message = report::iteration(&iteration, Some(cause), &[], told);
                    let settlement = failed(cause, self.failures(&iteration).await?, self.task_limits()?);
                    return Box::pin(self.carry_out(iteration, settlement)).await;
                }
            },
            Settlement::Planned | Settlement::Gate(_) => {}
            Settlement::Retry(_) | Settlement::Block(..) | Settlement::Again => {
                self.take_back(&mut iteration, &settlement).await?;
            }
        }
        self.settle_attempt(iteration, &settlement).await?;
        Ok(None)
    }

    /// Writes down what was judged, then puts the files back.
    async fn take_back(&mut self, iteration: &mut Iteration, settlement: &Settlement) -> Result<(), Fault> {
        let (outcome, cause) = decided(settlement, iteration);
        iteration.outcome = Some(outcome);
        iteration.cause = cause;
        crash::point("judged.before");
        self.write(iteration, &[], Vec::new()).await?;
        crash::point("judged.after");
        for note in self.tree.put_back(iteration).await? {
            self.warn(Some(iteration.id), note).await?;
        }
        Ok(())
    }

    async fn settle_attempt(&mut self, iteration: Iteration, settlement: &Settlement) -> Result<(), Fault> {
        let (outcome, cause) = decided(settlement, &iteration);
        let mut iteration = iteration;
        iteration.cause = cause;
        if settlement == &Settlement::Again && iteration.message.is_none() {
            iteration.message = Some(report::STOPPED.to_owned());
        }
        let mut events: Vec<Event> = self.task_event(&iteration, settlement).await?.into_iter().collect();
        events.extend(self.wave_event(&iteration, settlement).await?);
        let verdict = match settlement {
            Settlement::Again => Verdict::Stopped,
            _ => Verdict::of(&self.last_checks),
        };
        self.settle(iteration, outcome, verdict, false, events).await
    }

    /// How the task's status changes, unless a person has moved it meanwhile.
    async fn task_event(
        &self,
        iteration: &Iteration,
        settlement: &Settlement,
    ) -> Result<Option<Event>, Fault> {
        let Some(task) = self.task_now(iteration).await? else { return Ok(None) };
        if !matches!(task.status, TaskStatus::InProgress | TaskStatus::AwaitingApproval) {
            return Ok(None);
        }
        let told = iteration.message.clone().unwrap_or_default();
        let reason = match settlement {
            Settlement::Block(_, cause) => Some(block_words(*cause, &told)),
            Settlement::Retry(_) => Some(told).filter(|told| !told.is_empty()),
            Settlement::Planned => Some("the plan is approved".to_owned()),
            Settlement::Done | Settlement::Gate(_) | Settlement::Again => None,
        };
        let (from, to) = (task.status, settlement.status());
        let iteration = Some(iteration.id);
        Ok(Some(Event::TaskStatusChanged { task: task.id, from, to, reason, iteration, origin: None }))
    }
}

/// How an attempt ended. What stopped one that counts for nothing is still told: a limit, an outage.
fn decided(settlement: &Settlement, iteration: &Iteration) -> (Outcome, Option<FailureCause>) {
    match settlement.outcome() {
        Some((Outcome::Interrupted, _)) | None => (
            Outcome::Interrupted,
            iteration.cause.filter(|_| iteration.outcome == Some(Outcome::Interrupted)),
        ),
        Some(decided) => decided,
    }
}
