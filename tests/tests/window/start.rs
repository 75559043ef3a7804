//! The start page.

use loopwright_testkit::eventually;

use crate::machine::Machine;
use crate::page::{id, journey};

#[test]
fn the_sample_is_made_from_an_empty_start_page_which_gives_way_to_it() {
    let machine = Machine::new();
    let sample = machine.sandbox().data_dir().join("sample");
    journey("start", &machine, None, async |page| {
        page.see(&id("recents-empty")).await;
        page.picture("empty").await;
        page.click(&id("try-sample")).await;
        page.go_to_window_with(&id("project-name")).await;
        page.see_windows(1).await;
        page.see_text(&id("plan-summary"), "7 tasks in 3 waves").await;
        page.see(&id("sample-badge")).await;
        page.picture("sample").await;
    });
    let log = machine.sandbox().git(&sample, &["log", "--format=%s"]);
    assert_eq!(log.lines().count(), 1, "{log}");
    let status = machine.status(&sample);
    assert_eq!(status["project"]["sample"], true);
    assert_eq!(status["tasks"].as_array().unwrap().len(), 7);
    let created = machine.last_event(&sample, "project.created").unwrap();
    assert_eq!(created["origin"], "app");
}

#[test]
fn recent_projects_are_listed_with_their_state_opened_and_forgotten() {
    let machine = Machine::new();
    let (sample, plain) = (machine.sample(), machine.project("plain"));
    for folder in [&sample, &plain] {
        journey("recents-opened-before", &machine, Some(folder), async |page| {
            page.see(&id("project-name")).await;
        });
    }
    journey("recents", &machine, None, async |page| {
        page.see_text(&id("recent-item"), "0 of 7 tasks done").await;
        page.see_count(&id("recent-item"), 2).await;
        page.picture("two").await;
        page.click(&id("recent-forget")).await;
        page.see_count(&id("recent-item"), 1).await;
        page.see_text(&id("recent-item"), "The Quiet Kettle").await;
        page.click(&id("recent-open")).await;
        page.go_to_window_with(&id("project-name")).await;
    });
    assert!(plain.join(".loopwright/config.toml").exists(), "forgetting deletes nothing");
}

#[test]
fn a_folder_that_is_no_project_leads_to_the_start_page_with_a_word_about_it() {
    let machine = Machine::new();
    let folder = machine.sandbox().work();
    journey("no-project", &machine, Some(&folder), async |page| {
        page.see(&id("start-page")).await;
        page.see_text("[data-sonner-toast]", "is not in a Loopwright project").await;
        page.picture("told").await;
    });
    eventually("nothing was made there", || std::fs::read_dir(&folder).unwrap().next().is_none());
}
