//! Waiting for a condition that another process or task brings about.

use std::time::{Duration, Instant};

/// How long a condition may take before the test fails: generous, for machines under load. A test that passes never
/// waits for it.
const DEADLINE: Duration = Duration::from_secs(150);
/// The pause between two looks.
const INTERVAL: Duration = Duration::from_millis(10);

/// What a look gives: a `bool` that says whether the condition holds, or an `Option` with the value that was waited for.
pub trait Look {
    /// What is returned once the condition holds.
    type Value;

    /// The value, once there is one.
    fn seen(self) -> Option<Self::Value>;
}

impl Look for bool {
    type Value = ();

    fn seen(self) -> Option<()> {
        self.then_some(())
    }
}

impl<T> Look for Option<T> {
    type Value = T;

    fn seen(self) -> Self {
        self
    }
}

/// Waits until a condition holds. `what` completes the sentence "waited in vain until …".
///
/// # Panics
/// When it does not hold after two and a half minutes.
pub fn eventually<L: Look>(what: &str, mut look: impl FnMut() -> L) -> L::Value {
    let started = Instant::now();
    loop {
        if let Some(value) = look().seen() {
            return value;
        }
        assert!(started.elapsed() < DEADLINE, "waited in vain until {what}");
        std::thread::sleep(INTERVAL);
    }
}

/// Like [`eventually`], for a test whose other tasks share its thread.
///
/// # Panics
/// When it does not hold after two and a half minutes.
pub async fn eventually_async<L: Look>(what: &str, mut look: impl AsyncFnMut() -> L) -> L::Value {
    let started = Instant::now();
    loop {
        if let Some(value) = look().await.seen() {
            return value;
        }
        assert!(started.elapsed() < DEADLINE, "waited in vain until {what}");
        tokio::time::sleep(INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_looked_at_until_it_holds() {
        let mut looks = 0;
        eventually("three looks", || {
            looks += 1;
            looks == 3
        });
        assert_eq!(looks, 3);
        assert_eq!(eventually("a value", || Some(5)), 5);
    }
}
