//! Trusting a folder: the Overview's one decision.

use crate::desk::{Desk, eventually};
use crate::page::{id, journey};

#[test]
fn a_person_reads_what_would_run_and_trusts_it() {
    let desk = Desk::new();
    let sample = desk.sample();
    let before = desk.status(&sample);
    assert_eq!(before["trust"]["state"], "untrusted");
    let commands = before["trust"]["executables"].as_array().unwrap().len();
    journey("trust", &desk, Some(&sample), async |page| {
        page.see(&id("trust-banner")).await;
        page.click(&id("trust-review")).await;
        page.see(&id("trust-confirm")).await;
        assert_eq!(page.count(&id("executable")).await, commands);
        page.picture("list").await;
        page.click(&id("trust-confirm")).await;
        page.see_no(&id("trust-banner")).await;
        page.see_text(&id("activity"), "Folder trusted").await;
        page.picture("trusted").await;
    });
    let after = desk.status(&sample);
    assert_eq!(after["trust"]["state"], "trusted");
    let event = desk.last_event(&sample, "project.trusted").unwrap();
    assert_eq!((&event["origin"], &event["digest"]), (&"app".into(), &before["trust"]["digest"]));
}

#[test]
fn closing_the_list_trusts_nothing() {
    let desk = Desk::new();
    let sample = desk.sample();
    journey("trust-not", &desk, Some(&sample), async |page| {
        page.click(&id("trust-review")).await;
        page.click(&id("trust-cancel")).await;
        page.see_no(&id("trust-confirm")).await;
        page.see(&id("trust-banner")).await;
    });
    assert_eq!(desk.last_event(&sample, "project.trusted"), None);
    assert_eq!(desk.status(&sample)["trust"]["state"], "untrusted");
}

#[test]
fn a_trusted_folder_that_changes_on_disk_is_shown_as_changed() {
    let desk = Desk::new();
    let sample = desk.sample();
    desk.cli(&sample, &["trust", "--yes"]);
    journey("trust-changed", &desk, Some(&sample), async |page| {
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
    eventually("the CLI says the same", || desk.status(&sample)["trust"]["state"] == "changed");
}
