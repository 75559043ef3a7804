//! Checks that edit: what they edit is part of the work, and the required checks run once more on it. What is judged,
//! shown and committed is one tree.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use loopwright_checks::{CheckMode, CheckWork, NoEdits};
use loopwright_config::TrustedCheck;
use loopwright_domain::environment::unable;
use loopwright_domain::{CheckResult, Fault, Iteration, Phase, Verdict};
use loopwright_vcs::{CheckpointName, Oid, Produced};

use crate::attempt::checks::round::CheckRound;
use crate::attempt::link::AttemptMessage;
use crate::attempt::tree::set_aside::SetAside;
use crate::attempt::tree::work_tree::label;
use crate::attempt::unit::Attempt;
use crate::crash;
use crate::display_text::named_paths;

impl Attempt<'_> {
    /// Runs the checks on the tree that an iteration left. Where they edit it and pass, the required ones run again on
    /// what they made of it, and then none of them may edit. The iteration's tree is the one that the results are about. What
    /// they print is kept in `folder`.
    pub(crate) async fn check_tree(
        &mut self,
        iteration: &mut Iteration,
        folder: &Path,
    ) -> Result<Vec<CheckResult>, Fault> {
        let since = SystemTime::now();
        let marker = iteration.id.to_string();
        let mut results = self.run_checks(&marker, Some((folder, iteration))).await;
        crash::point("checks.ended");
        if is_void(&results) {
            return Ok(results);
        }
        let Some(made) = self.take_check_edits(iteration, since).await? else { return Ok(results) };
        if Verdict::of(&results) == Verdict::Failed {
            return Ok(results);
        }
        if iteration.phase == Phase::Checking {
            self.write(iteration, &[], Vec::new()).await?;
            crash::point("edits.taken");
        }
        // What the commit will not have must not be what the checks pass on.
        let aside = self.set_aside(&made)?;
        let mut again = self.check_again(iteration, folder).await;
        if let Some(aside) = aside {
            aside.end()?;
            if Verdict::of(&again) == Verdict::Failed {
                again = Box::pin(self.check_with_made(iteration, &made, folder)).await?;
            }
        }
        crash::point("checks.again");
        for result in again {
            if let Some(first) = results.iter_mut().find(|first| first.name == result.name) {
                *first =
                    CheckResult { elapsed_ms: first.elapsed_ms.saturating_add(result.elapsed_ms), ..result };
            }
        }
        if !is_void(&results) {
            let judged = iteration.tree_after.clone();
            self.take_check_edits(iteration, since).await?;
            if Verdict::of(&results) != Verdict::Failed {
                // Whoever changed something since, it was no check.
                iteration.tree_after = judged;
            }
        }
        Ok(results)
    }

    /// Runs the required checks on what checks made of an iteration's work. Now none of them may edit.
    async fn check_again(&mut self, iteration: &Iteration, folder: &Path) -> Vec<CheckResult> {
        let required = |check: &&TrustedCheck| check.enabled && check.required;
        let checks: Vec<TrustedCheck> = self.checks.iter().filter(required).cloned().collect();
        let marker = iteration.id.to_string();
        let round = CheckRound {
            checks: &checks,
            mode: CheckMode::StopAtFirstRequiredFailure,
            marker: &marker,
            outputs: Some(folder),
            iteration: Some(iteration),
            no_edits: NoEdits::Again,
        };
        self.run_round(round).await
    }

    /// Sets the new files that checks made aside; nothing where there are none.
    fn set_aside(&self, made: &[PathBuf]) -> Result<Option<SetAside>, Fault> {
        let Some(workspace) = self.tree.workspace().filter(|_| !made.is_empty()) else { return Ok(None) };
        let (state, work_tree) = (&self.project.layout().state_dir, &workspace.repository().work_tree);
        SetAside::begin(state, work_tree, &made.iter().cloned().collect()).map(Some)
    }

    /// Checks what checks made of an iteration's work once more, with the new files that they made, for it failed without
    /// them: a file may have been replaced by them. They are part of the work when it passes.
    async fn check_with_made(
        &mut self,
        iteration: &mut Iteration,
        made: &[PathBuf],
        folder: &Path,
    ) -> Result<Vec<CheckResult>, Fault> {
        let Some(workspace) = self.tree.workspace() else { return Ok(Vec::new()) };
        let paths: Vec<&Path> = made.iter().map(PathBuf::as_path).collect();
        let tree = workspace.take_made(&paths).await?;
        let without = iteration.tree_after.replace(tree.as_str().to_owned());
        let results = self.check_again(iteration, folder).await;
        if Verdict::of(&results) == Verdict::Passed {
            let names = named_paths(made);
            let told = format!("checks fail without {names}, which they made; that is part of the work now");
            self.warn(Some(iteration.id), told).await?;
        } else {
            iteration.tree_after = without;
        }
        Ok(results)
    }

    /// Looks at the files after checks have run. Where they edited some, that is part of the iteration's work now, and the
    /// new files that they made are returned. Where the agent has changed nothing, there is nothing that edits could belong
    /// to, and they are put back.
    async fn take_check_edits(
        &mut self,
        iteration: &mut Iteration,
        since: SystemTime,
    ) -> Result<Option<Vec<PathBuf>>, Fault> {
        let Some(before) = iteration.tree_after.as_deref().and_then(Oid::parse) else { return Ok(None) };
        let Some(workspace) = self.tree.workspace() else { return Ok(None) };
        if !self.checks.iter().any(|check| check.enabled && !matches!(check.work, CheckWork::Builtin(_))) {
            return Ok(None);
        }
        let edits = workspace.take_edits(&before, None).await?;
        self.tell_made(iteration, &edits.made).await?;
        if edits.edited.is_empty() {
            return Ok(None);
        }
        let names = named_paths(&edits.edited);
        if self.is_unchanged(iteration) && self.put_back_check_edits(iteration, since).await? {
            let told = format!("checks changed {names}; the agent changed nothing, so that was put back");
            self.warn(Some(iteration.id), told).await?;
            return Ok(None);
        }
        iteration.tree_after = Some(edits.tree.as_str().to_owned());
        let told = format!("checks changed {names}; that is part of the work now");
        self.warn(Some(iteration.id), told).await?;
        Ok(Some(edits.made))
    }

    /// Whether nobody has changed anything that the iteration is judged by.
    fn is_unchanged(&self, iteration: &Iteration) -> bool {
        let base = match iteration.task {
            Some(_) => &iteration.tree_before,
            None => &self.run.start_tree,
        };
        base.is_some() && *base == iteration.tree_after && iteration.tree_before == iteration.tree_after
    }

    /// Puts the files back as they were before the iteration. False where that is not known, or not all could be.
    async fn put_back_check_edits(&self, iteration: &Iteration, since: SystemTime) -> Result<bool, Fault> {
        let before = self.tree.checkpoint_of(iteration).await?;
        let (Some(workspace), Some(before)) = (self.tree.workspace(), before) else { return Ok(false) };
        let now = workspace.snapshot().await?;
        let plan = workspace.plan_restore(&before, Produced::from(&now), Some(since)).await?;
        let safety = CheckpointName::new(iteration.run, format!("safety-checks-{}", label(iteration)))?;
        Ok(workspace.restore(&plan, &safety).await?.left.is_empty())
    }

    /// Leaves new files of checks out of snapshots after a round that judges nothing: files that it moved are others.
    pub(crate) async fn leave_out_made(&mut self, iteration: &Iteration) -> Result<(), Fault> {
        let tree = iteration.tree_after.as_deref().and_then(Oid::parse);
        let (Some(workspace), Some(tree)) = (self.tree.workspace(), tree) else { return Ok(()) };
        let made = workspace.take_edits(&tree, None).await?.made;
        self.tell_made(iteration, &made).await
    }

    /// Has the new files that checks made named, each once in a run.
    async fn tell_made(&self, iteration: &Iteration, made: &[PathBuf]) -> Result<(), Fault> {
        if made.is_empty() {
            return Ok(());
        }
        let (iteration, files) = (iteration.id, made.to_vec());
        self.link.ask(|reply| AttemptMessage::FilesMade { iteration, files, reply }).await?
    }
}

/// Whether a round says nothing about the work: it was stopped, or a check could not be run here.
fn is_void(results: &[CheckResult]) -> bool {
    Verdict::of(results) == Verdict::Stopped || unable(results).is_some()
}
