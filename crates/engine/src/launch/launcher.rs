//! The launcher of agents: what every agent process has in common, whether a run starts it or a trial.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};

use loopwright_agents::{Harness, Invocation};
use loopwright_config::text_file::{io_fault, private_file};
use loopwright_config::{Config, Host, Layout};
use loopwright_domain::{Fault, SandboxState};
use loopwright_process::{Command, Job, Secrets, TimeLimits};
use loopwright_vcs::AgentRepository;

use crate::launch::settings_mirror;
use crate::sandbox::{RunSandbox, SandboxPaths, SandboxWatch, npm_cache};

/// Where an agent works and what is put around it.
pub(crate) struct AgentLauncher<'a> {
    pub(crate) host: &'a Host,
    pub(crate) layout: &'a Layout,
    pub(crate) harness: &'a dyn Harness,
    /// What is put around the agent.
    pub(crate) sandbox: &'a RunSandbox,
    /// What is hidden in its output.
    pub(crate) secrets: &'a Secrets,
    pub(crate) work_dir: &'a Path,
    /// The agent's own folder for short-lived files.
    pub(crate) temp: &'a Path,
    /// Whether it only reads the project.
    pub(crate) reads_only: bool,
    /// Folders besides those of its command line that it has to reach.
    pub(crate) named: Vec<PathBuf>,
    /// The git folder that the agent sees in the place of the repository's.
    pub(crate) repository: Option<&'a AgentRepository>,
    pub(crate) limits: TimeLimits,
}

impl AgentLauncher<'_> {
    /// The job for an agent: a fresh process with an environment that holds nothing it was not meant to see. `id` marks all
    /// its processes, `told` is what its environment says besides.
    pub(crate) fn job(
        &self,
        invocation: Invocation,
        id: String,
        search_path: OsString,
        told: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Job {
        let mut command = Command::new(invocation.program, self.work_dir).args(invocation.args);
        command.env = self.environment(search_path, told);
        command.env.extend(invocation.env);
        command.stdin = invocation.stdin;
        let mut job = Job::new(command, id);
        job.limits = self.limits;
        job.secrets = self.secrets.clone();
        job.sandbox = self.sandbox.around(&self.sandbox_paths(&job.command));
        job
    }

    /// Takes note of what is looked at again when the agent has ended.
    pub(crate) fn watch(&self, job: &Job) -> SandboxWatch {
        SandboxWatch::over(job, &self.sandbox_paths(&job.command))
    }

    fn environment(
        &self,
        search_path: OsString,
        told: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> BTreeMap<OsString, OsString> {
        let named = [self.harness.credentials(), self.harness.settings()].concat();
        let mut env = loopwright_process::allowed_environment(self.host.environment.clone(), named);
        env.insert("PATH".into(), search_path);
        for name in ["TMPDIR", "TMP", "TEMP"] {
            env.insert(name.into(), self.temp.into());
        }
        if self.sandbox.state() == SandboxState::Sandbox {
            env.insert("npm_config_cache".into(), npm_cache(self.host).into());
        }
        env.extend(told);
        env
    }

    fn sandbox_paths<'p>(&'p self, command: &'p Command) -> SandboxPaths<'p> {
        SandboxPaths {
            host: self.host,
            layout: self.layout,
            agent: self.harness.name(),
            program: &command.program,
            named: command.args.iter().map(PathBuf::from).chain(self.named.iter().cloned()).collect(),
            temp: self.temp,
            reads_only: self.reads_only,
            repository: self.repository,
        }
    }
}

/// Writes what an agent needs to start; only its owner may read it.
pub(crate) fn write_files(invocation: &Invocation) -> Result<(), Fault> {
    for (path, content) in &invocation.files {
        private_file(path)
            .and_then(|mut file| file.write_all(content))
            .map_err(|error| io_fault("write", path, &error))?;
    }
    invocation.home_overlay.as_ref().map_or(Ok(()), settings_mirror::make)
}

/// What must not show in anything an agent prints: its own keys, and every other secret of the environment and of what
/// the settings give it.
pub(crate) fn secrets(host: &Host, config: &Config, harness: &dyn Harness) -> Secrets {
    let names = harness.credentials();
    let own = names.iter().filter_map(|name| host.environment.get(OsStr::new(name)));
    let set = config.secret_values();
    let all = loopwright_process::secret_values(&host.environment).chain(own).chain(&set);
    Secrets::with_values(all.map(|value| value.as_encoded_bytes()))
}
