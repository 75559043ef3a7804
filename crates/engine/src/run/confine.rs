//! The sandbox around the agents of a run.

use std::path::{Path, PathBuf};

use loopwright_domain::{Automation, Fault};
use loopwright_process::{Command, Confiner, Job, Sandbox};

use super::agent::Stage;
use super::driver::Driver;
use crate::sandbox::{Places, Watch};

impl Stage<'_> {
    /// What is put around this agent.
    pub(super) fn sandbox(&self, command: &Command, temp: &Path) -> Option<(Confiner, Sandbox)> {
        self.guard.around(&self.places(command, temp))
    }

    /// Takes note of what is looked at again when the agent has ended.
    pub(super) fn watch(&self, job: &Job, temp: &Path) -> Watch {
        Watch::over(job, &self.places(&job.command, temp))
    }

    fn places<'p>(&'p self, command: &'p Command, temp: &'p Path) -> Places<'p> {
        Places {
            host: self.host,
            layout: self.layout,
            agent: self.harness.name(),
            program: &command.program,
            named: command.args.iter().map(PathBuf::from).collect(),
            temp,
            reads_only: self.automation == Automation::Plan.as_str(),
        }
    }
}

impl Driver<'_> {
    /// Says before the work begins that nothing keeps the agent to its project, where something should.
    pub(super) async fn tell_confinement(&mut self) -> Result<(), Fault> {
        match self.guard.warning() {
            Some(warning) => self.warn(None, warning).await,
            None => Ok(()),
        }
    }
}
