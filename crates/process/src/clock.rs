//! Time limits in time that is really spent.
//!
//! The system's monotonic clock stands still while the machine sleeps on Linux (`CLOCK_MONOTONIC`) and macOS
//! (`CLOCK_UPTIME_RAW`), but not on Windows, nor while this process or its virtual machine is stopped. So time is
//! counted in steps, and a step that took far longer than asked for counts as one step.

use std::time::Duration;

use loopwright_domain::EndCause;

use crate::job::TimeLimits;

/// The longest pause between two looks at the clock.
pub(crate) const STEP: Duration = Duration::from_millis(500);
/// What a longer step counts for. A busy machine is late by less than this; one that slept is late by more.
const LONGEST_STEP: Duration = Duration::from_secs(5);

/// Counts a job's time and knows its limits.
pub(crate) struct Clock {
    limits: TimeLimits,
    active: Duration,
    /// When output was last seen, and how much there had been then.
    heard: Duration,
    bytes: u64,
}

impl Clock {
    pub(crate) const fn new(limits: TimeLimits) -> Self {
        Self { limits, active: Duration::ZERO, heard: Duration::ZERO, bytes: 0 }
    }

    /// The time spent so far.
    pub(crate) const fn active(&self) -> Duration {
        self.active
    }

    /// Counts the time since the last look, at which there had been so much output, and names the limit that was
    /// reached.
    pub(crate) fn advance(&mut self, step: Duration, bytes: u64) -> Option<EndCause> {
        self.active = self.active.saturating_add(step.min(LONGEST_STEP));
        if bytes != self.bytes {
            self.bytes = bytes;
            self.heard = self.active;
        }
        self.deadlines().find(|(deadline, _)| *deadline <= self.active).map(|(_, cause)| cause)
    }

    /// How long to wait until the next look.
    pub(crate) fn pause(&self) -> Duration {
        let next = self.deadlines().map(|(deadline, _)| deadline.saturating_sub(self.active)).min();
        next.map_or(STEP, |next| next.clamp(Duration::from_millis(1), STEP))
    }

    fn deadlines(&self) -> impl Iterator<Item = (Duration, EndCause)> {
        let silent = self.bytes == 0;
        let start = self.limits.start.filter(|_| silent).map(|limit| (limit, EndCause::StartTimeout));
        let idle = self.limits.idle.map(|limit| (self.heard.saturating_add(limit), EndCause::IdleTimeout));
        let wall = self.limits.wall.map(|limit| (limit, EndCause::WallTimeout));
        [wall, start, idle].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn clock(wall: Option<u64>, start: Option<u64>, idle: Option<u64>) -> Clock {
        Clock::new(TimeLimits {
            wall: wall.map(seconds),
            start: start.map(seconds),
            idle: idle.map(seconds),
            grace: seconds(1),
        })
    }

    #[test]
    fn each_limit_fires_on_a_silent_job() {
        assert_eq!(clock(Some(2), None, None).advance(seconds(2), 0), Some(EndCause::WallTimeout));
        assert_eq!(clock(None, Some(2), None).advance(seconds(2), 0), Some(EndCause::StartTimeout));
        assert_eq!(clock(None, None, Some(2)).advance(seconds(2), 0), Some(EndCause::IdleTimeout));
        assert_eq!(clock(None, None, None).advance(seconds(5), 0), None);
    }

    #[test]
    fn output_ends_the_start_limit_and_begins_the_idle_limit_anew() {
        let mut clock = clock(None, Some(2), Some(3));
        assert_eq!(clock.advance(seconds(1), 1), None);
        assert_eq!(clock.advance(seconds(2), 1), None);
        assert_eq!(clock.advance(seconds(1), 1), Some(EndCause::IdleTimeout));
    }

    #[test]
    fn an_hour_asleep_counts_as_one_step() {
        let mut clock = clock(Some(60), None, Some(30));
        assert_eq!(clock.advance(seconds(3600), 0), None);
        assert_eq!(clock.active(), LONGEST_STEP);
    }

    #[test]
    fn no_limit_overflows() {
        let mut clock = Clock::new(TimeLimits { idle: Some(Duration::MAX), ..TimeLimits::none() });
        assert_eq!(clock.advance(seconds(1), 1), None);
        assert_eq!(clock.pause(), STEP);
    }

    proptest! {
        /// However the time is cut into steps, the wall limit fires at the first step that reaches it.
        #[test]
        fn a_limit_fires_exactly_when_its_time_is_over(
            steps in proptest::collection::vec(0u64..4_000, 1..50),
            limit in 1u64..60_000,
        ) {
            let mut clock = Clock::new(TimeLimits {
                wall: Some(Duration::from_millis(limit)),
                ..TimeLimits::none()
            });
            let mut spent = 0;
            for step in steps {
                spent += step;
                let fired = clock.advance(Duration::from_millis(step), 0);
                prop_assert_eq!(fired.is_some(), spent >= limit);
                prop_assert!(clock.pause() <= STEP && clock.pause() > Duration::ZERO);
            }
        }
    }
}
