//! `loopwright watch`: follows a run that works in another process.

use std::process::ExitCode;

use loopwright_domain::{Event, EventEnvelope, EventSeq, Fault, IterationId};
use loopwright_engine::Project;
use loopwright_engine::output::{Entry, EntryKind};
use loopwright_engine::run::{Observer, RunUpdate, StopHandle, Urgency};

use super::printer::Printer;
use crate::context::Context;
use crate::output::{self, say};
use crate::signals;

const PAGE: u32 = 500;

/// Follows the last run until it ends, or until nobody works on it any more.
pub(in crate::commands) fn watch(context: &Context) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let run = context.wait(project.runs().find(None))?;
    let mut printer = Printer::new(context.json, false);
    printer.follow(&run);
    if project.runs().live().is_none() {
        if let Some(view) = context.wait(project.runs().view(None))? {
            if context.json {
                return output::json(&view);
            }
            say!("Nothing is going on. The last run is {}: {}.", view.status, output::plain(&view.title));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let stop = StopHandle::new();
    context.wait(async {
        signals::watch(stop.clone(), None);
        follow(&project, &mut printer, &stop).await
    })
}

async fn follow(project: &Project, printer: &mut Printer, stop: &StopHandle) -> Result<ExitCode, Fault> {
    let mut follower = project.events().follow(start_of_run(project).await?);
    let mut told = None;
    loop {
        let updates = tokio::select! {
            updates = follower.next() => updates?,
            () = stop.wait(Urgency::Gentle) => return Ok(ExitCode::SUCCESS),
        };
        for update in updates {
            if let RunUpdate::Output { iteration, entries, .. } = &update {
                tell_waits(printer, *iteration, entries, &mut told);
            }
            let RunUpdate::Events { events } = update else { continue };
            if events.iter().any(|envelope| printer.needs_name(&envelope.event)) {
                printer.name_tasks(project.tasks().list().await?);
            }
            events.iter().for_each(|event| printer.event(event));
        }
        if follower.live().is_none() && follower.is_up_to_date() {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Tells of an agent's own retries and limits, each once. `told` is the last entry that was looked at.
fn tell_waits(
    printer: &Printer,
    iteration: IterationId,
    entries: &[Entry],
    told: &mut Option<(IterationId, u32)>,
) {
    for entry in entries {
        let known = told.is_some_and(|(of, last)| of == iteration && entry.n <= last);
        let name = entry.name.as_deref().filter(|name| matches!(*name, "retry" | "limit") && !known);
        if let (Some(name), EntryKind::Error | EntryKind::Note) = (name, entry.kind) {
            printer.agent_waits(name, &entry.text);
        }
        if !known {
            *told = Some((iteration, entry.n));
        }
    }
}

/// The place just before the last run began, so that all of it is shown.
async fn start_of_run(project: &Project) -> Result<EventSeq, Fault> {
    let recent = project.events().recent(PAGE).await?;
    let begins = |envelope: &&EventEnvelope| matches!(envelope.event, Event::RunStarted { .. });
    Ok(match recent.iter().find(begins) {
        Some(envelope) => EventSeq(envelope.seq.0.saturating_sub(1)),
        None => recent.last().map_or(EventSeq(0), |oldest| oldest.seq),
    })
}
