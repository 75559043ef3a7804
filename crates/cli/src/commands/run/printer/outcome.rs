//! How attempts and runs ended, in lines.

use loopwright_domain::{ExitReason, Outcome, RunKind, RunStatus};
use loopwright_engine::run::report::{STOPPED, elapsed};

use super::{Printer, short};
use crate::output::{BAD, CARE, GOOD, plain, styled};

impl Printer {
    pub(super) fn settled(
        &mut self,
        at: &str,
        outcome: Outcome,
        message: Option<&str>,
        elapsed_ms: u64,
        commit: Option<&str>,
    ) {
        if self.kind == Some(RunKind::Run) {
            return self.attempt_settled(at, outcome, message, elapsed_ms, commit);
        }
        match outcome {
            // In "fix" an iteration that mends something counts neither as a failure nor as the end of failures.
            Outcome::Succeeded if self.kind == Some(RunKind::Fix) => {}
            Outcome::Succeeded => self.failures = 0,
            Outcome::Failed => {
                self.failures += 1;
                let why = plain(message.unwrap_or("failed"));
                let count = match self.threshold {
                    0 => format!("{}", self.failures),
                    threshold => format!("{}/{threshold}", self.failures),
                };
                self.warning(at, &format!("{why}, consecutive failures: {count}"));
            }
            Outcome::Interrupted => {
                return self.line(at, &format!("{} stopped{}", self.which(), because(message)));
            }
        }
        self.done += 1;
        self.spent_ms += elapsed_ms;
        let commit = commit.map(short);
        let text = format!("{} completed in {}", self.which(), elapsed(elapsed_ms));
        self.line(at, &format!("{text}{}", commit.unwrap_or_default()));
    }

    /// How an attempt at a task ended.
    fn attempt_settled(
        &mut self,
        at: &str,
        outcome: Outcome,
        message: Option<&str>,
        elapsed_ms: u64,
        commit: Option<&str>,
    ) {
        let task = self.task.clone().unwrap_or_else(|| self.which());
        let took = elapsed(elapsed_ms);
        let why = plain(message.unwrap_or("failed"));
        match outcome {
            Outcome::Succeeded => {
                let commit = commit.map_or_else(|| ", not committed".to_owned(), short);
                self.line(at, &format!("{} {task} in {took}{commit}", styled(GOOD, "Done")));
            }
            Outcome::Failed => self.line(at, &format!("{} {task} in {took}: {why}", styled(CARE, "Failed"))),
            Outcome::Interrupted => {
                let because = because(message);
                return self.line(at, &format!("Stopped {task}{because}; its files are put back"));
            }
        }
        self.done += 1;
        self.spent_ms += elapsed_ms;
    }

    pub(super) fn status(&self, at: &str, status: RunStatus, reason: Option<ExitReason>, message: &str) {
        let message = capitalised(&plain(message));
        match status {
            RunStatus::Completed => self.line(at, &format!("{} {}", styled(GOOD, message), self.total())),
            RunStatus::Aborted => {
                let count = format!("{} iterations completed", self.done);
                let total = elapsed(self.spent_ms);
                self.line(at, &format!("{} {message} ({count}, total: {total})", styled(BAD, "ERROR:")));
                if reason == Some(ExitReason::WorkspaceDamaged) {
                    self.line(at, "Bring it back with: loopwright recover");
                }
            }
            RunStatus::Interrupted if reason == Some(ExitReason::AgentLimit) => {
                self.line(at, &styled(CARE, message));
                self.line(at, "State saved. Resume with: loopwright resume");
            }
            RunStatus::Interrupted if reason == Some(ExitReason::Error) => {
                self.line(at, &format!("{} {message}", styled(BAD, "ERROR:")));
                self.line(at, "State saved. Resume with: loopwright resume");
            }
            RunStatus::Interrupted => {
                self.line(at, "Interrupted. State saved. Resume with: loopwright resume");
            }
            RunStatus::Waiting if reason == Some(ExitReason::Environment) => {
                self.line(at, &styled(CARE, message));
                self.line(at, "The work is kept. When that is put right, go on with: loopwright resume");
            }
            RunStatus::Waiting if reason == Some(ExitReason::RedBefore) => {
                self.line(at, &styled(CARE, message));
                self.line(at, "Go on with: loopwright resume");
            }
            RunStatus::Waiting if reason == Some(ExitReason::NeedsPerson) => {
                self.line(at, &styled(CARE, message));
                // On a terminal it is asked about right there.
                if !self.interactive {
                    self.line(
                        at,
                        "Look at it and decide: loopwright gate show. Then go on: loopwright resume",
                    );
                }
            }
            RunStatus::Paused if reason == Some(ExitReason::NeedsPerson) => {
                self.line(at, &format!("{message}. Go on with: loopwright resume"));
            }
            RunStatus::Paused => self.line(at, "Paused. Go on with: loopwright resume"),
            RunStatus::Cancelled => self.line(at, "Cancelled."),
            RunStatus::Waiting | RunStatus::Running => self.line(at, &message),
        }
    }

    fn total(&self) -> String {
        format!("(total: {})", elapsed(self.spent_ms))
    }
}

/// Why something was stopped, where there is more to say than that it was.
fn because(message: Option<&str>) -> String {
    let told = message.filter(|message| *message != STOPPED);
    told.map(|message| format!(": {}", plain(message))).unwrap_or_default()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
