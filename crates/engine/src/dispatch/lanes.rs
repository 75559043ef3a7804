//! The lanes of a run: in each one attempt works. How many there are is up to the dispatcher.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use loopwright_domain::{Iteration, Task, Usage};
use tracing::Span;

use crate::attempt::link::{AttemptMailbox, AttemptMessage, StopOrder};
use crate::attempt::phases::{EndedResult, WorkFuture};
use crate::prompt::task::Planning;

/// What the dispatcher knows of an attempt that works.
#[derive(Default)]
pub(crate) struct AttemptRecord {
    /// The iteration as it was last written down.
    pub(crate) iteration: Option<Iteration>,
    /// What its agent has used so far.
    pub(crate) used: Usage,
}

/// The task of an attempt, and how far it is planned; none in a run without tasks.
#[derive(Clone, Debug, Default)]
pub(crate) struct CurrentTask {
    pub(crate) task: Option<Task>,
    pub(crate) planning: Planning,
}

/// An attempt whose agent works.
pub(crate) struct Lane<'a> {
    pub(crate) number: u32,
    /// Never locked: the mutex lets threads share a dispatcher although its futures cannot be.
    pub(crate) work: Mutex<WorkFuture<'a, EndedResult>>,
    pub(crate) mailbox: AttemptMailbox,
    pub(crate) record: AttemptRecord,
    pub(crate) current: CurrentTask,
    pub(crate) span: Span,
    /// What it came to, until somebody concludes it.
    pub(crate) ended: Option<EndedResult>,
}

/// An attempt whose agent has ended, to be concluded.
pub(crate) struct EndedLane {
    pub(crate) ended: EndedResult,
    pub(crate) current: CurrentTask,
    pub(crate) span: Span,
}

/// What happens in lanes.
pub(crate) enum LaneActivity {
    /// The attempt in this place tells something.
    Message(usize, AttemptMessage),
    /// An agent has ended.
    Ended,
}

/// The attempts that work now.
pub(crate) struct Lanes<'a> {
    count: usize,
    busy: Vec<Lane<'a>>,
    /// Where to look first, so that none that talks much keeps the others from being heard.
    turn: usize,
    /// How often each iteration was tried.
    tries: BTreeMap<u32, u32>,
}

impl<'a> Lanes<'a> {
    /// As many lanes as may work at once.
    pub(crate) fn new(count: usize) -> Self {
        Self { count: count.max(1), busy: Vec::new(), turn: 0, tries: BTreeMap::new() }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.busy.is_empty()
    }

    pub(crate) fn has_room(&self) -> bool {
        self.busy.len() < self.count
    }

    pub(crate) fn busy(&self) -> u32 {
        u32::try_from(self.busy.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn begin(&mut self, lane: Lane<'a>) {
        self.busy.push(lane);
    }

    /// The number of the next iteration, which is at least this one, and which try at it is next.
    pub(crate) fn next_number(&mut self, at_least: u32, last: Option<&Iteration>) -> (u32, u32) {
        let taken = self.busy.iter().map(|lane| lane.number.saturating_add(1)).max().unwrap_or(0);
        let number = taken.max(at_least);
        let last = last.filter(|last| last.number == number).map_or(0, |last| last.attempt);
        let tries = self.tries.entry(number).or_default();
        *tries = (*tries).max(last).saturating_add(1);
        (number, *tries)
    }

    /// Tells all attempts to stop. A cap is no reason for those that are to stop anyway.
    pub(crate) fn stop(&self, order: StopOrder) {
        for lane in &self.busy {
            let spares = matches!(order, StopOrder::Cap(_)) && lane.mailbox.stop.borrow().is_some();
            if !spares {
                lane.mailbox.stop.send_replace(Some(order));
            }
        }
    }

    /// What all attempts have used so far.
    pub(crate) fn used(&self) -> Usage {
        self.busy.iter().fold(Usage::default(), |sum, lane| sum.plus(&lane.record.used))
    }

    /// The record of the attempt in a place.
    pub(crate) fn record(&mut self, place: usize) -> Option<&mut AttemptRecord> {
        self.busy.get_mut(place).map(|lane| &mut lane.record)
    }

    /// An attempt whose agent has ended and that has told all it had to tell.
    pub(crate) fn take_ended(&mut self) -> Option<EndedLane> {
        let place =
            self.busy.iter().position(|lane| lane.ended.is_some() && lane.mailbox.messages.is_empty())?;
        let Lane { ended, current, span, .. } = self.busy.remove(place);
        ended.map(|ended| EndedLane { ended, current, span })
    }

    /// Lets all attempts work until something happens; never ends when nobody works. Can be dropped and called again.
    pub(crate) async fn next_activity(&mut self) -> LaneActivity {
        poll_fn(|context| self.poll(context)).await
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<LaneActivity> {
        let count = self.busy.len();
        for place in (0..count).map(|step| (self.turn + step) % count) {
            let Some(lane) = self.busy.get_mut(place) else { continue };
            // It is heard before it works on: what it tells must not pile up, and comes before its end.
            let mut message = lane.mailbox.messages.poll_recv(context);
            let mut ended = false;
            let work = lane.work.get_mut().unwrap_or_else(PoisonError::into_inner);
            if !matches!(message, Poll::Ready(Some(_)))
                && lane.ended.is_none()
                && let Poll::Ready(result) = work.as_mut().poll(context)
            {
                lane.ended = Some(result);
                ended = true;
            }
            if !matches!(message, Poll::Ready(Some(_))) {
                message = lane.mailbox.messages.poll_recv(context);
            }
            match message {
                Poll::Ready(Some(message)) => {
                    self.turn = place + 1;
                    return Poll::Ready(LaneActivity::Message(place, message));
                }
                Poll::Ready(None) | Poll::Pending if ended => return Poll::Ready(LaneActivity::Ended),
                Poll::Ready(None) | Poll::Pending => {}
            }
        }
        Poll::Pending
    }
}
