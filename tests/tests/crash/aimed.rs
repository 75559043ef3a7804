//! kill -9 aimed at phases: while the baseline and the checks run, while a commit is made, and at a gate. A check and a
//! hook say when they are at work and take a moment, so that chance has something to hit.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loopwright_domain::{Phase, RunStatus, TaskStatus};

use crate::chance::Chance;
use crate::kills::{Replay, Standing, ends_within, setting, standing};
use crate::oracle::{all_is_well, newest, state_is_sound};
use crate::points::calm_tree;
use crate::processes::{kill_at_once, nobody_marked};
use crate::scene::{CHECK, Scene};

const ITERATIONS: u32 = 2;
/// Scenes that work side by side.
const WORKERS: u32 = 2;
/// How many kills each phase gets unless `LOOPWRIGHT_CRASH_AIMED` says otherwise.
const KILLS: u64 = 40;
/// A run that was killed this often is left to finish.
const MOST: u64 = 12;
/// How long a check and a hook take at least, in milliseconds.
const MOMENT: u64 = 60;

/// Where a killed process was, as the journal has it. Before the first iteration it is the baseline.
const BASELINE: &str = "baseline";

#[test]
fn a_run_killed_while_it_checks_and_commits_loses_nothing_and_does_nothing_twice() {
    let wanted = setting("LOOPWRIGHT_CRASH_AIMED").unwrap_or(KILLS);
    let next = AtomicU64::new(setting("LOOPWRIGHT_CRASH_SEED").unwrap_or(1));
    let hits: Mutex<BTreeMap<String, u64>> = Mutex::default();
    let aims = [BASELINE, Phase::Checking.as_str(), Phase::Committing.as_str()];
    let enough = |phase: &str| hits.lock().unwrap().get(phase).copied().unwrap_or(0) >= wanted;
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let scene = slow_scene();
                let calm = calm_tree(&scene, ITERATIONS);
                loop {
                    let missing: Vec<&str> = aims.into_iter().filter(|aim| !enough(aim)).collect();
                    if missing.is_empty() {
                        break;
                    }
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    let aim = missing[usize::try_from(seed).unwrap() % missing.len()];
                    let replay = Replay(seed);
                    one_run(&scene, seed, aim, &calm, &hits);
                    replay.not_needed();
                }
            });
        }
    });
    println!("kills by phase: {:?}", hits.into_inner().unwrap());
}

/// A scene whose check and hook tell that they are at work.
fn slow_scene() -> Scene {
    let scene = Scene::new();
    let root = scene.sandbox.root().display().to_string();
    let slow = |phase: &str| format!("touch '{root}/at-{phase}'\nsleep 0.0{MOMENT}\n");
    // Before the first agent there is no folder of its work: the baseline.
    let phase = format!("phase={BASELINE}\n[ ! -e \"$(cat '{root}/label')\" ] || phase=checking\n");
    let told = format!("touch '{root}/at-'$phase\nsleep 0.0{MOMENT}\n");
    scene.outside("check.sh", &format!("{phase}{told}{CHECK}"));
    let hook = scene.sandbox.work().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\n{}", slow("committing"))).unwrap();
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(scene.run(&["trust", "--yes"]).code, 0);
    scene
}

/// One run, killed each time that the phase it is aimed at is at work, and resumed until it is through.
fn one_run(scene: &Scene, seed: u64, aim: &str, calm: &str, hits: &Mutex<BTreeMap<String, u64>>) {
    let mut chance = Chance::new(seed);
    let label = format!("aimed-{seed}");
    scene.label(&label);
    let sign = scene.sandbox.root().join(format!("at-{aim}"));
    let mut kills = 0;
    loop {
        let mut command = match standing(scene, &label) {
            Standing::Unknown => scene.looping(&label, ITERATIONS, &["--auto-commit"]),
            Standing::Open => scene.command(&["resume"]),
            Standing::Over => break,
        };
        let _ = fs::remove_file(&sign);
        let mut started = scene.start(&mut command);
        if kills < MOST && comes(&sign, || started.0.try_wait().unwrap().is_some()) {
            if !ends_within(&mut started.0, Duration::from_millis(chance.below(MOMENT + MOMENT / 4))) {
                kill_at_once(&mut started.0);
                kills += 1;
                *hits.lock().unwrap().entry(place(scene, &label)).or_default() += 1;
            }
            continue;
        }
        assert_eq!(started.0.wait().unwrap().code(), Some(3), "after {kills} kills while {aim}");
    }
    all_is_well(scene, &label, ITERATIONS, calm);
}

/// Waits until the sign is there. False when the process ended before.
fn comes(sign: &Path, mut ended: impl FnMut() -> bool) -> bool {
    loop {
        if sign.exists() {
            return true;
        }
        if ended() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Where the journal says that the killed process was.
fn place(scene: &Scene, label: &str) -> String {
    if matches!(standing(scene, label), Standing::Unknown) {
        return BASELINE.to_owned();
    }
    let (_, iterations) = newest(scene);
    iterations.last().map_or(BASELINE, |iteration| iteration.phase.as_str()).to_owned()
}

const GATE_KILLS: u64 = 24;
const TASKS: u32 = 3;

#[test]
fn a_gate_and_its_decision_survive_kills_and_each_task_is_committed_once() {
    let scene = Scene::with_agent(
        "echo \"$LOOPWRIGHT_TASK\" > \"work-$LOOPWRIGHT_TASK.txt\"\nloopwright signal complete done >/dev/null\n",
    );
    scene.outside("check.sh", "true\n");
    for id in 1..=TASKS {
        assert_eq!(scene.run(&["task", "add", &format!("Task {id}")]).code, 0);
    }
    let agent = format!("sh {}/agent.sh", scene.sandbox.root().display());
    let mut chance = Chance::new(setting("LOOPWRIGHT_CRASH_SEED").unwrap_or(1));
    let mut command = scene.command(&[
        "run",
        "--command",
        &agent,
        "--prompt-mode",
        "stdin",
        "--mode",
        "review_each",
        "--wait",
    ]);
    let (mut at_gates, mut deciding) = (0, 0);
    let open = || scene.ask(&["gate", "list", "--json"])["open"].as_array().map_or(0, Vec::len);
    loop {
        let mut started = scene.start(&mut command);
        while open() == 0 && started.0.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        if let Some(status) = started.0.try_wait().unwrap() {
            assert_eq!(status.code(), Some(0));
            break;
        }
        kill_at_once(&mut started.0);
        at_gates += 1;
        // Who decides is killed at any moment; a decision that was written down is carried out by whoever goes on.
        let mut most = GATE_KILLS / u64::from(TASKS);
        while open() > 0 {
            let mut approve = scene.start(&mut scene.command(&["approve", "--yes"]));
            if most > 0 && !ends_within(&mut approve.0, Duration::from_millis(chance.below(150))) {
                kill_at_once(&mut approve.0);
                (most, deciding) = (most - 1, deciding + 1);
            } else {
                assert_eq!(approve.0.wait().unwrap().code(), Some(0));
            }
        }
        command = scene.command(&["resume", "--wait"]);
    }
    println!("kills at gates: {at_gates}, while deciding: {deciding}");
    let (run, _) = newest(&scene);
    assert_eq!(run.status, RunStatus::Completed, "{:?}", run.message);
    nobody_marked(&format!("LOOPWRIGHT_RUN={}", run.id));
    let tasks = scene.with_project(async |project| project.tasks().list().await.unwrap());
    assert!(tasks.iter().all(|task| task.status == TaskStatus::Done), "{tasks:?}");
    let subjects = scene.sandbox.git("", &["log", "--reverse", "--format=%s"]);
    let made: Vec<&str> = subjects.lines().skip(1).collect();
    assert_eq!(made, ["Task 1", "Task 2", "Task 3"], "each once");
    assert_eq!(scene.git_line(&["status", "--porcelain"]), "");
    state_is_sound(&scene);
}
