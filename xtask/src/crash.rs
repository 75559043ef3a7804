//! `cargo xtask crash`: runs that are killed at random times and in chosen phases, as often as one likes.

use std::time::Duration;

use crate::cargo;
use crate::failure::{Failure, Outcome};
use crate::setup::{self, Need};
use crate::watch::watch;
use crate::workspace::{Profile, Workspace};

const KILLS: u64 = 1_000;
const LIMIT: Duration = Duration::from_secs(60 * 60);
/// How many kills are aimed at each phase.
const AIMED: u64 = 100;
/// The tests that kill; they read how often, and where chance begins, from these variables.
const TESTS: &[&str] = &[
    "kills::a_run_killed_at_random_times_loses_nothing_and_does_nothing_twice",
    "aimed::a_run_killed_while_it_checks_and_commits_loses_nothing_and_does_nothing_twice",
];
const AIMED_VARIABLE: &str = "LOOPWRIGHT_CRASH_AIMED";
const KILLS_VARIABLE: &str = "LOOPWRIGHT_CRASH_KILLS";
const SEED_VARIABLE: &str = "LOOPWRIGHT_CRASH_SEED";

/// How often to kill, and where chance begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    kills: u64,
    aimed: u64,
    seed: u64,
}

impl Options {
    /// Reads `[--kills N] [--aimed N] [--seed N]`; nothing when there is another word.
    pub(crate) fn parse(words: &[&str]) -> Option<Self> {
        let mut options = Self { kills: KILLS, aimed: AIMED, seed: 1 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let number = words.next()?.parse().ok()?;
            match *word {
                "--kills" => options.kills = number,
                "--aimed" => options.aimed = number,
                "--seed" => options.seed = number,
                _ => return None,
            }
        }
        Some(options)
    }
}

/// Builds the programs and kills them.
pub(crate) fn run(workspace: &Workspace, options: Options) -> Outcome {
    if !cfg!(target_os = "linux") {
        return Err(Failure::new("Runs are killed on Linux only: what they leave behind is found in /proc."));
    }
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_headless(workspace, Profile::Dev)?;
    let step = cargo::crash_tests(workspace)
        .env(KILLS_VARIABLE, options.kills.to_string())
        .env(AIMED_VARIABLE, options.aimed.to_string())
        .env(SEED_VARIABLE, options.seed.to_string())
        .args(["--", "--exact", "--nocapture", "--test-threads", "1"])
        .args(TESTS);
    watch(&step, LIMIT)?.problem.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_and_seed_can_be_chosen_in_any_order() {
        assert_eq!(Options::parse(&[]), Some(Options { kills: 1_000, aimed: 100, seed: 1 }));
        let chosen = Some(Options { kills: 1, aimed: 2, seed: 77 });
        assert_eq!(Options::parse(&["--seed", "77", "--aimed", "2", "--kills", "1"]), chosen);
        assert_eq!(Options::parse(&["--kills", "1", "--seed", "77", "--aimed", "2"]), chosen);
        for wrong in [&["--kills"][..], &["--kills", "many"], &["--speed", "1"], &["7"]] {
            assert_eq!(Options::parse(wrong), None, "{wrong:?}");
        }
    }
}
