//! What the app does around runs, on a D-Bus of the test's own: a desktop that listens, real runs, nothing drawn.
//!
//! The bus is found by variables that must be set before a process begins. So the one test that cargo runs starts a
//! bus and then this program again for each of the other tests, which are for that second time only.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]
#![expect(clippy::disallowed_methods, reason = "this test starts its own bus and itself")]

mod awake;
mod desktop;
mod notifications;
mod scene;
mod tray;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// Says that the bus is the test's own.
const PRIVATE: &str = "LOOPWRIGHT_PRIVATE_BUS";

/// Where no bus is.
const NO_BUS: &str = "unix:path=/nonexistent/bus";

/// A bus that ends with the test.
struct Bus {
    daemon: Child,
    address: String,
}

impl Bus {
    fn start() -> Self {
        // It is in the package "dbus".
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--print-address"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { daemon, address: address.trim().to_owned() }
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ended = self.daemon.kill().and_then(|()| self.daemon.wait());
    }
}

/// What this program says when it is run again, for ignored tests.
fn again(arguments: &[&str], address: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .arg("--ignored")
        .args(arguments)
        .env("DBUS_SESSION_BUS_ADDRESS", address)
        .env("DBUS_SYSTEM_BUS_ADDRESS", address)
        .env(PRIVATE, "1")
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{report}{}", String::from_utf8_lossy(&output.stderr));
    report
}

/// The tests below that have something in their names. Each has a bus of its own: what the app of one test still has to
/// say would be told to the desktop of the next.
fn named(part: &str) -> Vec<String> {
    let listed = again(&["--list", part], NO_BUS);
    let names: Vec<_> =
        listed.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect();
    assert!(!names.is_empty(), "no test is called {part}");
    names
}

#[test]
fn a_desktop_is_told_what_it_should_know() {
    for name in named("with_a_bus") {
        let bus = Bus::start();
        again(&["--exact", &name], &bus.address);
    }
}

#[test]
fn a_machine_without_a_bus_goes_without() {
    for name in named("without_a_bus") {
        again(&["--exact", &name], NO_BUS);
    }
}

/// Whether this is the second time: nobody's real desktop is ever told anything.
fn is_private() -> bool {
    std::env::var_os(PRIVATE).is_some()
}
