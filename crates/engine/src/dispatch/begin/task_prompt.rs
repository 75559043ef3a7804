//! What an attempt at a task is told besides the task: read from the state, the project and git.

use loopwright_checks::work_list;
use loopwright_domain::memory::assembly::context_tokens;
use loopwright_domain::{
    CheckResult, Fault, ItemState, Iteration, Outcome, PromptChoice, PromptItem, PromptItemKind,
    PromptPreview, SuggestedSolution, Task, TaskStatus, Usage, estimate_tokens,
};
use loopwright_plan::spec::{PlanSection, plan_section, read_spec_files};
use loopwright_vcs::Oid;

use crate::dispatch::begin::memory::{self, MemoryRequest};
use crate::dispatch::dispatcher::Dispatcher;
use crate::prompt::task::{ComposedPrompt, FailedAttempt, FinishedDependency, TaskPromptParts, compose};

/// How many attempts at a task are looked through.
const ATTEMPTS: u32 = 50;
/// As much of a failed attempt's diff as is shown, in bytes.
const DIFF: usize = 12 * 1024;

impl Dispatcher<'_> {
    /// What an agent is asked about a task.
    /// Choices that are not remembered yet may be given in place of those that are.
    pub(crate) async fn ask_about(
        &self,
        task: &Task,
        choices: Option<&[PromptChoice]>,
    ) -> Result<ComposedPrompt, Fault> {
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
        let failure = match &last {
            Some(_) => self.project.store().failures(None, Some(task.id), 1).await?.pop(),
            None => None,
        };
        let request =
            MemoryRequest { task, linked: &sections, tasks: &self.tasks, failure: failure.as_ref() };
        let memory = memory::candidates(self.project.store(), &request).await?;
        let choices = match choices {
            Some(choices) => choices.to_vec(),
            None => self.project.store().prompt_choices(task.id).await?,
        };
        let composed = compose(&TaskPromptParts {
            task,
            sections: &sections,
            plan: plan.as_ref(),
            specs: &specs,
            context: &self.options.context,
            earlier: &earlier,
            last: last.as_ref(),
            memory: &memory,
            planning: &self.planning,
            include_task: rules.include_task,
            template: &rules.spec_template,
            max_spec_tokens: rules.max_spec_tokens,
            context_tokens: rules.context_tokens,
            choices: &choices,
            automation: self.automation(),
            checks: &self.named_checks(),
            tools: self.offers_tools(),
        })?;
        Ok(self.priced(composed))
    }

    /// The prompt with what sending each of its items once costs.
    fn priced(&self, mut composed: ComposedPrompt) -> ComposedPrompt {
        let price = self.options.agent.model.as_deref().and_then(|model| self.prices.find(model));
        if let Some(price) = price {
            for item in composed.items.iter_mut().filter(|item| item.state != ItemState::Out) {
                item.cost_micros = Some(price.of(&Usage { input: item.tokens.into(), ..Usage::default() }));
            }
        }
        composed
    }

    /// A task's prompt, taken apart.
    pub(crate) fn preview_of(&self, task: &Task, composed: ComposedPrompt) -> Result<PromptPreview, Fault> {
        let ComposedPrompt { prompt, notes, items } = composed;
        let tokens = estimate_tokens(&prompt);
        let model = self.options.agent.model.clone();
        let price = model.as_deref().and_then(|model| self.prices.find(model));
        let suggested = items.iter().filter_map(suggestion).collect();
        let waits_for =
            task.draft.depends_on.iter().copied().filter(|id| {
                self.tasks.iter().any(|other| other.id == *id && other.status != TaskStatus::Done)
            });
        Ok(PromptPreview {
            task: Some(task.id),
            iteration: None,
            context_tokens: context_tokens(&items),
            budget: self.rules()?.context_tokens,
            prompt_tokens: u32::try_from(tokens).unwrap_or(u32::MAX),
            cost_micros: price.map(|price| price.of(&Usage { input: tokens, ..Usage::default() })),
            model,
            warnings: notes,
            suggested,
            waits_for: waits_for.collect(),
            items,
            prompt,
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

/// A solution among the items, as it is suggested. Its text names its pattern.
fn suggestion(item: &PromptItem) -> Option<SuggestedSolution> {
    if !matches!(item.kind, PromptItemKind::KnownFix | PromptItemKind::TrialSolution) {
        return None;
    }
    let id = item.key.strip_prefix("solution:")?.parse().ok()?;
    let pattern = item.text.strip_prefix("- Fix ")?.split_once(" for ")?.1.split_once(' ')?.0.to_owned();
    let (title, included) = (item.title.clone(), item.state != ItemState::Out);
    Some(SuggestedSolution { id, pattern, title, trust: item.trust?, included })
}
