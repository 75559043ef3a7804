//! What has to hold after a run, however often it was cut off.

use std::collections::{BTreeMap, BTreeSet};

use loopwright_domain::{EventSeq, ExitReason, Iteration, Outcome, Phase, Run, RunStatus};

use crate::processes::nobody_marked;
use crate::scene::Scene;

/// The run whose folder is `label` is over, and all of it is as if nothing had ever happened to it. `calm` is the tree
/// an undisturbed run leaves.
pub(crate) fn all_is_well(scene: &Scene, label: &str, iterations: u32, calm: &str) {
    let (run, all) = newest(scene);
    // It had a goal besides its iterations, and used them without reaching it.
    assert_eq!(
        (run.status, run.reason),
        (RunStatus::Aborted, Some(ExitReason::MaxIterations)),
        "{:?}",
        run.message
    );
    each_once(&run, &all, iterations);
    for iteration in &all {
        nobody_marked(&iteration.id.to_string());
    }
    nobody_marked(&format!("LOOPWRIGHT_RUN={}", run.id));
    let tree = scene.git_line(&["rev-parse", &format!("HEAD:{label}")]);
    assert_eq!(tree, calm, "{}", scene.sandbox.git("", &["ls-tree", "-r", "HEAD"]));
    assert_eq!(scene.git_line(&["status", "--porcelain"]), "", "something is left uncommitted");
    one_commit_each(scene, &run, &all, label);
    state_is_sound(scene);
}

/// The last run and its iterations, the first one first.
pub(crate) fn newest(scene: &Scene) -> (Run, Vec<Iteration>) {
    scene.with_project(async |project| {
        let run = project.runs().find(None).await.unwrap();
        let all = project.iterations().list(run.id, 0, 10_000).await.unwrap();
        (run, all)
    })
}

/// Each number was settled exactly once as something else than interrupted, and nothing is left unsettled.
fn each_once(run: &Run, all: &[Iteration], iterations: u32) {
    let mut settled: BTreeMap<u32, u32> = BTreeMap::new();
    for iteration in all {
        assert_eq!(iteration.phase, Phase::Settled, "iteration {}", iteration.number);
        match iteration.outcome {
            Some(Outcome::Succeeded) => *settled.entry(iteration.number).or_default() += 1,
            Some(Outcome::Interrupted) => {}
            outcome => {
                panic!("iteration {} came to {outcome:?}: {:?}", iteration.number, iteration.message)
            }
        }
    }
    let expected: BTreeMap<u32, u32> = (0..iterations).map(|number| (number, 1)).collect();
    assert_eq!(settled, expected);
    assert_eq!(run.progress.iteration, iterations);
    assert_eq!(run.progress.consecutive_failures, 0);
}

/// Each iteration has one commit with its trailer, which holds its work and nothing else.
fn one_commit_each(scene: &Scene, run: &Run, all: &[Iteration], label: &str) {
    let since = format!("{}..HEAD", run.head.as_deref().unwrap());
    let format = "--format=%H %(trailers:key=Loopwright-Iteration,valueonly,separator=%x20)";
    let log = scene.sandbox.git("", &["log", "--reverse", format, &since]);
    let made: Vec<(&str, &str)> = log.lines().map(|line| line.split_once(' ').unwrap()).collect();
    let good = all.iter().filter(|iteration| iteration.outcome == Some(Outcome::Succeeded));
    let recorded: Vec<(String, String)> = good
        .clone()
        .map(|iteration| (iteration.commit.clone().unwrap_or_default(), iteration.id.to_string()))
        .collect();
    let recorded: Vec<(&str, &str)> = recorded.iter().map(|(oid, id)| (&**oid, &**id)).collect();
    assert_eq!(made, recorded, "the commits of the run, and those that were written down");
    for (iteration, (commit, _)) in good.zip(made) {
        let names = scene.sandbox.git("", &["diff-tree", "-r", "--no-commit-id", "--name-only", commit]);
        let number = iteration.number + 1;
        let part = format!("{label}/part-{number}.txt");
        let step = format!("{label}/step-{number}.txt");
        assert_eq!(names.lines().collect::<BTreeSet<_>>(), BTreeSet::from([&*part, &*step]));
    }
}

/// The database is whole and the sequence of events has no gap.
pub(crate) fn state_is_sound(scene: &Scene) {
    scene.with_project(async |project| {
        assert!(project.recovery().is_none(), "the database was set aside");
        assert_eq!(project.verify_state().await.unwrap(), Vec::<String>::new());
        let events = project.events().since(EventSeq(0), 100_000).await.unwrap();
        for (place, event) in events.iter().enumerate() {
            assert_eq!(event.seq.0, u64::try_from(place).unwrap() + 1, "a gap before {event:?}");
        }
    });
}
