//! Carrying a decision out when no process waits for it: whoever decided does it, with the same code.

use std::sync::Arc;

use loopwright_config::TrustedConfig;
use loopwright_domain::{
    ErrorCode, Event, ExitReason, Fault, Gate, GateStatus, Iteration, NextAction, Outcome, Phase, Run,
    RunStatus, WaitReason,
};
use loopwright_store::Entry;

use crate::attempt::phases::WorkFuture;
use crate::attempt::tree::work_tree::WorkTree;
use crate::dispatch::conclude::waves::{RECORDED, commit_of};
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::gate::wave_gate::shows_hook_edits;
use crate::dispatch::step::{GO_ON, StepResult, end, proceed};
use crate::launch::manual_harness::ManualHarness;
use crate::observer::Unobserved;
use crate::prepare::options::RunOptions;
use crate::prepare::prepared::Prepared;
use crate::project::ProjectGates;
use crate::stop::StopHandle;

/// What a run says that nobody works on after a decision at its gate.
pub(crate) const GATE_DECIDED: &str = "the gate is decided; the run can go on";

/// What carrying a decision out came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GateOutcome {
    /// The iteration as it is now; settled, unless the gate is still open.
    pub(crate) iteration: Iteration,
    /// The checks that a person's edits do not pass; then the gate is still open.
    pub(crate) failing: Vec<String>,
    /// The end of what they printed.
    pub(crate) output: String,
    /// Files that could not be put back.
    pub(crate) left: Vec<String>,
}

impl GateOutcome {
    fn done(iteration: Iteration) -> Self {
        Self { iteration, failing: Vec::new(), output: String::new(), left: Vec::new() }
    }
}

impl ProjectGates<'_> {
    /// Carries out what was decided at a gate, or checks the edits that a person wants to have approved. The caller
    /// holds the run lock. The run then waits for a resume, or is over when a person did its work.
    ///
    /// # Errors
    /// The state cannot be read or written, or git fails.
    pub(crate) fn carry_out<'s>(
        self,
        gate: &'s Gate,
        config: TrustedConfig,
    ) -> WorkFuture<'s, Result<GateOutcome, Fault>>
    where
        Self: 's,
    {
        Box::pin(async move {
            let run = self.project.runs().find(Some(gate.run)).await?;
            let iteration = self.project.store().iteration(gate.iteration).await?.ok_or_else(gone)?;
            let of_wave = iteration.task.is_some() && shows_hook_edits(gate, &iteration);
            let settled = iteration.phase == Phase::Settled && iteration.task.is_some();
            if run.status.is_over() || (settled && !of_wave) {
                return Ok(GateOutcome::done(iteration));
            }
            let tree = WorkTree::open(self.project.host(), self.project.layout()).await?;
            let mut unobserved = Unobserved;
            let prepared = self.prepared_by_hand(&run, config)?;
            let mut dispatcher = self
                .project
                .runs()
                .dispatcher(run, prepared, tree, &mut unobserved, StopHandle::new())
                .await?;
            let by_hand = iteration.by_hand;
            let id = iteration.id;
            let ending = match iteration.phase {
                Phase::Settled if of_wave => dispatcher.decided_about_wave(&iteration).await?,
                // The run is about to end with what it left; whoever resumes sees what was decided.
                Phase::Settled => dispatcher.decided_before_end(iteration).await?,
                _ => dispatcher.conclude(iteration).await?,
            }
            .break_value();
            let mut iteration = self.project.store().iteration(id).await?.ok_or_else(gone)?;
            if of_wave {
                let waves = self.project.store().wave_commits(RECORDED).await?;
                iteration.commit = commit_of(&iteration, &waves).map(str::to_owned);
            }
            let refused = std::mem::take(&mut dispatcher.refused_edits);
            let carried = GateOutcome {
                failing: refused.checks,
                output: refused.output,
                left: std::mem::take(&mut dispatcher.not_put_back),
                ..GateOutcome::done(iteration.clone())
            };
            if iteration.phase != Phase::Settled {
                return match ending {
                    Some(ending @ RunEnd { reason: ExitReason::Environment, .. }) => {
                        let code = ending.code.unwrap_or(ErrorCode::GitFailed);
                        let message = ending.message.clone().unwrap_or_default();
                        dispatcher.close(ending).await;
                        Err(Fault::new(code, message)
                            .hint("It is decided. Put that right.")
                            .next(NextAction::Resume, "Then go on"))
                    }
                    Some(RunEnd { message: Some(message), waiting: None, .. }) => {
                        Err(Fault::new(ErrorCode::GitMoved, message))
                    }
                    _ => Ok(carried),
                };
            }
            match ending {
                _ if by_hand => dispatcher.close(ended_by_hand(&iteration)).await,
                Some(ending) if ending.waiting.is_none() => dispatcher.close(ending).await,
                Some(_) => {}
                None => dispatcher.rest(GATE_DECIDED).await?,
            }
            Ok(carried)
        })
    }

    /// Writes down that a run which waited at a gate can go on, where nobody works on it.
    ///
    /// # Errors
    /// The state cannot be read or written.
    pub(crate) async fn rest_after(self, gate: &Gate) -> Result<(), Fault> {
        let mut run = self.project.runs().find(Some(gate.run)).await?;
        if run.status != RunStatus::Waiting {
            return Ok(());
        }
        at_rest(&mut run, GATE_DECIDED);
        let event = Event::status_of(&run, GATE_DECIDED.to_owned());
        let entry = Entry { run: Some(&run), events: &[event], ..Entry::default() };
        self.project.store().journal(&self.project.host().timestamp(), entry).await?;
        Ok(())
    }

    /// What a run works by when no agent is needed: nothing is started but checks.
    pub(crate) fn prepared_by_hand(self, run: &Run, config: TrustedConfig) -> Result<Prepared, Fault> {
        let options: RunOptions = serde_json::from_str(&run.options).map_err(|error| {
            Fault::caused(ErrorCode::StoreNewerSchema, "the run's options cannot be read", &error)
                .hint("It was written by another version of Loopwright. Start a new run.")
        })?;
        Ok(Prepared::by_hand(run.kind, options, config, Arc::new(ManualHarness)))
    }
}

impl Dispatcher<'_> {
    /// Commits the wave whose gate is decided, or puts a hook's edits back. A run whose wave cannot be committed is at
    /// rest.
    async fn decided_about_wave(&mut self, iteration: &Iteration) -> StepResult {
        match self.commit_wave_of(iteration).await {
            Err(fault) => {
                self.rest(&fault.message).await?;
                Err(fault)
            }
            step => step,
        }
    }

    /// Takes up what was decided at a gate before the end of a run. A run whose work was approved ends when it is
    /// resumed; only edits that are to be approved are looked at now.
    async fn decided_before_end(&mut self, iteration: Iteration) -> StepResult {
        let gate = self.project.store().gate_of_iteration(iteration.id).await?;
        let Some(gate) = gate.filter(|gate| gate.status == GateStatus::Open) else { return GO_ON };
        let mut iteration = iteration;
        proceed!(self.take_edits(&mut iteration, &gate).await?);
        match self.refused_edits.checks.is_empty() {
            true => GO_ON,
            false => end(RunEnd { waiting: Some(WaitReason::Approval), ..ExitReason::NeedsPerson.into() }),
        }
    }

    /// Writes down that nobody works on the run, and that it can be resumed.
    async fn rest(&mut self, message: &str) -> Result<(), Fault> {
        at_rest(&mut self.run, message);
        self.note(vec![Event::status_of(&self.run, message.to_owned())]).await
    }
}

/// A run that nobody works on, and that can be resumed.
fn at_rest(run: &mut Run, message: &str) {
    run.status = RunStatus::Paused;
    run.waiting = None;
    run.reason = Some(ExitReason::NeedsPerson);
    run.code = None;
    run.message = Some(message.to_owned());
}

/// How a run ends whose only work a person did.
fn ended_by_hand(iteration: &Iteration) -> RunEnd {
    match iteration.outcome {
        Some(Outcome::Succeeded) => ExitReason::Finished.into(),
        _ => RunEnd { message: iteration.message.clone(), ..ExitReason::Cancelled.into() },
    }
}

fn gone() -> Fault {
    Fault::new(ErrorCode::GateNotFound, "the work this gate was about is gone")
}
