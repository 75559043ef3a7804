//! Trusting a folder: the Overview's one decision.

use loopwright_testkit::eventually;

use crate::machine::Machine;
use crate::page::{id, journey};
use crate::screen::{ENTER, ESCAPE, Screen, TAB};

#[test]
fn a_person_reads_what_would_run_and_trusts_it() {
    let machine = Machine::new();
    let sample = machine.sample();
    let before = machine.status(&sample);
    assert_eq!(before["trust"]["state"], "untrusted");
    let screen = Screen::open();
    let commands = before["trust"]["executables"].as_array().unwrap().len();
    journey("trust", &machine, Some(&sample), async |page| {
        page.see(&id("trust-banner")).await;
        page.click(&id("trust-review")).await;
        page.see(&id("trust-confirm")).await;
        assert_eq!(page.count(&id("executable")).await, commands);
        page.picture("list").await;
        for refusal in [ENTER, ESCAPE] {
            page.click(&id("trust-confirm")).await;
            let dialog = screen.dialog();
            screen.strike(dialog, &[], refusal);
            screen.no_dialog();
            page.see_text(&id("trust-dialog"), "Nothing was trusted").await;
            assert_eq!(
                machine.last_event(&sample, "project.trusted"),
                None,
                "nothing is trusted without a native yes"
            );
        }
        page.click(&id("trust-confirm")).await;
        let dialog = screen.dialog();
        screen.strike(dialog, &[], TAB);
        screen.strike(dialog, &[], ENTER);
        screen.no_dialog();
        page.see_no(&id("trust-banner")).await;
        page.see_text(&id("activity"), "Folder trusted").await;
        page.picture("trusted").await;
    });
    let after = machine.status(&sample);
    assert_eq!(after["trust"]["state"], "trusted");
    let event = machine.last_event(&sample, "project.trusted").unwrap();
    assert_eq!((&event["origin"], &event["digest"]), (&"app".into(), &before["trust"]["digest"]));
}

#[test]
fn closing_the_list_trusts_nothing() {
    let machine = Machine::new();
    let sample = machine.sample();
    journey("trust-not", &machine, Some(&sample), async |page| {
        page.click(&id("trust-review")).await;
        page.click(&id("trust-cancel")).await;
        page.see_no(&id("trust-confirm")).await;
        page.see(&id("trust-banner")).await;
    });
    assert_eq!(machine.last_event(&sample, "project.trusted"), None);
    assert_eq!(machine.status(&sample)["trust"]["state"], "untrusted");
}

#[test]
fn a_trusted_folder_that_changes_on_disk_is_shown_as_changed() {
    let machine = Machine::new();
    let sample = machine.sample();
    machine.cli(&sample, &["trust", "--yes"]);
    journey("trust-changed", &machine, Some(&sample), async |page| {
        page.see(&id("plan-summary")).await;
        page.see_no(&id("trust-banner")).await;
        let file = sample.join(".loopwright/config.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{text}\n[[checks]]\nname = \"late\"\ncommand = \"make late\"\n"))
            .unwrap();
        page.see_text(&id("trust-banner"), "changed").await;
        page.click(&id("trust-review")).await;
        page.see_text(&id("executable"), "make late").await;
        page.picture("banner").await;
    });
    eventually("the CLI says the same", || machine.status(&sample)["trust"]["state"] == "changed");
}
