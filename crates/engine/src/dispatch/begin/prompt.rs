//! What an agent is told: the prompt for a piece of work and what it is answered when it asks, from where the run stands.

use loopwright_checks::work_list;
use loopwright_config::TrustedCheck;
use loopwright_domain::{CheckResult, FailureCause, Fault, Goal, Iteration, Outcome};

use crate::attempt::agent::mcp_server;
use crate::attempt::agent::signal_endpoint::Assignment;
use crate::dispatch::dispatcher::Dispatcher;
use crate::prepare::source::WorkItem;
use crate::prompt::compose::{NamedCheck, PromptParts, compose};
use crate::prompt::task::ComposedPrompt;
use crate::report;

impl Dispatcher<'_> {
    /// The prompt for some work, as it is now.
    pub(crate) async fn prompt(&self, work: &WorkItem) -> Result<ComposedPrompt, Fault> {
        match self.task.as_ref().filter(|task| Some(task.id) == work.task()) {
            Some(task) => self.ask_about(task, None).await,
            None => Ok(ComposedPrompt { prompt: self.request(work), notes: Vec::new(), items: Vec::new() }),
        }
    }

    /// What the agent is told when it asks.
    pub(crate) fn assignment(&self, work: &WorkItem) -> Assignment {
        match self.task.as_ref().filter(|task| Some(task.id) == work.task()) {
            Some(task) => Assignment::of_task(task, self.named_checks()),
            None => Assignment::of_request(&self.run.title, work.request(), self.named_checks()),
        }
    }

    /// Whether the agent gets tools to report with.
    pub(crate) fn offers_tools(&self) -> bool {
        mcp_server::offers_tools(self.project.host(), self.harness.as_ref())
    }

    /// The checks as an agent is told about them.
    pub(crate) fn named_checks(&self) -> Vec<NamedCheck> {
        let enabled = self.checks.iter().filter(|check| check.enabled);
        let named = |check: &TrustedCheck| NamedCheck {
            name: check.name.clone(),
            command: check.shown(),
            required: check.required,
            red_before: self.run.baseline.as_ref().and_then(|baseline| baseline.red_before(&check.name))
                == Some(true),
        };
        enabled.map(named).collect()
    }

    fn request(&self, work: &WorkItem) -> String {
        let checks = self.named_checks();
        let failing =
            self.last_checks.iter().any(CheckResult::failed).then(|| work_list::items(&self.last_checks));
        // What checks or a person say is told in their own words.
        let told_elsewhere =
            |last: &Iteration| matches!(last.cause, Some(FailureCause::Checks | FailureCause::Rejected));
        let last_failure =
            self.last.as_ref().filter(|last| last.outcome == Some(Outcome::Failed) && !told_elsewhere(last));
        let misplaced = self.last.as_ref().and_then(report::misplaced);
        compose(&PromptParts {
            request: work.request(),
            context: &self.options.context,
            number: self.run.progress.iteration,
            max: self.run.limits.max_iterations,
            iteration_context: self.options.include_iteration_context,
            promise: self.options.promise.as_deref(),
            automation: self.options.automation,
            checks: &checks,
            tools: self.offers_tools(),
            failing: failing.as_deref(),
            last_failure: last_failure.and_then(|last| last.message.as_deref()),
            misplaced: misplaced.as_deref(),
            person: self.person.as_ref().map(|person| person.text.as_str()),
            change_needed: self.options.goal == Goal::Promise,
        })
    }
}
