//! A project on a throw-away machine, with agents that are shell scripts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};

use loopwright_testkit::{Output, Sandbox, eventually};
use serde_json::Value;

use crate::common::{installed, json, loopwright};

/// A project. Scripts work in its folder; what a test and its agent tell each other is beside it, in `..`.
pub(crate) struct ProjectFolder {
    pub(crate) sandbox: Sandbox,
    scripts: AtomicU32,
}

impl ProjectFolder {
    /// A project in a folder without git.
    pub(crate) fn plain(config: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write(".loopwright/config.toml", config);
        Self { sandbox, scripts: AtomicU32::new(0) }
    }

    /// A project in a git repository with one commit, trusted where its configuration names commands.
    pub(crate) fn git(config: &str) -> Self {
        let place = Self::plain(config);
        place.sandbox.write("menu.txt", "Sencha 4.20\n");
        place.sandbox.git("", &["config", "--global", "user.name", "Test"]);
        place.sandbox.git("", &["config", "--global", "user.email", "test@example.invalid"]);
        place.sandbox.git_init("");
        place
    }

    /// Says that the folder's commands may run.
    pub(crate) fn trusted(self) -> Self {
        assert_eq!(self.run(&["trust", "--yes"]).code, 0);
        self
    }

    /// A script as an agent: the command line that starts it.
    pub(crate) fn agent(&self, script: &str) -> String {
        let number = self.scripts.fetch_add(1, Ordering::SeqCst);
        let path = self.beside(&format!("agent-{number}.sh"));
        fs::write(&path, script).unwrap();
        format!("sh {}", path.display())
    }

    /// A file beside the project, where neither git nor Loopwright looks.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.sandbox.root().join(name)
    }

    /// What is in a file beside the project; nothing when it is not there.
    pub(crate) fn told(&self, name: &str) -> String {
        fs::read_to_string(self.beside(name)).unwrap_or_default()
    }

    /// What is in a file of the project; none when it is not there.
    pub(crate) fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.sandbox.work().join(name)).ok()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command(installed(&self.sandbox));
        command.args(args);
        command
    }

    /// Runs Loopwright to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        loopwright(&self.sandbox, args)
    }

    /// A loop over one prompt with a script as its agent.
    pub(crate) fn start_loop(&self, script: &str, more: &[&str]) -> Output {
        let agent = self.agent(script);
        self.run(&[&["loop", "--prompt", "Build it.", "--command", &agent], more].concat())
    }

    /// A mending of checks with a script as its agent.
    pub(crate) fn start_fix(&self, script: &str, more: &[&str]) -> Output {
        let agent = self.agent(script);
        self.run(&[&["fix", "--command", &agent], more].concat())
    }

    /// The last run, as `status --json` shows it.
    pub(crate) fn last_run(&self) -> Value {
        json(&self.run(&["status", "--json"]))["run"].clone()
    }

    /// One iteration with its checks, counted from 1.
    pub(crate) fn iteration(&self, number: u32) -> Value {
        json(&self.run(&["show", &number.to_string(), "--json"]))
    }

    /// The prompt of an iteration, as its agent got it.
    pub(crate) fn prompt(&self, number: u32) -> String {
        self.run(&["log", &number.to_string(), "--part", "prompt"]).stdout
    }

    /// Starts Loopwright and leaves it running.
    pub(crate) fn launch(&self, args: &[&str]) -> Live<'_> {
        self.launch_command(&mut self.command(args))
    }

    /// Starts a command and leaves it running.
    pub(crate) fn launch_command(&self, command: &mut Command) -> Live<'_> {
        let number = self.scripts.fetch_add(1, Ordering::SeqCst);
        let [out, err] = ["out", "err"].map(|name| self.beside(&format!("live-{number}.{name}")));
        command.stdout(fs::File::create(&out).unwrap()).stderr(fs::File::create(&err).unwrap());
        Live { place: self, child: command.spawn().unwrap(), out, err }
    }

    /// Launches a loop over one prompt with a script as its agent.
    pub(crate) fn launch_loop(&self, script: &str, more: &[&str]) -> Live<'_> {
        let agent = self.agent(script);
        self.launch(&[&["loop", "--prompt", "Build it.", "--command", &agent], more].concat())
    }

    /// A run's output for a snapshot, wherever this system keeps its shell, however wide its times are and however long
    /// the prompts.
    pub(crate) fn shown(&self, output: &Output) -> String {
        let mut text = self.sandbox.snapshot(output).replace("/usr/bin/sh ", "/bin/sh ");
        while text.contains("   [SECONDS]") {
            text = text.replace("   [SECONDS]", "  [SECONDS]");
        }
        let lines = text.lines().map(|line| match line.split_once("over its budget: ") {
            Some((before, size)) => {
                let rest = size.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("{before}over its budget: [TOKENS]{rest}\n")
            }
            None => match line.strip_prefix("  started ").and_then(|rest| rest.split_once(", ")) {
                Some((_, rest)) => format!("  started [DATE], {rest}\n"),
                None => format!("{line}\n"),
            },
        });
        lines.collect()
    }
}

/// Loopwright at work.
pub(crate) struct Live<'a> {
    place: &'a ProjectFolder,
    child: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Live<'_> {
    /// Waits until a file beside the project is there.
    pub(crate) fn wait_for(&self, name: &str) {
        let path = self.place.beside(name);
        eventually(&format!("{name} is there; so far: {}", self.so_far()), || path.exists());
    }

    /// Waits until it has printed something.
    pub(crate) fn wait_for_words(&self, words: &str) {
        eventually(&format!("it says {words:?}; so far: {}", self.so_far()), || {
            self.so_far().contains(words)
        });
    }

    pub(crate) fn so_far(&self) -> String {
        fs::read_to_string(&self.out).unwrap_or_default() + &fs::read_to_string(&self.err).unwrap_or_default()
    }

    /// Sends it a signal by name.
    pub(crate) fn signal(&self, name: &str) {
        send(self.place, name, &self.child.id().to_string());
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Output {
        let mut status = None;
        eventually("it ends", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        let code = status.and_then(|status| status.code()).unwrap_or(-1);
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        Output { code, stdout: read(&self.out), stderr: read(&self.err) }
    }
}

/// A test that fails must not leave it running.
impl Drop for Live<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal to a process by its number.
pub(crate) fn send(place: &ProjectFolder, name: &str, pid: &str) {
    let _ = place.sandbox.run(place.sandbox.command("kill").args(["-s", name, pid.trim()]));
}

/// Whether a process is there and works: one that has ended may still be listed until somebody asks for it.
pub(crate) fn alive(place: &ProjectFolder, pid: &str) -> bool {
    let state = place.sandbox.run(place.sandbox.command("ps").args(["-o", "stat=", "-p", pid.trim()])).stdout;
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// The events that `--json` printed, the last line aside.
pub(crate) fn events(output: &Output) -> Vec<Value> {
    let lines: Vec<Value> = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.iter().filter_map(|line| line.get("event").cloned()).collect()
}

/// The exit codes of a run's iterations as they were written down.
pub(crate) fn exit_codes(run: &Value) -> Vec<Option<i64>> {
    run["iteration_summaries"].as_array().unwrap().iter().map(|one| one["exit_code"].as_i64()).collect()
}
