//! Several watched commands at once.
//!
//! Most tests wait for processes or for time to pass, so one test program alone leaves cores idle.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::failure::Outcome;
use crate::step::Step;
use crate::watch::{Watched, watch_whole};

/// As many commands run at once; each runs several tests at once by itself.
const ABREAST: usize = 2;

/// Watches all of `steps`, a few at a time, each no longer than `limit`. What a command said is shown when it has
/// ended.
pub(crate) fn watch_all(steps: Vec<Step>, limit: Duration) -> Outcome<Watched> {
    let waiting = Mutex::new(VecDeque::from(steps));
    let done = Mutex::new(Ok(Watched::default()));
    thread::scope(|scope| {
        for _ in 0..ABREAST {
            scope.spawn(|| {
                while let Some(step) = next(&waiting) {
                    let watched = watch_whole(&step, limit);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    let before = std::mem::replace(&mut *done, Ok(Watched::default()));
                    *done = before.and_then(|before| Ok(before.and(watched?)));
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn next(waiting: &Mutex<VecDeque<Step>>) -> Option<Step> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn all_are_run_and_one_that_fails_does_not_stop_the_others() {
        let scratch = crate::scratch::Scratch::new("abreast").unwrap();
        let step = |number: u32| {
            let script = format!("touch {number}; test {number} != 1");
            Step::new("sh").args(["-c", &script]).dir(scratch.path())
        };
        let watched = watch_all((0..5).map(step).collect(), LONG).unwrap();
        assert!(watched.problem.unwrap().to_string().contains("touch 1"));
        assert!((0..5).all(|number| scratch.path().join(number.to_string()).exists()));
    }

    #[test]
    fn two_run_at_the_same_time() {
        let scratch = crate::scratch::Scratch::new("abreast-two").unwrap();
        // Each waits for the other.
        let script =
            |mine: &str, other: &str| format!("touch {mine}; until [ -e {other} ]; do sleep 0.02; done");
        let step = |script: String| Step::new("sh").args(["-c", &script]).dir(scratch.path());
        let steps = vec![step(script("a", "b")), step(script("b", "a"))];
        assert!(watch_all(steps, LONG).unwrap().problem.is_none());
    }

    #[test]
    fn a_command_that_cannot_start_is_a_failure() {
        let steps = vec![Step::new("no-such-program-here"), Step::new("true")];
        assert!(watch_all(steps, LONG).is_err());
    }
}
