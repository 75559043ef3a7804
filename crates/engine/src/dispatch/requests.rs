//! What people ask of a run while it goes on: to stop, to pause, to go on.

use std::ops::ControlFlow;

use loopwright_domain::{ControlKind, Event, ExitReason, RunStatus};

use crate::attempt::link::StopOrder;
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::steering::SteeringRequest;
use crate::dispatch::step::{GO_ON, StepResult, end, proceed};

impl Dispatcher<'_> {
    /// Takes requests that came meanwhile and waits where a pause was asked for.
    pub(crate) async fn between_iterations(&mut self) -> StepResult {
        proceed!(self.answer_pending().await);
        match self.pause.take() {
            Some(_) if !self.steering.stop().stops_after_iteration() => self.hold().await,
            _ => GO_ON,
        }
    }

    /// Takes requests that came meanwhile, and waits at a phase boundary when an immediate pause was asked for.
    pub(crate) async fn between_phases(&mut self) -> StepResult {
        proceed!(self.answer_pending().await);
        if self.steering.stop().urgency().is_some() {
            return end(ExitReason::Interrupted);
        }
        match self.pause {
            Some(ControlKind::Pause) => {
                self.pause = None;
                self.hold().await
            }
            _ => GO_ON,
        }
    }

    /// Answers what was asked meanwhile.
    async fn answer_pending(&mut self) -> ControlFlow<RunEnd> {
        if let Some(reason) = self.stopping {
            return ControlFlow::Break(reason.into());
        }
        while let Some(request) = self.steering.pending().await {
            self.answer(request)?;
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn answer(&mut self, request: SteeringRequest) -> ControlFlow<RunEnd> {
        match request {
            SteeringRequest::Stop(_) => return ControlFlow::Break(ExitReason::Interrupted.into()),
            SteeringRequest::Asked(ControlKind::Cancel) => {
                return ControlFlow::Break(ExitReason::Cancelled.into());
            }
            SteeringRequest::Asked(ControlKind::Resume) => self.pause = None,
            SteeringRequest::Asked(kind) => self.pause = Some(kind),
        }
        ControlFlow::Continue(())
    }

    /// Stays paused until somebody resumes, cancels or stops the run.
    pub(crate) async fn hold(&mut self) -> StepResult {
        self.set_status(RunStatus::Paused, None, "paused".to_owned()).await?;
        let stop = self.steering.stop().clone();
        loop {
            let request = tokio::select! {
                request = self.steering.next() => request,
                () = stop.wait_for_stop_after_iteration() => return end(ExitReason::Interrupted),
                activity = self.lanes.next_activity() => {
                    self.answer_lane(activity).await;
                    continue;
                }
            };
            match request {
                SteeringRequest::Asked(ControlKind::Resume) => break,
                SteeringRequest::Asked(ControlKind::Pause | ControlKind::PauseAfterIteration) => {}
                request => return Ok(self.answer(request)),
            }
        }
        self.run.status = RunStatus::Running;
        let resumed = Event::RunResumed {
            run: self.run.id,
            iteration: self.run.progress.iteration,
            origin: self.steering.asked_by(),
        };
        self.note(vec![resumed]).await?;
        GO_ON
    }

    /// Why a phase was stopped from outside.
    pub(crate) fn why_stopped(&self) -> RunEnd {
        match self.steering.stop().urgency() {
            Some(_) => ExitReason::Interrupted.into(),
            None => ExitReason::Cancelled.into(),
        }
    }

    /// Hands on to all attempts what was asked, and returns what it means for one.
    pub(crate) async fn hand_on_pending(&mut self) -> Option<StopOrder> {
        let mut order = None;
        while let Some(request) = self.steering.pending().await {
            order = self.hand_on(request).or(order);
        }
        order
    }

    /// Hands a request on to all attempts, and returns what it means for one. A pause waits until it can happen.
    fn hand_on(&mut self, request: SteeringRequest) -> Option<StopOrder> {
        let order = match request {
            SteeringRequest::Stop(urgency) => StopOrder::Interrupt(urgency),
            SteeringRequest::Asked(ControlKind::Cancel) => StopOrder::Cancel,
            SteeringRequest::Asked(ControlKind::Resume) => {
                self.pause = None;
                return None;
            }
            SteeringRequest::Asked(kind) => {
                self.pause = Some(kind);
                return None;
            }
        };
        self.stopping = Some(order.reason());
        self.lanes.stop(order);
        Some(order)
    }
}
