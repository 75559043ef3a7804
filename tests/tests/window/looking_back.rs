//! Reading what an iteration did, and going back to it.

use std::os::unix::fs::PermissionsExt as _;

use loopwright_testkit::eventually;

use crate::page::{id, journey};
use crate::scripted_project::{ScriptedProject, start};

#[test]
fn a_failed_check_is_read_and_its_file_opened_in_the_editor() {
    let scripted =
        ScriptedProject::with_check("echo weak > tea.txt\n", "echo 'tea.txt:1: too weak'\nexit 1\n");
    let opened = scripted.machine.sandbox().root().join("opened");
    let editors = scripted.machine.sandbox().root().join("home/.local/bin");
    std::fs::create_dir_all(&editors).unwrap();
    let code = editors.join("code");
    std::fs::write(&code, format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\n", opened.display())).unwrap();
    std::fs::set_permissions(&code, std::fs::Permissions::from_mode(0o755)).unwrap();
    scripted.machine.cli(&scripted.project, &["config", "set", "--user", "app.editor", "code"]);
    journey("failed-check", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Make strong tea.").await;
        page.see("[data-testid=ending][data-reason=failure_threshold]").await;
        page.picture("ended").await;
        page.click(&id("step-read_checks")).await;
        page.see("[data-testid=check][data-status=failed]").await;
        page.see_text(&id("issue"), "too weak").await;
        page.picture("checks").await;
        page.click(&id("issue-open")).await;
        // The app starts the editor after the click has returned: ending the app before would be a race.
        eventually("the editor was started", || opened.exists());
    });
    let told = std::fs::read_to_string(opened).unwrap();
    assert!(told.contains("tea.txt") && told.contains('1'), "{told}");
    assert_eq!(scripted.run()["exit_reason"], "failure_threshold");
}

#[test]
fn iterations_are_listed_compared_and_gone_back_to() {
    let scripted = ScriptedProject::new(
        "echo \"cup $LOOPWRIGHT_ATTEMPT\" >> cups.txt\necho \"poured $LOOPWRIGHT_ATTEMPT\"\n",
    );
    scripted.machine.sandbox().write("plain/mine.txt", "my own notes\n");
    scripted.machine.sandbox().git(&scripted.project, &["add", "--all"]);
    scripted.machine.sandbox().git(&scripted.project, &["commit", "--quiet", "--message", "Notes"]);
    let head = scripted.machine.sandbox().git(&scripted.project, &["rev-parse", "HEAD"]);
    journey("looking-back", &scripted.machine, Some(&scripted.project), async |page| {
        page.click(&id("limits-fold")).await;
        page.fill(&id("limit-iterations"), "3").await;
        start(page, "Pour three cups.").await;
        page.see("[data-testid=ending][data-reason=max_iterations]").await;
        page.click(&id("nav-iterations")).await;
        page.see_text(&id("iterations-total"), "3 iterations").await;
        page.picture("list").await;
        page.click("[data-testid=iteration-row]:last-of-type").await;
        page.see(&id("iteration")).await;
        page.click("[role=tab][data-value=diff]").await;
        page.see_text(&id("diff-summary"), "1 file").await;
        page.see_text(&id("diff-lines"), "cup 1").await;
        page.picture("diff").await;
        page.click(&id("restore-open")).await;
        page.see_text(&id("restore-plan"), "cups.txt").await;
        page.picture("restore").await;
        page.choose(&id("restore-confirm")).await;
        page.see(&id("restored")).await;
        assert_eq!(scripted.read("cups.txt"), "cup 1\n");
        assert_eq!(scripted.read("mine.txt"), "my own notes\n");
        page.choose(&id("restore-undo")).await;
        eventually("the undo", || scripted.read("cups.txt") == "cup 1\ncup 2\ncup 3\n");
    });
    assert_eq!(
        scripted.machine.sandbox().git(&scripted.project, &["rev-parse", "HEAD"]),
        head,
        "no branch was moved"
    );
    let restored = scripted.machine.last_event(&scripted.project, "tree.restored").unwrap();
    assert_eq!(restored["origin"], "app");
}
