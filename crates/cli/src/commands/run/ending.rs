//! What to do next about a run that ended or stopped, with the commands for it.

use loopwright_domain::{ExitReason, NextAction, RunStatus};
use loopwright_engine::run::{BY_HAND, RunView};

use crate::output::{QUIET, plain, say, styled};

/// One line for each step that can be taken, the best first.
pub(super) fn show_next(view: &RunView) {
    let next = |word: &str, text: &str, command: &str| {
        say!("  {} {text} ({command})", styled(QUIET, word));
    };
    if view.status == RunStatus::Waiting && view.exit_reason == ExitReason::NeedsPerson.as_str() {
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
        let command = command(step.action, view).map(|command| format!(" ({command})")).unwrap_or_default();
        say!("  {} {}{}", styled(QUIET, word), plain(&step.text), plain(&command));
    }
}

/// The command or option that does a step; none where it is not done in a terminal.
fn command(action: NextAction, view: &RunView) -> Option<String> {
    let own = |rest: &str| Some(format!("loopwright {rest}"));
    match action {
        NextAction::Resume => own("resume"),
        NextAction::StartAgain => match (&view.procedure_name, view.kind.as_str()) {
            (Some(procedure), _) => own(&format!("loop --procedure {procedure}")),
            (None, "fix") => own("fix"),
            (None, "run") => own("run"),
            _ => None,
        },
        NextAction::RaiseLimit => limit_option(view).and_then(|option| own(&format!("resume {option}"))),
        NextAction::ReadIteration | NextAction::ReadChecks => {
            let last = view.iteration_summaries.last()?;
            own(&format!("show {}", last.iteration + 1))
        }
        NextAction::ReviewChanges => own("diff"),
        NextAction::Recover => own("recover"),
        NextAction::AgentSettings => own("doctor"),
        NextAction::FreeSpace => None,
    }
}

fn limit_option(view: &RunView) -> Option<&'static str> {
    match ExitReason::parse(&view.exit_reason)? {
        ExitReason::MaxIterations => Some("--max-iterations N"),
        ExitReason::Time => Some("--max-runtime TIME"),
        ExitReason::Money => Some("--max-cost USD"),
        ExitReason::Tokens => Some("--max-tokens N"),
        _ => None,
    }
}
