//! Ctrl-C and the system's wish to end: gentle first, at once the second time, resumable always.

use loopwright_testkit::eventually;

use crate::live::Live;

/// Long enough that a test which waits for it fails.
const LONG: &str = "agent.interrupt_grace=10m";

fn interrupted(live: &Live) {
    assert_eq!(live.status(), "interrupted");
    assert!(live.last_run()["live"].is_null());
}

#[test]
fn after_the_first_ctrl_c_the_agent_may_finish_and_no_new_phase_starts() {
    let live = Live::new();
    let mut worker = live.at_work(&["-c", LONG]);
    worker.signal(&live, "INT");
    let said = "stopping: a running agent gets 10m00s to end, Ctrl-C again to stop at once\n";
    assert_eq!(worker.first_complaint(), said);
    assert_eq!(live.last_run()["phase"], "running", "the agent has its grace");
    live.go();
    let output = worker.finish();
    assert_eq!(output.code, 130, "{output:?}");
    assert_eq!(output.stderr, "", "one line, at the first one only");
    interrupted(&live);
    assert_eq!(live.lines("checked"), 0, "the checks are a new phase");
    assert_eq!(live.lines("started"), 1);
    assert_eq!(live.run(&["resume"]).code, 3);
    assert_eq!(live.lines("started"), 2, "the finished agent's work was kept, not done again");
    let expected = [(1, "succeeded"), (2, "succeeded")];
    assert_eq!(live.outcomes(), expected.map(|(number, outcome)| (number, outcome.to_owned())));
}

#[test]
fn an_agent_that_outstays_its_grace_is_ended() {
    let live = Live::new();
    let worker = live.at_work(&["-c", "agent.interrupt_grace=200ms"]);
    worker.signal(&live, "INT");
    let output = worker.finish();
    assert_eq!(output.code, 130, "{output:?}");
    interrupted(&live);
    assert_eq!(live.outcomes(), [(1, "interrupted".to_owned())]);
    live.go();
    assert_eq!(live.run(&["resume"]).code, 3);
}

#[test]
fn the_second_ctrl_c_means_at_once() {
    let live = Live::new();
    let mut worker = live.at_work(&["-c", LONG]);
    worker.signal(&live, "INT");
    assert!(worker.first_complaint().starts_with("stopping: "));
    worker.signal(&live, "INT");
    assert_eq!(worker.finish().code, 130, "nobody waits for the grace");
    interrupted(&live);
    live.go();
    assert_eq!(live.run(&["resume"]).code, 3);
}

#[test]
fn the_systems_wish_has_its_own_exit_code_and_can_be_resumed_too() {
    for name in ["TERM", "HUP"] {
        let live = Live::new();
        let worker = live.at_work(&["-c", "agent.interrupt_grace=100ms"]);
        worker.signal(&live, name);
        let output = worker.finish();
        assert_eq!(output.code, 143, "{name}: {output:?}");
        interrupted(&live);
        live.go();
        assert_eq!(live.run(&["resume"]).code, 3, "{name}");
    }
}

#[test]
fn the_third_ctrl_c_ends_the_program_whatever_it_does() {
    let live = Live::new();
    let mut worker = live.at_work(&["-c", LONG]);
    worker.signal(&live, "INT");
    assert!(worker.first_complaint().starts_with("stopping: "));
    // Signals that come at once are one: they are sent until nobody is there.
    eventually("it is over", || {
        let over = worker.is_over();
        if !over {
            worker.signal(&live, "INT");
        }
        over
    });
    assert_eq!(worker.finish().code, 130);
    eventually("it can be resumed", || live.status() == "interrupted");
    live.go();
    assert_eq!(live.run(&["resume"]).code, 3);
}

#[test]
fn the_first_ctrl_c_is_answered_at_once_for_people_and_for_programs() {
    let live = Live::new();
    let worker = live.at_work(&["-c", LONG, "--json"]);
    worker.signal(&live, "INT");
    live.go();
    let output = worker.finish();
    assert_eq!(output.code, 130, "{output:?}");
    assert!(output.stderr.starts_with("stopping: "), "{output:?}");
    let lines: Vec<serde_json::Value> =
        output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let place = |kind: &str| lines.iter().position(|line| line["type"] == kind);
    assert!(place("stopping").unwrap() < place("run").unwrap(), "{output:?}");
}
