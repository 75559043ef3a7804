//! kill -9 at random times, again and again until the run is through.

use std::process::Child;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::chance::Chance;
use crate::oracle::all_is_well;
use crate::points::calm_tree;
use crate::processes::kill_at_once;
use crate::scene::Scene;

const ITERATIONS: u32 = 4;
/// Scenes that work side by side.
const WORKERS: u64 = 3;
/// How many kills there are unless `LOOPWRIGHT_CRASH_KILLS` says otherwise.
const KILLS: u64 = 200;
/// A run that was killed this often is left to finish.
const MOST: u64 = 25;

pub(crate) fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn a_run_killed_at_random_times_loses_nothing_and_does_nothing_twice() {
    let wanted = setting("LOOPWRIGHT_CRASH_KILLS").unwrap_or(KILLS);
    let next = AtomicU64::new(setting("LOOPWRIGHT_CRASH_SEED").unwrap_or(1));
    let kills = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..wanted.min(WORKERS) {
            scope.spawn(|| {
                let scene = Scene::new();
                let begun = Instant::now();
                let calm = calm_tree(&scene, ITERATIONS);
                let usual = begun.elapsed();
                while kills.load(Ordering::SeqCst) < wanted {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    let replay = Replay(seed);
                    kills.fetch_add(one_run(&scene, seed, usual, &calm), Ordering::SeqCst);
                    replay.not_needed();
                }
            });
        }
    });
    println!("{} kills", kills.into_inner());
}

/// Says how to do it again when a run goes wrong.
pub(crate) struct Replay(pub(crate) u64);

impl Replay {
    pub(crate) const fn not_needed(self) {
        std::mem::forget(self);
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        println!("again: cargo xtask crash --seed {} --kills 1", self.0);
    }
}

/// One run, killed and resumed until it is through. Returns how often it was killed.
fn one_run(scene: &Scene, seed: u64, usual: Duration, calm: &str) -> u64 {
    let mut chance = Chance::new(seed);
    let label = format!("seed-{seed}");
    scene.label(&label);
    let span = u64::try_from(usual.as_micros()).unwrap() / 2;
    let mut kills = 0;
    loop {
        let mut command = match standing(scene, &label) {
            Standing::Unknown => scene.looping(&label, ITERATIONS, &["--auto-commit"]),
            Standing::Open => scene.command(&["resume"]),
            Standing::Over => break,
        };
        let mut started = scene.start(&mut command);
        let life = Duration::from_micros(chance.below(span));
        if kills < MOST && !ends_within(&mut started.0, life) {
            kill_at_once(&mut started.0);
            kills += 1;
            continue;
        }
        assert_eq!(started.0.wait().unwrap().code(), Some(3), "after {kills} kills");
    }
    all_is_well(scene, &label, ITERATIONS, calm);
    kills
}

/// What was written down of a run.
pub(crate) enum Standing {
    Unknown,
    Open,
    Over,
}

pub(crate) fn standing(scene: &Scene, title: &str) -> Standing {
    scene.with_project(async |project| match project.runs().find(None).await {
        Ok(run) if run.title != title => Standing::Unknown,
        Ok(run) if run.status.is_over() => Standing::Over,
        Ok(_) => Standing::Open,
        Err(_) => Standing::Unknown,
    })
}

pub(crate) fn ends_within(child: &mut Child, time: Duration) -> bool {
    let begun = Instant::now();
    loop {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        let left = time.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(left.min(Duration::from_millis(2)));
    }
}
