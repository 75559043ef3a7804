//! Carrying a decision out when no process waits for it: whoever decided does it, with the same code.

use std::sync::Arc;

use loopwright_domain::{ErrorCode, ExitReason, Fault, Gate, Iteration, Outcome, Phase, RunStatus};

use crate::project::Project;
use crate::run::Unobserved;
use crate::run::driver::{Ending, status_of};
use crate::run::hand::Hand;
use crate::run::options::RunOptions;
use crate::run::start::Prepared;
use crate::run::stop::StopHandle;
use crate::run::tree::Tree;

/// What carrying a decision out came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    /// The iteration as it is now; settled, unless the gate is still open.
    pub(crate) iteration: Iteration,
    /// The checks that a person's edits do not pass; then the gate is still open.
    pub(crate) failing: Vec<String>,
}

impl Project {
    /// Carries out what was decided at a gate, or checks the edits that a person wants to have approved. The caller
    /// holds the run lock. The run then waits for a resume, or is over when a person did its work.
    ///
    /// # Errors
    /// The state cannot be read or written, or git fails.
    pub(crate) async fn carry_out_gate(&self, gate: &Gate) -> Result<Carried, Fault> {
        let run = self.find_run(Some(gate.run)).await?;
        let iteration = self.store().iteration(gate.iteration).await?.ok_or_else(gone)?;
        if iteration.phase == Phase::Settled || run.status.is_over() {
            return Ok(Carried { iteration, failing: Vec::new() });
        }
        let tree = Tree::open(self.host(), self.layout()).await?;
        let mut unobserved = Unobserved;
        let prepared = self.prepared_by_hand(&run.options)?;
        let mut driver = self.driver(run, prepared, tree, &mut unobserved, StopHandle::new()).await?;
        let by_hand = iteration.by_hand;
        let id = iteration.id;
        let ending = driver.conclude_attempt(iteration).await?;
        let iteration = self.store().iteration(id).await?.ok_or_else(gone)?;
        let failing = std::mem::take(&mut driver.refused_edits);
        if iteration.phase != Phase::Settled {
            return match ending {
                Some(Ending { message: Some(message), waiting: None, .. }) => {
                    Err(Fault::new(ErrorCode::GitMoved, message))
                }
                _ => Ok(Carried { iteration, failing }),
            };
        }
        if by_hand {
            driver.close(ended_by_hand(&iteration)).await;
        } else {
            driver.rest("the gate is decided; the run can go on").await?;
        }
        Ok(Carried { iteration, failing })
    }

    /// What a run works by when no agent is needed: nothing is started but checks.
    pub(crate) fn prepared_by_hand(&self, options: &str) -> Result<Prepared, Fault> {
        let options: RunOptions = serde_json::from_str(options).map_err(|error| {
            Fault::new(ErrorCode::StoreNewerSchema, format!("the run's options cannot be read: {error}"))
                .hint("It was written by another version of Loopwright. Start a new run.")
        })?;
        let config = self.config().strict()?;
        Ok(Prepared::by_hand(options, &config, Arc::new(Hand)))
    }
}

impl crate::run::driver::Driver<'_> {
    /// Writes down that nobody works on the run, and that it can be resumed.
    async fn rest(&mut self, message: &str) -> Result<(), Fault> {
        self.run.status = RunStatus::Paused;
        self.run.waiting = None;
        self.run.reason = Some(ExitReason::NeedsPerson);
        self.run.code = None;
        self.run.message = Some(message.to_owned());
        self.note(vec![status_of(&self.run, message.to_owned())]).await
    }
}

/// How a run ends whose only work a person did.
fn ended_by_hand(iteration: &Iteration) -> Ending {
    match iteration.outcome {
        Some(Outcome::Succeeded) => ExitReason::Finished.into(),
        _ => Ending { message: iteration.message.clone(), ..ExitReason::Cancelled.into() },
    }
}

fn gone() -> Fault {
    Fault::new(ErrorCode::GateNotFound, "the work this gate was about is gone")
}
