//! What an attempt and the dispatcher tell each other.
//!
//! An attempt owns its files, its agent and its checks. The journal, the observer, the budget and the requests of people
//! are the dispatcher's: whatever an attempt wants of them is a message, and the dispatcher answers one after the other.
//! The other way there is only the order to stop.

use std::path::PathBuf;

use loopwright_domain::{
    AgentEvent, AgentProblem, CheckResult, ErrorCode, Event, ExitReason, Fault, Iteration, IterationId, Usage,
};
use tokio::sync::{mpsc, oneshot, watch};

use crate::stop::Urgency;

/// Where an answer goes.
pub(crate) type Reply<T> = oneshot::Sender<T>;

/// What an attempt tells the dispatcher.
pub(crate) enum AttemptMessage {
    /// To be written down before the attempt does anything else.
    Write {
        iteration: Box<Iteration>,
        checks: Vec<CheckResult>,
        events: Vec<Event>,
        reply: Reply<Result<(), Fault>>,
    },
    /// Something that does not stop the run.
    Warn {
        iteration: Option<IterationId>,
        message: String,
        reply: Reply<Result<(), Fault>>,
    },
    /// The same, told also where it cannot be written down.
    WarnAtOnce {
        iteration: IterationId,
        message: String,
        reply: Reply<()>,
    },
    /// The files are saved. The agent starts when this is answered.
    Saved {
        reply: Reply<()>,
    },
    /// There is no room to save the files; it is tried again.
    DiskFull {
        message: String,
        reply: Reply<Result<(), Fault>>,
    },
    /// It was tried again, and did or did not succeed.
    DiskTried {
        saved: bool,
    },
    /// Something the agent said or did.
    Agent(AgentEvent),
    /// What the agent has used so far.
    Used(Usage),
    /// What kept an agent from working, and when that is over in milliseconds since 1970; none when it worked.
    Trouble {
        agent: String,
        trouble: Option<(AgentProblem, Option<u64>)>,
        reply: Reply<TroubleAnswer>,
    },
    /// An agent could not be started, and no attempt at any work would change that.
    Unstartable {
        agent: String,
        fault: Fault,
    },
    /// The agent's own last words.
    Response(String),
    CheckStarted(String),
    CheckEnded(Box<CheckResult>),
    /// What was approved is to be shown again, from this tree on: a commit hook changed it.
    ShowAgain {
        from: Option<String>,
    },
    /// New files that checks made.
    FilesMade {
        iteration: IterationId,
        files: Vec<PathBuf>,
        reply: Reply<Result<(), Fault>>,
    },
    /// Files that no commit has and that checks were seen to pass without.
    NotNeeded(Vec<PathBuf>),
}

/// What the dispatcher makes of an agent's trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TroubleAnswer {
    /// There is none.
    Well,
    /// The agent has to be tried too often: the attempt has failed.
    Fail,
    /// The agent rests, and the attempt counts for nothing.
    Rest,
}

/// Why an attempt has to stop what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopOrder {
    /// With what all attempts used the run has reached a cap.
    Cap(ExitReason),
    /// The run is interrupted.
    Interrupt(Urgency),
    /// The run is cancelled.
    Cancel,
}

impl StopOrder {
    /// Why the run ends by it.
    pub(crate) const fn reason(self) -> ExitReason {
        match self {
            Self::Cap(reason) => reason,
            Self::Interrupt(_) => ExitReason::Interrupted,
            Self::Cancel => ExitReason::Cancelled,
        }
    }
}

/// The dispatcher's end: what comes from an attempt, and the order that can be given to it.
pub(crate) struct AttemptMailbox {
    pub(crate) messages: mpsc::UnboundedReceiver<AttemptMessage>,
    pub(crate) stop: watch::Sender<Option<StopOrder>>,
}

/// The attempt's end. Messages are unbounded because output comes faster than it can be waited for; both ends are polled
/// by one task, so that they do not pile up.
pub(crate) struct AttemptLink {
    messages: mpsc::UnboundedSender<AttemptMessage>,
    stop: watch::Receiver<Option<StopOrder>>,
}

/// Both ends.
pub(crate) fn channel() -> (AttemptLink, AttemptMailbox) {
    let (sender, messages) = mpsc::unbounded_channel();
    let (order, stop) = watch::channel(None);
    (AttemptLink { messages: sender, stop }, AttemptMailbox { messages, stop: order })
}

impl AttemptLink {
    /// Tells something that needs no answer. A dispatcher that is gone has no use for it.
    pub(crate) fn tell(&self, message: AttemptMessage) {
        let _ = self.messages.send(message);
    }

    /// Tells something and waits for the answer.
    ///
    /// # Errors
    /// The dispatcher is gone.
    pub(crate) async fn ask<T>(&self, message: impl FnOnce(Reply<T>) -> AttemptMessage) -> Result<T, Fault> {
        let (reply, answer) = oneshot::channel();
        self.tell(message(reply));
        answer.await.map_err(|_| Fault::new(ErrorCode::Internal, "the run ended before its attempt did"))
    }

    /// What only reports can use: output is taken where nothing can be waited for.
    pub(crate) fn sender(&self) -> mpsc::UnboundedSender<AttemptMessage> {
        self.messages.clone()
    }

    /// Waits for the next order to stop. Can be dropped and called again without losing one.
    pub(crate) async fn next_order(&mut self) -> StopOrder {
        loop {
            if self.stop.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
            if let Some(order) = *self.stop.borrow_and_update() {
                return order;
            }
        }
    }

    /// Waits until the run is interrupted.
    pub(crate) async fn interrupted(&self) {
        let mut stop = self.stop.clone();
        let interrupts = |order: &Option<StopOrder>| matches!(order, Some(StopOrder::Interrupt(_)));
        if stop.wait_for(interrupts).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
