//! Ending a job from elsewhere.

use tokio::sync::watch;

/// How urgently a job is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    None,
    Ask,
    Now,
}

/// Ends a job from any task or thread. Can be cloned, and used as often as wanted.
#[derive(Clone, Debug)]
pub struct Stopper {
    urgency: watch::Sender<Urgency>,
}

impl Stopper {
    pub(crate) fn new() -> Self {
        Self { urgency: watch::Sender::new(Urgency::None) }
    }

    /// Asks the job to end. What is left of it after its grace is ended.
    pub fn interrupt(&self) {
        self.raise(Urgency::Ask);
    }

    /// Ends the job at once.
    pub fn kill(&self) {
        self.raise(Urgency::Now);
    }

    /// Waits until somebody wants the job to end at least this urgently.
    pub(crate) async fn wanted(&self, least: Urgency) -> Urgency {
        let mut receiver = self.urgency.subscribe();
        let wanted = receiver.wait_for(|urgency| *urgency >= least).await.map(|urgency| *urgency);
        match wanted {
            Ok(urgency) => urgency,
            Err(_) => std::future::pending().await,
        }
    }

    fn raise(&self, wanted: Urgency) {
        self.urgency.send_if_modified(|urgency| {
            let raised = wanted > *urgency;
            *urgency = (*urgency).max(wanted);
            raised
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_wish_is_kept_and_never_weakened() {
        let stopper = Stopper::new();
        stopper.clone().kill();
        stopper.interrupt();
        assert_eq!(stopper.wanted(Urgency::Ask).await, Urgency::Now);
    }
}
