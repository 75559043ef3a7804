//! The whole sample in a real window: waves fill, an attempt fails and is retried, a false "done" is caught, a gate is
//! rejected and then approved.

use std::path::Path;

use loopwright_testkit::eventually;

use crate::machine::Machine;
use crate::page::{Page, id, journey};

async fn start_tasks(page: &Page) {
    page.click(&id("kind-tasks")).await;
    page.click(&id("start")).await;
    page.see(&id("run")).await;
}

fn commits(machine: &Machine, sample: &Path) -> Vec<String> {
    machine.sandbox().git(sample, &["log", "--format=%s"]).lines().map(str::to_owned).collect()
}

#[test]
fn the_sample_is_played_rejected_once_and_approved() {
    let machine = Machine::new();
    let sample = machine.quick_sample();
    machine.cli(&sample, &["trust", "--yes"]);
    journey("sample", &machine, Some(&sample), async |page| {
        start_tasks(page).await;
        page.picture("running").await;
        page.see_text(&id("waiting-badge"), "1").await;
        page.picture("waiting").await;
        assert_eq!(commits(&machine, &sample).first().map(String::as_str), Some("Link the pages together"));

        page.click(&id("nav-waves")).await;
        page.see(&id("graph")).await;
        page.picture("waves").await;
        page.click(&id("nav-tasks")).await;
        page.see_text(&id("task-row"), "Add the autumn special").await;
        page.picture("tasks").await;

        page.click(&id("nav-review")).await;
        page.see_text(&id("risk"), "prices.txt").await;
        page.see_text(&id("diff-line"), "Chestnut oolong 5.20").await;
        page.picture("gate").await;
        page.click(&id("reject")).await;
        page.fill(&id("decision-reason"), "Ask the owner about the price first.").await;
        page.choose(&id("decision-confirm")).await;
        eventually("the rejected work is tried again and waits again", || {
            let opened = machine.last_event(&sample, "gate.opened");
            opened.is_some_and(|gate| gate["gate"] == 2)
        });
        page.see("[data-testid=gate-item][data-gate='2']").await;
        page.picture("again").await;
        page.click(&id("approve")).await;
        page.see_no(&id("waiting-badge")).await;
        page.click(&id("nav-overview")).await;
        page.see("[data-testid=ending][data-reason=finished]").await;
        page.picture("finished").await;
    });
    let status = machine.status(&sample);
    let tasks = status["tasks"].as_array().unwrap();
    assert!(tasks.iter().all(|task| task["status"] == "done"), "{tasks:?}");
    let failures: Vec<_> = tasks.iter().map(|task| task["failures"].as_u64().unwrap()).collect();
    assert_eq!(failures, [0, 0, 1, 1, 0, 0, 1], "menu, brewing guide, and what was rejected");
    assert_eq!(commits(&machine, &sample).len(), 9);
    assert_eq!(machine.sandbox().git(&sample, &["status", "--porcelain"]), "");
    let decided = machine.last_event(&sample, "gate.decided").unwrap();
    assert_eq!((&decided["status"], &decided["origin"]), (&"approved".into(), &"app".into()));
}
