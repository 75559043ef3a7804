//! What an attempt at a task is told besides the task: read from the state, the project and git.

use loopwright_checks::work_list;
use loopwright_domain::{CheckResult, Fault, Iteration, Outcome, Task, TaskStatus};
use loopwright_plan::spec::{PlanSection, plan_section, read_spec_files};
use loopwright_vcs::Oid;

use crate::attempt::prompt::task::{
    ComposedPrompt, FailedAttempt, FinishedDependency, TaskPromptParts, compose,
};
use crate::dispatch::dispatcher::Dispatcher;

/// How many attempts at a task are looked through.
const ATTEMPTS: u32 = 50;
/// As much of a failed attempt's diff as is shown, in bytes.
const DIFF: usize = 12 * 1024;

impl Dispatcher<'_> {
    /// What an agent is asked about a task.
    pub(crate) async fn ask_about(&self, task: &Task) -> Result<ComposedPrompt, Fault> {
        let rules = self.rules()?;
        let selection = self.options.tasks.clone().unwrap_or_default();
        let root = &self.project.layout().root;
        let plan: Option<PlanSection> = match selection.plan.filter(|_| rules.include_plan_section) {
            Some(file) => {
                let plan = read_spec_files(root, &[file])?;
                plan.first().map(|plan| plan_section(&plan.text, task))
            }
            None => None,
        };
        let specs = read_spec_files(root, &selection.spec_files)?;
        let sections = self.project.store().sections_of(task.id).await?;
        let earlier = self.done_before(task).await?;
        let last = self.last_attempt(task).await?;
        compose(&TaskPromptParts {
            task,
            sections: &sections,
            plan: plan.as_ref(),
            specs: &specs,
            context: &self.options.context,
            earlier: &earlier,
            last: last.as_ref(),
            planning: &self.planning,
            include_task: rules.include_task,
            template: &rules.spec_template,
            max_spec_tokens: rules.max_spec_tokens,
            automation: self.automation(),
            checks: &self.named_checks(),
            tools: self.offers_tools(),
        })
    }

    /// What the finished prerequisites came to, by id.
    async fn done_before(&self, task: &Task) -> Result<Vec<FinishedDependency>, Fault> {
        let mut earlier = Vec::new();
        for prerequisite in &self.tasks {
            if prerequisite.status != TaskStatus::Done || !task.draft.depends_on.contains(&prerequisite.id) {
                continue;
            }
            let attempts = self.project.store().attempts_at(prerequisite.id, ATTEMPTS).await?;
            let good = attempts.into_iter().find(|it| it.outcome == Some(Outcome::Succeeded));
            let summary = good.as_ref().and_then(|it| it.claim_text.clone()).unwrap_or_default();
            let commit = good.and_then(|it| it.commit);
            earlier.push(FinishedDependency { task: prerequisite.clone(), summary, commit });
        }
        earlier.sort_unstable_by_key(|it| it.task.id);
        Ok(earlier)
    }

    /// The last attempt that was judged, when it failed.
    async fn last_attempt(&self, task: &Task) -> Result<Option<FailedAttempt>, Fault> {
        let attempts = self.project.store().attempts_at(task.id, ATTEMPTS).await?;
        let judged = |it: &Iteration| {
            matches!(it.outcome, Some(Outcome::Failed | Outcome::Succeeded)) && it.ended_at.is_some()
        };
        let Some(last) = attempts.into_iter().find(judged).filter(|it| it.outcome == Some(Outcome::Failed))
        else {
            return Ok(None);
        };
        let results = self.project.store().check_results(last.id).await?;
        let failing = results.iter().any(CheckResult::failed).then(|| work_list::items(&results));
        let gate = self.project.store().gate_of_iteration(last.id).await?;
        let (decision, comments) = gate.map(|gate| (gate.decision, gate.comments)).unwrap_or_default();
        let diff = self.diff_of(&last).await;
        Ok(Some(FailedAttempt { error: last.message.unwrap_or_default(), failing, diff, decision, comments }))
    }

    /// What a failed attempt had changed, bounded and without secrets. A diff that is gone keeps nobody from trying
    /// again.
    async fn diff_of(&self, iteration: &Iteration) -> Option<String> {
        let from = Oid::parse(iteration.tree_before.as_deref()?)?;
        let to = Oid::parse(iteration.tree_after.as_deref()?)?;
        if from == to {
            return None;
        }
        let patch = self.tree.workspace()?.diff(&from, &to, DIFF).await.ok()?;
        let text = String::from_utf8_lossy(&patch.text).into_owned();
        let cut = if patch.truncated { "\n(and more)" } else { "" };
        Some(format!("{}{cut}", self.secrets.redact(&text)))
    }
}
