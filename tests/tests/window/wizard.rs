//! From an idea to a started run, with the scripted agent, in one window; closed and opened again on the way.

use crate::machine::{Machine, built};
use crate::page::{Page, id, journey};
use crate::screen::{ENTER, Screen, TAB};

/// Good answers to every phase, and the work of the two tasks.
const SCENARIO: &str = include_str!("../wizard/scenario.toml");

/// Makes the scripted agent the one that is taken.
fn with_agent(machine: &Machine) {
    let file = machine.sandbox().root().join("scenario.toml");
    std::fs::write(&file, SCENARIO).unwrap();
    std::fs::create_dir_all(machine.sandbox().config_dir()).unwrap();
    let text = format!(
        "sandbox = \"off\"\ndefault_harness = \"rehearsal\"\n\n[harness.rehearsal]\ncommand = {:?}\nargs = [\"--scenario\", {:?}, \"--fast\"]\n",
        built("loopwright-rehearsal").display().to_string(),
        file.display().to_string()
    );
    std::fs::write(machine.user_config(), text).unwrap();
}

async fn at(page: &Page, phase: &str) {
    page.see(&format!("[data-testid=wizard][data-phase={phase}]")).await;
    page.see("[data-testid=wizard-accept]:not(:disabled), [data-testid=finding-merge], [data-testid=wizard-start]:not(:disabled)")
        .await;
}

async fn accept(page: &Page, next: &str) {
    page.click("[data-testid=wizard-accept]:not(:disabled)").await;
    at(page, next).await;
}

#[test]
fn a_person_goes_from_an_idea_to_a_run_and_may_close_the_window_on_the_way() {
    let machine = Machine::new();
    with_agent(&machine);
    let folder = machine.sandbox().work().join("tea");
    let screen = Screen::open();
    journey("wizard-begin", &machine, None, async |page| {
        page.see(&id("start-page")).await;
        page.click(&id("plan")).await;
        page.fill(&id("wizard-idea"), "A small site for our tea house. Guests read the menu. No accounts.")
            .await;
        page.fill(&id("wizard-folder"), folder.to_str().unwrap()).await;
        page.click(&id("agent-rehearsal")).await;
        page.click("[data-testid=wizard-begin]:not(:disabled)").await;
        at(page, "vision").await;
        page.picture("vision").await;
        accept(page, "functionality").await;
        page.picture("functionality").await;
    });
    assert!(!folder.exists(), "nothing is written before the plan is applied");
    journey("wizard-end", &machine, None, async |page| {
        at(page, "functionality").await;
        for next in ["technical", "gap_analysis"] {
            accept(page, next).await;
        }
        while page.count(&id("finding-merge")).await > 0 {
            let left = page.count(&id("finding-merge")).await;
            page.click(&id("finding-merge")).await;
            page.see_count(&id("finding-merge"), left - 1).await;
        }
        for next in ["generate", "task_review", "build_test"] {
            accept(page, next).await;
        }
        page.picture("checks").await;
        for next in ["iteration_mode", "launch"] {
            accept(page, next).await;
        }
        page.see(&id("launch-card")).await;
        page.picture("launch").await;
        page.click("[data-testid=wizard-start]:not(:disabled)").await;
        let dialog = screen.dialog();
        screen.strike(dialog, &[], TAB);
        screen.strike(dialog, &[], ENTER);
        screen.no_dialog();
        page.go_to_window_with(&id("project-name")).await;
        page.see(&id("run")).await;
        page.picture("started").await;
    });
    let status = machine.status(&folder);
    assert!(status["tasks"].as_array().is_some_and(|tasks| tasks.len() >= 2), "{status}");
    assert!(folder.join(".loopwright/config.toml").exists());
}
