//! `loopwright watch`: follows a run that works in another process.

use std::process::ExitCode;

use loopwright_domain::{Event, EventEnvelope, EventSeq, Fault};
use loopwright_engine::Project;
use loopwright_engine::run::{Observer, RunUpdate, StopHandle, Urgency};

use super::exit_code;
use super::printer::Printer;
use crate::args::WatchArgs;
use crate::context::Context;
use crate::output::{self, say};
use crate::signals;

const PAGE: u32 = 500;

/// Follows the last run until it ends, or until nobody works on it any more.
/// Ends with the exit code of the run.
pub(in crate::commands) fn watch(context: &Context, args: &WatchArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let run = context.wait(project.runs().find(None))?;
    if project.runs().live().is_none() {
        if let Some(view) = context.wait(project.runs().view(None))? {
            if context.json {
                return output::json(&view);
            }
            say!("Nothing is going on. The last run is {}: {}.", view.status, output::plain(&view.title));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut printer = Printer::new(context.json, false, args.stream);
    printer.watch();
    printer.follow(&run);
    printer.set_root(&project.layout().root);
    let stop = StopHandle::new();
    let over = context.wait(async {
        signals::watch(stop.clone(), None);
        follow(&project, &mut printer, &stop).await
    })?;
    printer.close();
    if !over {
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::from(exit_code(&context.wait(project.runs().find(Some(run.id)))?)))
}

/// Tells what happens until nobody works on the run any more. False when whoever watches had enough before.
async fn follow(project: &Project, printer: &mut Printer, stop: &StopHandle) -> Result<bool, Fault> {
    let mut follower = project.events().follow(start_of_run(project).await?);
    loop {
        let updates = tokio::select! {
            updates = follower.next() => updates?,
            () = stop.wait(Urgency::Gentle) => return Ok(false),
        };
        for update in updates {
            match update {
                RunUpdate::State { state: Some(state) } => printer.state(&state),
                RunUpdate::State { state: None } => {}
                RunUpdate::Output { iteration, first, entries, finished, .. } => {
                    printer.entries(iteration, first, &entries, finished);
                }
                RunUpdate::Events { events } => {
                    if events.iter().any(|envelope| printer.needs_name(&envelope.event)) {
                        printer.name_tasks(project.tasks().list().await?);
                    }
                    events.iter().for_each(|event| printer.event(event));
                }
            }
        }
        if follower.live().is_none() && follower.is_up_to_date() {
            return Ok(true);
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
