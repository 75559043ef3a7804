//! A gate as the run sees it: opened with the iteration, waited at, and carried out when somebody has decided.

use std::time::Duration;

use loopwright_domain::settle::after_decision;
use loopwright_domain::{
    ControlKind, Event, ExitReason, Fault, Gate, GateDecision, GateId, GateKind, GateReason, GateStatus,
    Iteration, Origin, Phase, RunStatus, Settlement, TaskStatus, Verdict, WaitReason,
};
use loopwright_store::{Entry, NewGate};

use super::facts::Planning;
use crate::gate::Assessment;
use crate::run::crash;
use crate::run::driver::{Driver, Ending};
use crate::run::files::IterationFiles;
use crate::run::report;
use crate::run::steer::Wish;

/// How often a gate is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// The longest plan and summary that are kept with a gate, in characters.
const LONGEST_SUMMARY: usize = 64 * 1024;

impl Driver<'_> {
    /// Opens a gate together with the iteration's new phase and the task's new status.
    pub(super) async fn open_gate(
        &mut self,
        iteration: &mut Iteration,
        reasons: Vec<GateReason>,
        assessment: Assessment,
    ) -> Result<(), Fault> {
        self.tree.keep_after(iteration).await?;
        iteration.phase = Phase::AwaitingApproval;
        let kind = if self.planning == Planning::ToDo { GateKind::Plan } else { GateKind::Work };
        let gate = Gate {
            from: iteration.tree_before.clone(),
            tree: iteration.tree_after.clone(),
            summary: self.summary(iteration, kind),
            flags: assessment.flags,
            reasons,
            ..self.empty_gate(iteration, kind)
        };
        let mut events = vec![Event::IterationPhase { iteration: iteration.id, phase: iteration.phase }];
        if let Some(task) = self.task_now(iteration).await? {
            events.push(Event::TaskStatusChanged {
                task: task.id,
                from: task.status,
                to: TaskStatus::AwaitingApproval,
                reason: None,
                iteration: Some(iteration.id),
                origin: None,
            });
        }
        crash::point("gate.before");
        let entry =
            Entry { run: Some(&self.run), iteration: Some(iteration), events: &events, ..Entry::default() };
        let new = NewGate { gate: &gate, size: assessment.size };
        self.journal.open_gate(self.observer, new, entry).await?;
        crash::point("gate.opened");
        Ok(())
    }

    pub(super) fn empty_gate(&self, iteration: &Iteration, kind: GateKind) -> Gate {
        Gate {
            id: GateId(0),
            kind,
            run: self.run.id,
            iteration: iteration.id,
            task: iteration.task,
            reasons: Vec::new(),
            flags: Vec::new(),
            from: None,
            tree: None,
            summary: String::new(),
            status: GateStatus::Open,
            opened_at: self.project.host().timestamp(),
            decision: None,
            decided_at: None,
            decided_by: None,
            comments: Vec::new(),
        }
    }

    /// What the agent said it did; of a plan, the plan.
    fn summary(&self, iteration: &Iteration, kind: GateKind) -> String {
        let files = IterationFiles::of(&self.project.layout().state_dir, iteration);
        let said = || std::fs::read_to_string(files.response()).ok();
        let text = match kind {
            GateKind::Plan => said().or_else(|| iteration.claim_text.clone()),
            GateKind::Work | GateKind::Review => {
                iteration.claim_text.clone().filter(|text| !text.trim().is_empty())
            }
        };
        report::preview(&text.unwrap_or_else(|| iteration.preview.clone()), LONGEST_SUMMARY)
    }

    /// Waits at the gate of an iteration and carries out what is decided there.
    pub(crate) async fn at_gate(&mut self, iteration: Iteration) -> Result<Option<Ending>, Fault> {
        let mut iteration = iteration;
        loop {
            let gate = self.project.store().gate_of_iteration(iteration.id).await?;
            let Some(gate) = gate else { return self.carry_out(iteration, Settlement::Again).await };
            match (gate.status, &gate.decision) {
                (GateStatus::Open, Some(GateDecision::ApproveWithEdits)) => {
                    if let Some(ending) = self.take_edits(&mut iteration, &gate).await? {
                        return Ok(Some(ending));
                    }
                    continue;
                }
                (GateStatus::Open, _) => {}
                (GateStatus::Replaced, _) => return self.carry_out(iteration, Settlement::Again).await,
                (_, Some(decision)) => {
                    let decision = decision.clone();
                    return self.decided(iteration, &gate, &decision).await;
                }
                (_, None) => return self.carry_out(iteration, Settlement::Again).await,
            }
            if let Some(ending) = self.wait_at(&gate).await? {
                if ending.reason == ExitReason::Cancelled {
                    self.carry_out(iteration, Settlement::Again).await?;
                }
                return Ok(Some(ending));
            }
        }
    }

    async fn decided(
        &mut self,
        mut iteration: Iteration,
        gate: &Gate,
        decision: &GateDecision,
    ) -> Result<Option<Ending>, Fault> {
        crash::point("gate.decided");
        if self.run.status == RunStatus::Waiting {
            self.set_status(RunStatus::Running, None, "decided: the run goes on".to_owned()).await?;
        }
        let failures = self.failures(&iteration).await?;
        let settlement = after_decision(gate.kind, decision, failures, self.task_limits()?);
        let (cause, told) = match decision {
            GateDecision::Approve | GateDecision::ApproveWithEdits => {
                iteration.tree_after = gate.tree.clone().or(iteration.tree_after);
                (None, None)
            }
            GateDecision::Reject { reason } | GateDecision::Skip { reason } => {
                (settlement.outcome().and_then(|(_, cause)| cause), Some(reason.clone()))
            }
        };
        iteration.message = report::iteration(&iteration, cause, &[], told);
        if self.last_checks.is_empty() {
            self.last_checks = self.project.store().check_results(iteration.id).await?;
        }
        self.carry_out(iteration, settlement).await
    }

    /// Checks the tree with a person's edits. What passes is approved; what does not leaves the gate open.
    async fn take_edits(&mut self, iteration: &mut Iteration, gate: &Gate) -> Result<Option<Ending>, Fault> {
        let store = self.project.store();
        let origin = gate.decided_by.unwrap_or(Origin::Cli);
        let now = self.tree.snapshot().await?.map(|snapshot| snapshot.tree.as_str().to_owned());
        let marker = iteration.id.to_string();
        let folder = IterationFiles::of(&self.project.layout().state_dir, iteration).checks();
        let results = self.run_checks(&marker, Some((&folder, iteration))).await;
        match Verdict::of(&results) {
            Verdict::Stopped => return Ok(Some(self.why_stopped())),
            Verdict::Failed => {
                store.ask_for_edits(gate.id, None).await?;
                let names: Vec<&str> = results
                    .iter()
                    .filter(|result| result.required && result.failed())
                    .map(|result| result.name.as_str())
                    .collect();
                let message = format!("your edits do not pass: {}; the gate is still open", names.join(", "));
                self.warn(Some(iteration.id), message).await?;
                self.refused_edits = names.into_iter().map(str::to_owned).collect();
            }
            Verdict::Passed | Verdict::Unchecked => {
                self.write(iteration, &results, Vec::new()).await?;
                let at = self.project.host().timestamp();
                let decision = GateDecision::ApproveWithEdits;
                store.decide_gate(&at, gate.id, &decision, now.as_deref(), origin).await?;
            }
        }
        self.last_checks = results;
        Ok(None)
    }

    /// Waits until something about an open gate changes. An ending means that the run stops first.
    pub(super) async fn wait_at(&mut self, gate: &Gate) -> Result<Option<Ending>, Fault> {
        let message = self.waiting_words(gate);
        if !self.observer.waits_at_gates() {
            let waiting = Some(WaitReason::Approval);
            return Ok(Some(Ending {
                code: None,
                reason: ExitReason::NeedsPerson,
                message: Some(message),
                waiting,
            }));
        }
        if self.run.status != RunStatus::Waiting {
            self.set_status(RunStatus::Waiting, Some(WaitReason::Approval), message).await?;
        }
        let wish = tokio::select! {
            wish = self.steering.next() => Some(wish),
            () = tokio::time::sleep(LOOK) => None,
        };
        match wish {
            Some(Wish::Asked(kind @ (ControlKind::Pause | ControlKind::PauseAfterIteration))) => {
                self.pause = Some(kind);
                Ok(None)
            }
            Some(wish) => Ok(self.heed(wish)),
            None if self.steering.stop().stops_after_iteration() => Ok(Some(ExitReason::Interrupted.into())),
            None => Ok(None),
        }
    }

    fn waiting_words(&self, gate: &Gate) -> String {
        let about = match (&self.task, gate.kind) {
            (_, GateKind::Review) => "the finished tasks".to_owned(),
            (Some(task), GateKind::Plan) => format!("the plan for {} {}", task.id, task.draft.title),
            (Some(task), GateKind::Work) => format!("{} {}", task.id, task.draft.title),
            (None, _) => "the work".to_owned(),
        };
        format!("waiting for your approval: {about}")
    }
}
