//! What happened, in words for people.

use std::time::Duration;

pub use loopwright_domain::figures::{cost, elapsed, grouped, money};
use loopwright_domain::{
    Automation, CheckResult, Claim, EndCause, ExitReason, FailureCause, Fault, Iteration, Run,
};

/// What an iteration says that was stopped from outside.
pub const STOPPED: &str = "stopped before it was finished";

/// What is said of a check that failed before the run as well.
pub const RED_BEFORE: &str = "red before this run";

/// Milliseconds as a whole number.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The beginning of a text, whole characters only.
pub(crate) fn preview(text: &str, length: usize) -> String {
    text.trim().chars().take(length).collect()
}

/// A fault in one sentence or two.
pub(crate) fn fault(fault: &Fault) -> String {
    fault.told()
}

/// That the agent put its claim where it does not count; none when it did not.
pub(crate) fn misplaced(iteration: &Iteration) -> Option<String> {
    let line = iteration.claim_text.as_deref().filter(|_| iteration.claim == Claim::Misplaced)?;
    Some(format!(
        "the agent said that it is done, but not alone on the last line of its last message, so it does not count: \
         \"{line}\""
    ))
}

/// Why an iteration failed, in words; none when it did not.
pub(crate) fn iteration(
    iteration: &Iteration,
    cause: Option<FailureCause>,
    results: &[CheckResult],
    told: Option<String>,
) -> Option<String> {
    let exit = match (iteration.exit_code, iteration.exit_signal) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit code".to_owned(),
    };
    let said = iteration.claim_text.as_deref().unwrap_or_default();
    let text = match cause? {
        FailureCause::NotStarted => format!("the agent could not be started: {}", told.unwrap_or_default()),
        FailureCause::AgentExit => match told.unwrap_or_default().as_str() {
            "" => format!("the agent failed ({exit})"),
            said => format!("the agent failed ({exit}): {said}"),
        },
        FailureCause::WallTimeout => {
            format!("the agent took too long and was stopped after {}", elapsed(iteration.agent_ms))
        }
        FailureCause::IdleTimeout => "the agent was silent for too long and was stopped".to_owned(),
        FailureCause::StartTimeout => "the agent never said anything and was stopped".to_owned(),
        FailureCause::AgentError => format!("the agent reported an error: {}", told.unwrap_or_default()),
        FailureCause::Reported => format!("the agent reported a failure: {said}"),
        FailureCause::Blocked => format!("the agent needs a person: {said}"),
        FailureCause::Checks => format!("checks failed: {}", failed_names(results)),
        FailureCause::NotImproved => format!("no fewer checks fail than before: {}", failed_names(results)),
        FailureCause::Commit => format!("the commit could not be made: {}", told.unwrap_or_default()),
        FailureCause::NoSignal => misplaced(iteration)
            .unwrap_or_else(|| "the agent ended without saying that the task is done".to_owned()),
        FailureCause::NothingChanged => match told.unwrap_or_default().as_str() {
            "" => "the agent says that it is done, but no file changed and it names nothing that satisfies the work \
                   already"
                .to_owned(),
            wrong => format!(
                "the agent says that it is done, but no file changed and what it names is not so: {wrong}"
            ),
        },
        FailureCause::PlanChangedFiles => "the agent changed files instead of planning only".to_owned(),
        FailureCause::Rejected => format!("rejected: {}", told.unwrap_or_default()),
        FailureCause::Skipped => format!("put aside: {}", told.unwrap_or_default()),
        FailureCause::Denied => {
            let tools = iteration.agent.denied.join(", ");
            format!(
                "the agent was not allowed to use {tools} and changed nothing. {}",
                told.unwrap_or_default()
            )
        }
        FailureCause::Limit => {
            format!("the agent's account is used up for now: {}", told.unwrap_or_default())
        }
        FailureCause::Overload => format!("the model's service did not answer: {}", told.unwrap_or_default()),
    };
    Some(text)
}

/// What would allow an agent what it was denied in this mode.
pub(crate) fn denial(automation: Automation) -> String {
    match automation {
        Automation::Yolo => "Its own settings forbid it: allow it there.".to_owned(),
        _ => "Set loop.automation = \"yolo\" (or start with --automation yolo), or allow it in the agent's own \
              settings."
            .to_owned(),
    }
}

fn failed_names(results: &[CheckResult]) -> String {
    let names: Vec<String> =
        results.iter().filter(|result| result.required && result.failed()).map(named).collect();
    names.join(", ")
}

/// A check's name, with a word where it failed before the run as well.
fn named(result: &CheckResult) -> String {
    match result.red_before {
        Some(true) => format!("{} ({RED_BEFORE})", result.name),
        _ => result.name.clone(),
    }
}

/// What ended or stopped a run, in words.
#[must_use]
pub fn ending(run: &Run, reason: ExitReason) -> String {
    let progress = &run.progress;
    let limits = &run.limits;
    match reason {
        ExitReason::Promise => "the agent gave its completion promise".to_owned(),
        ExitReason::ProcessSuccess => "the agent ended well".to_owned(),
        ExitReason::ChecksPass => "all required checks pass".to_owned(),
        ExitReason::ExitSignal => "the agent signalled that it is done".to_owned(),
        ExitReason::Finished => "all work is done".to_owned(),
        ExitReason::MaxIterations => format!("reached max iterations: {}", limits.max_iterations),
        ExitReason::FailureThreshold => {
            format!("aborting after {} consecutive failures", progress.consecutive_failures)
        }
        ExitReason::Time => format!("the time limit of {} is used up", time_limit(run)),
        ExitReason::Money => {
            format!("the cost limit of {} is used up", money(limits.max_cost_micros.unwrap_or(0)))
        }
        ExitReason::Tokens => {
            format!("the limit of {} tokens is used up", grouped(limits.max_tokens.unwrap_or(0)))
        }
        ExitReason::NoProgress => {
            format!("no progress: files and failures stayed the same {} times", progress.unchanged)
        }
        ExitReason::Blocked => "the agent needs a person to go on".to_owned(),
        ExitReason::NeedsPerson => "waiting for a person to start the next iteration".to_owned(),
        ExitReason::Cancelled => "cancelled".to_owned(),
        ExitReason::Interrupted => "interrupted; everything is saved".to_owned(),
        ExitReason::WorkspaceDamaged => {
            "the repository or the state was deleted while the run worked".to_owned()
        }
        ExitReason::AgentLimit => "the agent's account is used up for now".to_owned(),
        ExitReason::Environment => "something outside of the work has to be put right".to_owned(),
        ExitReason::RedBefore => "a task is blocked by a failure that was there before the run".to_owned(),
        ExitReason::BaselineRefused => "a required check failed before the first agent".to_owned(),
        ExitReason::Error => "something went wrong".to_owned(),
    }
}

/// That a cap of the run is nearly used up.
pub(crate) fn near(run: &Run, cap: ExitReason) -> String {
    let (progress, limits) = (&run.progress, &run.limits);
    let used = match cap {
        ExitReason::Time => format!("{} of {}", elapsed(progress.worked_ms), time_limit(run)),
        ExitReason::Money => {
            let used = cost(&progress.usage).unwrap_or_default();
            format!("{used} of {}", money(limits.max_cost_micros.unwrap_or(0)))
        }
        ExitReason::Tokens => {
            let limit = grouped(limits.max_tokens.unwrap_or(0));
            format!("{} of {limit} tokens", grouped(progress.usage.tokens()))
        }
        _ => format!("{} of {} iterations", progress.iteration, limits.max_iterations),
    };
    format!("{used} are used; at the limit the run stops")
}

/// That the cap on money does not hold for a model that has no price, or that nobody names.
pub(crate) fn unpriced(run: &Run, model: Option<&str>) -> String {
    let cap = money(run.limits.max_cost_micros.unwrap_or(0));
    let (which, what_to_do) = match model {
        Some(model) => (format!("its model {model}"), format!("Give its price in [prices.\"{model}\"]")),
        None => {
            ("its model".to_owned(), "Name the model, and give its price in [prices.\"model\"]".to_owned())
        }
    };
    format!(
        "{} does not tell what it costs, and {which} has no price: {cap} at most does not hold for it. {what_to_do}",
        run.harness
    )
}

fn time_limit(run: &Run) -> String {
    elapsed(run.limits.max_runtime_ms.unwrap_or(0))
}

/// How the agent came to its end, in words.
#[must_use]
pub const fn end_words(end: EndCause) -> &'static str {
    match end {
        EndCause::Exited => "ended",
        EndCause::WallTimeout => "took too long",
        EndCause::IdleTimeout => "was silent for too long",
        EndCause::StartTimeout => "never began",
        EndCause::Interrupted => "was stopped",
        EndCause::Killed => "was stopped at once",
    }
}

/// Mean, shortest and longest of some times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename = "IterationTimes")]
pub struct Times {
    /// How many.
    pub count: u32,
    /// The mean, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub mean_ms: u64,
    /// The shortest, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub min_ms: u64,
    /// The longest, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub max_ms: u64,
    /// All together, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub total_ms: u64,
}

/// Sums up how long iterations took; none when there is none.
#[must_use]
pub fn times(elapsed_ms: impl IntoIterator<Item = u64>) -> Option<Times> {
    let mut times: Option<Times> = None;
    for ms in elapsed_ms {
        let sum = times.get_or_insert(Times { count: 0, mean_ms: 0, min_ms: ms, max_ms: ms, total_ms: 0 });
        sum.count = sum.count.saturating_add(1);
        sum.total_ms = sum.total_ms.saturating_add(ms);
        sum.min_ms = sum.min_ms.min(ms);
        sum.max_ms = sum.max_ms.max(ms);
        sum.mean_ms = sum.total_ms / u64::from(sum.count);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_never_cuts_a_character() {
        assert_eq!(preview("  äöü€ ", 3), "äöü");
    }

    #[test]
    fn sums_are_those_of_rooda() {
        let sum = times([45_200, 38_700, 52_100]).unwrap();
        assert_eq!((sum.count, sum.min_ms, sum.max_ms, sum.total_ms), (3, 38_700, 52_100, 136_000));
        assert_eq!(sum.mean_ms, 45_333);
        assert_eq!(times([]), None);
    }
}
