//! The whole sample without a mouse: made, trusted, run, its work rejected once and then approved, all by keys that a
//! person presses. Nothing is clicked, and nothing gets the focus but by keys.

use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::key::Key;
use loopwright_testkit::eventually;
use serde_json::json;

use crate::machine::Machine;
use crate::page::{Page, id, journey};
use crate::screen::{ENTER, Screen, TAB};

/// More stops than any page has.
const MOST_STOPS: usize = 80;
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(50);

/// Presses Tab until something has the focus.
async fn tab_to(page: &Page, css: &str) {
    let focused = "const focus = document.activeElement;\
                   return [focus?.matches(arguments[0]) ?? false, focus?.dataset?.testid ?? focus?.tagName ?? ''];";
    let mut stops = Vec::new();
    loop {
        let answer = page.script(focused, vec![json!(css)]).await;
        if answer[0] == true {
            return;
        }
        stops.push(answer[1].as_str().unwrap_or_default().to_owned());
        assert!(stops.len() < MOST_STOPS, "no Tab leads to {css}: {stops:?}");
        page.press(&[Key::Tab.into()]).await;
    }
}

/// Goes to a button and presses it.
async fn press_on(page: &Page, css: &str) {
    tab_to(page, css).await;
    page.press(&[Key::Enter.into()]).await;
}

async fn type_text(page: &Page, text: &str) {
    for letter in text.chars() {
        page.press(&[letter]).await;
    }
}

/// Waits until something has the focus.
async fn see_focus_on(page: &Page, css: &str) {
    let focused = "return document.activeElement?.matches(arguments[0]) ?? false;";
    let begun = Instant::now();
    while page.script(focused, vec![json!(css)]).await != true {
        assert!(begun.elapsed() < PATIENCE, "{css} does not get the focus");
        tokio::time::sleep(PAUSE).await;
    }
}

/// Waits until the focus is in the view, where the next key works.
async fn see_focus_in_view(page: &Page) {
    see_focus_on(page, "main, main *").await;
}

/// Reads what would run, and says yes twice: in the window and in the native dialog.
async fn trust(page: &Page) {
    press_on(page, &id("trust-review")).await;
    page.see(&id("trust-dialog")).await;
    press_on(page, &id("trust-confirm")).await;
    let screen = Screen::open();
    let dialog = screen.dialog();
    screen.strike(dialog, &[], TAB);
    screen.strike(dialog, &[], ENTER);
    screen.no_dialog();
    // As a window manager does, which is not there.
    screen.focus(screen.window());
    page.see_no(&id("trust-banner")).await;
    see_focus_in_view(page).await;
}

/// Waits until a gate is open, whatever shows it.
fn wait_for_gate(machine: &Machine, sample: &Path, number: u32) {
    eventually("a gate that waits for a person", || {
        machine.last_event(sample, "gate.opened").is_some_and(|gate| gate["gate"] == number)
    });
}

#[test]
fn the_whole_sample_is_played_by_keys_alone() {
    let machine = Machine::new();
    let sample = machine.sandbox().data_dir().join("sample");
    journey("by-keys", &machine, None, async |page| {
        page.see(&id("recents-empty")).await;
        press_on(page, &id("try-sample")).await;
        page.go_to_window_with(&id("project-name")).await;
        page.see(&id("trust-review")).await;
        machine.hurry(&sample);
        trust(page).await;
        page.picture("trusted").await;

        press_on(page, &id("start")).await;
        page.see(&id("run")).await;
        see_focus_in_view(page).await;
        wait_for_gate(&machine, &sample, 1);
        page.see_text(&id("waiting-badge"), "1").await;

        page.ctrl('5').await;
        page.see_text(&id("diff-line"), "Chestnut oolong 5.20").await;
        see_focus_in_view(page).await;
        press_on(page, &id("reject")).await;
        see_focus_on(page, &id("decision-reason")).await;
        type_text(page, "Ask the owner about the price first.").await;
        press_on(page, &id("decision-confirm")).await;
        page.see_no(&id("reject-dialog")).await;
        wait_for_gate(&machine, &sample, 2);
        page.see("[data-testid=gate-item][data-gate='2']").await;
        see_focus_in_view(page).await;
        page.picture("again").await;

        page.press(&['a']).await;
        page.see_no(&id("waiting-badge")).await;
        page.ctrl('1').await;
        page.see("[data-testid=ending][data-reason=finished]").await;
        see_focus_in_view(page).await;
        page.picture("finished").await;
    });
    let status = machine.status(&sample);
    let tasks = status["tasks"].as_array().unwrap();
    assert!(tasks.iter().all(|task| task["status"] == "done"), "{tasks:?}");
    let decided = machine.last_event(&sample, "gate.decided").unwrap();
    assert_eq!((&decided["status"], &decided["origin"]), (&"approved".into(), &"app".into()));
}
