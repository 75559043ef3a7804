//! A project whose agent waits for a word, so that a run stays where a test wants it.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use loopwright_testkit::{Output, Sandbox, eventually};
use serde_json::Value;

use crate::common::{installed, json, loopwright};

const PATIENCE: Duration = Duration::from_secs(90);

/// Says that it started, and works until the file `go` is there.
const PATIENT: &str = r#"
echo "$LOOPWRIGHT_ATTEMPT" >> "$SCENE/started"
while [ ! -e "$SCENE/go" ]; do sleep 0.02; done
echo "$LOOPWRIGHT_ATTEMPT" > "file-$LOOPWRIGHT_ATTEMPT"
echo "wrote file-$LOOPWRIGHT_ATTEMPT"
"#;

/// The check says that it ran.
const CHECK: &str = r#"echo checked >> "$SCENE/checked""#;

pub(crate) struct Live {
    pub(crate) sandbox: Sandbox,
    program: PathBuf,
}

/// A started program that does not outlive its test.
pub(crate) struct Started {
    child: Option<Child>,
    id: u32,
}

impl Live {
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::new();
        let program = installed(&sandbox);
        let live = Self { sandbox, program };
        let scene = format!("SCENE='{}'\n", live.sandbox.root().display());
        live.outside("agent.sh", &format!("{scene}{PATIENT}"));
        live.outside("check.sh", &format!("{scene}{CHECK}"));
        let check = format!("sh {}/check.sh", live.sandbox.root().display());
        let config = format!("name = \"live\"\n[[checks]]\nname = \"seen\"\ncommand = \"{check}\"\n");
        live.sandbox.write(".loopwright/config.toml", config);
        live.sandbox.write(".loopwright/.gitignore", "/run/\n/state/\n");
        live.sandbox.git_init("");
        assert_eq!(live.run(&["trust", "--yes"]).code, 0);
        live
    }

    /// Writes a file beside the project.
    pub(crate) fn outside(&self, name: &str, text: &str) {
        std::fs::write(self.sandbox.root().join(name), text).unwrap();
    }

    /// How many lines a file beside the project has.
    pub(crate) fn lines(&self, name: &str) -> usize {
        std::fs::read_to_string(self.sandbox.root().join(name)).unwrap_or_default().lines().count()
    }

    /// Lets agents finish from now on.
    pub(crate) fn go(&self) {
        self.outside("go", "");
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command(&self.program);
        command.args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        loopwright(&self.sandbox, args)
    }

    /// A loop with the waiting agent.
    pub(crate) fn looping(&self, more: &[&str]) -> Command {
        let agent = format!("sh {}/agent.sh", self.sandbox.root().display());
        let mut command = self.command(&["loop", "--prompt", "wait", "--command", &agent]);
        // What checks do before the first agent is another test's matter.
        command.args(["--prompt-mode", "stdin", "--max-iterations", "2", "--baseline", "skip"]).args(more);
        command
    }

    pub(crate) fn start(&self, command: &mut Command) -> Started {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Started { id: child.id(), child: Some(child) }
    }

    /// A loop whose first agent is at work.
    pub(crate) fn at_work(&self, more: &[&str]) -> Started {
        let before = self.lines("started");
        let started = self.start(&mut self.looping(more));
        eventually("the agent starts", || self.lines("started") > before);
        eventually("that it runs is written down", || self.phase() == "running");
        started
    }

    /// The last run, as `status --json` shows it.
    pub(crate) fn last_run(&self) -> Value {
        json(&self.run(&["status", "--json"]))["run"].take()
    }

    pub(crate) fn status(&self) -> String {
        self.last_run()["status"].as_str().unwrap_or_default().to_owned()
    }

    fn phase(&self) -> String {
        self.last_run()["phase"].as_str().unwrap_or_default().to_owned()
    }

    /// How each iteration ended, with its number counted from 1.
    pub(crate) fn outcomes(&self) -> Vec<(u64, String)> {
        let run = self.last_run();
        let all = run["iteration_summaries"].as_array().unwrap().clone();
        let shown = |one: &Value| {
            let outcome = one["outcome"].as_str().unwrap_or("unsettled").to_owned();
            (one["iteration"].as_u64().unwrap(), outcome)
        };
        all.iter().map(shown).collect()
    }
}

impl Started {
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.as_mut().unwrap().try_wait().unwrap().is_some()
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, live: &Live, name: &str) {
        let id = self.id.to_string();
        let sent = live.sandbox.run(live.sandbox.command("sh").args(["-c", "kill -s $0 $1", name, &id]));
        assert_eq!(sent.code, 0, "{sent:?}");
    }

    /// Waits for the first line on its standard error; what is said after it is in the output.
    pub(crate) fn first_complaint(&mut self) -> String {
        let stderr = self.child.as_mut().unwrap().stderr.as_mut().unwrap();
        let (mut line, mut byte) = (Vec::new(), [0]);
        while !line.ends_with(b"\n") && stderr.read(&mut byte).unwrap() == 1 {
            line.extend(byte);
        }
        String::from_utf8(line).unwrap()
    }

    /// Waits for its end.
    pub(crate) fn finish(mut self) -> Output {
        let mut child = self.child.take().unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > PATIENCE {
                let _ = child.kill();
                panic!("it does not end: {:?}", child.wait_with_output());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().unwrap();
        Output {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
