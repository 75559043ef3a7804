//! One run at a time in a project, whoever starts it and by whatever path.

use std::os::unix::fs::symlink;

use loopwright_testkit::eventually;

use crate::live::{Live, Started};

/// How many start at once.
const STARTS: usize = 100;

#[test]
fn of_a_hundred_simultaneous_starts_one_wins_and_the_others_are_told_who() {
    let live = Live::new();
    let mut started: Vec<Started> = (0..STARTS).map(|_| live.start(&mut live.looping(&["--json"]))).collect();
    let mut refused = Vec::new();
    eventually("all but one have ended", || {
        let over = started.iter_mut().position(Started::is_over);
        if let Some(place) = over {
            refused.push(started.swap_remove(place).finish());
        }
        started.len() == 1
    });
    let winner = started.pop().unwrap();
    for output in &refused {
        assert_eq!(output.code, 6, "{output:?}");
        let told = format!("{}{}", output.stdout, output.stderr);
        assert!(told.contains("run.locked"), "{told}");
        assert!(told.contains(&format!("process {}", winner.id())), "{told}");
    }
    assert_eq!(refused.len(), STARTS - 1);
    eventually("the winner's agent starts", || live.lines("started") == 1);
    live.go();
    assert_eq!(winner.finish().code, 3);
    assert_eq!(live.lines("started"), 2, "each iteration had one agent");
}

#[test]
fn status_shows_who_is_at_work_and_a_second_path_to_the_project_is_the_same_project() {
    let live = Live::new();
    let worker = live.at_work(&[]);
    let run = live.last_run();
    assert_eq!(run["status"], "running");
    assert_eq!(run["live"]["pid"], worker.id());
    let other = live.sandbox.root().join("other");
    symlink(live.sandbox.work(), &other).unwrap();
    let second = live.sandbox.run(live.looping(&[]).current_dir(&other));
    assert_eq!(second.code, 6, "{second:?}");
    assert!(second.stderr.contains(&format!("process {}", worker.id())), "{second:?}");
    let resumed = live.sandbox.run(live.looping(&["--new"]).arg("--dir").arg(&other));
    assert_eq!(resumed.code, 6, "{resumed:?}");
    live.go();
    assert_eq!(worker.finish().code, 3);
    assert!(live.last_run()["live"].is_null());
}

#[test]
fn a_crash_leaves_no_lock() {
    let live = Live::new();
    live.at_work(&[]).kill();
    let run = live.last_run();
    assert_eq!(run["status"], "interrupted", "seen from now");
    assert!(run["live"].is_null());
    live.go();
    assert_eq!(live.run(&["resume"]).code, 3);
    assert_eq!(live.status(), "aborted", "all iterations are used, and the goal is unmet");
}
