//! Steering a run while it works: Ctrl-C at its own terminal, and requests from any other.

use std::time::Duration;

use loopwright_domain::{ControlKind, Fault, Origin, RunId};
use loopwright_store::Store;
use tokio::time::Instant;

use crate::stop::{StopHandle, Urgency};

/// How often requests are looked for.
const LOOK: Duration = Duration::from_millis(200);

/// What a run has to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SteeringRequest {
    /// The person at the terminal wants it to stop.
    Stop(Urgency),
    /// Somebody asked.
    Asked(ControlKind),
}

/// Where requests come from, each told once.
pub(crate) struct Steering<'a> {
    store: &'a Store,
    run: RunId,
    stop: StopHandle,
    seen: u32,
    told: Option<Urgency>,
    asked_by: Origin,
    /// When to look next.
    next_look: Instant,
}

impl<'a> Steering<'a> {
    /// Steers a run by what is asked from now on: what was asked of an earlier session is over.
    pub(crate) async fn from_now(store: &'a Store, run: RunId, stop: StopHandle) -> Result<Self, Fault> {
        let seen = store.controls_after(run, 0).await?.last().map_or(0, |control| control.id);
        let (asked_by, next_look) = (Origin::Cli, Instant::now());
        Ok(Self { store, run, stop, seen, told: None, asked_by, next_look })
    }

    pub(crate) fn stop(&self) -> &StopHandle {
        &self.stop
    }

    /// Where the last request came from.
    pub(crate) const fn asked_by(&self) -> Origin {
        self.asked_by
    }

    /// The next request that is there already.
    pub(crate) async fn pending(&mut self) -> Option<SteeringRequest> {
        self.next_look = Instant::now() + LOOK;
        let urgency = self.stop.urgency();
        if urgency > self.told {
            self.told = urgency;
            return urgency.map(SteeringRequest::Stop);
        }
        // A state that cannot be read must not stop the run; the journal says what is wrong with it.
        let controls = self.store.controls_after(self.run, self.seen).await.unwrap_or_default();
        let control = controls.into_iter().next()?;
        self.seen = control.id;
        self.asked_by = control.origin;
        Some(SteeringRequest::Asked(control.kind))
    }

    /// Waits until it is time to see what is pending. Can be dropped and called again as often as an agent says something:
    /// the look itself is no part of it, and so is never given up half-way.
    pub(crate) async fn due(&self) {
        let stopped = async {
            match self.told {
                None => self.stop.wait(Urgency::Gentle).await,
                Some(Urgency::Gentle) => self.stop.wait(Urgency::Now).await,
                Some(Urgency::Now) => std::future::pending().await,
            }
        };
        tokio::select! {
            () = tokio::time::sleep_until(self.next_look) => {}
            () = stopped => {}
        }
    }

    /// Waits for the next request. Can be dropped and called again without losing one.
    pub(crate) async fn next(&mut self) -> SteeringRequest {
        loop {
            if let Some(request) = self.pending().await {
                return request;
            }
            self.due().await;
        }
    }
}
