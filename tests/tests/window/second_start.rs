//! Starting the app a second time, on a real session bus.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::driver::Group;
use crate::machine::{Machine, built};
use crate::page::{id, journey};

const PATIENCE: Duration = Duration::from_secs(20);

/// A session bus of one's own, with what the desktop starts on it.
struct Bus {
    group: Group,
    machine: Machine,
    address: String,
}

impl Bus {
    fn start() -> Self {
        let machine = Machine::new();
        let mut command = machine.command("dbus-daemon");
        command.args(["--session", "--nofork", "--nopidfile", "--print-address=1"]).stdout(Stdio::piped());
        let mut group = Group::start(&mut command);
        let mut address = String::new();
        BufReader::new(group.child().stdout.take().unwrap()).read_line(&mut address).unwrap();
        assert!(address.starts_with("unix:"), "dbus-daemon does not start: {address}");
        Self { group, machine, address: address.trim().to_owned() }
    }

    fn end(self) {
        drop(self.group);
        self.machine.assert_nothing_runs();
    }
}

/// Starts the app once more and waits until it has handed over and ended.
fn start_again(machine: &Machine, folder: &Path, arguments: &[&str]) {
    let mut second =
        Group::start(machine.command(built("loopwright-app")).args(arguments).current_dir(folder));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = second.child().try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "the second start does not end");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "the second start ended with {status}");
}

#[test]
fn a_second_start_shows_its_folder_in_the_running_app() {
    let bus = Bus::start();
    let machine = Machine::with_bus(&bus.address);
    let (sample, plain) = (machine.sample(), machine.project("plain"));
    journey("second-start", &machine, Some(&sample), async |page| {
        page.see_text(&id("project-name"), "The Quiet Kettle").await;
        start_again(&machine, &sample, &["."]);
        start_again(&machine, &sample, &[]);
        page.see_windows(1).await;
        start_again(&machine, &plain, &[plain.to_str().unwrap()]);
        page.see_windows(2).await;
        start_again(&machine, &machine.sandbox().work(), &["plain"]);
        page.see_windows(2).await;
        page.go_to_window_with(&id("plan-empty")).await;
        page.see_text(&id("project-name"), "plain").await;
        page.picture("second-window").await;
    });
    bus.end();
}

#[test]
fn a_second_start_with_nonsense_changes_nothing_and_says_so() {
    let bus = Bus::start();
    let machine = Machine::with_bus(&bus.address);
    let sample = machine.sample();
    journey("second-start-nonsense", &machine, Some(&sample), async |page| {
        page.see(&id("project-name")).await;
        start_again(&machine, &machine.sandbox().work(), &["."]);
        page.see_text("[data-sonner-toast]", "is not in a Loopwright project").await;
        page.picture("told").await;
        let long = "x".repeat(100_000);
        for arguments in
            [&["--inspect"][..], &["loopwright://run?cmd=sh"], &["../../etc"], &[&long], &["a", "b"]]
        {
            start_again(&machine, &machine.sandbox().work(), arguments);
        }
        page.see_windows(1).await;
        page.see(&id("project-name")).await;
    });
    assert_eq!(machine.last_event(&sample, "project.trusted"), None);
    bus.end();
}

#[test]
fn without_a_bus_the_app_starts_all_the_same() {
    let machine = Machine::new();
    journey("no-bus", &machine, None, async |page| {
        page.see(&id("start-page")).await;
    });
}
