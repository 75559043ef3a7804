//! A machine of one's own for each journey, with the built programs on it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use loopwright_testkit::{Sandbox, eventually};
use serde_json::Value;

/// What a window needs from the real surroundings.
const FOR_WINDOWS: &[&str] = &["DISPLAY", "XAUTHORITY"];
/// No bus: single-instance must not tie journeys together, and GLib must not start a bus of its own.
const NO_BUS: &str = "unix:path=/nonexistent";

/// A throw-away machine with a display.
pub(crate) struct Machine {
    sandbox: Sandbox,
    bus: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        assert!(std::env::var_os("DISPLAY").is_some(), "there is no X display: run \"cargo xtask e2e\"");
        let machine = Self { sandbox: Sandbox::new(), bus: NO_BUS.to_owned() };
        private_folder(&machine.runtime_folder());
        machine
    }

    /// The same, with a D-Bus session.
    pub(crate) fn with_bus(bus: &str) -> Self {
        Self { bus: bus.to_owned(), ..Self::new() }
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    pub(crate) fn user_config(&self) -> PathBuf {
        self.sandbox.config_dir().join("config.toml")
    }

    fn runtime_folder(&self) -> PathBuf {
        self.sandbox.root().join("runtime")
    }

    /// A program that may open windows here. Nothing of it is inherited: a stray must not keep the test's output open.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = self.sandbox.command(program);
        for name in FOR_WINDOWS {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        // Keys and dialogs are driven through X11, on a Wayland desktop too.
        command.env("GDK_BACKEND", "x11");
        command.env("XDG_RUNTIME_DIR", self.runtime_folder()).env("DBUS_SESSION_BUS_ADDRESS", &self.bus);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Runs the CLI in a folder and gives the JSON it prints; it must succeed.
    pub(crate) fn cli(&self, folder: &Path, arguments: &[&str]) -> Value {
        let mut command = self.sandbox.command(built("loopwright"));
        let output = self.sandbox.run(command.arg("--json").args(arguments).current_dir(folder));
        assert!(output.code == 0, "loopwright {arguments:?}: {}", output.stderr);
        serde_json::from_str(&output.stdout).unwrap_or(Value::Null)
    }

    /// The project's state as the CLI tells it, from the database and the files.
    pub(crate) fn status(&self, folder: &Path) -> Value {
        self.cli(folder, &["status"])
    }

    /// The newest event of a type in the project's history.
    pub(crate) fn last_event(&self, folder: &Path, kind: &str) -> Option<Value> {
        let status = self.status(folder);
        let events = status["activity"].as_array().unwrap();
        events.iter().map(|entry| entry["event"].clone()).find(|event| event["type"] == kind)
    }

    /// Makes the sample project in the work folder.
    pub(crate) fn sample(&self) -> PathBuf {
        self.cli(&self.sandbox.work(), &["demo", "sample"]);
        self.sandbox.work().join("sample")
    }

    /// The sample without pauses, not trusted.
    pub(crate) fn quick_sample(&self) -> PathBuf {
        let sample = self.sample();
        self.hurry(&sample);
        sample
    }

    /// Takes the pauses out of the script of a sample, and commits that.
    pub(crate) fn hurry(&self, sample: &Path) {
        let script = sample.join(".loopwright/rehearsal.toml");
        let text = std::fs::read_to_string(&script).unwrap();
        let quick =
            text.lines().map(|line| if line.starts_with("sleep = ") { "sleep = \"20ms\"" } else { line });
        std::fs::write(&script, quick.collect::<Vec<_>>().join("\n")).unwrap();
        self.sandbox.git(sample, &["commit", "--quiet", "--all", "--message", "Hurry"]);
    }

    /// Makes a plain project in a git repository in the work folder.
    pub(crate) fn project(&self, name: &str) -> PathBuf {
        self.sandbox.git_init(name);
        let folder = self.sandbox.work().join(name);
        self.cli(&folder, &["init", "--name", name]);
        folder
    }

    /// Waits until no process of this machine is left.
    pub(crate) fn assert_nothing_runs(&self) {
        eventually("nothing runs any more", || self.is_quiet());
    }

    /// Whether no process of this machine is left.
    pub(crate) fn is_quiet(&self) -> bool {
        self.processes().is_empty()
    }

    /// Every process that was started with this machine's data folder in its environment.
    fn processes(&self) -> Vec<PathBuf> {
        let mark = format!("LOOPWRIGHT_DATA_DIR={}", self.sandbox.data_dir().display());
        let marked = |folder: &Path| {
            let environment = std::fs::read(folder.join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        };
        let folders = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        folders.filter(|folder| marked(folder)).collect()
    }
}

/// A built program: beside this test, or where `LOOPWRIGHT_BIN_DIR` says.
pub(crate) fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let beside = test.parent().and_then(Path::parent).unwrap().to_path_buf();
    let folder = std::env::var_os("LOOPWRIGHT_BIN_DIR").map_or(beside, PathBuf::from);
    let program = folder.join(name);
    assert!(program.is_file(), "{} is not built: run \"cargo xtask e2e\"", program.display());
    program
}

/// Where screenshots and logs are kept.
pub(crate) fn artifacts() -> PathBuf {
    let usual = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("../artifacts/e2e");
    let folder = std::env::var_os("LOOPWRIGHT_ARTIFACTS").map_or(usual, PathBuf::from);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Others may not read a runtime folder, or libraries refuse it.
fn private_folder(path: &Path) {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().mode(0o700).create(path).unwrap();
}
