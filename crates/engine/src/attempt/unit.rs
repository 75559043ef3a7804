//! An attempt: one unit of work, with all it needs for it. It shares no state with the dispatcher.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loopwright_agents::Harness;
use loopwright_config::{TrustedCheck, TrustedConfig};
use loopwright_domain::{Automation, CheckResult, Event, Fault, Iteration, IterationId, Prices, Run};
use loopwright_process::Secrets;

use crate::attempt::link::{AttemptLink, AttemptMessage};
use crate::attempt::tree::work_tree::WorkTree;
use crate::prepare::options::RunOptions;
use crate::project::Project;
use crate::sandbox::RunSandbox;

/// One execution of an iteration.
pub(crate) struct Attempt<'a> {
    pub(crate) project: &'a Project,
    /// The run as it was when the attempt began.
    pub(crate) run: Run,
    pub(crate) options: RunOptions,
    pub(crate) harness: Arc<dyn Harness>,
    /// What is put around the agent.
    pub(crate) sandbox: RunSandbox,
    /// What models cost.
    pub(crate) prices: Prices,
    /// What its commands are built from: what its run holds.
    pub(crate) config: Arc<TrustedConfig>,
    pub(crate) checks: Vec<TrustedCheck>,
    /// What must not show in anything that is kept or shown.
    pub(crate) secrets: Secrets,
    pub(crate) tree: Arc<WorkTree>,
    /// How much the agent may do.
    pub(crate) automation: Automation,
    /// Which attempt it is, as the agent is told.
    pub(crate) number: u32,
    /// The iteration that was settled before it.
    pub(crate) last: Option<Iteration>,
    /// What checks were seen to pass without.
    pub(crate) not_needed: BTreeSet<PathBuf>,
    /// The iteration whose commit a hook has changed.
    pub(crate) hook_edited: Option<IterationId>,
    pub(crate) link: AttemptLink,
}

impl Attempt<'_> {
    /// Has something written down, and goes on when it is.
    pub(crate) async fn write(
        &self,
        iteration: &Iteration,
        checks: &[CheckResult],
        events: Vec<Event>,
    ) -> Result<(), Fault> {
        let (iteration, checks) = (Box::new(iteration.clone()), checks.to_vec());
        self.link.ask(|reply| AttemptMessage::Write { iteration, checks, events, reply }).await?
    }

    /// Tells of something that does not stop the run.
    pub(crate) async fn warn(&self, iteration: Option<IterationId>, message: String) -> Result<(), Fault> {
        self.link.ask(|reply| AttemptMessage::Warn { iteration, message, reply }).await?
    }

    /// Tells what was seen while the agent worked before anything that can fail: an agent that also broke the
    /// repository must not silence it.
    pub(crate) async fn tell_at_once(&self, iteration: &Iteration, notes: Vec<String>) {
        let iteration = iteration.id;
        for message in notes {
            let told = self.link.ask(|reply| AttemptMessage::WarnAtOnce { iteration, message, reply }).await;
            if told.is_err() {
                return;
            }
        }
    }

    pub(crate) fn time_left(&self) -> Option<Duration> {
        let limit = self.run.limits.max_runtime_ms?;
        Some(Duration::from_millis(limit.saturating_sub(self.run.progress.worked_ms).max(1)))
    }

    /// The folder that agents work in.
    pub(crate) fn work_dir(&self) -> PathBuf {
        let root = &self.project.layout().root;
        self.options.working_dir.as_ref().map_or_else(|| root.clone(), |dir| root.join(dir))
    }
}
