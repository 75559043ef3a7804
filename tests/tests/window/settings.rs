//! The Settings view and the theme.

use loopwright_testkit::eventually;

use crate::machine::Machine;
use crate::page::{id, journey};

const CONFIG: &str = "# Our own words.\nname = \"plain\" # kept\n\n# Who looks.\nmode = \"review_each\"\n";

#[test]
fn a_setting_is_changed_in_its_file_and_the_comments_stay() {
    let machine = Machine::new();
    let project = machine.project("plain");
    let file = project.join(".loopwright/config.toml");
    std::fs::write(&file, CONFIG).unwrap();
    machine.sandbox().git(&project, &["add", "--all"]);
    machine.sandbox().git(&project, &["commit", "--quiet", "--message", "Settings"]);
    journey("settings", &machine, Some(&project), async |page| {
        page.click(&id("nav-settings")).await;
        page.see(&id("view-settings")).await;
        page.fill(&id("value-name"), "Tea house").await;
        page.click(&id("save-name")).await;
        page.see_text(&id("project-name"), "Tea house").await;
        page.see_text(&id("origin-name"), "config.toml:2").await;
        page.picture("saved").await;
    });
    assert_eq!(std::fs::read_to_string(&file).unwrap(), CONFIG.replace("\"plain\"", "\"Tea house\""));
    let changed = machine.sandbox().git(&project, &["diff", "--numstat"]);
    assert_eq!(changed.trim(), "1\t1\t.loopwright/config.toml");
    let event = machine.last_event(&project, "config.changed").unwrap();
    assert_eq!((&event["key"], &event["value"]), (&"name".into(), &"\"Tea house\"".into()));
    assert_eq!(event["origin"], "app");
}

#[test]
fn the_theme_is_switched_kept_and_there_from_the_first_moment() {
    let machine = Machine::new();
    let project = machine.project("plain");
    let theme =
        "return [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor];";
    journey("theme", &machine, Some(&project), async |page| {
        page.see(&id("project-name")).await;
        let light = page.script(theme, vec![]).await;
        assert_eq!(light[0], "light");
        page.click(&id("theme-toggle")).await;
        page.see("[data-theme=dark]").await;
        eventually("the choice is written", || {
            std::fs::read_to_string(machine.user_config()).is_ok_and(|text| text.contains("theme = \"dark\""))
        });
        eventually("the choice is recorded", || machine.last_event(&project, "config.changed").is_some());
        let dark = page.script(theme, vec![]).await;
        assert_ne!(dark[1], light[1], "the colours changed");
        page.picture("dark").await;
    });
    journey("theme-again", &machine, None, async |page| {
        page.see(&id("start-page")).await;
        assert_eq!(page.script(theme, vec![]).await[0], "dark");
        assert_eq!(page.script("return window.__LOOPWRIGHT_THEME__;", vec![]).await, "dark");
        page.picture("start").await;
    });
    let event = machine.last_event(&project, "config.changed").unwrap();
    assert_eq!(event["key"], "ui.theme");
}

#[test]
fn the_doctor_and_the_cli_that_came_along_are_found() {
    let machine = Machine::new();
    let project = machine.project("plain");
    journey("doctor", &machine, Some(&project), async |page| {
        page.click(&id("nav-settings")).await;
        page.click(&id("section-doctor")).await;
        page.see_text(&id("doctor"), "Git").await;
        page.see_text(&id("about"), env!("CARGO_PKG_VERSION")).await;
        let about = page.see(&id("about")).await;
        assert!(!about.contains("not found"), "{about}");
        page.picture("report").await;
    });
}
