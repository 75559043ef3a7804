//! Going on with a run that was stopped, or beginning anew.

use crate::live::Live;

#[test]
fn a_plain_start_after_an_interrupted_run_asks_for_resume_or_new() {
    let live = Live::new();
    live.at_work(&[]).kill();
    let plain = live.sandbox.run(&mut live.looping(&[]));
    assert_eq!(plain.code, 2, "{plain:?}");
    assert!(plain.stderr.contains("--resume") && plain.stderr.contains("--new"), "{plain:?}");
    let again = live.sandbox.run(&mut live.looping(&["--json"]));
    assert_eq!(again.code, 2, "{again:?}");
    assert!(format!("{}{}", again.stdout, again.stderr).contains("run.interrupted"), "{again:?}");
    live.go();
    let resumed = live.sandbox.run(&mut live.looping(&["--resume"]));
    assert_eq!(resumed.code, 3, "{resumed:?}");
    assert!(resumed.stdout.contains("Resuming loop: wait from iteration 0 (max 2)"), "{resumed:?}");
    assert!(resumed.stdout.contains("Previous session: 0 iterations completed"), "{resumed:?}");
    assert_eq!(live.status(), "aborted", "all iterations are used, and the goal is unmet");
}

#[test]
fn new_begins_anew_and_leaves_the_old_run_as_it_is() {
    let live = Live::new();
    live.at_work(&[]).kill();
    let old = live.last_run()["run"].clone();
    let worker = live.at_work(&["--new"]);
    live.go();
    let output = worker.finish();
    assert_eq!(output.code, 3, "{output:?}");
    let run = live.last_run();
    assert_ne!(run["run"], old);
    assert_eq!(run["status"], "aborted");
    let shown = live.run(&["show", "--run", old.as_str().unwrap(), "--json"]);
    assert!(shown.stdout.contains("\"interrupted\""), "{shown:?}");
    assert_eq!(live.lines("started"), 3);
}

#[test]
fn a_run_that_is_over_is_not_resumed() {
    let live = Live::new();
    live.go();
    assert_eq!(live.sandbox.run(&mut live.looping(&[])).code, 3);
    let resumed = live.run(&["resume"]);
    assert_eq!(resumed.code, 2, "{resumed:?}");
    assert!(resumed.stderr.contains("aborted"), "{resumed:?}");
    let nothing = Live::new().run(&["resume"]);
    assert_eq!(nothing.code, 2, "{nothing:?}");
    assert_eq!(live.lines("started"), 2);
}

#[test]
fn earlier_timing_is_shown_and_the_count_goes_on() {
    let live = Live::new();
    live.go();
    live.outside("agent.sh", &agent_that_waits_in_its_second_iteration(&live));
    let worker = live.start(&mut live.looping(&[]));
    loopwright_testkit::eventually("the second agent starts", || live.lines("started") == 2);
    worker.kill();
    live.outside("on", "");
    let resumed = live.run(&["resume"]);
    assert_eq!(resumed.code, 3, "{resumed:?}");
    assert!(resumed.stdout.contains("from iteration 1 (max 2)"), "{resumed:?}");
    assert!(resumed.stdout.contains("Previous session: 1 iterations completed in "), "{resumed:?}");
    let outcomes = live.outcomes();
    let expected = [(1, "succeeded"), (2, "interrupted"), (2, "succeeded")];
    assert_eq!(outcomes, expected.map(|(number, outcome)| (number, outcome.to_owned())));
}

fn agent_that_waits_in_its_second_iteration(live: &Live) -> String {
    format!(
        "SCENE='{}'\n{}",
        live.sandbox.root().display(),
        r#"
echo "$LOOPWRIGHT_ATTEMPT" >> "$SCENE/started"
[ "$LOOPWRIGHT_ATTEMPT" = 2 ] && while [ ! -e "$SCENE/on" ]; do sleep 0.02; done
echo "$LOOPWRIGHT_ATTEMPT" > "file-$LOOPWRIGHT_ATTEMPT"
"#
    )
}
