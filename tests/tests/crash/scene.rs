//! A project with a scripted agent and one check, in which runs are started and ended.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use loopwright_engine::{Host, Project};
use loopwright_testkit::{Output, Sandbox, built};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::processes::kill_at_once;

/// An agent that writes two files per iteration into the folder the scene names, and in its second iteration leaves a
/// child in a session of its own. Playing an iteration again gives the same files.
const AGENT: &str = r#"
number=$LOOPWRIGHT_ATTEMPT
folder=$(cat "$SCENE/label")
[ "$number" = 2 ] && setsid sleep 600 >/dev/null 2>&1 </dev/null &
mkdir -p "$folder"
echo "begun $number" > "$folder/part-$number.txt"
sleep 0.03
echo "done $number" > "$folder/step-$number.txt"
"#;

/// The check: what the last iteration wrote is whole.
pub(crate) const CHECK: &str = r#"
for part in */part-*.txt; do
    [ -e "$part" ] || continue
    test -s "$(dirname "$part")/step-$(basename "$part" | cut -d- -f2)" || exit 1
done
"#;

/// One machine with one project.
pub(crate) struct Scene {
    pub(crate) sandbox: Sandbox,
    program: PathBuf,
    runtime: Runtime,
}

/// A started program that does not outlive the test.
pub(crate) struct Started(pub(crate) Child);

impl Drop for Started {
    fn drop(&mut self) {
        kill_at_once(&mut self.0);
    }
}

impl Scene {
    /// With the usual agent.
    pub(crate) fn new() -> Self {
        Self::with_agent(AGENT)
    }

    /// With an agent of its own: a shell script.
    pub(crate) fn with_agent(agent: &str) -> Self {
        let sandbox = Sandbox::new();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let scene = Self { sandbox, program: built("loopwright"), runtime };
        let root = scene.sandbox.root().display().to_string();
        scene.outside("agent.sh", &format!("SCENE='{root}'\n{agent}"));
        scene.outside("check.sh", CHECK);
        scene.label("work");
        scene.sandbox.git("", &["init", "--quiet", "--initial-branch=main"]);
        assert_eq!(scene.run(&["init", "--name", "scene"]).code, 0);
        let check = format!("sh {root}/check.sh");
        let added = scene.run(&["check", "add", "whole", &check]);
        assert_eq!(added.code, 0, "{}{}", added.stdout, added.stderr);
        scene.sandbox.git("", &["add", "--all"]);
        scene.sandbox.git("", &["commit", "--quiet", "--message", "Begin"]);
        scene
    }

    /// Writes a file beside the project, where the agent's work does not go.
    pub(crate) fn outside(&self, name: &str, text: &str) {
        std::fs::write(self.sandbox.root().join(name), text).unwrap();
    }

    /// Names the folder that the agent of the next run writes into.
    pub(crate) fn label(&self, label: &str) {
        self.outside("label", label);
    }

    /// The program with these arguments, its output kept.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command(&self.program);
        command.args(args);
        command
    }

    /// A loop with the scene's agent; what it is asked is the run's title.
    pub(crate) fn looping(&self, prompt: &str, iterations: u32, more: &[&str]) -> Command {
        let agent = format!("sh {}/agent.sh", self.sandbox.root().display());
        let iterations = iterations.to_string();
        let mut command = self.command(&["loop", "--prompt", prompt, "--command", &agent]);
        command.args(["--prompt-mode", "stdin", "--max-iterations", &iterations, "-c", "loop.no_progress=0"]);
        command.args(more);
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.sandbox.run(&mut self.command(args))
    }

    /// Starts a program whose output goes nowhere, so that nothing holds it up.
    pub(crate) fn start(&self, command: &mut Command) -> Started {
        Started(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Starts a program and keeps what it prints.
    pub(crate) fn start_heard(&self, command: &mut Command) -> Started {
        Started(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// What a command says as JSON.
    pub(crate) fn ask(&self, args: &[&str]) -> Value {
        let output = self.run(args);
        serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{args:?} said {output:?}"))
    }

    /// The last run as `status` shows it; null when there is none.
    pub(crate) fn last_run(&self) -> Value {
        self.ask(&["status", "--json"])["run"].take()
    }

    /// One line from git.
    pub(crate) fn git_line(&self, args: &[&str]) -> String {
        self.sandbox.git("", args).trim().to_owned()
    }

    pub(crate) fn state_dir(&self) -> PathBuf {
        self.sandbox.work().join(".git/loopwright")
    }

    /// The project, opened as any other program could.
    pub(crate) fn with_project<T>(&self, look: impl AsyncFnOnce(&Project) -> T) -> T {
        let mut host = Host::in_folder(self.sandbox.root(), std::env::var_os("PATH").unwrap());
        host.config_dir = self.sandbox.config_dir();
        host.data_dir = self.sandbox.data_dir();
        self.runtime.block_on(async {
            let project = Project::open(&host, &self.sandbox.work()).await.unwrap();
            look(&project).await
        })
    }
}
