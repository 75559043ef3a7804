//! WebKitWebDriver, which starts the app and drives it. It leads a process group of its own that is ended as one, so
//! that no app outlives a failed test.

use std::fs::File;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};

use loopwright_testkit::eventually;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::machine::{Machine, artifacts};

/// A program and everything it started.
pub(crate) struct Group(Child);

impl Group {
    pub(crate) fn start(command: &mut Command) -> Self {
        let program = command.get_program().to_string_lossy().into_owned();
        let child = command.process_group(0).spawn();
        Self(child.unwrap_or_else(|error| panic!("{program} does not start: {error}")))
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let leader = Pid::from_raw(self.0.id().try_into().unwrap());
        // A group that has ended by itself is as good as one ended here.
        let _gone = killpg(leader, Signal::SIGKILL);
        let _ended = self.0.wait();
    }
}

/// A driver that listens on a port of its own.
pub(crate) struct Driver {
    _group: Group,
    port: u16,
}

impl Driver {
    pub(crate) fn start(machine: &Machine, journey: &str) -> Self {
        let port = free_port();
        let log = File::create(artifacts().join(format!("{journey}.log"))).unwrap();
        let mut command = machine.command("WebKitWebDriver");
        command
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        let driver = Self { _group: Group::start(&mut command), port };
        driver.wait_until_it_listens();
        driver
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn wait_until_it_listens(&self) {
        let listens = || TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok();
        eventually("WebKitWebDriver listens", listens);
    }
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// What the driver is told to start.
pub(crate) fn capabilities(app: &Path, folder: Option<&Path>) -> fantoccini::wd::Capabilities {
    let arguments: Vec<&Path> = folder.into_iter().collect();
    let options = serde_json::json!({ "binary": app, "args": arguments });
    [("webkitgtk:browserOptions".to_owned(), options)].into_iter().collect()
}
