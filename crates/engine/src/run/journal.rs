//! Writing a run down: intent before effect, effect before outcome, and what to do when that fails.

use std::time::Duration;

use loopwright_domain::event::EVENT_VERSION;
use loopwright_domain::{
    CheckResult, ErrorCode, Event, EventEnvelope, EventSeq, Fault, Iteration, Run, RunId,
};
use loopwright_store::{Entry, Store};

use super::observe::Observer;
use super::stop::{StopHandle, Urgency};
use crate::host::Host;

/// How long to wait before trying again when a run holds.
const RETRY: Duration = Duration::from_secs(2);
/// Events kept for the next write that works; more than any iteration has.
const PENDING: usize = 10_000;

/// Writes a run down. Events that could not be written are written with the next entry that can.
pub(crate) struct Journal<'a> {
    store: &'a Store,
    host: &'a Host,
    run: RunId,
    hold: bool,
    stop: StopHandle,
    pending: Vec<Event>,
    failing: bool,
}

/// What is written at once.
#[derive(Clone, Copy, Default)]
pub(crate) struct Note<'a> {
    pub(crate) run: Option<&'a Run>,
    pub(crate) iteration: Option<&'a Iteration>,
    pub(crate) checks: &'a [CheckResult],
}

impl<'a> Journal<'a> {
    pub(crate) fn new(store: &'a Store, host: &'a Host, run: RunId, hold: bool, stop: StopHandle) -> Self {
        Self { store, host, run, hold, stop, pending: Vec::new(), failing: false }
    }

    /// Writes and tells the observer. Where the state cannot be written a run either holds until it can, or goes on
    /// and says so.
    ///
    /// # Errors
    /// The state is gone, the entry is against the rules, or the run was stopped while it held.
    pub(crate) async fn write(
        &mut self,
        observer: &mut dyn Observer,
        note: Note<'_>,
        events: Vec<Event>,
    ) -> Result<(), Fault> {
        let mut events: Vec<Event> = self.pending.drain(..).chain(events).collect();
        loop {
            let at = self.host.timestamp();
            let entry =
                Entry { run: note.run, iteration: note.iteration, checks: note.checks, events: &events };
            let fault = match self.store.journal(&at, entry).await {
                Ok(places) => {
                    self.failing = false;
                    tell(observer, &at, &events, &places);
                    return Ok(());
                }
                Err(error) => Fault::from(error),
            };
            if matches!(fault.code, ErrorCode::StoreGone | ErrorCode::StoreRefused | ErrorCode::StoreCorrupt)
            {
                return Err(fault);
            }
            if !self.failing {
                self.warn(observer, &at, &fault);
            }
            self.failing = true;
            if !self.hold {
                tell(observer, &at, &events, &[]);
                events.truncate(PENDING);
                self.pending = events;
                return Ok(());
            }
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                () = self.stop.wait(Urgency::Gentle) => return Err(fault),
            }
        }
    }

    fn warn(&self, observer: &mut dyn Observer, at: &str, fault: &Fault) {
        let next = if self.hold { "the run holds until it can" } else { "the run goes on without it" };
        let message = format!("the state cannot be written, {next}: {}", fault.message);
        let warning = Event::RunWarning { run: self.run, iteration: None, message };
        tell(observer, at, &[warning], &[]);
    }
}

fn tell(observer: &mut dyn Observer, at: &str, events: &[Event], places: &[EventSeq]) {
    for (index, event) in events.iter().enumerate() {
        let seq = places.get(index).copied().unwrap_or_default();
        observer.event(&EventEnvelope { v: EVENT_VERSION, seq, at: at.to_owned(), event: event.clone() });
    }
}
