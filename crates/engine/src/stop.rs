//! How a run is stopped from outside: by the person at its terminal, and by requests from elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use tokio::sync::Notify;

/// How urgent a stop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// No new phase starts; a running agent gets a grace.
    Gentle,
    /// At once.
    Now,
}

/// Asks a run to stop. Clones ask the same run.
#[derive(Clone, Debug, Default)]
pub struct StopHandle {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    asked: AtomicU8,
    terminated: AtomicU8,
    after_iteration: AtomicBool,
    changed: Notify,
}

impl StopHandle {
    /// A handle that nobody has used.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop: gently the first time, at once the second time. This is what Ctrl-C does.
    pub fn interrupt(&self) {
        let more = |asked: u8| Some(asked.saturating_add(1));
        let _ = self.inner.asked.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        self.inner.changed.notify_waiters();
    }

    /// Like [`StopHandle::interrupt`], by the system instead of a person: SIGTERM.
    pub fn terminate(&self) {
        self.inner.terminated.store(1, Ordering::SeqCst);
        self.interrupt();
    }

    /// Asks to stop as soon as the iteration under way is settled: no work is lost and none has to be done again.
    pub fn stop_after_iteration(&self) {
        self.inner.after_iteration.store(true, Ordering::SeqCst);
        self.inner.changed.notify_waiters();
    }

    /// Whether it was asked to stop after an iteration.
    #[must_use]
    pub fn stops_after_iteration(&self) -> bool {
        self.inner.after_iteration.load(Ordering::SeqCst)
    }

    /// Whether the system asked.
    #[must_use]
    pub fn by_system(&self) -> bool {
        self.inner.terminated.load(Ordering::SeqCst) == 1
    }

    /// How urgently it was asked, if at all.
    #[must_use]
    pub fn urgency(&self) -> Option<Urgency> {
        match self.inner.asked.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(Urgency::Gentle),
            _ => Some(Urgency::Now),
        }
    }

    /// Waits until it is asked at least this urgently.
    pub async fn wait(&self, urgency: Urgency) {
        self.wait_until(|| self.urgency() >= Some(urgency)).await;
    }

    /// Waits until it is asked to stop after an iteration.
    pub async fn wait_for_stop_after_iteration(&self) {
        self.wait_until(|| self.stops_after_iteration()).await;
    }

    async fn wait_until(&self, asked: impl Fn() -> bool) {
        loop {
            let changed = self.inner.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if asked() {
                return;
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_gentle_and_the_second_at_once() {
        let stop = StopHandle::new();
        assert_eq!(stop.urgency(), None);
        stop.clone().interrupt();
        assert_eq!(stop.urgency(), Some(Urgency::Gentle));
        stop.terminate();
        assert_eq!(stop.urgency(), Some(Urgency::Now));
        assert!(stop.by_system());
        for _ in 0..1000 {
            stop.interrupt();
        }
        assert_eq!(stop.urgency(), Some(Urgency::Now));
    }

    #[tokio::test]
    async fn to_stop_after_an_iteration_is_no_urgency() {
        let stop = StopHandle::new();
        let waiting = {
            let stop = stop.clone();
            tokio::spawn(async move { stop.wait_for_stop_after_iteration().await })
        };
        stop.stop_after_iteration();
        waiting.await.unwrap();
        assert!(stop.stops_after_iteration());
        assert_eq!(stop.urgency(), None);
    }

    #[tokio::test]
    async fn a_waiter_is_woken_by_its_urgency_only() {
        let stop = StopHandle::new();
        let waiting = {
            let stop = stop.clone();
            tokio::spawn(async move { stop.wait(Urgency::Now).await })
        };
        stop.interrupt();
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        stop.interrupt();
        waiting.await.unwrap();
        stop.wait(Urgency::Gentle).await;
    }
}
