//! Whether an iteration changed anything, and whether what its agent names as satisfying the work already is there.

use std::path::Path;

use loopwright_domain::change::Satisfier;
use loopwright_domain::{
    Automation, Change, CheckResult, CheckStatus, Fault, Goal, Iteration, Phase, TaskKind,
};
use loopwright_vcs::Oid;

use crate::attempt::checks::claims::is_file_in;
use crate::attempt::tree::left_out::omits_work;
use crate::dispatch::dispatcher::Dispatcher;

impl Dispatcher<'_> {
    /// What stands behind the claim of an iteration without a task: what changed since the run began.
    pub(crate) async fn change_in_run(
        &mut self,
        iteration: &mut Iteration,
        results: &[CheckResult],
    ) -> Result<Change, Fault> {
        if iteration.phase == Phase::Committing {
            // It was judged before, and there is something to commit.
            return Ok(Change::Made);
        }
        if iteration.tree_after.is_none() && iteration.end.is_some() {
            // Nothing is saved before an agent where checkpoints are off; what it left is looked at all the same.
            iteration.tree_after = self.tree.snapshot().await?.map(|now| now.tree.as_str().to_owned());
        }
        let trees = self.run.start_tree.as_ref().zip(iteration.tree_after.as_ref());
        let changed =
            trees.map(|(start, now)| start != now || omits_work(&self.project.iterations().files(iteration)));
        let plans = self.automation() == Automation::Plan;
        let needed = matches!(self.options.goal, Goal::Promise | Goal::Checks) && !plans;
        Ok(Change::of(changed, needed, self.is_satisfied(iteration, results).await?))
    }

    /// What stands behind an attempt at a task: what it changed itself.
    pub(crate) async fn change_in_attempt(
        &self,
        iteration: &Iteration,
        results: &[CheckResult],
        plans: bool,
    ) -> Result<Change, Fault> {
        let verifies = self.task.as_ref().is_some_and(|task| task.draft.kind == Some(TaskKind::Verification));
        let needed = !(plans || verifies || iteration.by_hand);
        let satisfied = self.is_satisfied(iteration, results).await?;
        let changed = iteration
            .changed_tree()
            .map(|changed| changed || omits_work(&self.project.iterations().files(iteration)));
        Ok(Change::of(changed, needed, satisfied))
    }

    /// Whether the agent names something that satisfies the work already, and all of it is so.
    async fn is_satisfied(&self, iteration: &Iteration, results: &[CheckResult]) -> Result<bool, Fault> {
        let named = &iteration.agent.satisfied_by;
        Ok(!named.is_empty() && self.not_so(iteration, results).await?.is_empty())
    }

    /// What the agent names and is not so: files that the tree does not have, checks that did not pass.
    pub(crate) async fn not_so(
        &self,
        iteration: &Iteration,
        results: &[CheckResult],
    ) -> Result<Vec<String>, Fault> {
        let mut wrong = Vec::new();
        for name in &iteration.agent.satisfied_by {
            match Satisfier::of(name) {
                Satisfier::Check(check) => {
                    let found = results.iter().find(|result| result.name == check);
                    match found.map(|result| result.status) {
                        Some(CheckStatus::Passed) => {}
                        Some(_) => wrong.push(format!("the check {check} did not pass")),
                        None => wrong.push(format!("there is no check {check}")),
                    }
                }
                Satisfier::File(path) => {
                    if !self.has_file(iteration, path).await? {
                        wrong.push(format!("there is no file {path}"));
                    }
                }
            }
        }
        Ok(wrong)
    }

    /// Whether the files an iteration left have one at this path.
    async fn has_file(&self, iteration: &Iteration, path: &str) -> Result<bool, Fault> {
        let layout = self.project.layout();
        let tree = iteration.tree_after.as_deref().and_then(Oid::parse);
        let (Some(workspace), Some(tree), Some(repository)) =
            (self.tree.workspace(), tree, &layout.repository)
        else {
            return Ok(is_file_in(&layout.root, path));
        };
        let work_tree = dunce::canonicalize(&repository.work_tree).ok();
        let within = work_tree.as_deref().and_then(|top| layout.root.strip_prefix(top).ok());
        let path = within.unwrap_or(Path::new("")).join(path).to_string_lossy().replace('\\', "/");
        Ok(workspace.has_file(&tree, &path).await?)
    }
}
