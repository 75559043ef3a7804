//! A gate as the run sees it: opened with the iteration, waited at, and carried out when somebody has decided.

use std::ops::ControlFlow;
use std::time::Duration;

use loopwright_domain::settle::after_decision;
use loopwright_domain::{
    CommitMode, ControlKind, Event, ExitReason, Fault, Gate, GateDecision, GateId, GateKind, GateReason,
    GateStatus, Iteration, Origin, Phase, RunStatus, TaskStatus, Verdict, WaitReason,
};
use loopwright_store::{Entry, NewGate};
use loopwright_transcript::IterationFiles;
use loopwright_vcs::Oid;

use crate::assessment::Assessment;
use crate::attempt::phases::{GatedAttempt, SettlingAttempt};
use crate::crash;
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::gate::refused_edits::RefusedEdits;
use crate::dispatch::steering::SteeringRequest;
use crate::dispatch::step::{GO_ON, StepFuture, StepResult, end, proceed};
use crate::prepare::source::Source;
use crate::prompt::task::Planning;
use crate::report;

/// How often a gate is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// The longest plan and summary that are kept with a gate, in characters.
const LONGEST_SUMMARY: usize = 64 * 1024;

impl Dispatcher<'_> {
    /// Opens a gate together with the iteration's new phase and the task's new status.
    pub(crate) async fn open_gate(
        &mut self,
        iteration: Iteration,
        reasons: Vec<GateReason>,
        assessment: Assessment,
    ) -> Result<GatedAttempt, Fault> {
        let mut gated = GatedAttempt { iteration };
        let iteration = &mut gated.iteration;
        self.tree.keep_after(iteration).await?;
        iteration.phase = Phase::AwaitingApproval;
        let kind = if self.planning == Planning::ToDo { GateKind::Plan } else { GateKind::Work };
        let about = self.gate_about(iteration, kind);
        let from = assessment.from.or(about.from.clone());
        let gate = Gate { flags: assessment.flags, reasons, from, ..about };
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
        Ok(gated)
    }

    /// The tree that an attempt's work is shown and assessed against, so that all is seen that its commit would bring:
    /// the one before it, with HEAD's files where the attempt changed what was not committed.
    pub(crate) async fn shown_from(&self, iteration: &Iteration) -> Result<Option<String>, Fault> {
        let before = iteration.tree_before.clone();
        let trees =
            (before.as_deref().and_then(Oid::parse), iteration.tree_after.as_deref().and_then(Oid::parse));
        let (Some(workspace), (Some(from), Some(to))) = (self.tree.workspace(), trees) else {
            return Ok(before);
        };
        let earlier = match self.rules()?.commit {
            CommitMode::None => return Ok(before),
            CommitMode::Wave => self.uncommitted_pieces(iteration).await?,
            CommitMode::Task | CommitMode::Iteration => Vec::new(),
        };
        let base = workspace.commit_base(&from, &to, &earlier).await?;
        if base != from {
            self.tree.keep_base(iteration, &base).await?;
        }
        Ok(Some(base.as_str().to_owned()))
    }

    /// Opens a gate about an iteration that is settled: the run is about to end well with what it left.
    pub(crate) async fn open_gate_again(
        &mut self,
        iteration: &Iteration,
        reasons: Vec<GateReason>,
        assessment: Assessment,
    ) -> Result<(), Fault> {
        let about = self.gate_about(iteration, GateKind::Work);
        let from = assessment.from.or(about.from.clone());
        let gate = Gate { flags: assessment.flags, reasons, from, ..about };
        crash::point("gate.before");
        let entry = Entry { run: Some(&self.run), ..Entry::default() };
        let new = NewGate { gate: &gate, size: assessment.size };
        self.journal.open_gate(self.observer, new, entry).await?;
        crash::point("gate.opened");
        Ok(())
    }

    /// A gate that shows what an iteration left, against the tree before its task, or in a run without tasks against
    /// what was approved last.
    fn gate_about(&self, iteration: &Iteration, kind: GateKind) -> Gate {
        let from = match iteration.task {
            Some(_) => iteration.tree_before.clone(),
            None => self.unapproved_since(),
        };
        Gate {
            from,
            tree: iteration.tree_after.clone(),
            summary: self.summary(iteration, kind),
            ..self.empty_gate(iteration, kind)
        }
    }

    pub(crate) fn empty_gate(&self, iteration: &Iteration, kind: GateKind) -> Gate {
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
    pub(crate) fn at_gate(&mut self, gated: GatedAttempt) -> StepFuture<'_> {
        Box::pin(async move {
            let GatedAttempt { mut iteration } = gated;
            loop {
                let gate = self.project.store().gate_of_iteration(iteration.id).await?;
                let Some(gate) = gate else { return self.leave_gate(iteration).await };
                match (gate.status, &gate.decision) {
                    (GateStatus::Open, Some(GateDecision::ApproveWithEdits)) => {
                        proceed!(self.take_edits(&mut iteration, &gate).await?);
                        continue;
                    }
                    (GateStatus::Open, _) => {}
                    (GateStatus::Replaced, _) | (_, None) => return self.leave_gate(iteration).await,
                    (_, Some(decision)) => {
                        let decision = decision.clone();
                        return self.decided(iteration, &gate, &decision).await;
                    }
                }
                if let ControlFlow::Break(ending) = self.wait_at(&gate).await? {
                    if ending.reason == ExitReason::Cancelled {
                        self.settle_interrupted(&iteration).await?;
                    }
                    return end(ending);
                }
            }
        })
    }

    /// Nobody decides about an iteration any more: it counts for nothing, and its gate is closed with it.
    async fn leave_gate(&mut self, iteration: Iteration) -> StepResult {
        self.settle_interrupted(&iteration).await?;
        GO_ON
    }

    async fn decided(&mut self, iteration: Iteration, gate: &Gate, decision: &GateDecision) -> StepResult {
        crash::point("gate.decided");
        if self.run.status == RunStatus::Waiting {
            self.set_status(RunStatus::Running, None, "decided: the run goes on".to_owned()).await?;
        }
        match self.source {
            Source::Tasks(_) => self.decided_about_task(iteration, gate, decision).await,
            Source::Prompt(_) | Source::Checks(_) => {
                self.decided_about_prompt(iteration, gate, decision).await
            }
        }
    }

    /// Carries out what was decided at the gate of a task.
    async fn decided_about_task(
        &mut self,
        mut iteration: Iteration,
        gate: &Gate,
        decision: &GateDecision,
    ) -> StepResult {
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
        self.carry_out(SettlingAttempt { iteration, settlement }).await
    }

    /// Checks the tree with a person's edits. What passes is approved; what does not leaves the gate open.
    pub(crate) async fn take_edits(&mut self, iteration: &mut Iteration, gate: &Gate) -> StepResult {
        let store = self.project.store();
        let origin = gate.decided_by.unwrap_or(Origin::Cli);
        let now = self.tree.snapshot().await?.map(|snapshot| snapshot.tree.as_str().to_owned());
        let files = IterationFiles::of(&self.project.layout().state_dir, iteration);
        let folder = files.edit_checks();
        let mut edited = Iteration { tree_after: now, ..iteration.clone() };
        let (mut attempt, mailbox) = self.attempt(Some(iteration));
        let results = self.serve(mailbox, attempt.check_tree(&mut edited, &folder)).await?;
        match Verdict::of(&results) {
            Verdict::Stopped => return end(self.why_stopped()),
            Verdict::Failed => {
                let refused = RefusedEdits::of(&results);
                refused.keep(&files.edits());
                store.ask_for_edits(gate.id, None).await?;
                let names = refused.checks.join(", ");
                let message = format!("your edits do not pass: {names}; the gate is still open");
                self.warn(Some(iteration.id), message).await?;
                self.refused_edits = refused;
            }
            Verdict::Passed | Verdict::Unchecked => {
                if iteration.phase != Phase::Settled {
                    self.write(iteration, &results, Vec::new()).await?;
                }
                let at = self.project.host().timestamp();
                let decision = GateDecision::ApproveWithEdits;
                let tree = edited.tree_after.as_deref();
                store.decide_gate(&at, gate.id, &decision, tree, origin).await?;
            }
        }
        self.last_checks = results;
        GO_ON
    }

    /// Waits until something about an open gate changes. An ending means that the run stops first.
    pub(crate) async fn wait_at(&mut self, gate: &Gate) -> StepResult {
        let message = self.waiting_words(gate);
        if !self.observer.waits_at_gates() {
            let waiting = Some(WaitReason::Approval);
            return end(RunEnd { message: Some(message), waiting, ..ExitReason::NeedsPerson.into() });
        }
        if self.run.status != RunStatus::Waiting {
            self.set_status(RunStatus::Waiting, Some(WaitReason::Approval), message).await?;
        }
        let request = tokio::select! {
            request = self.steering.next() => Some(request),
            () = tokio::time::sleep(LOOK) => None,
            activity = self.lanes.next_activity() => {
                self.answer_lane(activity).await;
                return GO_ON;
            }
        };
        match request {
            Some(SteeringRequest::Asked(kind @ (ControlKind::Pause | ControlKind::PauseAfterIteration))) => {
                self.pause = Some(kind);
                GO_ON
            }
            Some(request) => Ok(self.answer(request)),
            None if self.notices_edits(gate).await? => GO_ON,
            None if self.steering.stop().stops_after_iteration() => end(ExitReason::Interrupted),
            None => GO_ON,
        }
    }

    fn waiting_words(&self, gate: &Gate) -> String {
        let about = match (&self.task, gate.kind) {
            (_, GateKind::Review) => "the finished tasks".to_owned(),
            (Some(task), GateKind::Plan) => format!("the plan for {} {}", task.id, task.draft.title),
            (Some(task), GateKind::Work) => format!("{} {}", task.id, task.draft.title),
            (None, _) => format!("the work of \"{}\"", self.run.title),
        };
        format!("waiting for your approval: {about}")
    }
}
