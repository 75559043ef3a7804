//! The end of an attempt's agent, and what follows: by the source of its work.

pub(crate) mod change;
pub(crate) mod diagnosis;
pub(crate) mod environment;
pub(crate) mod memory;
pub(crate) mod prompt;
pub(crate) mod settle;
pub(crate) mod task;
pub(crate) mod waves;

use std::ops::ControlFlow;

use loopwright_domain::{CheckResult, ExitReason, Fault, Iteration, Outcome, Settlement, Verdict};
use tracing::Instrument;

use crate::attempt::agent::result::AgentEnd;
use crate::attempt::checks::verify::Verified;
use crate::attempt::link::StopOrder;
use crate::attempt::phases::{EndedAttempt, SettlingAttempt};
use crate::dispatch::dispatcher::{Dispatcher, Happening};
use crate::dispatch::lanes::EndedLane;
use crate::dispatch::step::{GO_ON, StepFuture, StepResult, end, proceed};
use crate::prepare::source::Source;
use crate::report;
use crate::stop::Urgency;

impl Dispatcher<'_> {
    /// Concludes an attempt whose agent has ended. An ending means that the run stops with it.
    pub(crate) fn conclude_lane(&mut self, lane: EndedLane) -> StepFuture<'_> {
        Box::pin(async move {
            let EndedLane { ended, current, span } = lane;
            (self.task, self.planning) = (current.task, current.planning);
            async {
                let EndedAttempt { iteration, end } = ended?;
                proceed!(self.after_agent(&iteration, end).await?);
                self.conclude(iteration).await
            }
            .instrument(span)
            .await
        })
    }

    /// What follows for the run from the end of an agent. An ending means that the run stops with it.
    async fn after_agent(&mut self, iteration: &Iteration, end_of_agent: AgentEnd) -> StepResult {
        let AgentEnd::Ended { stopped_for, by_itself } = end_of_agent else { return GO_ON };
        match stopped_for {
            Some(ExitReason::Cancelled) => {
                self.settle_interrupted(iteration).await?;
                end(ExitReason::Cancelled)
            }
            // The next iteration does not start; this one is judged, for its agent ended by itself.
            Some(ExitReason::Money | ExitReason::Tokens) if by_itself => GO_ON,
            Some(reason) if !by_itself => {
                self.settle_interrupted(iteration).await?;
                end(reason)
            }
            Some(reason) => end(reason),
            None if iteration.outcome.is_some() => GO_ON,
            None => {
                let step = self.between_phases().await?;
                if matches!(&step, ControlFlow::Break(end) if end.reason == ExitReason::Cancelled) {
                    self.settle_interrupted(iteration).await?;
                }
                Ok(step)
            }
        }
    }

    /// Checks, judges, commits and settles an iteration whose agent has ended: also one that an earlier process left
    /// behind.
    pub(crate) fn conclude(&mut self, iteration: Iteration) -> StepFuture<'_> {
        Box::pin(async move {
            match self.source {
                Source::Tasks(_) => self.conclude_task(iteration).await,
                Source::Prompt(_) | Source::Checks(_) => self.conclude_prompt(iteration).await,
            }
        })
    }

    /// Runs the checks of an iteration. An ending means that they were stopped, or that one cannot be run on this
    /// machine; the iteration stays as it is, and its checks run again when the run is resumed.
    pub(crate) fn check<'s>(&'s mut self, iteration: &'s mut Iteration) -> StepFuture<'s, Vec<CheckResult>> {
        Box::pin(async move {
            let (mut attempt, mailbox) = self.attempt(Some(iteration));
            let worker = self.worker.clone();
            match self.serve(mailbox, worker.check(&mut attempt, iteration)).await? {
                Verified::Done(results) => Ok(ControlFlow::Continue(results)),
                Verified::Stopped => {
                    let ending = self.why_stopped();
                    if ending.reason == ExitReason::Cancelled {
                        self.settle_interrupted(iteration).await?;
                    }
                    end(ending)
                }
                Verified::Unable(check) => end(self.unable_to_check(&check)),
            }
        })
    }

    /// Settles an iteration that was stopped: it counts for nothing.
    pub(crate) async fn settle_interrupted(&mut self, iteration: &Iteration) -> Result<(), Fault> {
        let mut iteration = iteration.clone();
        iteration.message = Some(report::STOPPED.to_owned());
        match self.source {
            Source::Tasks(_) => {
                let settling = SettlingAttempt { iteration, settlement: Settlement::Again };
                self.carry_out(settling).await.map(drop)
            }
            Source::Prompt(_) | Source::Checks(_) => {
                self.settle(iteration, Outcome::Interrupted, Verdict::Stopped, true, Vec::new()).await
            }
        }
    }

    /// Interrupts what still works when the run ends, and settles it: it counts for nothing.
    pub(crate) async fn end_lanes(&mut self) {
        self.lanes.stop(StopOrder::Interrupt(Urgency::Gentle));
        while !self.lanes.is_idle() {
            match self.next_happening().await {
                Happening::AttemptEnded(lane) => self.interrupt_lane(*lane).await,
                Happening::Lane(activity) => self.answer_lane(activity).await,
                Happening::RequestsDue => drop(self.hand_on_pending().await),
            }
        }
    }

    async fn interrupt_lane(&mut self, lane: EndedLane) {
        (self.task, self.planning) = (lane.current.task, lane.current.planning);
        let settled = match lane.ended {
            Ok(EndedAttempt { iteration, .. }) => self.settle_interrupted(&iteration).await,
            Err(fault) => Err(fault),
        };
        if let Err(fault) = settled {
            tracing::warn!(run = %self.run.id, "an attempt is not settled: {fault}");
        }
    }
}
