//! What ended or stopped a run, in plain words, and what a person can do next. The same for the terminal and the app.

use serde::{Deserialize, Serialize};

use crate::figures::{elapsed, grouped, money};
use crate::iteration::{FailureCause, Iteration};
use crate::limit::is_outage;
use crate::next_action::{NextAction, NextStep};
use crate::run::{ExitReason, Run, RunStatus, WaitReason};

/// What ended or stopped a run, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Ending {
    /// A few words.
    pub headline: String,
    /// One or two sentences.
    pub explanation: String,
    /// What to do next, the best first; none when there is nothing to do.
    pub steps: Vec<NextStep>,
}

/// What ended or stopped a run, and what to do next; none while it works. `status` is where the run stands seen from
/// now, `last` its last iteration. Only what can be done is offered: nothing is resumed that is over, and nothing is
/// read that was never written.
#[must_use]
pub fn ending(run: &Run, status: RunStatus, last: Option<&Iteration>) -> Option<Ending> {
    let look = Look { run, last };
    Some(match status {
        RunStatus::Running => return None,
        RunStatus::Waiting => look.waiting(),
        RunStatus::Paused => look.paused(),
        RunStatus::Interrupted => look.interrupted(),
        RunStatus::Cancelled => look.cancelled(),
        RunStatus::Completed | RunStatus::Aborted => look.over(),
    })
}

/// A run that does not work, and its last iteration.
#[derive(Clone, Copy)]
struct Look<'a> {
    run: &'a Run,
    last: Option<&'a Iteration>,
}

impl Look<'_> {
    fn waiting(self) -> Ending {
        let resume = offer(NextAction::Resume, "Try again now");
        match self.run.waiting {
            Some(WaitReason::Disk) => told(
                "Waiting for room on the disk",
                "The disk is nearly full, or the state cannot be written. The run goes on by itself when there is room.",
                [offer(NextAction::FreeSpace, "Free some space")],
            ),
            Some(WaitReason::Limit) => self.resting(),
            Some(WaitReason::Approval) => told(
                "Waiting for your decision",
                "The run goes on when you have decided.",
                [offer(NextAction::Resume, "Go on")],
            ),
            Some(WaitReason::Environment) => told(
                "Waiting for you to put something right",
                self.said("Something outside of the work stopped the run. The work is kept."),
                [offer(NextAction::Resume, "Go on when that is done")],
            ),
            Some(WaitReason::Baseline) => told(
                "Waiting: a check failed before this run too",
                self.said("A task is blocked by a failure that was there before the run."),
                [offer(NextAction::Resume, "Go on"), self.read()],
            ),
            None => told("Waiting", "The run goes on by itself.", [resume]),
        }
    }

    /// The agent that everything waits for.
    fn resting(self) -> Ending {
        let hold = self.run.holds.first();
        let agent = hold.map_or("the agent", |hold| hold.agent.as_str());
        let steps = [
            offer(NextAction::Resume, "Try again now"),
            offer(NextAction::AgentSettings, "Use another agent"),
        ];
        if hold.is_some_and(|hold| is_outage(hold.kind)) {
            let why = "The service of the agent's model is overloaded or does not answer. The run tries again by itself.";
            return told(format!("Waiting for {agent}'s service"), why, steps);
        }
        let why = "The agent's account has used what it is given for now. The run goes on by itself when that is lifted.";
        told(format!("Waiting for {agent}'s limit"), why, steps)
    }

    fn paused(self) -> Ending {
        match self.run.reason {
            Some(ExitReason::NeedsPerson) => told(
                "Your turn",
                self.said("The next iteration starts when you say so."),
                [offer(NextAction::Resume, "Go on"), self.review()],
            ),
            _ => told(
                "Paused",
                "Everything is saved. Nothing happens until you resume.",
                [offer(NextAction::Resume, "Resume"), self.review()],
            ),
        }
    }

    fn interrupted(self) -> Ending {
        let resume = offer(NextAction::Resume, "Resume where it stopped");
        let settings = || offer(NextAction::AgentSettings, "Look at the agent's settings");
        let unable = self.run.holds.first().filter(|hold| hold.until.is_none());
        match self.run.reason {
            Some(ExitReason::AgentLimit) => told(
                "Stopped at the agent's limit",
                self.said("The agent's account has used what it is given for now."),
                [offer(NextAction::Resume, "Resume when it is lifted"), settings()],
            ),
            Some(ExitReason::Error) if unable.is_some() => told(
                unable.map_or("The agent cannot work".to_owned(), |hold| {
                    format!("The agent {} cannot work", hold.agent)
                }),
                self.said("Its account needs you. Everything until then is saved."),
                [offer(NextAction::Resume, "Resume when that is done"), settings()],
            ),
            Some(ExitReason::Error) => told(
                "Something went wrong",
                self.said("The run could not go on. Everything until then is saved."),
                [resume, self.read()],
            ),
            _ => told(
                "Interrupted",
                "The run was stopped before its end. Everything is saved.",
                [resume, self.review()],
            ),
        }
    }

    fn cancelled(self) -> Ending {
        told(
            "Cancelled",
            "The run was ended for good. What it changed is still there.",
            [self.review(), offer(NextAction::StartAgain, "Start it again")],
        )
    }

    fn over(self) -> Ending {
        let again = offer(NextAction::StartAgain, "Start it again");
        match self.run.reason {
            Some(ExitReason::Promise) => {
                self.done("The agent says it is done", "It gave its completion promise, and no required check objects.")
            }
            Some(ExitReason::ExitSignal) => {
                self.done("The agent says it is done", "It signalled that it is done, and no required check objects.")
            }
            Some(ExitReason::ProcessSuccess) => {
                self.done("Done", "The agent ended well, and no promise was asked of it.")
            }
            Some(ExitReason::ChecksPass) => self.done("All required checks pass", "There is nothing left to mend."),
            Some(ExitReason::Finished) => self.done("All work is done", "There is nothing left to do."),
            Some(ExitReason::MaxIterations) => self.used_iterations(),
            Some(ExitReason::FailureThreshold) => self.failed(),
            Some(ExitReason::Time | ExitReason::Money | ExitReason::Tokens) => self.used_up(),
            Some(ExitReason::NoProgress) => told(
                "Stopped: nothing changes any more",
                format!(
                    "Files and failures stayed the same in the last {} iterations.",
                    self.run.progress.unchanged.max(1)
                ),
                [self.read(), self.checks(), again],
            ),
            Some(ExitReason::Blocked) => told(
                "The agent needs your help",
                self.blocked(),
                [self.read(), offer(NextAction::StartAgain, "Help, then start it again")],
            ),
            Some(ExitReason::BaselineRefused) => told(
                "Not started: checks fail already",
                self.said("A required check failed before the first agent."),
                [again],
            ),
            Some(ExitReason::WorkspaceDamaged) => told(
                "The repository or the state was damaged",
                self.said("It was deleted or changed from outside while the run worked. There is a copy of the history."),
                [offer(NextAction::Recover, "Bring it back")],
            ),
            Some(ExitReason::Cancelled) => self.cancelled(),
            _ => told("The run is over", self.said("What it changed is still there."), [self.review(), again]),
        }
    }

    fn done(self, headline: &str, explanation: &str) -> Ending {
        told(headline, explanation, [self.review()])
    }

    fn used_iterations(self) -> Ending {
        let count = match self.run.limits.max_iterations {
            1 => "1 iteration".to_owned(),
            most => format!("{most} iterations"),
        };
        let again = offer(NextAction::StartAgain, "Start it again");
        if !self.run.goal {
            return told(
                format!("{count} done"),
                "The run took all iterations it was given.",
                [self.review(), again],
            );
        }
        told(
            format!("Used all {count} without finishing"),
            "The goal is not reached yet. What was done so far is kept.",
            [offer(NextAction::RaiseLimit, "Give it more iterations"), again, self.read()],
        )
    }

    fn failed(self) -> Ending {
        let failures = match self.run.progress.consecutive_failures {
            0 | 1 => "a failure".to_owned(),
            more => format!("{more} failures in a row"),
        };
        let why =
            self.last.and_then(|last| last.message.as_deref()).map(|why| format!("The last time {why}"));
        let agent = self.last.and_then(|last| last.cause).is_some_and(is_the_agents);
        let settings = agent.then(|| step(NextAction::AgentSettings, "Look at the agent's settings"));
        told(
            format!("Stopped after {failures}"),
            sentence(why.as_deref().unwrap_or("Too many iterations failed, one after another")),
            [self.read(), self.checks(), settings, offer(NextAction::StartAgain, "Start it again")],
        )
    }

    fn used_up(self) -> Ending {
        let limits = &self.run.limits;
        let (what, raise) = match self.run.reason {
            Some(ExitReason::Time) => {
                (format!("{} of work", elapsed(limits.max_runtime_ms.unwrap_or(0))), "Give it more time")
            }
            Some(ExitReason::Money) => (money(limits.max_cost_micros.unwrap_or(0)), "Give it more money"),
            _ => (format!("{} tokens", grouped(limits.max_tokens.unwrap_or(0))), "Give it more tokens"),
        };
        told(
            format!("Used all {what}"),
            "This run was given no more, so it stopped. What was done so far is kept.",
            [offer(NextAction::RaiseLimit, raise), self.review()],
        )
    }

    fn blocked(self) -> String {
        let own = self.last.and_then(|last| last.claim_text.as_deref()).map(str::trim);
        match own.filter(|own| !own.is_empty()) {
            Some(own) => format!("It says: {}", sentence(own)),
            None => self.said("It cannot go on without a person."),
        }
    }

    /// What the run itself says about its end, else some other words.
    fn said(self, otherwise: &str) -> String {
        let own = self.run.message.as_deref().map(str::trim).filter(|own| !own.is_empty());
        sentence(own.unwrap_or(otherwise))
    }

    fn read(self) -> Option<NextStep> {
        self.last.map(|_| step(NextAction::ReadIteration, "Read the last iteration"))
    }

    fn checks(self) -> Option<NextStep> {
        let failed = |cause| matches!(cause, FailureCause::Checks | FailureCause::NotImproved);
        let failing = self.last.and_then(|last| last.cause).is_some_and(failed);
        failing.then(|| step(NextAction::ReadChecks, "See which checks fail"))
    }

    fn review(self) -> Option<NextStep> {
        let saved = self.last.is_some_and(|last| last.changed_tree().is_some());
        saved.then(|| step(NextAction::ReviewChanges, "Review what was changed"))
    }
}

/// Whether other settings of the agent may help.
const fn is_the_agents(cause: FailureCause) -> bool {
    matches!(
        cause,
        FailureCause::NotStarted
            | FailureCause::AgentExit
            | FailureCause::AgentError
            | FailureCause::WallTimeout
            | FailureCause::IdleTimeout
            | FailureCause::StartTimeout
    )
}

fn step(action: NextAction, text: &str) -> NextStep {
    NextStep::new(action, text)
}

/// A step that can always be done.
fn offer(action: NextAction, text: &str) -> Option<NextStep> {
    Some(step(action, text))
}

fn told<const N: usize>(
    headline: impl Into<String>,
    explanation: impl Into<String>,
    steps: [Option<NextStep>; N],
) -> Ending {
    let steps = steps.into_iter().flatten().collect();
    Ending { headline: headline.into(), explanation: explanation.into(), steps }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Words with a capital letter and an end.
fn sentence(words: &str) -> String {
    let words = capitalised(words.trim());
    let ended = words.ends_with(['.', '!', '?', '…', ':']);
    if ended { words } else { format!("{words}.") }
}

#[cfg(test)]
#[path = "ending_tests.rs"]
mod tests;
