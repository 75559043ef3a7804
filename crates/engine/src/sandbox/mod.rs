//! What keeps an agent to its project: the system's sandbox, where there is one and nobody switched it off.

mod agent_folders;
mod folders;
mod paths;
mod report;
mod startup_settings;
mod watch;

use std::path::{Path, PathBuf};

use loopwright_config::{Config, Host, SandboxMode, key};
use loopwright_domain::{ErrorCode, Fault, SandboxState};
use loopwright_process::{NoSandbox, Sandbox, SandboxTool};

pub(crate) use folders::npm_cache;
pub(crate) use paths::SandboxPaths;
pub use report::SandboxReport;
pub(crate) use watch::SandboxWatch;

const WITHOUT_SANDBOX: &str = "An agent can write wherever you can, and shares your repository.";
const INSTALL: &str = "Install bubblewrap: \"apt install bubblewrap\", \"dnf install bubblewrap\" or \
                       \"pacman -S bubblewrap\".";
const ALLOW: &str = "It needs user namespaces, which this system seems to forbid; docs/agents.md says how they \
                     are allowed.";
const ELSEWHERE: &str = "Run Loopwright in a container or as another user where that matters.";

/// What sandbox an agent would have here, in a sentence. The system's sandbox is tried once in a process's life, around a
/// program that does nothing.
#[must_use]
pub fn sandbox_report(host: &Host, config: &Config) -> SandboxReport {
    RunSandbox::find(host, config, None).report
}

/// What is put around the agents of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunSandbox {
    sandbox_tool: Result<SandboxTool, Option<NoSandbox>>,
    report: SandboxReport,
    /// Folders that the user opened.
    write: Vec<PathBuf>,
}

impl RunSandbox {
    /// What the settings ask for, as far as this machine has it. A sandbox that lies in the project is not taken: an
    /// agent may have put it there.
    pub(crate) fn find(host: &Host, config: &Config, root: Option<&Path>) -> Self {
        let setting = config.value(key::SANDBOX);
        let network = config.value(key::SANDBOX_NETWORK);
        let sandbox_tool = match setting {
            SandboxMode::Off => Err(None),
            SandboxMode::Auto | SandboxMode::On => {
                SandboxTool::find(&host.search_path, root.or(host.project.as_deref())).map_err(Some)
            }
        };
        let (state, detail) = match &sandbox_tool {
            Ok(_) => (SandboxState::Sandbox, in_sandbox(network)),
            Err(None) => (SandboxState::Off, format!("The sandbox is switched off. {WITHOUT_SANDBOX}")),
            Err(Some(why)) => {
                let detail = format!("There is no sandbox: {why}. {WITHOUT_SANDBOX} {}", what_to_do(why));
                (SandboxState::Unavailable, detail)
            }
        };
        let write =
            config.value(key::SANDBOX_WRITE).iter().map(|path| folders::expanded(host, path)).collect();
        Self { sandbox_tool, report: SandboxReport { setting, state, detail, network }, write }
    }

    /// No sandbox, for where no agent is started.
    pub(crate) fn none() -> Self {
        let report = SandboxReport {
            setting: SandboxMode::Off,
            state: SandboxState::Off,
            detail: String::new(),
            network: true,
        };
        Self { sandbox_tool: Err(None), report, write: Vec::new() }
    }

    /// Refuses to go on where a sandbox is demanded and there is none.
    pub(crate) fn demanded(self) -> Result<Self, Fault> {
        match &self.sandbox_tool {
            Err(Some(why)) if self.report.setting == SandboxMode::On => {
                let message = format!("there is no sandbox here: {why}");
                let hint = format!("{} Or go without: sandbox = \"auto\".", what_to_do(why));
                Err(Fault::new(ErrorCode::SandboxUnavailable, message).hint(hint))
            }
            _ => Ok(self),
        }
    }

    /// The sandbox of the agents of this run.
    pub(crate) const fn state(&self) -> SandboxState {
        self.report.state
    }

    /// What a person should know before the run: that it goes without what it should have.
    pub(crate) fn warning(&self) -> Option<String> {
        (self.state() == SandboxState::Unavailable).then(|| self.report.detail.clone())
    }

    /// Whether an agent can be shown another git folder in the place of the repository's.
    pub(crate) fn can_mount(&self) -> bool {
        self.sandbox_tool.as_ref().is_ok_and(SandboxTool::can_mount)
    }

    /// What is put around an agent that works in these places.
    pub(crate) fn around(&self, places: &SandboxPaths<'_>) -> Option<(SandboxTool, Sandbox)> {
        let sandbox_tool = self.sandbox_tool.as_ref().ok()?;
        Some((sandbox_tool.clone(), places.sandbox(&self.write).network(self.report.network)))
    }
}

fn in_sandbox(network: bool) -> String {
    let written = "Agents write only in the project and in their own folders.";
    if network {
        written.to_owned()
    } else {
        format!("{written} They reach no network, their model included.")
    }
}

const fn what_to_do(why: &NoSandbox) -> &'static str {
    match why {
        NoSandbox::System => ELSEWHERE,
        NoSandbox::Missing { .. } => INSTALL,
        NoSandbox::Refused { .. } => ALLOW,
    }
}

#[cfg(test)]
mod tests;
