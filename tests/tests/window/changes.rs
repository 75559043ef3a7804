//! The window follows what others do to the project.

use crate::machine::Machine;
use crate::page::{id, journey};

#[test]
fn what_the_cli_changes_is_shown_at_once() {
    let machine = Machine::new();
    let project = machine.project("plain");
    journey("changes", &machine, Some(&project), async |page| {
        page.see_text(&id("gate-section"), "Autonomous").await;
        machine.cli(&project, &["config", "set", "mode", "review_each"]);
        page.see_text(&id("activity"), "review_each").await;
        page.see_text(&id("gate-section"), "every").await;
        machine.cli(&project, &["config", "set", "name", "Renamed"]);
        page.see_text(&id("project-name"), "Renamed").await;
        machine.sandbox().git(&project, &["checkout", "--quiet", "-b", "elsewhere"]);
        page.see_text(&id("branch"), "elsewhere").await;
        page.picture("followed").await;
    });
    let event = machine.last_event(&project, "config.changed").unwrap();
    assert_eq!((&event["key"], &event["origin"]), (&"name".into(), &"cli".into()));
}
