//! Who watches a run: the CLI's lines, the app's window, a program that embeds the engine.

use loopwright_domain::{AgentEvent, CheckResult, EventEnvelope, Iteration, Task};
use tokio::sync::mpsc;

use crate::prompt::compose::PromptSize;

/// Takes what happens in a run, as it happens. All methods have an empty body by default.
pub trait Observer: Send + Sync {
    /// An event, after it was written down. The sequence is 0 when it could not be written.
    fn event(&mut self, event: &EventEnvelope) {
        let _ = event;
    }

    /// An attempt at a task begins: which one it is, counted from 1 over all runs.
    fn task(&mut self, iteration: &Iteration, task: &Task, attempt: u32) {
        let _ = (iteration, task, attempt);
    }

    /// An attempt at a task that an earlier process began is taken up again.
    fn task_again(&mut self, iteration: &Iteration, task: &Task) {
        let _ = (iteration, task);
    }

    /// The prompt of an iteration, before the agent starts.
    fn prompt(&mut self, iteration: &Iteration, prompt: &str, size: PromptSize) {
        let _ = (iteration, prompt, size);
    }

    /// Something the agent said or did.
    fn agent(&mut self, iteration: &Iteration, event: &AgentEvent) {
        let _ = (iteration, event);
    }

    /// The agent's own last words.
    fn response(&mut self, iteration: &Iteration, text: &str) {
        let _ = (iteration, text);
    }

    /// A check is about to run.
    fn check_started(&mut self, name: &str) {
        let _ = name;
    }

    /// A check has ended.
    fn check_ended(&mut self, result: &CheckResult) {
        let _ = result;
    }

    /// Asks a person whether the next iteration may start, in automation mode `manual`. Without a person: no.
    fn may_start(&mut self, number: u32) -> bool {
        let _ = number;
        false
    }

    /// Whether this process waits at a gate until somebody decides. Else it ends, and whoever decides carries it out.
    fn waits_at_gates(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// One thing that happened in a run, for those who like a stream better than calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// An event of the journal.
    Event(EventEnvelope),
    /// Something the agent said or did.
    Agent(AgentEvent),
    /// A check ended.
    Check(CheckResult),
}

/// Sends what happens into a channel, so that a run can be followed as a stream of [`Update`]s. A receiver that went
/// away is no reason to stop.
#[derive(Clone, Debug)]
pub struct UpdateStream {
    sender: mpsc::UnboundedSender<Update>,
}

impl UpdateStream {
    /// An observer and the receiver of what it sees.
    #[must_use]
    pub fn channel() -> (Self, mpsc::UnboundedReceiver<Update>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Self { sender }, receiver)
    }
}

impl Observer for UpdateStream {
    fn event(&mut self, event: &EventEnvelope) {
        let _ = self.sender.send(Update::Event(event.clone()));
    }

    fn agent(&mut self, _iteration: &Iteration, event: &AgentEvent) {
        let _ = self.sender.send(Update::Agent(event.clone()));
    }

    fn check_ended(&mut self, result: &CheckResult) {
        let _ = self.sender.send(Update::Check(result.clone()));
    }
}
