//! The end of an attempt at a task: checks, judgement, and what follows from it. Each step can be taken up again by
//! another process: what was judged is written down before anything is done about it.

use std::ops::ControlFlow;

use loopwright_domain::check::failing;
use loopwright_domain::risk::LeftOut;
use loopwright_domain::settle::{block_words, failed, judge_attempt, settle};
use loopwright_domain::{
    AttemptFacts, CommitMode, Event, ExitReason, FailureCause, Fault, GateReason, Iteration, Outcome, Phase,
    Settlement, TaskStatus, Verdict,
};

use crate::assessment::{Assessment, assess};
use crate::attempt::phases::{CheckedAttempt, JudgedAttempt, SettlingAttempt};
use crate::attempt::tree::commit::{CommitOutcome, iteration_message};
use crate::attempt::tree::shared_repository;
use crate::attempt::unsettled::UnsettledIteration;
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::step::{GO_ON, StepFuture, StepResult, end, proceed};
use crate::prompt::task::Planning;
use crate::report;

impl Dispatcher<'_> {
    /// Checks, judges and settles an attempt whose agent has ended: also one that an earlier process left behind.
    pub(crate) fn conclude_task(&mut self, iteration: Iteration) -> StepFuture<'_> {
        Box::pin(async move {
            let known = self.task.is_some();
            self.know_task(iteration.task).await?;
            if let Some(task) = self.task.as_ref().filter(|_| !known) {
                self.observer.task_again(&iteration, task);
            }
            match UnsettledIteration::from(iteration) {
                UnsettledIteration::Judged(iteration, outcome) => {
                    let settlement = self.again(&iteration, outcome).await?;
                    if self.last_checks.is_empty() {
                        self.last_checks = self.project.store().check_results(iteration.id).await?;
                    }
                    self.carry_out(SettlingAttempt { iteration, settlement }).await
                }
                UnsettledIteration::AtGate(gated) => self.at_gate(gated).await,
                UnsettledIteration::Committing(iteration) => {
                    self.last_checks = self.project.store().check_results(iteration.id).await?;
                    self.carry_out(SettlingAttempt { iteration, settlement: Settlement::Done }).await
                }
                UnsettledIteration::Ended(mut iteration) => {
                    self.know_tree(&mut iteration).await?;
                    let checked = proceed!(self.check_attempt(iteration).await?);
                    self.settle_checked(checked).await
                }
            }
        })
    }

    /// Judges and settles an attempt whose checks have run.
    pub(crate) fn settle_checked(&mut self, checked: CheckedAttempt) -> StepFuture<'_> {
        Box::pin(async move {
            match self.judge(checked).await? {
                JudgedAttempt { iteration, settlement: Settlement::Gate(reasons), assessment } => {
                    let gated = self.open_gate(iteration, reasons, assessment).await?;
                    self.at_gate(gated).await
                }
                JudgedAttempt { iteration, settlement, .. } => {
                    self.carry_out(SettlingAttempt { iteration, settlement }).await
                }
            }
        })
    }

    /// Runs the checks, unless the agent was only to plan or was never started.
    async fn check_attempt(&mut self, mut iteration: Iteration) -> StepResult<CheckedAttempt> {
        let nothing_to_check = iteration.end.is_none() || self.planning == Planning::ToDo;
        let results = match nothing_to_check {
            true => Vec::new(),
            false => proceed!(self.check(&mut iteration).await?),
        };
        Ok(ControlFlow::Continue(CheckedAttempt { iteration, results }))
    }

    /// What becomes of the task by what agent and checks say.
    async fn judge(&mut self, checked: CheckedAttempt) -> Result<JudgedAttempt, Fault> {
        let CheckedAttempt { iteration: mut judged, results } = checked;
        let iteration = &mut judged;
        let misplaced_before = self.misplaced_again(iteration).await?;
        let attempt = AttemptFacts { misplaced_before, ..self.attempt_facts(iteration, &results).await? };
        let (outcome, cause) = judge_attempt(&attempt);
        let told = match cause {
            Some(FailureCause::NothingChanged) => Some(self.not_so(iteration, &results).await?.join(", ")),
            _ => iteration.message.take(),
        };
        iteration.message = report::iteration(iteration, cause, &results, told);
        iteration.failing = failing(&results).into_iter().collect();
        self.last_checks = results;
        let rules = self.rules()?;
        let assessment = match outcome {
            Outcome::Succeeded if !attempt.plan_only => {
                let (from, to) = (self.shown_from(iteration).await?, iteration.tree_after.as_deref());
                assess(self.tree.workspace(), &rules.gates, from.as_deref(), to, &self.secrets).await?
            }
            _ => Assessment::default(),
        };
        let mut assessment = assessment;
        if outcome == Outcome::Succeeded && !attempt.plan_only {
            let left_out = self.left_out(iteration).await?;
            assessment.add_left_out(&left_out, &rules.gates);
        }
        let state_dir = &self.project.layout().state_dir;
        if outcome == Outcome::Succeeded
            && shared_repository::head_moved_meanwhile(state_dir, &self.tree, iteration).await?
        {
            assessment.reasons.push(GateReason::Commits);
        }
        if outcome == Outcome::Succeeded {
            let shown = self.shown_otherwise(iteration).await?;
            assessment.reasons.extend(
                shown.into_iter().filter(|reason| !assessment.reasons.contains(reason)).collect::<Vec<_>>(),
            );
        }
        let failures = self.failures(iteration).await?;
        let settlement = settle(&attempt, &assessment.reasons, failures, rules.limits());
        Ok(JudgedAttempt { iteration: judged, settlement, assessment })
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
    pub(crate) fn carry_out(&mut self, settling: SettlingAttempt) -> StepFuture<'_> {
        Box::pin(async move {
            let SettlingAttempt { mut iteration, settlement } = settling;
            match &settlement {
                Settlement::Done => match self.commit_attempt(&mut iteration).await? {
                    CommitOutcome::Done(files) => {
                        self.about_files.extend(files);
                        self.note_commit(&iteration);
                    }
                    CommitOutcome::Edited => {
                        self.hook_edited = Some(iteration.id);
                        return self.conclude_task(iteration).await;
                    }
                    CommitOutcome::NeedsPerson(message) => {
                        return end(RunEnd { message: Some(message), ..ExitReason::NeedsPerson.into() });
                    }
                    CommitOutcome::Environment(fault) => return end(self.unable_to_commit(&fault)),
                    CommitOutcome::Failed(fault) if iteration.by_hand => {
                        // A person's work stays as it is; whoever finishes it again has it checked again.
                        iteration.phase = Phase::Checking;
                        iteration.tree_after = None;
                        self.write(&iteration, &[], Vec::new()).await?;
                        let message = Some(report::fault(&fault));
                        return end(RunEnd {
                            code: Some(fault.code),
                            message,
                            ..ExitReason::NeedsPerson.into()
                        });
                    }
                    CommitOutcome::Failed(fault) => {
                        let cause = FailureCause::Commit;
                        let told = Some(report::fault(&fault));
                        iteration.message = report::iteration(&iteration, Some(cause), &[], told);
                        let settlement = failed(cause, self.failures(&iteration).await?, self.task_limits()?);
                        return self.carry_out(SettlingAttempt { iteration, settlement }).await;
                    }
                },
                Settlement::Planned | Settlement::Gate(_) => {}
                Settlement::Retry(_) | Settlement::Block(..) | Settlement::Again => {
                    self.take_back(&mut iteration, &settlement).await?;
                }
            }
            self.hold_for_baseline(&iteration, &settlement);
            self.settle_attempt(iteration, &settlement).await?;
            GO_ON
        })
    }

    /// Commits what an attempt changed, when each task is committed by itself.
    pub(crate) async fn commit_attempt(&mut self, iteration: &mut Iteration) -> Result<CommitOutcome, Fault> {
        let rules = self.rules()?;
        if rules.commit == CommitMode::Wave && !self.wave_is_committed(iteration).await? {
            self.tree.keep_after(iteration).await?;
            return Ok(CommitOutcome::Done(None));
        }
        let subject = match (&self.task, rules.commit) {
            // What comes after its wave's commit is committed by itself.
            (Some(task), CommitMode::Task | CommitMode::Wave) => task.draft.title.clone(),
            (_, CommitMode::Iteration | CommitMode::Task | CommitMode::Wave) => {
                iteration_message(&self.run, &self.options, iteration)?
            }
            (_, CommitMode::None) => return Ok(CommitOutcome::Done(None)),
        };
        let from = iteration.tree_before.clone().filter(|_| iteration.changed_tree() == Some(true));
        match from {
            Some(from) => {
                let (mut attempt, mailbox) = self.attempt(Some(iteration));
                self.serve(mailbox, attempt.commit_from(iteration, &from, &subject)).await
            }
            None => Ok(CommitOutcome::Done(None)),
        }
    }

    /// What the commit of an iteration's work would lack and a check may have used.
    pub(crate) async fn left_out(&mut self, iteration: &Iteration) -> Result<Vec<LeftOut>, Fault> {
        let (mut attempt, mailbox) = self.attempt(Some(iteration));
        self.serve(mailbox, attempt.left_out(iteration)).await
    }

    /// Has what was judged written down and the files put back.
    async fn take_back(&mut self, iteration: &mut Iteration, settlement: &Settlement) -> Result<(), Fault> {
        let judged = decided(settlement, iteration);
        let (mut attempt, mailbox) = self.attempt(Some(iteration));
        let back = self.serve(mailbox, attempt.take_back(iteration, judged)).await?;
        self.about_files.extend(back.event);
        self.not_put_back = back.left;
        Ok(())
    }

    async fn settle_attempt(&mut self, iteration: Iteration, settlement: &Settlement) -> Result<(), Fault> {
        let (outcome, cause) = decided(settlement, &iteration);
        let mut iteration = iteration;
        iteration.cause = cause;
        if settlement == &Settlement::Again && iteration.message.is_none() {
            iteration.message = Some(report::STOPPED.to_owned());
        }
        let card = self.distilled(&mut iteration, settlement).await;
        let mut events: Vec<Event> = card.into_iter().collect();
        events.extend(self.task_event(&iteration, settlement).await?);
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
        Ok(Some(Event::TaskStatusChanged {
            task: task.id,
            from,
            to,
            reason,
            iteration,
            origin: self.person_origin,
        }))
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
