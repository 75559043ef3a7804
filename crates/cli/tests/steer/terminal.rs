//! A second terminal: pause, resume, cancel and watch a run that works elsewhere.

use loopwright_testkit::eventually;

use crate::live::Live;

#[test]
fn pause_holds_before_the_next_phase_and_resume_goes_on() {
    let live = Live::new();
    let worker = live.at_work(&[]);
    let paused = live.run(&["pause"]);
    assert_eq!(paused.code, 0, "{paused:?}");
    // The agent is left to finish; what comes after it waits.
    live.go();
    eventually("it is paused", || live.status() == "paused");
    assert_eq!(live.lines("checked"), 0);
    assert_eq!(live.last_run()["live"]["pid"], worker.id());
    assert_eq!(live.run(&["resume"]).code, 0);
    assert_eq!(worker.finish().code, 3);
    assert_eq!(live.lines("checked"), 2);
}

#[test]
fn pause_after_iteration_lets_the_iteration_finish() {
    let live = Live::new();
    let worker = live.at_work(&[]);
    assert_eq!(live.run(&["pause", "--after-iteration"]).code, 0);
    live.go();
    eventually("it is paused", || live.status() == "paused");
    assert_eq!(live.lines("checked"), 1);
    assert_eq!(live.lines("started"), 1);
    assert_eq!(live.outcomes(), [(1, "succeeded".to_owned())]);
    assert_eq!(live.run(&["resume"]).code, 0);
    assert_eq!(worker.finish().code, 3);
}

#[test]
fn a_paused_run_whose_process_is_gone_can_be_resumed() {
    let live = Live::new();
    let worker = live.at_work(&[]);
    assert_eq!(live.run(&["pause", "--after-iteration"]).code, 0);
    live.go();
    eventually("it is paused", || live.status() == "paused");
    worker.kill();
    assert_eq!(live.run(&["resume"]).code, 3);
    let expected = [(1, "succeeded"), (2, "succeeded")];
    assert_eq!(live.outcomes(), expected.map(|(number, outcome)| (number, outcome.to_owned())));
}

#[test]
fn cancel_ends_a_live_run_and_its_agent_for_good() {
    let live = Live::new();
    let worker = live.at_work(&[]);
    assert_eq!(live.run(&["cancel"]).code, 0);
    assert_eq!(worker.finish().code, 130);
    assert_eq!(live.status(), "cancelled");
    assert_eq!(live.run(&["resume"]).code, 2);
    assert_eq!(live.run(&["cancel"]).code, 2, "there is nothing left to cancel");
    live.go();
    assert_eq!(live.sandbox.run(&mut live.looping(&[])).code, 3, "a new run starts without a question");
}

#[test]
fn cancel_ends_a_paused_run_and_leaves_nothing_unsettled() {
    let live = Live::new();
    let worker = live.at_work(&[]);
    assert_eq!(live.run(&["pause"]).code, 0);
    live.go();
    eventually("it is paused", || live.status() == "paused");
    assert_eq!(live.run(&["cancel"]).code, 0);
    assert_eq!(worker.finish().code, 130);
    assert_eq!(live.status(), "cancelled");
    assert_eq!(live.outcomes(), [(1, "interrupted".to_owned())]);
    assert_eq!(live.lines("checked"), 0);
}

#[test]
fn cancel_without_a_live_process_is_done_on_the_spot() {
    let live = Live::new();
    live.at_work(&[]).kill();
    let cancelled = live.run(&["cancel", "--json"]);
    assert_eq!(cancelled.code, 0, "{cancelled:?}");
    assert!(cancelled.stdout.contains("done"), "{cancelled:?}");
    assert_eq!(live.status(), "cancelled");
    assert_eq!(live.outcomes(), [(1, "interrupted".to_owned())]);
    assert_eq!(live.run(&["pause"]).code, 2, "nothing is going on");
}

#[test]
fn watch_follows_a_run_of_another_process_and_ends_with_it() {
    let live = Live::new();
    let worker = live.at_work(&[]);
    let watcher = live.start(&mut live.command(&["watch"]));
    let mut machine = live.start(&mut live.command(&["watch", "--json"]));
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!machine.is_over());
    live.go();
    assert_eq!(worker.finish().code, 3);
    let seen = watcher.finish();
    assert_eq!(seen.code, 3, "it ends as the run did: {seen:?}");
    for line in ["Starting loop: wait", "Iteration 1/2 starting", "Iteration 2/2 completed", "max iterations"]
    {
        assert!(seen.stdout.contains(line), "{line} is not in {}", seen.stdout);
    }
    let events = machine.finish().stdout;
    let lines: Vec<serde_json::Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line} in {events}")))
        .collect();
    assert_eq!(lines.last().unwrap()["event"]["type"], "run.status", "{events}");
    let idle = live.run(&["watch"]);
    assert!(idle.stdout.contains("Nothing is going on"), "{idle:?}");
}
