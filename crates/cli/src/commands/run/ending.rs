//! What to do next about a run that ended or stopped, with the commands for it.

use loopwright_domain::{ExitReason, NextAction, NextStep, RunKind, RunStatus};
use loopwright_engine::run::{BY_HAND, RunView};

use crate::next_step;
use crate::output::{QUIET, plain, say, styled};

/// One line for each step that can be taken, the best first.
pub(super) fn show_next(view: &RunView) {
    let next = |word: &str, text: &str, command: &str| {
        say!("  {} {text} ({command})", styled(QUIET, word));
    };
    if view.status == RunStatus::Waiting && view.exit_reason == Some(ExitReason::NeedsPerson) {
        next("Next:", "Look at it", "loopwright gate show");
        return next(" then:", "Decide", "loopwright approve, or loopwright reject --reason \"WHY\"");
    }
    if view.status == RunStatus::Paused && view.harness == BY_HAND {
        next("Next:", "Finish your work", "loopwright finish");
        return next("  or:", "Give it up", "loopwright finish --give-up");
    }
    let steps = view.ending.iter().flat_map(|ending| &ending.steps);
    for (index, step) in steps.enumerate() {
        let word = if index == 0 { "Next:" } else { "  or:" };
        let command = command(step, view).map(|command| format!(" ({command})")).unwrap_or_default();
        say!("  {} {}{}", styled(QUIET, word), plain(&step.text), plain(&command));
    }
}

/// The command or option that does a step; none where it is not done in a terminal. The run fills in what the step
/// leaves open.
fn command(step: &NextStep, view: &RunView) -> Option<String> {
    let own = |rest: &str| Some(format!("loopwright {rest}"));
    match step.action {
        NextAction::StartAgain => match (&view.procedure_name, view.kind) {
            (Some(procedure), _) => own(&format!("loop --procedure {procedure}")),
            (None, RunKind::Fix) => own("fix"),
            (None, RunKind::Run) => own("run"),
            (None, RunKind::Loop) => None,
        },
        NextAction::RaiseLimit => {
            next_step::command(&NextStep::new(step.action, "").about(view.exit_reason?.as_str()))
        }
        NextAction::ReadIteration | NextAction::ReadChecks => {
            let last = view.iteration_summaries.last()?;
            own(&format!("show {}", last.iteration))
        }
        _ => next_step::command(step),
    }
}
