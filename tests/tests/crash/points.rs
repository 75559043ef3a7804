//! Every named place of the journal, each three times: the process vanishes there, and the run is resumed.

use std::collections::BTreeSet;
use std::sync::Mutex;

use loopwright_engine::run::CRASH_POINTS;

use crate::oracle::all_is_well;
use crate::scene::Scene;

const ITERATIONS: u32 = 4;
const TIMES: u32 = 3;
/// Scenes that work side by side.
const WORKERS: usize = 3;
/// What a process that was aborted ends with.
const ABORTED: i32 = -1;

/// Places that one process passes only once. Here it is several processes, one after the other, that vanish.
const ONCE: &[&str] = &["run.before", "ended.before"];
/// Places after which nothing passes them again: a run begins once and ends once.
const ONLY_ONCE: &[&str] = &["run.after", "ended.after"];

#[test]
fn a_run_cut_off_at_any_named_place_is_resumed_as_if_nothing_had_happened() {
    let left: Mutex<Vec<(&str, u32)>> = Mutex::new(
        CRASH_POINTS.iter().flat_map(|point| (1..=TIMES).map(move |time| (*point, time))).collect(),
    );
    let reached: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let scene = Scene::new();
                let calm = calm_tree(&scene, ITERATIONS);
                loop {
                    let Some((point, time)) = left.lock().unwrap().pop() else { return };
                    if ONLY_ONCE.contains(&point) && time > 1 {
                        continue;
                    }
                    crash_at(&scene, point, time, &calm);
                    reached.lock().unwrap().insert(point);
                }
            });
        }
    });
    let reached = reached.into_inner().unwrap();
    assert_eq!(reached, CRASH_POINTS.iter().copied().collect(), "every place is reached");
}

/// The tree that a run leaves when nobody disturbs it.
pub(crate) fn calm_tree(scene: &Scene, iterations: u32) -> String {
    scene.label("calm");
    let output = scene.sandbox.run(&mut scene.looping("calm", iterations, &["--auto-commit"]));
    assert_eq!(output.code, 3, "{output:?}");
    let tree = scene.git_line(&["rev-parse", "HEAD:calm"]);
    all_is_well(scene, "calm", iterations, &tree);
    tree
}

fn crash_at(scene: &Scene, point: &str, time: u32, calm: &str) {
    let label = format!("{}-{time}", point.replace('.', "-"));
    scene.label(&label);
    let begin = || scene.looping(&label, ITERATIONS, &["--auto-commit"]);
    let go_on = || match point {
        // Nothing was written down yet: there is nothing to resume, and nothing in the way of a new start.
        "run.before" => begin(),
        _ => scene.command(&["resume"]),
    };
    let (lives, place) = if ONCE.contains(&point) { (time, 1) } else { (1, time) };
    for life in 0..lives {
        let mut command = if life == 0 { begin() } else { go_on() };
        let output = scene.sandbox.run(command.env("LOOPWRIGHT_CRASH_AT", format!("{point}#{place}")));
        assert_eq!(output.code, ABORTED, "{point}#{place} was not reached: {output:?}");
    }
    let resumed = scene.sandbox.run(&mut go_on());
    match point {
        "ended.after" => assert_eq!(resumed.code, 2, "the run is over: {resumed:?}"),
        _ => assert_eq!(resumed.code, 3, "{point}#{time}: {resumed:?}"),
    }
    all_is_well(scene, &label, ITERATIONS, calm);
}
