//! A project with tasks and an agent that does what a file says.

use std::path::PathBuf;
use std::process::Command;

use loopwright_testkit::{Output, Sandbox, built};
use serde_json::Value;

/// What every agent begins with: its task and attempt, and the signal by the program on its search path.
const AGENT: &str = r#"
task=$LOOPWRIGHT_TASK
attempt=$LOOPWRIGHT_ATTEMPT
cat > "$SCENE/prompt-$task-$attempt"
complete() { loopwright signal complete "$1" >/dev/null; }
"#;

/// One machine with one project.
pub(crate) struct Scene {
    pub(crate) sandbox: Sandbox,
    program: PathBuf,
}

impl Scene {
    /// A project with a shell script as its agent and no check.
    pub(crate) fn new(agent: &str) -> Self {
        let scene = Self { sandbox: Sandbox::new(), program: built("loopwright") };
        scene.agent(agent);
        scene.sandbox.git("", &["init", "--quiet", "--initial-branch=main"]);
        scene.ok(&["init", "--name", "scene"]);
        scene.commit_all("Begin");
        scene
    }

    /// Another agent from now on.
    pub(crate) fn agent(&self, agent: &str) {
        let root = self.sandbox.root().display();
        let text = format!("SCENE='{root}'\n{AGENT}\n{agent}\n");
        std::fs::write(self.sandbox.root().join("agent.sh"), text).unwrap();
    }

    /// Adds a check: a command without a shell.
    pub(crate) fn check(&self, name: &str, command: &str) {
        self.ok(&["check", "add", name, command]);
        self.commit_all("Check");
    }

    pub(crate) fn commit_all(&self, message: &str) {
        self.sandbox.git("", &["add", "--all"]);
        self.sandbox.git("", &["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Adds a task that waits for others.
    pub(crate) fn task(&self, title: &str, after: &[u32]) {
        let mut args = vec!["task".to_owned(), "add".to_owned(), title.to_owned()];
        for id in after {
            args.extend(["--after".to_owned(), id.to_string()]);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.ok(&args);
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command(&self.program);
        command.args(args);
        command
    }

    /// The arguments of a run with the scene's agent.
    pub(crate) fn running(&self, more: &[&str]) -> Command {
        let agent = format!("sh {}/agent.sh", self.sandbox.root().display());
        let mut command = self.command(&["run", "--command", &agent, "--prompt-mode", "stdin"]);
        command.args(more);
        command
    }

    pub(crate) fn start(&self, more: &[&str]) -> Output {
        self.sandbox.run(&mut self.running(more))
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.sandbox.run(&mut self.command(args))
    }

    pub(crate) fn ok(&self, args: &[&str]) -> Output {
        let output = self.run(args);
        assert_eq!(output.code, 0, "{args:?}: {output:?}");
        output
    }

    pub(crate) fn ask(&self, args: &[&str]) -> Value {
        let output = self.run(args);
        serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{args:?} said {output:?}"))
    }

    /// A task as `task show` has it.
    pub(crate) fn shown(&self, id: u32) -> Value {
        self.ask(&["task", "show", &id.to_string(), "--json"])["task"].take()
    }

    pub(crate) fn status_of(&self, id: u32) -> String {
        self.shown(id)["status"].as_str().unwrap().to_owned()
    }

    /// What the agent was asked at an attempt.
    pub(crate) fn prompt(&self, task: u32, attempt: u32) -> String {
        std::fs::read_to_string(self.sandbox.root().join(format!("prompt-{task}-{attempt}"))).unwrap()
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.sandbox.work().join(path)).ok()
    }

    /// The subjects of all commits, newest first.
    pub(crate) fn subjects(&self) -> Vec<String> {
        self.sandbox.git("", &["log", "--format=%s"]).lines().map(str::to_owned).collect()
    }

    pub(crate) fn changed(&self) -> String {
        self.sandbox.git("", &["status", "--porcelain", "--untracked-files=all"]).trim_end().to_owned()
    }

    /// The files of a commit.
    pub(crate) fn files_of(&self, commit: &str) -> Vec<String> {
        let names = self.sandbox.git("", &["diff-tree", "-r", "--no-commit-id", "--name-only", commit]);
        names.lines().map(str::to_owned).collect()
    }
}
