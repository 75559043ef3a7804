//! A project with an agent made of a few lines of shell, which waits wherever a journey tells it to.

use std::path::PathBuf;

use loopwright_testkit::eventually;
use serde_json::Value;

use crate::machine::Machine;
use crate::page::{Page, id};

/// Before every agent: the prompt is read, and `wait_for NAME` waits until the journey allows NAME.
const PREAMBLE: &str = "cat >/dev/null\nwait_for() { while [ ! -e \"$BENCH/$1\" ]; do sleep 0.05; done; }\n";

/// One machine with one project, committed and trusted.
pub(crate) struct ScriptedProject {
    pub(crate) machine: Machine,
    pub(crate) project: PathBuf,
}

impl ScriptedProject {
    /// With an agent, and a check that is always content.
    pub(crate) fn new(agent: &str) -> Self {
        Self::with_check(agent, "true")
    }

    /// With an agent and a check, both lines of shell.
    pub(crate) fn with_check(agent: &str, check: &str) -> Self {
        Self::on(Machine::new(), agent, check)
    }

    /// The same on a machine that is there already.
    pub(crate) fn on(machine: Machine, agent: &str, check: &str) -> Self {
        let project = machine.project("plain");
        let root = machine.sandbox().root().display().to_string();
        let outside = |name: &str, text: String| {
            std::fs::write(machine.sandbox().root().join(name), text).unwrap();
        };
        outside("agent.sh", format!("BENCH='{root}'\n{PREAMBLE}{agent}"));
        outside("check.sh", check.to_owned());
        let config = project.join(".loopwright/config.toml");
        let worker = format!("\n[harness.worker]\ncommand = \"/bin/sh\"\nargs = [\"{root}/agent.sh\"]\n");
        std::fs::write(&config, std::fs::read_to_string(&config).unwrap() + &worker).unwrap();
        machine.cli(&project, &["config", "set", "default_harness", "worker"]);
        let check = format!("sh {root}/check.sh");
        machine.cli(&project, &["check", "add", "tea", &check, "--parser", "lines"]);
        machine.cli(&project, &["trust", "--yes"]);
        machine.sandbox().git(&project, &["add", "--all"]);
        machine.sandbox().git(&project, &["commit", "--quiet", "--message", "Begin"]);
        Self { machine, project }
    }

    /// The same with an agent that prints JSON lines.
    pub(crate) fn in_json_lines(self) -> Self {
        let config = self.project.join(".loopwright/config.toml");
        let text = std::fs::read_to_string(&config).unwrap();
        let shaped = text.replace("\"/bin/sh\"", "\"/bin/sh\"\noutput_format = \"stream-json\"");
        std::fs::write(&config, shaped).unwrap();
        self.machine.sandbox().git(&self.project, &["commit", "--quiet", "--all", "--message", "Lines"]);
        self.machine.cli(&self.project, &["trust", "--yes"]);
        self
    }

    /// Lets an agent go on that waits for this.
    pub(crate) fn allow(&self, name: &str) {
        std::fs::write(self.machine.sandbox().root().join(name), "").unwrap();
    }

    /// The last run as the CLI tells it; null when there is none.
    pub(crate) fn run(&self) -> Value {
        self.machine.status(&self.project)["run"].take()
    }

    /// Waits until the last run has a status.
    pub(crate) fn run_becomes(&self, status: &str) {
        eventually(&format!("the run is {status}"), || self.run()["status"] == status);
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.project.join(file)).unwrap_or_default()
    }
}

/// Starts a loop over a prompt from the Overview.
pub(crate) async fn start(page: &Page, prompt: &str) {
    page.fill(&id("prompt"), prompt).await;
    page.click(&id("start")).await;
    page.see(&id("run")).await;
}
