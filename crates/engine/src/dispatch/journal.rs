//! Writing a run down: intent before effect, effect before outcome, and what to do when that fails.

use std::time::Duration;

use loopwright_config::Host;
use loopwright_domain::event::EVENT_VERSION;
use loopwright_domain::{
    CheckResult, ErrorCode, Event, EventEnvelope, EventSeq, Fault, Iteration, Run, RunId,
};
use loopwright_store::{Entry, NewGate, Store};

use crate::observer::Observer;
use crate::stop::{StopHandle, Urgency};

/// How long to wait before trying again when a run holds.
const RETRY: Duration = Duration::from_secs(2);
/// Events of an entry that are kept for when writing works again; more than any iteration has.
const PENDING: usize = 10_000;

/// Writes a run down. What could not be written is written, in its order, before the next entry that can.
pub(crate) struct Journal<'a> {
    store: &'a Store,
    host: &'a Host,
    run: RunId,
    hold: bool,
    stop: StopHandle,
    pending: Vec<UnwrittenEntry>,
    failing: bool,
}

/// An entry that could not be written yet.
#[derive(Default)]
struct UnwrittenEntry {
    run: Option<Run>,
    iteration: Option<Iteration>,
    checks: Vec<CheckResult>,
    events: Vec<Event>,
}

impl UnwrittenEntry {
    /// Whether something about this iteration, or about none, can be taken in: an entry has one iteration at most.
    fn fits(&self, iteration: Option<&Iteration>) -> bool {
        self.iteration.as_ref().zip(iteration).is_none_or(|(own, other)| own.id == other.id)
    }

    fn take(&mut self, note: JournalNote<'_>, events: Vec<Event>) {
        self.run = note.run.cloned().or(self.run.take());
        self.iteration = note.iteration.cloned().or(self.iteration.take());
        if !note.checks.is_empty() {
            self.checks = note.checks.to_vec();
        }
        self.events.extend(events);
        self.events.truncate(PENDING);
    }

    fn entry(&self) -> Entry<'_> {
        let Self { run, iteration, checks, events } = self;
        Entry { run: run.as_ref(), iteration: iteration.as_ref(), checks, events }
    }
}

/// What is written at once.
#[derive(Clone, Copy, Default)]
pub(crate) struct JournalNote<'a> {
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
        note: JournalNote<'_>,
        events: Vec<Event>,
    ) -> Result<(), Fault> {
        loop {
            let at = self.host.timestamp();
            let entry =
                Entry { run: note.run, iteration: note.iteration, checks: note.checks, events: &events };
            let fault = match self.write_in_order(&at, entry).await {
                Ok(written) => {
                    self.failing = false;
                    tell(observer, &at, written);
                    return Ok(());
                }
                Err(fault) => fault,
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
                tell(observer, &at, unwritten(&events));
                self.keep(note, events);
                return Ok(());
            }
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                () = self.stop.wait(Urgency::Gentle) => return Err(fault),
            }
        }
    }

    /// Tells the observer of something that cannot be written any more.
    pub(crate) fn tell_only(&self, observer: &mut dyn Observer, event: Event) {
        tell(observer, &self.host.timestamp(), unwritten(&[event]));
    }

    /// Writes what is still unwritten, and then an entry.
    async fn write_in_order(&mut self, at: &str, entry: Entry<'_>) -> Result<Vec<(EventSeq, Event)>, Fault> {
        self.write_pending(at).await?;
        Ok(self.store.journal(at, entry).await?)
    }

    async fn write_pending(&mut self, at: &str) -> Result<(), Fault> {
        while let Some(first) = self.pending.first() {
            self.store.journal(at, first.entry()).await?;
            self.pending.remove(0);
        }
        Ok(())
    }

    /// Opens a gate together with an entry, and tells the observer. A gate that cannot be written is none.
    ///
    /// # Errors
    /// The state cannot be written.
    pub(crate) async fn open_gate(
        &mut self,
        observer: &mut dyn Observer,
        gate: NewGate<'_>,
        entry: Entry<'_>,
    ) -> Result<(), Fault> {
        let at = self.host.timestamp();
        self.write_pending(&at).await?;
        let opened = self.store.open_gate(&at, gate, entry).await?;
        tell(observer, &at, opened.events);
        Ok(())
    }

    fn keep(&mut self, note: JournalNote<'_>, events: Vec<Event>) {
        if !self.pending.last().is_some_and(|last| last.fits(note.iteration)) {
            self.pending.push(UnwrittenEntry::default());
        }
        if let Some(last) = self.pending.last_mut() {
            last.take(note, events);
        }
    }

    fn warn(&self, observer: &mut dyn Observer, at: &str, fault: &Fault) {
        let next = if self.hold { "the run holds until it can" } else { "the run goes on without it" };
        let message = format!("the state cannot be written, {next}: {}", fault.message);
        let warning = Event::RunWarning { run: self.run, iteration: None, message };
        tell(observer, at, unwritten(&[warning]));
    }
}

fn tell(observer: &mut dyn Observer, at: &str, events: Vec<(EventSeq, Event)>) {
    for (seq, event) in events {
        observer.event(&EventEnvelope { v: EVENT_VERSION, seq, at: at.to_owned(), event });
    }
}

/// Events that have no place in history.
fn unwritten(events: &[Event]) -> Vec<(EventSeq, Event)> {
    events.iter().map(|event| (EventSeq::default(), event.clone())).collect()
}
