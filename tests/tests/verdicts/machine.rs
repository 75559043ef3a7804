//! One machine with one project, on which a scenario is played.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use loopwright_testkit::{Output, Sandbox, built};
use serde_json::Value;

use crate::layout;
use crate::scenario::{Layout, Scenario, Verb};

/// How long one command may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What every agent begins with. `user_works` waits until the user has done what the scenario says.
const AGENT: &str = r#"
attempt=$LOOPWRIGHT_ATTEMPT
task=$LOOPWRIGHT_TASK
prompt=$(cat)
echo x >> @ROOT@/talk/agents
promise() { echo '<promise>COMPLETE</promise>'; }
user_works() { sh @ROOT@/talk/user-works; }
commit() { git -c user.name=Agent -c user.email=agent@example.invalid commit -q --no-verify "$@"; }
"#;

/// For agents and checks: the user does something while they wait.
const USER_WORKS: &str = r#"
[ -e @ROOT@/talk/told ] && exit 0
touch @ROOT@/talk/asks
until [ -e @ROOT@/talk/told ]; do sleep 0.01; done
"#;

const IDENTITY: &str = "[user]\n\tname = User\n\temail = user@example.invalid\n[init]\n\tdefaultBranch = main\n\
                        [protocol \"file\"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n";

/// The machine, and where the project is on it.
pub(crate) struct Machine {
    pub(crate) sandbox: Sandbox,
    pub(crate) project: PathBuf,
    program: PathBuf,
    sandboxed: bool,
    variables: Vec<(String, String)>,
}

impl Machine {
    /// Everything as it is before the run.
    pub(crate) fn prepare(scenario: &Scenario) -> Self {
        let sandbox = Sandbox::new();
        fs::write(sandbox.root().join("home/.gitconfig"), IDENTITY).unwrap();
        fs::create_dir(sandbox.root().join("talk")).unwrap();
        let project = layout::make(&sandbox, scenario.layout);
        let mut machine = Self {
            sandbox,
            project,
            program: built("loopwright"),
            sandboxed: scenario.sandboxed,
            variables: Vec::new(),
        };
        machine.variables = scenario
            .variables
            .iter()
            .map(|(name, value)| (name.clone().into_owned(), machine.placed(value)))
            .collect();
        machine.outside("talk/user-works", USER_WORKS);
        machine.agent(&scenario.agent);
        machine.file(".loopwright/config.toml", &configuration(scenario));
        machine.file(".loopwright/.gitignore", "run/\nstate/\n");
        for (path, text) in &scenario.files {
            machine.file(path, text);
        }
        if scenario.layout != Layout::NoGit {
            machine.sandbox.git(&machine.project, &["add", "--all"]);
            machine.sandbox.git(&machine.project, &["commit", "--quiet", "--message", "Begin"]);
        }
        if scenario.layout == Layout::Detached {
            machine.sandbox.git(&machine.project, &["checkout", "--quiet", "--detach"]);
        }
        machine.user(&scenario.before);
        let trusted = machine.run(&["trust", "--yes"]);
        assert!(trusted.code == 0, "trust: {trusted:?}");
        for task in tasks(scenario) {
            let added = machine.run(&[&["task", "add"][..], &task].concat());
            assert!(added.code == 0, "task add: {added:?}");
        }
        machine
    }

    /// Puts this machine's folder into a text.
    fn placed(&self, text: &str) -> String {
        text.replace("@ROOT@", &self.sandbox.root().display().to_string())
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, self.placed(text)).unwrap();
    }

    fn outside(&self, name: &str, text: &str) {
        fs::write(self.sandbox.root().join(name), self.placed(text)).unwrap();
    }

    pub(crate) fn agent(&self, script: &str) {
        self.outside("agent.sh", &format!("{AGENT}\n{script}\n"));
    }

    /// A shell script of the user's in the project folder, which must end well.
    pub(crate) fn user(&self, script: &str) {
        if !script.trim().is_empty() {
            let output = self.shell(script, &self.project);
            assert!(output.code == 0, "the user's {script:?}: {output:?}");
        }
    }

    pub(crate) fn shell(&self, script: &str, folder: &std::path::Path) -> Output {
        let mut command = self.sandbox.command("sh");
        command.arg("-ec").arg(self.placed(script)).current_dir(folder);
        self.sandbox.run(&mut command)
    }

    /// Loopwright with these arguments in the project folder.
    pub(crate) fn command(&self, args: &[impl AsRef<std::ffi::OsStr>]) -> Command {
        let mut command = self.sandbox.command(&self.program);
        command.args(args).current_dir(&self.project);
        command.env("LOOPWRIGHT_SANDBOX", if self.sandboxed { "on" } else { "off" });
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.sandbox.run(&mut self.command(args))
    }

    /// What a command says as JSON.
    pub(crate) fn ask(&self, args: &[&str]) -> Result<Value, String> {
        let output = self.run(args);
        serde_json::from_str(&output.stdout).map_err(|_| format!("{args:?} said {output:?}"))
    }

    /// The command line that starts the scenario.
    pub(crate) fn start(&self, scenario: &Scenario) -> Command {
        let agent = format!("sh {}/agent.sh", self.sandbox.root().display());
        let mut args = match scenario.verb {
            Verb::Run => vec!["run".to_owned()],
            Verb::Loop => ["loop", "--prompt", "Build what is asked for."].map(str::to_owned).to_vec(),
            Verb::Fix => vec!["fix".to_owned()],
        };
        if !scenario.args.iter().any(|word| word == "--harness" || word == "--command") {
            args.extend(["--command".to_owned(), agent]);
            args.extend(["--prompt-mode", "stdin"].map(str::to_owned));
        }
        let talk = format!("sandbox_write=[\"{}/talk\"]", self.sandbox.root().display());
        args.extend(["-c".to_owned(), talk]);
        args.extend(scenario.args.iter().map(|word| self.placed(word)));
        self.command(&args)
    }

    /// Plays a command to its end, while the user does what they do when somebody calls `user_works`.
    pub(crate) fn run_while(&self, command: &mut Command, meanwhile: Option<&str>) -> Output {
        let paths = ["out", "err"].map(|name| self.sandbox.root().join(format!("live.{name}")));
        let [out, err] = paths.each_ref().map(|path| Stdio::from(fs::File::create(path).unwrap()));
        let mut child = command.stdout(out).stderr(err).spawn().unwrap();
        let asks = self.sandbox.root().join("talk/asks");
        let begun = Instant::now();
        let code = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.code().unwrap_or(-1);
            }
            if asks.exists() {
                if let Some(script) = meanwhile {
                    self.user(script);
                }
                fs::rename(&asks, self.sandbox.root().join("talk/told")).unwrap();
            }
            if begun.elapsed() > PATIENCE {
                let _ = child.kill();
                let _ = child.wait();
                break -2;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let [stdout, stderr] =
            paths.map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned());
        Output { code, stdout, stderr }
    }

    /// How many agents were started so far.
    pub(crate) fn agents(&self) -> u32 {
        let text = fs::read_to_string(self.sandbox.root().join("talk/agents")).unwrap_or_default();
        u32::try_from(text.lines().count()).unwrap()
    }
}

fn configuration(scenario: &Scenario) -> String {
    let mut text = format!("name = \"scenario\"\n{}", scenario.config);
    for (name, command, lines) in &scenario.checks {
        let command = command.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("\n[[checks]]\nname = \"{name}\"\ncommand = \"{command}\"\n{lines}\n"));
    }
    text
}

/// The arguments of `task add`, for each task.
fn tasks(scenario: &Scenario) -> Vec<Vec<&str>> {
    match scenario.verb {
        Verb::Run if scenario.tasks.is_empty() => vec![vec!["Do it"]],
        _ => scenario.tasks.iter().map(|task| task.iter().map(|word| &**word).collect()).collect(),
    }
}

/// Whether this machine can put agents into the sandbox.
pub(crate) fn has_sandbox() -> bool {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", "name = \"look\"\n");
    let mut command = sandbox.command(built("loopwright"));
    let output = sandbox.run(command.args(["doctor", "--json"]).env("LOOPWRIGHT_SANDBOX", "auto"));
    let report: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    findings.iter().any(|one| one["name"] == "Sandbox" && one["status"] == "ok")
}
