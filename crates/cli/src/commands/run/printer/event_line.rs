//! Events as programs read them, one line each: with the iteration, the task and the attempt they belong to.

use std::collections::HashMap;

use loopwright_domain::{Event, EventEnvelope, EventSeq, IterationId, TaskId};
use serde::Serialize;

/// The version of a line. It grows when a reader of an older one would misread.
const LINE_VERSION: u32 = 2;

/// What happened, as `--json` prints it while a run works.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(crate) struct EventLine {
    /// The version of this line.
    v: u32,
    /// The place in this project's history; ordering is by this, never by time.
    seq: EventSeq,
    /// When, as RFC 3339 in UTC.
    at: String,
    /// The iteration it belongs to, counted from 1; null for what belongs to none.
    iteration: Option<u32>,
    /// The task of that iteration, in a run over tasks.
    task: Option<TaskId>,
    /// Which attempt at that task it is; without a task, which try at the iteration. Counted from 1.
    attempt: Option<u32>,
    /// What happened.
    event: Event,
}

/// What an iteration is, for the lines about it.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Its number, counted from 1.
    number: u32,
    task: Option<TaskId>,
    attempt: u32,
}

/// Knows the iterations of a run by what was told of them.
#[derive(Debug, Default)]
pub(super) struct EventLines {
    places: HashMap<IterationId, Place>,
}

impl EventLines {
    /// Takes an event in without printing it.
    pub(super) fn learn(&mut self, event: &Event) {
        if let Event::IterationStarted { iteration, number, task, attempt, .. } = event {
            let place = Place { number: number.saturating_add(1), task: *task, attempt: *attempt };
            self.places.insert(*iteration, place);
        }
    }

    /// The line of an event.
    pub(super) fn line(&mut self, envelope: &EventEnvelope) -> EventLine {
        self.learn(&envelope.event);
        let place = envelope.event.iteration().and_then(|iteration| self.places.get(&iteration)).copied();
        EventLine {
            v: LINE_VERSION,
            seq: envelope.seq,
            at: envelope.at.clone(),
            iteration: place.map(|place| place.number),
            task: place.and_then(|place| place.task),
            attempt: place.map(|place| place.attempt),
            event: envelope.event.clone().counted_from_one(),
        }
    }
}

#[cfg(test)]
mod tests {
    use loopwright_domain::{Phase, RunId};

    use super::*;

    #[test]
    fn every_line_about_an_iteration_names_its_number_task_and_attempt() {
        let (run, iteration) = (RunId::from_parts(1, [0; 10]), IterationId::from_parts(2, [0; 10]));
        let mut lines = EventLines::default();
        let mut told = |event: Event| {
            let line = lines.line(&EventEnvelope { v: 1, seq: EventSeq(1), at: String::new(), event });
            (line.iteration, line.task, line.attempt)
        };
        let before = told(Event::RunWarning { run, iteration: None, message: String::new() });
        assert_eq!(before, (None, None, None));
        let (number, task, attempt) = (4, Some(TaskId(7)), 2);
        let started = told(Event::IterationStarted { run, iteration, number, task, attempt });
        assert_eq!(started, (Some(5), task, Some(2)));
        assert_eq!(told(Event::IterationPhase { iteration, phase: Phase::Running }), started);
    }

    #[test]
    fn numbers_in_events_are_counted_from_one() {
        let (run, iteration) = (RunId::from_parts(1, [0; 10]), IterationId::from_parts(2, [0; 10]));
        let event = Event::IterationStarted { run, iteration, number: 0, task: None, attempt: 1 };
        let envelope = EventEnvelope { v: 1, seq: EventSeq(1), at: String::new(), event };
        let line = serde_json::to_value(EventLines::default().line(&envelope)).unwrap();
        assert_eq!((&line["iteration"], &line["event"]["number"]), (&1.into(), &1.into()));
    }
}
