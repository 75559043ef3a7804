//! What a solution changes, measured from the attempts at tasks that met its pattern.

use crate::ids::TaskId;
use crate::memory::solution::MemoryEffect;

/// One judged attempt at a task that met the solution's pattern, in the order of attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectAttempt {
    /// The task.
    pub task: TaskId,
    /// Whether it passed.
    pub passed: bool,
    /// Whether it failed by the solution's pattern.
    pub met: bool,
    /// Whether the solution was in its prompt.
    pub included: bool,
}

/// Counts the attempts from the first failure of the pattern until the task passed, once for each time that happened:
/// apart for those whose next attempt had the solution in its prompt, and for the others. What has not passed yet counts
/// for neither.
#[must_use]
pub fn measure(attempts: &[EffectAttempt]) -> MemoryEffect {
    let mut tasks: Vec<TaskId> = attempts.iter().map(|attempt| attempt.task).collect();
    tasks.sort_unstable();
    tasks.dedup();
    let (mut with, mut without) = (Mean::default(), Mean::default());
    for task in tasks {
        let mut open: Option<(u32, bool)> = None;
        for attempt in attempts.iter().filter(|attempt| attempt.task == task) {
            match &mut open {
                None if attempt.met => open = Some((0, false)),
                None => {}
                Some((count, included)) => {
                    *included |= *count == 0 && attempt.included;
                    *count += 1;
                    if attempt.passed {
                        let mean = if *included { &mut with } else { &mut without };
                        mean.add(*count);
                        open = None;
                    }
                }
            }
        }
    }
    MemoryEffect { with: with.value(), without: without.value(), n: with.n, n_without: without.n }
}

#[derive(Default)]
struct Mean {
    sum: u32,
    n: u32,
}

impl Mean {
    fn add(&mut self, value: u32) {
        self.sum = self.sum.saturating_add(value);
        self.n = self.n.saturating_add(1);
    }

    fn value(&self) -> Option<f64> {
        (self.n > 0).then(|| f64::from(self.sum) / f64::from(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `f` fails by the pattern, `o` by another one, `p` passes; large letters have the solution in the prompt.
    fn attempts(task: u32, text: &str) -> Vec<EffectAttempt> {
        text.chars()
            .map(|letter| EffectAttempt {
                task: TaskId(task),
                passed: letter.eq_ignore_ascii_case(&'p'),
                met: letter.eq_ignore_ascii_case(&'f'),
                included: letter.is_ascii_uppercase(),
            })
            .collect()
    }

    #[test]
    fn attempts_are_counted_from_the_failure_to_the_pass() {
        for (text, with, without) in [
            ("fp", None, Some(1.0)),
            ("fP", Some(1.0), None),
            ("fFp", Some(2.0), None),
            ("ffP", None, Some(2.0)),
            ("ofop", None, Some(2.0)),
            ("p", None, None),
            ("fF", None, None),
            ("fPfffp", Some(1.0), Some(3.0)),
        ] {
            let effect = measure(&attempts(1, text));
            assert_eq!((effect.with, effect.without), (with, without), "{text}");
        }
    }

    #[test]
    fn few_cases_say_nothing() {
        let mut all = Vec::new();
        for task in 0..5 {
            all.extend(attempts(task, "fP"));
        }
        assert!(!measure(&all).is_measured());
        assert_eq!(measure(&all).words(), "used at 5 tasks; too few without it to compare");
        for task in 10..15 {
            all.extend(attempts(task, "ffp"));
        }
        assert_eq!(measure(&all).words(), "attempts 2.0 without it, 1.0 with it, n = 5");
        assert_eq!(measure(&[]).words(), "not used yet");
        assert_eq!(measure(&attempts(1, "fP")).words(), "used at 1 task; too few to measure");
    }
}
