//! What is native: the confirmation, the folder dialog, menu keys, and windows as the system sees them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use loopwright_testkit::eventually;

use crate::driver::Group;
use crate::machine::{Machine, built};
use crate::page::{alone, id, journey};
use crate::screen::{CONTROL, ENTER, ESCAPE, Screen, TAB};

const PROGRAM: &str = "harness.claude.command";

#[test]
fn a_program_is_changed_only_when_a_person_agrees_in_a_native_dialog() {
    let machine = Machine::new();
    let project = machine.project("plain");
    let program = machine.sandbox().work().join("my-claude");
    std::fs::write(&program, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let screen = Screen::open();
    journey("program", &machine, Some(&project), async |page| {
        page.click(&id("nav-settings")).await;
        page.fill(&id(&format!("value-{PROGRAM}")), program.to_str().unwrap()).await;
        let save = id(&format!("save-{PROGRAM}"));
        for refusal in [ENTER, ESCAPE] {
            page.click(&save).await;
            let dialog = screen.dialog();
            screen.strike(dialog, &[], refusal);
            screen.no_dialog();
            page.see_text(&id("setting-fault"), "Nothing was changed").await;
            assert!(!machine.user_config().exists(), "nothing is written without a yes");
        }
        page.click(&save).await;
        let dialog = screen.dialog();
        screen.strike(dialog, &[], TAB);
        screen.strike(dialog, &[], ENTER);
        screen.no_dialog();
        page.see_text(&id(&format!("origin-{PROGRAM}")), "config.toml").await;
        page.picture("changed").await;
    });
    let written = std::fs::read_to_string(machine.user_config()).unwrap();
    assert!(written.contains(program.to_str().unwrap()), "{written}");
    let event = machine.last_event(&project, "config.changed").unwrap();
    assert_eq!((&event["key"], &event["origin"]), (&PROGRAM.into(), &"app".into()));
}

#[test]
fn a_folder_is_chosen_in_the_native_dialog() {
    let machine = Machine::new();
    let folder = machine.sandbox().work().join("kettle");
    std::fs::create_dir(&folder).unwrap();
    let screen = Screen::open();
    journey("choose-folder", &machine, None, async |page| {
        page.click(&id("open-folder")).await;
        screen.strike(screen.dialog(), &[], ESCAPE);
        screen.no_dialog();
        page.see(&id("start-page")).await;
        page.click(&id("new-project")).await;
        page.click(&id("new-project-browse")).await;
        let dialog = screen.dialog();
        screen.type_text(dialog, folder.to_str().unwrap());
        screen.accept(dialog);
        page.see_text(&id("new-project-dialog"), "An empty folder").await;
        page.click(&id("new-project-create")).await;
        page.go_to_window_with(&id("project-name")).await;
        page.see_text(&id("project-name"), "kettle").await;
    });
    assert_eq!(machine.last_event(&folder, "project.created").unwrap()["name"], "kettle");
}

#[test]
fn menu_keys_reach_the_page_once() {
    let machine = Machine::new();
    let project = machine.project("plain");
    let screen = Screen::open();
    journey("menu-keys", &machine, Some(&project), async |page| {
        page.see(&id("plan-empty")).await;
        let window = screen.window();
        screen.strike(window, &[CONTROL], u32::from('k'));
        page.see(&id("palette")).await;
        assert_eq!(page.count(&id("palette")).await, 1);
        screen.strike(window, &[], ESCAPE);
        page.see_no(&id("palette")).await;
        screen.strike(window, &[CONTROL], u32::from(','));
        page.see(&id("view-settings")).await;
    });
}

/// Starts the app without a driver and waits until it can be worked with.
fn start(machine: &Machine, folder: &Path) -> Group {
    let ready = machine.sandbox().root().join("ready");
    let _none_yet = std::fs::remove_file(&ready);
    let mut command = machine.command(built("loopwright-app"));
    let app = Group::start(command.arg(folder).env("LOOPWRIGHT_READY_FILE", &ready));
    eventually("the window is ready", || ready.exists());
    app
}

#[test]
fn a_window_comes_back_as_it_was_and_the_last_one_closed_ends_the_app() {
    let _alone = alone();
    let machine = Machine::new();
    let project = machine.project("plain");
    let screen = Screen::open();
    let size = (900, 640);
    for visit in ["first", "second"] {
        let mut app = start(&machine, &project);
        let window = screen.window();
        if visit == "first" {
            assert_ne!(screen.size(window), size);
            screen.resize(window, size);
        } else {
            eventually("the window has its size again", || screen.size(window) == size);
        }
        screen.strike(window, &[CONTROL], u32::from('w'));
        eventually("the app ends with its last window", || machine.is_quiet());
        assert!(app.child().wait().unwrap().success());
    }
}

#[test]
fn without_a_display_the_app_says_what_is_missing() {
    let machine = Machine::new();
    for display in ["", ":77777"] {
        let mut command = machine.sandbox().command(built("loopwright-app"));
        let output = machine.sandbox().run(command.env("DISPLAY", display));
        assert_eq!(output.code, 1, "{}", output.stderr);
        assert!(
            output.stderr.contains("no window can open") && output.stderr.contains("loopwright"),
            "{output:?}"
        );
        assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
    }
}
