//! Interleaved repetitions: contestants take turns in an order that changes, so that neither a busy moment nor what ran
//! just before favours one of them.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};
use crate::step::Step;

/// Runs every step once per round and gives each one's median time. The first rounds only warm up.
pub(super) fn medians(steps: &[Step], rounds: usize, warm_up: usize) -> Outcome<Vec<Duration>> {
    let times = medians_by(steps.len(), rounds, warm_up, |index| match steps.get(index) {
        Some(step) => start_to_end(step).map(|took| [took]),
        None => Err(Failure::new("no such contestant")),
    })?;
    Ok(times.into_iter().flatten().collect())
}

/// The same for any way to take the times of the contestant with a given index. There may be several times in one
/// run; each has a median of its own.
pub(super) fn medians_by<const N: usize>(
    contestants: usize,
    rounds: usize,
    warm_up: usize,
    mut time: impl FnMut(usize) -> Outcome<[Duration; N]>,
) -> Outcome<Vec<[Duration; N]>> {
    let mut times = vec![Vec::with_capacity(rounds); contestants];
    let mut order: Vec<usize> = (0..contestants).collect();
    let mut dice = Dice::new();
    for round in 0..warm_up + rounds {
        dice.shuffle(&mut order);
        for index in &order {
            let took = time(*index)?;
            if let Some(times) = times.get_mut(*index).filter(|_| round >= warm_up) {
                times.push(took);
            }
        }
    }
    Ok(times.iter().map(|runs| std::array::from_fn(|moment| median_at(moment, runs))).collect())
}

fn median_at<const N: usize>(moment: usize, runs: &[[Duration; N]]) -> Duration {
    median(runs.iter().filter_map(|run| run.get(moment)).copied().collect())
}

/// A fixed sequence that looks random, the same in every measurement.
struct Dice(u64);

impl Dice {
    fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap_or_default()
    }

    fn shuffle(&mut self, order: &mut [usize]) {
        for last in (1..order.len()).rev() {
            order.swap(last, self.below(last + 1));
        }
    }
}

fn start_to_end(step: &Step) -> Outcome<Duration> {
    let started = Instant::now();
    let mut child = step.spawn(|command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    })?;
    let status = child.wait();
    let took = started.elapsed();
    match status {
        Ok(status) => step.succeeded(status).map(|()| took),
        Err(error) => Err(Failure::new(format!("cannot wait for `{}`: {error}", step.line()))),
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    let middle = times.len() / 2;
    match (times.get(middle.wrapping_sub(1)), times.get(middle)) {
        (Some(below), Some(above)) if times.len().is_multiple_of(2) => (*below + *above) / 2,
        (_, Some(middle)) => *middle,
        (_, None) => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(values: &[u64]) -> Vec<Duration> {
        values.iter().copied().map(Duration::from_millis).collect()
    }

    #[test]
    fn median_is_the_middle_or_the_mean_of_the_two_middles() {
        assert_eq!(median(millis(&[9, 1, 5])), Duration::from_millis(5));
        assert_eq!(median(millis(&[9, 1, 5, 7])), Duration::from_millis(6));
        assert_eq!(median(Vec::new()), Duration::ZERO);
    }

    #[test]
    fn everyone_has_a_turn_in_every_round_and_warm_up_is_left_out() {
        let mut order = Vec::new();
        let found = medians_by(3, 20, 1, |index| {
            order.push(index);
            let took = if order.len() <= 3 { 900 } else { index as u64 + 1 };
            Ok([took, took * 10].map(Duration::from_millis))
        });
        let found = found.unwrap().concat();
        assert_eq!(found, millis(&[1, 10, 2, 20, 3, 30]));
        let rounds: Vec<Vec<usize>> = order.chunks(3).map(<[usize]>::to_vec).collect();
        assert_eq!(rounds.len(), 21);
        assert!(rounds.iter().all(|round| (0..3).all(|index| round.contains(&index))));
        assert!(rounds.iter().any(|round| round.first() != rounds.first().and_then(|first| first.first())));
    }

    #[test]
    fn failing_contestant_ends_the_measurement() {
        assert!(medians(&[Step::new("cargo").arg("no-such-subcommand-here")], 1, 0).is_err());
    }
}
