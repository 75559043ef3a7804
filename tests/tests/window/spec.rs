//! The spec in a real window: written, searched, and what the engine has of it afterwards.

use crate::machine::Machine;
use crate::page::{id, journey};

#[test]
fn a_section_is_written_and_saved_and_found() {
    let machine = Machine::new();
    let project = machine.project("plain");
    machine
        .sandbox()
        .write("plain/SPEC.md", "# Tea house\n\nGuests drink tea.\n\n## Booking\n\nA guest books a table.\n");
    machine.cli(&project, &["spec", "import", "SPEC.md"]);
    journey("spec", &machine, Some(&project), async |page| {
        page.see(&id("project-name")).await;
        page.click(&id("nav-spec")).await;
        page.see_count(&id("spec-entry"), 2).await;
        page.click("[data-testid=spec-entry]:last-child").await;
        page.see("[data-testid=spec-editor][data-ready]").await;
        page.fill(&id("spec-title"), "Booking a table").await;
        page.see_text(&id("spec-saved"), "Not saved").await;
        page.ctrl('s').await;
        page.see_text(&id("spec-saved"), "Saved").await;
        page.see_text("[data-testid=spec-entry]:last-child", "Booking a table").await;
        page.fill(&id("spec-search"), "guest").await;
        page.see(&id("spec-hit")).await;
        page.picture("found").await;
    });
    let sections = machine.cli(&project, &["spec", "list"]);
    assert!(sections.to_string().contains("Booking a table"), "{sections}");
}
