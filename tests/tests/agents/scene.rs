//! A machine of its own with a project, one agent CLI and a model on loopback.

use std::path::{Path, PathBuf};
use std::process::Command;

use loopwright_testkit::model::{Script, Seen, Server};
use loopwright_testkit::{Output, Sandbox};
use serde_json::Value;

use crate::cli::{Bounds, Cli};

/// The search path that begins with the CLIs: `cargo xtask agents` sets it.
const PATH: &str = "LOOPWRIGHT_AGENTS_PATH";
/// What the agent is asked for.
pub(crate) const PROMPT: &str = "Write the greeting file.";

pub(crate) struct Scene {
    pub(crate) sandbox: Sandbox,
    pub(crate) model: Server,
    cli: &'static Cli,
    program: PathBuf,
}

impl Scene {
    /// A project in a fresh home, and a model that plays a script.
    pub(crate) fn new(cli: &'static Cli, script: impl Into<Script>) -> Self {
        let mut script = script.into();
        script.without_tools = cli.is_without_tools();
        let scene = Self { sandbox: Sandbox::new(), model: Server::start(script), cli, program: built() };
        scene.settings();
        scene.sandbox.git("", &["init", "--quiet", "--initial-branch=main"]);
        scene.ok(&["init", "--name", "scene"]);
        scene.sandbox.git("", &["add", "--all"]);
        scene.sandbox.git("", &["commit", "--quiet", "--message", "Begin"]);
        scene
    }

    /// The user's settings: where the CLI finds its model, and limits that keep the tests short.
    fn settings(&self) {
        let url = self.model.url();
        let home = self.sandbox.root().join("home");
        let setup = self.cli.set_up(&url, &home);
        let quoted = |text: &str| Value::from(text).to_string();
        let args: Vec<String> = setup.args.iter().map(|arg| quoted(arg)).collect();
        let env: Vec<String> =
            setup.env.iter().map(|(name, value)| format!("{name} = {}", quoted(value))).collect();
        let text = format!(
            "sandbox = \"off\"\n\n[harness.{}]\nargs = [{}]\nenv = {{ {} }}\n",
            self.cli.name,
            args.join(", "),
            env.join(", ")
        );
        std::fs::create_dir_all(self.sandbox.config_dir()).unwrap();
        std::fs::write(self.sandbox.config_dir().join("config.toml"), text).unwrap();
    }

    /// The user keeps the CLI from writing beside the project, where it does not do so itself.
    pub(crate) fn set_bounds(&self, bounds: Bounds) {
        Cli::set_bounds(bounds, &self.sandbox.root().join("home"));
    }

    /// The CLI has written this down in an earlier talk, where it keeps what it remembers.
    pub(crate) fn plant_memory(&self, text: &str) {
        self.cli.plant_memory(&self.sandbox.root().join("home"), &self.sandbox.work(), text);
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let path = std::env::var_os(PATH);
        let path = path.unwrap_or_else(|| panic!("{PATH} is not set: run \"cargo xtask agents\""));
        let mut command = self.sandbox.command(&self.program);
        command.args(args).env("PATH", path).envs(self.cli.key());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.sandbox.run(&mut self.command(args))
    }

    pub(crate) fn ok(&self, args: &[&str]) -> Output {
        let output = self.run(args);
        assert_eq!(output.code, 0, "{args:?}: {output:?}");
        output
    }

    /// Loops over a prompt with the CLI as agent, to the end.
    pub(crate) fn work(&self, prompt: &str, more: &[&str]) -> Output {
        self.sandbox.run(&mut self.working(prompt, more))
    }

    /// The command that does.
    pub(crate) fn working(&self, prompt: &str, more: &[&str]) -> Command {
        let file = self.sandbox.root().join("prompt.md");
        std::fs::write(&file, prompt).unwrap();
        let file = file.display().to_string();
        let mut args = vec!["loop", "--prompt-file", &file, "--harness", self.cli.name, "--json"];
        if let Some(model) = self.cli.model {
            args.extend(["--model", model]);
        }
        if !more.contains(&"--automation") {
            args.extend(["--automation", self.cli.automation]);
        }
        args.extend(more);
        self.command(&args)
    }

    /// An iteration as `show` has it, counted from 1.
    pub(crate) fn iteration(&self, number: u32) -> Value {
        let output = self.run(&["show", &number.to_string(), "--json"]);
        let mut shown: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        shown["iteration"].take()
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.sandbox.work().join(path)).ok()
    }

    /// The requests that began a conversation.
    pub(crate) fn beginnings(&self) -> Vec<Seen> {
        self.model.turns().into_iter().filter(|seen| seen.depth == 0).collect()
    }

    /// No process is left that was started here: every one of them has this folder in its environment.
    pub(crate) fn is_alone(&self) -> bool {
        let mark = self.sandbox.root().display().to_string();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        !processes.map(|entry| entry.path()).any(|process| is_marked(&process, mark.as_bytes()))
    }
}

fn is_marked(process: &Path, mark: &[u8]) -> bool {
    let environment = std::fs::read(process.join("environ")).unwrap_or_default();
    environment.windows(mark.len()).any(|window| window == mark)
}

/// The CLI of this project: beside this test, or where `LOOPWRIGHT_BIN_DIR` says.
fn built() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let beside = test.parent().and_then(Path::parent).unwrap().to_path_buf();
    let program = std::env::var_os("LOOPWRIGHT_BIN_DIR").map_or(beside, PathBuf::from).join("loopwright");
    assert!(program.is_file(), "{} is not built: run \"cargo xtask agents\"", program.display());
    program
}
