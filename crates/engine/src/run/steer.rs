//! Steering a run while it works: Ctrl-C at its own terminal, and requests from any other.

use std::time::Duration;

use loopwright_domain::{ControlKind, Fault, Origin, RunId};
use loopwright_store::Store;

use super::stop::{StopHandle, Urgency};

/// How often requests are looked for.
const LOOK: Duration = Duration::from_millis(200);

/// What a run has to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// The person at the terminal wants it to stop.
    Stop(Urgency),
    /// Somebody asked.
    Asked(ControlKind),
}

/// Where wishes come from, each told once.
pub(crate) struct Steering<'a> {
    store: &'a Store,
    run: RunId,
    stop: StopHandle,
    seen: u32,
    told: Option<Urgency>,
    asked_by: Origin,
}

impl<'a> Steering<'a> {
    /// Steers a run by what is asked from now on: what was asked of an earlier session is over.
    pub(crate) async fn from_now(store: &'a Store, run: RunId, stop: StopHandle) -> Result<Self, Fault> {
        let seen = store.controls_after(run, 0).await?.last().map_or(0, |control| control.id);
        Ok(Self { store, run, stop, seen, told: None, asked_by: Origin::Cli })
    }

    pub(crate) fn stop(&self) -> &StopHandle {
        &self.stop
    }

    /// Where the last request came from.
    pub(crate) const fn asked_by(&self) -> Origin {
        self.asked_by
    }

    /// The next wish that is there already.
    pub(crate) async fn pending(&mut self) -> Option<Wish> {
        let urgency = self.stop.urgency();
        if urgency > self.told {
            self.told = urgency;
            return urgency.map(Wish::Stop);
        }
        // A state that cannot be read must not stop the run; the journal says what is wrong with it.
        let controls = self.store.controls_after(self.run, self.seen).await.unwrap_or_default();
        let control = controls.into_iter().next()?;
        self.seen = control.id;
        self.asked_by = control.origin;
        Some(Wish::Asked(control.kind))
    }

    /// Waits for the next wish. Can be dropped and called again without losing one.
    pub(crate) async fn next(&mut self) -> Wish {
        loop {
            if let Some(wish) = self.pending().await {
                return wish;
            }
            let urgency = if self.told.is_none() { Urgency::Gentle } else { Urgency::Now };
            if self.told == Some(Urgency::Now) {
                tokio::time::sleep(LOOK).await;
                continue;
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = self.stop.wait(urgency) => {}
            }
        }
    }
}
