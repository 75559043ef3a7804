//! Runs that another process works on, and what becomes of a run whose window is closed.

use std::process::Stdio;

use loopwright_testkit::eventually;

use crate::driver::Group;
use crate::machine::built;
use crate::page::{id, journey};
use crate::screen::Screen;
use crate::scripted_project::{ScriptedProject, start};

const CUPS: &str =
    "echo \"cup $LOOPWRIGHT_ATTEMPT\"\nwait_for \"go-$LOOPWRIGHT_ATTEMPT\"\necho cup >> cups.txt\n";

#[test]
fn a_run_of_a_terminal_is_shown_and_steered_here_and_there() {
    let scripted = ScriptedProject::new(CUPS);
    journey("foreign", &scripted.machine, Some(&scripted.project), async |page| {
        page.see(&id("start-panel")).await;
        let mut command = scripted.machine.command(built("loopwright"));
        command.args(["loop", "--prompt", "Pour.", "-n", "3"]).current_dir(&scripted.project);
        let mut terminal = Group::start(command.stdin(Stdio::null()));
        page.see("[data-testid=run][data-status=running]").await;
        page.see(&id("run-elsewhere")).await;
        page.see_text(&id("output-entry"), "cup 1").await;
        page.picture("running").await;
        page.click(&id("pause-more")).await;
        page.click(&id("menu-pause-after")).await;
        scripted.allow("go-1");
        page.see("[data-testid=run][data-status=paused]").await;
        scripted.run_becomes("paused");
        scripted.machine.cli(&scripted.project, &["resume"]);
        page.see_text(&id("output-entry"), "cup 2").await;
        page.see("[data-testid=run][data-status=running]").await;
        page.click(&id("cancel")).await;
        page.choose(&id("confirm-yes")).await;
        page.see("[data-testid=run][data-status=cancelled]").await;
        let status = terminal.child().wait().unwrap();
        assert_eq!(status.code(), Some(130), "the terminal was told");
    });
    assert_eq!(scripted.read("cups.txt"), "cup\n");
}

#[test]
fn a_run_of_the_app_is_steered_from_a_terminal() {
    let scripted = ScriptedProject::new(CUPS);
    journey("from-terminal", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Pour.").await;
        page.see_text(&id("output-entry"), "cup 1").await;
        scripted.machine.cli(&scripted.project, &["pause", "--after-iteration"]);
        page.see("[data-testid=asked][data-asked=pause_after_iteration]").await;
        scripted.allow("go-1");
        page.see("[data-testid=run][data-status=paused]").await;
        scripted.machine.cli(&scripted.project, &["resume"]);
        page.see_text(&id("output-entry"), "cup 2").await;
        scripted.machine.cli(&scripted.project, &["cancel"]);
        page.see("[data-testid=run][data-status=cancelled]").await;
    });
    assert_eq!(scripted.run()["status"], "cancelled");
}

#[test]
fn a_reloaded_page_misses_nothing() {
    let scripted = ScriptedProject::new(CUPS);
    journey("reload", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Pour.").await;
        page.see_text(&id("output-entry"), "cup 1").await;
        page.script("location.reload();", vec![]).await;
        page.see("[data-testid=run][data-status=running]").await;
        page.see_text(&id("output-entry"), "cup 1").await;
        scripted.allow("go-1");
        page.see_text(&id("output-entry"), "cup 2").await;
        page.see_text(&id("recent-iterations"), "cup 1").await;
        page.click(&id("cancel")).await;
        page.choose(&id("confirm-yes")).await;
        page.see("[data-testid=run][data-status=cancelled]").await;
    });
}

#[test]
fn a_closed_window_hands_its_run_over_and_nothing_is_done_twice() {
    let scripted = ScriptedProject::new(&format!(
        "{CUPS}test -e \"$BENCH/last\" && echo '<promise>COMPLETE</promise>'\n"
    ));
    let screen = Screen::open();
    journey("close-continue", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Pour until it is enough.").await;
        page.see_text(&id("output-entry"), "cup 1").await;
        let app = scripted.run()["live"]["pid"].as_u64().unwrap();
        let window = screen.window();
        screen.ask_to_close(window);
        page.see(&id("close-dialog")).await;
        page.picture("asked").await;
        page.choose(&id("close-stay")).await;
        page.see_no(&id("close-dialog")).await;
        screen.ask_to_close(window);
        page.choose_to_close(&id("close-keep_running")).await;
        screen.no_window();
        scripted.allow("go-1");
        eventually("another process works on the run", || {
            scripted.run()["live"]["pid"].as_u64().is_some_and(|pid| pid != app)
        });
        scripted.allow("last");
        scripted.allow("go-2");
        scripted.run_becomes("completed");
    });
    let run = scripted.run();
    assert_eq!((&run["exit_reason"], &run["iteration"]), (&"promise".into(), &2.into()));
    assert_eq!(scripted.read("cups.txt"), "cup\ncup\n");
}

#[test]
fn a_closed_window_can_stop_its_run_now_and_it_can_be_resumed() {
    let scripted = ScriptedProject::new(CUPS);
    let screen = Screen::open();
    journey("close-stop", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Pour.").await;
        page.see_text(&id("output-entry"), "cup 1").await;
        screen.ask_to_close(screen.window());
        page.choose_to_close(&id("close-stop_now")).await;
        screen.no_window();
        scripted.run_becomes("interrupted");
    });
    assert!(scripted.run()["live"].is_null());
}
