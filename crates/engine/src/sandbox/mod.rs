//! What keeps an agent to its project: the system's sandbox, where there is one and nobody switched it off.

mod folders;
mod own;
mod places;
mod starts;
mod watch;

use std::path::{Path, PathBuf};

use loopwright_domain::{Confinement, ErrorCode, Fault};
use loopwright_process::{Confiner, NoSandbox, Sandbox};

use crate::agent::SandboxReport;
use crate::config::Config;
use crate::host::Host;

pub(crate) use folders::npm_cache;
pub(crate) use places::Places;
pub(crate) use watch::Watch;

const UNCONFINED: &str = "An agent can write wherever you can.";
const INSTALL: &str = "Install bubblewrap: \"apt install bubblewrap\", \"dnf install bubblewrap\" or \
                       \"pacman -S bubblewrap\".";
const ALLOW: &str = "It needs user namespaces, which this system seems to forbid; docs/agents.md says how they \
                     are allowed.";
const ELSEWHERE: &str = "Run Loopwright in a container or as another user where that matters.";

/// What would confine an agent here, in a sentence. The system's sandbox is tried once in a process's life, around a
/// program that does nothing.
#[must_use]
pub fn sandbox_report(host: &Host, config: &Config) -> SandboxReport {
    Guard::find(host, config, None).report
}

/// What is put around the agents of a run.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    confiner: Result<Confiner, Option<NoSandbox>>,
    report: SandboxReport,
    /// Folders that the user opened.
    write: Vec<PathBuf>,
}

impl Guard {
    /// What the settings ask for, as far as this machine has it. A sandbox that lies in the project is not taken: an
    /// agent may have put it there.
    pub(crate) fn find(host: &Host, config: &Config, root: Option<&Path>) -> Self {
        let setting = config.text("sandbox").to_owned();
        let network = config.switch("sandbox_network");
        let confiner = match setting.as_str() {
            "off" => Err(None),
            _ => Confiner::find(&host.search_path, root).map_err(Some),
        };
        let (confinement, detail) = match &confiner {
            Ok(_) => (Confinement::Sandbox, confined(network)),
            Err(None) => (Confinement::Off, format!("The sandbox is switched off. {UNCONFINED}")),
            Err(Some(why)) => {
                let detail = format!("There is no sandbox: {why}. {UNCONFINED} {}", what_to_do(why));
                (Confinement::Unavailable, detail)
            }
        };
        let write = config.list("sandbox_write").iter().map(|path| folders::expanded(host, path)).collect();
        Self { confiner, report: SandboxReport { setting, confinement, detail, network }, write }
    }

    /// No sandbox, for where no agent is started.
    pub(crate) fn none() -> Self {
        let report = SandboxReport {
            setting: "off".to_owned(),
            confinement: Confinement::Off,
            detail: String::new(),
            network: true,
        };
        Self { confiner: Err(None), report, write: Vec::new() }
    }

    /// Refuses to go on where a sandbox is demanded and there is none.
    pub(crate) fn demanded(self) -> Result<Self, Fault> {
        match &self.confiner {
            Err(Some(why)) if self.report.setting == "on" => {
                let message = format!("there is no sandbox here: {why}");
                let hint = format!("{} Or go without: sandbox = \"auto\".", what_to_do(why));
                Err(Fault::new(ErrorCode::SandboxUnavailable, message).hint(hint))
            }
            _ => Ok(self),
        }
    }

    /// What confines an agent of this run.
    pub(crate) const fn confinement(&self) -> Confinement {
        self.report.confinement
    }

    /// What a person should know before the run: that it goes without what it should have.
    pub(crate) fn warning(&self) -> Option<String> {
        (self.confinement() == Confinement::Unavailable).then(|| self.report.detail.clone())
    }

    /// What is put around an agent that works in these places.
    pub(crate) fn around(&self, places: &Places<'_>) -> Option<(Confiner, Sandbox)> {
        let confiner = self.confiner.as_ref().ok()?;
        Some((confiner.clone(), places.sandbox(&self.write).network(self.report.network)))
    }
}

fn confined(network: bool) -> String {
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
