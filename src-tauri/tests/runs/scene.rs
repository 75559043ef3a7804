//! A project whose agent waits for a word, so that a run stays where a test wants it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use loopwright_testkit::eventually;
use serde_json::{Value, json};

use crate::support::{App, git_project};

const PATIENCE: Duration = Duration::from_secs(90);

/// Says that it started, and works until the file `go` is there.
const PATIENT: &str = r#"
echo "$LOOPWRIGHT_ATTEMPT" >> "$SCENE/started"
echo "working on it"
while [ ! -e "$SCENE/go" ]; do sleep 0.02; done
echo "$LOOPWRIGHT_ATTEMPT" > "file-$LOOPWRIGHT_ATTEMPT"
"#;

pub(crate) struct Scene {
    pub(crate) app: App,
    pub(crate) root: PathBuf,
    pub(crate) window: String,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let app = App::start();
        let folder = app.folder().display().to_string();
        std::fs::write(app.folder().join("agent.sh"), format!("SCENE='{folder}'\n{PATIENT}")).unwrap();
        std::fs::create_dir_all(app.user_config().parent().unwrap()).unwrap();
        let harness =
            "[harness.patient]\ncommand = \"sh\"\nprompt_mode = \"stdin\"\noutput_format = \"text\"\n";
        let config = format!("default_harness = \"patient\"\n{harness}args = [\"{folder}/agent.sh\"]\n");
        std::fs::write(app.user_config(), config).unwrap();
        let root = git_project(&app, "work");
        let window = app.open(&root);
        let scene = Self { app, root, window };
        scene.git(&["add", "--all"]);
        scene.git(&["commit", "--quiet", "--allow-empty", "--message", "Begin"]);
        scene
    }

    pub(crate) fn call(&self, command: &str, arguments: Value) -> Result<Value, Value> {
        self.app.call(&self.window, command, arguments)
    }

    /// A loop over a prompt with settings of its own.
    pub(crate) fn start_with(&self, settings: &[(&str, &str)], more: Value) -> Result<Value, Value> {
        let settings: Vec<Value> =
            settings.iter().map(|(key, value)| json!({ "key": key, "value": value })).collect();
        let mut request = json!({
            "work": { "kind": "prompt", "text": "wait" }, "harness": null, "model": null,
            "automation": null, "settings": settings, "leave_earlier": false,
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            request[key] = value.clone();
        }
        self.call("start_run", json!({ "request": request }))
    }

    /// A loop of two iterations.
    pub(crate) fn start(&self) -> Result<Value, Value> {
        self.start_with(&[("loop.max_iterations", "2")], json!({}))
    }

    /// A loop whose first agent is at work.
    pub(crate) fn at_work(&self) -> Value {
        let run = self.start().unwrap();
        eventually("the agent works", || self.lines("started") == 1 && self.phase() == "running");
        run
    }

    /// Whether the window still shows its project. The toolkit that shows nothing keeps windows that were destroyed.
    pub(crate) fn has_window(&self) -> bool {
        self.call("run_state", json!({ "run": null })).is_ok()
    }

    pub(crate) fn state(&self) -> Value {
        self.call("run_state", json!({ "run": null })).unwrap()
    }

    pub(crate) fn status(&self) -> String {
        self.state()["run"]["status"].as_str().unwrap_or_default().to_owned()
    }

    fn phase(&self) -> String {
        self.state()["current"]["phase"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn until(&self, status: &str) {
        eventually(status, || self.status() == status);
    }

    pub(crate) fn is_live(&self) -> bool {
        !self.state()["live"].is_null()
    }

    pub(crate) fn ask(&self, kind: &str) -> Value {
        self.call("ask_run", json!({ "kind": kind })).unwrap()
    }

    /// Lets agents finish from now on.
    pub(crate) fn go(&self) {
        std::fs::write(self.app.folder().join("go"), "").unwrap();
    }

    /// How many lines a file beside the project has.
    pub(crate) fn lines(&self, name: &str) -> usize {
        std::fs::read_to_string(self.app.folder().join(name)).unwrap_or_default().lines().count()
    }

    /// The real CLI in the project, with the same settings and data as the app.
    pub(crate) fn cli(&self, args: &[&str]) -> Command {
        let folder = std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().to_owned();
        let program = folder.join("loopwright");
        assert!(program.exists(), "build the CLI first: cargo build --package loopwright-cli");
        let mut command = self.command(program.to_str().unwrap());
        command
            .args(args)
            .env("LOOPWRIGHT_CONFIG_DIR", self.app.folder().join("config"))
            .env("LOOPWRIGHT_DATA_DIR", self.app.folder().join("data"))
            .env("LOOPWRIGHT_SANDBOX", "off");
        command
    }

    pub(crate) fn cli_says(&self, args: &[&str]) -> Output {
        let output = self.cli(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        output
    }

    pub(crate) fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
        let output = self.command("git").args(identity).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
    }

    #[expect(clippy::disallowed_methods, reason = "tests start the real programs as a person would")]
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.app.folder())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(&self.root)
            .stdin(Stdio::null());
        command
    }
}

impl Drop for Scene {
    /// No agent waits for a word that never comes.
    fn drop(&mut self) {
        self.go();
        let _over = self.call("ask_run", json!({ "kind": "cancel" }));
        let begun = Instant::now();
        let live = || {
            self.cli(&["status", "--json"]).output().is_ok_and(|output| {
                serde_json::from_slice::<Value>(&output.stdout)
                    .is_ok_and(|status| status["run"]["live"].is_object())
            })
        };
        while live() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
