//! Every view and every overlay without a mouse.

use fantoccini::key::Key;
use loopwright_testkit::eventually;

use crate::machine::Machine;
use crate::page::{id, journey};

#[test]
fn views_are_reached_by_mouse_and_by_keys() {
    let machine = Machine::new();
    let sample = machine.sample();
    journey("views", &machine, Some(&sample), async |page| {
        page.see(&id("view-overview")).await;
        page.click(&id("nav-settings")).await;
        page.see(&id("view-settings")).await;
        page.click(&id("nav-overview")).await;
        page.see(&id("view-overview")).await;
        let others = ["waves", "tasks", "iterations", "review", "spec", "checks", "memory", "metrics"];
        for (key, view) in ('2'..).zip(others) {
            page.ctrl(key).await;
            page.see(&id(&format!("view-{view}"))).await;
        }
        page.picture("metrics").await;
        page.ctrl('1').await;
        page.see(&id("view-overview")).await;
        page.ctrl(',').await;
        page.see(&id("view-settings")).await;
    });
    journey("views-of-the-start-page", &machine, None, async |page| {
        page.see(&id("view-start")).await;
        page.click(&id("nav-settings")).await;
        page.see(&id("view-settings")).await;
        page.ctrl('1').await;
        page.see(&id("view-start")).await;
    });
}

#[test]
fn the_tab_key_reaches_the_navigation_and_enter_follows_it() {
    let machine = Machine::new();
    let project = machine.project("plain");
    journey("tab", &machine, Some(&project), async |page| {
        page.see(&id("plan-empty")).await;
        let focused = "return document.activeElement?.dataset?.testid ?? '';";
        let mut reached = Vec::new();
        while !reached.contains(&"nav-settings".to_owned()) {
            assert!(reached.len() < 20, "the navigation is out of reach: {reached:?}");
            page.press(&[Key::Tab.into()]).await;
            reached.push(page.script(focused, vec![]).await.as_str().unwrap().to_owned());
        }
        page.press(&[Key::Enter.into()]).await;
        page.see(&id("view-settings")).await;
    });
}

#[test]
fn the_palette_finds_commands_and_tasks() {
    let machine = Machine::new();
    let sample = machine.sample();
    journey("palette", &machine, Some(&sample), async |page| {
        page.see(&id("plan-summary")).await;
        page.ctrl('k').await;
        page.see(&id("palette")).await;
        page.fill(&id("palette-input"), "settings").await;
        page.see_text(&id("palette-item"), "Settings").await;
        page.picture("settings").await;
        page.press(&[Key::Enter.into()]).await;
        page.see_no(&id("palette")).await;
        page.see(&id("view-settings")).await;
        page.ctrl('k').await;
        page.fill(&id("palette-input"), "brewing").await;
        page.see_text(&id("palette-item"), "Write the brewing guide").await;
        page.press(&[Key::Enter.into()]).await;
        page.see("[data-testid=task-panel][data-task='4']").await;
        page.ctrl('k').await;
        page.fill(&id("palette-input"), "dark").await;
        page.see_text(&id("palette-item"), "Theme: dark").await;
        page.press(&[Key::Enter.into()]).await;
        page.see("[data-theme=dark]").await;
        // The window shows a theme before it is written down.
        eventually("the choice is recorded", || machine.last_event(&sample, "config.changed").is_some());
    });
    let event = machine.last_event(&sample, "config.changed").unwrap();
    assert_eq!((&event["key"], &event["value"]), (&"ui.theme".into(), &"\"dark\"".into()));
}

#[test]
fn the_shortcut_sheet_opens_and_closes() {
    let machine = Machine::new();
    let project = machine.project("plain");
    journey("shortcuts", &machine, Some(&project), async |page| {
        page.see(&id("project-name")).await;
        page.ctrl('/').await;
        page.see_text(&id("shortcuts-dialog"), "Command palette").await;
        page.picture("sheet").await;
        page.press(&[Key::Escape.into()]).await;
        page.see_no(&id("shortcuts-dialog")).await;
    });
}
