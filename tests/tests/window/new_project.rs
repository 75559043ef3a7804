//! Making a project.

use crate::machine::Machine;
use crate::page::{id, journey};
use crate::screen::{ENTER, ESCAPE, Screen, TAB};

#[test]
fn a_folder_becomes_a_project_with_the_check_a_person_picked() {
    let machine = Machine::new();
    machine.sandbox().write("kettle/Makefile", "test:\n\ttrue\nlint:\n\ttrue\n");
    let folder = machine.sandbox().work().join("kettle");
    let screen = Screen::open();
    journey("new-project", &machine, None, async |page| {
        page.see(&id("start-page")).await;
        page.ctrl('n').await;
        page.fill(&id("new-project-path"), folder.to_str().unwrap()).await;
        page.see_text(&id("new-project-dialog"), "make test").await;
        assert_eq!(page.count(&id("suggestion")).await, 2);
        page.click(&id("suggestion")).await;
        page.see("[data-testid=suggestion]:checked").await;
        page.picture("suggestions").await;
        page.click(&id("new-project-create")).await;
        screen.strike(screen.dialog(), &[], ESCAPE);
        screen.no_dialog();
        assert!(!folder.join(".loopwright").exists(), "nothing is made without a yes");
        page.click(&id("new-project-create")).await;
        let dialog = screen.dialog();
        screen.strike(dialog, &[], TAB);
        screen.strike(dialog, &[], ENTER);
        screen.no_dialog();
        page.go_to_window_with(&id("project-name")).await;
        page.see_windows(1).await;
        page.see_text(&id("checks-section"), "make test").await;
        page.see_no(&id("trust-banner")).await;
        page.picture("made").await;
    });
    let config = std::fs::read_to_string(folder.join(".loopwright/config.toml")).unwrap();
    assert!(config.contains("make test") && !config.contains("make lint"), "{config}");
    let inside = machine.sandbox().git(&folder, &["rev-parse", "--is-inside-work-tree"]);
    assert_eq!(inside.trim(), "true");
    let status = machine.status(&folder);
    assert_eq!(
        (&status["project"]["name"], &status["trust"]["state"]),
        (&"kettle".into(), &"trusted".into())
    );
    assert_eq!(machine.last_event(&folder, "project.created").unwrap()["origin"], "app");
}
