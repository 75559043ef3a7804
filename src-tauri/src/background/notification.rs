//! What is worth telling a person who looks elsewhere, and in which words.

use loopwright_domain::sanitize::is_unsafe;
use loopwright_domain::{ExitReason, IterationId, RunStatus, WaitReason};
use loopwright_engine::run::RunState;

use super::app_control::awaits_approval;

const LONGEST_TITLE: usize = 100;
const LONGEST_BODY: usize = 300;

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// Good to know.
    Normal,
    /// The run stands still until the person does something.
    Critical,
}

/// A message for a person. Plain text without control characters: whoever shows it escapes what its medium needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Which project, and what happened.
    pub title: String,
    /// Which run, and what to know about it.
    pub body: String,
    /// How much it matters.
    pub urgency: Urgency,
}

/// What was known about a project's newest run before.
#[derive(Clone, Copy, Debug)]
pub enum Before<'a> {
    /// Nothing: this is the first look.
    NotLooked,
    /// There was no run.
    NoRun,
    /// This.
    Run(&'a RunState),
}

/// What became of a run that a person may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Ended,
    AtLimit,
    Failed,
    Vanished,
    NeedsPerson,
    NeedsRoom,
}

/// What to tell about a project's run, if anything. Each turn of a run is told once, and only to a person who does
/// not look (`focused`) and wants it (`enabled`); what had happened before the first look is never told.
#[must_use]
pub fn notice(
    project: &str,
    before: Before<'_>,
    now: &RunState,
    focused: bool,
    enabled: bool,
) -> Option<Notification> {
    let turn = turn(now)?;
    let known = match before {
        Before::NotLooked => true,
        Before::NoRun => false,
        // A later run may have been deleted: what is newest then is old.
        Before::Run(earlier) if earlier.run.id > now.run.id => true,
        Before::Run(earlier) => {
            earlier.run.id == now.run.id
                && self::turn(earlier) == Some(turn)
                && asked_about(earlier) == asked_about(now)
        }
    };
    if known || focused || !enabled { None } else { words(project, turn, now) }
}

/// The turn a run has taken; none while it works, and none for what a person did to it.
fn turn(state: &RunState) -> Option<Turn> {
    match state.run.status {
        RunStatus::Completed if at_limit(state) => Some(Turn::AtLimit),
        RunStatus::Completed => Some(Turn::Ended),
        RunStatus::Aborted => Some(match state.run.reason {
            Some(reason) if reason.is_limit() => Turn::AtLimit,
            Some(ExitReason::Blocked | ExitReason::NeedsPerson) => Turn::NeedsPerson,
            _ => Turn::Failed,
        }),
        RunStatus::Interrupted => match state.run.reason {
            Some(ExitReason::Error) => Some(Turn::Failed),
            Some(ExitReason::AgentLimit) => Some(Turn::AtLimit),
            None => Some(Turn::Vanished),
            Some(_) => None,
        },
        RunStatus::Paused if state.run.reason == Some(ExitReason::NeedsPerson) => Some(Turn::NeedsPerson),
        RunStatus::Waiting => match state.run.waiting {
            Some(WaitReason::Approval | WaitReason::Environment | WaitReason::Baseline) => {
                Some(Turn::NeedsPerson)
            }
            Some(WaitReason::Disk) => Some(Turn::NeedsRoom),
            Some(WaitReason::Limit) | None => None,
        },
        RunStatus::Paused | RunStatus::Running | RunStatus::Cancelled => None,
    }
}

/// The iteration whose work a person is asked about: each one is told of, even when nobody saw what lay between.
fn asked_about(state: &RunState) -> Option<IterationId> {
    awaits_approval(state).then(|| state.current.as_ref().map(|iteration| iteration.id)).flatten()
}

/// Whether a run with a goal used up its iterations without reaching it.
fn at_limit(state: &RunState) -> bool {
    state.run.goal && state.run.reason == Some(ExitReason::MaxIterations)
}

fn words(project: &str, turn: Turn, state: &RunState) -> Option<Notification> {
    let ending = state.ending.as_ref()?;
    Some(Notification {
        title: shortened(&format!("{}: {}", plain(project), plain(&ending.headline)), LONGEST_TITLE),
        body: shortened(
            &format!("{}\n{}", plain(&state.run.title), plain(&ending.explanation)),
            LONGEST_BODY,
        ),
        urgency: match turn {
            Turn::NeedsPerson | Turn::NeedsRoom => Urgency::Critical,
            Turn::Ended | Turn::AtLimit | Turn::Failed | Turn::Vanished => Urgency::Normal,
        },
    })
}

/// Text on one line, without characters that control a terminal or turn the direction of what follows, and without
/// addresses that a desktop would make links of: words of an agent must not be clickable.
pub(super) fn plain(text: &str) -> String {
    let shown = |c: char| match c {
        c if c.is_whitespace() || c.is_control() => Some(' '),
        c if is_unsafe(c) => None,
        c => Some(c),
    };
    let clean: String = text.chars().filter_map(shown).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ").replace("://", ":\u{2060}//")
}

fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

#[cfg(test)]
#[path = "notification_tests.rs"]
mod tests;
