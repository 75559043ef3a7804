//! The Checks view: run them, switch one off, add one after a native question.

use loopwright_testkit::eventually;

use crate::page::{id, journey};
use crate::screen::{ENTER, ESCAPE, Screen, TAB};
use crate::scripted_project::ScriptedProject;

#[test]
fn checks_are_run_switched_off_and_added_only_when_a_person_agrees() {
    let scripted = ScriptedProject::with_check("true\n", "echo 'tea.txt:1: too weak'\nexit 1\n");
    let config = scripted.project.join(".loopwright/config.toml");
    let written = || std::fs::read_to_string(&config).unwrap();
    let screen = Screen::open();
    journey("checks", &scripted.machine, Some(&scripted.project), async |page| {
        page.click(&id("nav-checks")).await;
        page.click(&id("checks-run-all")).await;
        page.see_text(&id("check-last"), "ailed").await;
        page.picture("failed").await;
        page.click(&id("check-add")).await;
        page.fill(&id("draft-name"), "cups").await;
        page.fill(&id("draft-command"), "test -d cups").await;
        page.choose(&id("draft-save")).await;
        screen.strike(screen.dialog(), &[], ESCAPE);
        screen.no_dialog();
        page.see(&id("draft-declined")).await;
        assert!(!written().contains("test -d cups"), "nothing is written without a yes");
        page.choose(&id("draft-save")).await;
        let dialog = screen.dialog();
        screen.strike(dialog, &[], TAB);
        screen.strike(dialog, &[], ENTER);
        screen.no_dialog();
        page.see_text(&id("check-list"), "test -d cups").await;
        page.click("[data-testid=check-enabled]").await;
        eventually("the first check is off", || written().contains("enabled = false"));
        page.picture("changed").await;
    });
    let listed = scripted.machine.cli(&scripted.project, &["check", "list"]);
    let text = listed.to_string();
    assert!(text.contains("test -d cups") && text.contains("failed"), "{text}");
    let event = scripted.machine.last_event(&scripted.project, "config.changed").unwrap();
    assert_eq!(event["origin"], "app");
    assert_eq!(scripted.machine.status(&scripted.project)["trust"]["state"], "trusted");
}
