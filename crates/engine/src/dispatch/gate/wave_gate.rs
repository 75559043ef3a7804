//! A gate before the commit of a wave: a commit hook has changed what somebody has approved, or what somebody has to look
//! at. What is shown there is what is committed.

use std::ops::ControlFlow;

use loopwright_domain::{
    ErrorCode, Event, ExitReason, Fault, Gate, GateDecision, GateStatus, Iteration, Outcome, RunStatus,
};
use loopwright_vcs::{CheckpointName, Oid, Produced, Workspace};

use crate::assessment::{Assessment, assess};
use crate::attempt::tree::work_tree::{WorkTree, label};
use crate::dispatch::conclude::waves::piece;
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::step::{StepResult, end, proceed};
use crate::display_text::shown_path;

impl Dispatcher<'_> {
    /// Shows what a hook made of a wave's work where somebody has to look, and waits for what is decided. Goes on with the
    /// tree that can be committed. Where nobody can be waited for, that is a fault.
    pub(crate) async fn gate_hook_edits(
        &mut self,
        finished: &[Iteration],
        checked: Oid,
        can_wait: bool,
    ) -> StepResult<Oid> {
        let Some(last) = finished.last() else { return Ok(ControlFlow::Continue(checked)) };
        let found = self.assess_hook_edits(finished, last, &checked).await?;
        if found.reasons.is_empty() {
            return Ok(ControlFlow::Continue(checked));
        }
        if !can_wait {
            return Err(nobody_waits());
        }
        let edited = Iteration { tree_after: Some(checked.as_str().to_owned()), ..last.clone() };
        self.tree.keep_after(&edited).await?;
        let reasons = found.reasons.clone();
        self.open_gate_again(&edited, reasons, found).await?;
        self.at_hook_gate(last).await
    }

    /// The newest gate that shows what a hook made of a wave's work; `last` finished its last task.
    pub(crate) async fn hook_gate(&self, last: &Iteration) -> Result<Option<Gate>, Fault> {
        let gate = self.project.store().work_gate_of(last.id).await?;
        Ok(gate.filter(|gate| shows_hook_edits(gate, last)))
    }

    /// Waits at the gate that shows a hook's edits and carries out what is decided there.
    pub(crate) async fn at_hook_gate(&mut self, last: &Iteration) -> StepResult<Oid> {
        loop {
            let Some(gate) = self.hook_gate(last).await? else {
                return end(ExitReason::NeedsPerson);
            };
            match (gate.status, &gate.decision) {
                (GateStatus::Open, Some(GateDecision::ApproveWithEdits)) => {
                    proceed!(self.take_edits(&mut last.clone(), &gate).await?);
                }
                (GateStatus::Open, _) => {
                    if let ControlFlow::Break(ending) = self.wait_at(&gate).await? {
                        if ending.reason == ExitReason::Cancelled {
                            self.close_hook_gate(&gate).await?;
                        }
                        return end(ending);
                    }
                }
                (GateStatus::Approved, _) => {
                    self.go_on_after_gate().await?;
                    return match gate.tree.as_deref().and_then(Oid::parse) {
                        Some(tree) => Ok(ControlFlow::Continue(tree)),
                        None => end(ExitReason::NeedsPerson),
                    };
                }
                (GateStatus::Replaced, _) => return end(ExitReason::NeedsPerson),
                (GateStatus::Rejected | GateStatus::Skipped, _) => {
                    self.go_on_after_gate().await?;
                    return end(self.reject_hook_edits(last, &gate).await?);
                }
            }
        }
    }

    /// Nobody decides there any more.
    async fn close_hook_gate(&mut self, gate: &Gate) -> Result<(), Fault> {
        let status = GateStatus::Replaced;
        self.note(vec![Event::GateDecided { gate: gate.id, status, reason: None, origin: None }]).await
    }

    async fn go_on_after_gate(&mut self) -> Result<(), Fault> {
        match self.run.status {
            RunStatus::Waiting => {
                self.set_status(RunStatus::Running, None, "decided: the run goes on".to_owned()).await
            }
            _ => Ok(()),
        }
    }

    /// Puts a hook's edits back: the hook has to be changed before the wave can be committed.
    async fn reject_hook_edits(&mut self, last: &Iteration, gate: &Gate) -> Result<RunEnd, Fault> {
        self.not_put_back = self.tree.put_back_to_kept(last, gate.tree.as_deref()).await?;
        self.run.tree = last.tree_after.clone();
        let message = "what a commit hook changed was rejected and put back; the wave is not committed. Change the hook, \
                       then resume";
        let message = Some(message.to_owned());
        Ok(RunEnd { code: Some(ErrorCode::GitHook), message, ..ExitReason::NeedsPerson.into() })
    }

    /// Why somebody has to look: what was approved has changed, or what the hook did is a risk by itself. Shown is all
    /// that the wave's commit brings.
    async fn assess_hook_edits(
        &self,
        finished: &[Iteration],
        last: &Iteration,
        checked: &Oid,
    ) -> Result<Assessment, Fault> {
        let Some(workspace) = self.tree.workspace() else { return Ok(Assessment::default()) };
        let rules = self.rules()?.gates;
        let to = Some(checked.as_str());
        let own = assess(Some(workspace), &rules, last.tree_after.as_deref(), to, &self.secrets).await?;
        let mut reasons = own.reasons;
        for iteration in finished {
            let gate = self.project.store().work_gate_of(iteration.id).await?;
            let shown =
                gate.filter(|gate| gate.status == GateStatus::Approved || shows_hook_edits(gate, iteration));
            for reason in shown.map(|gate| gate.reasons).unwrap_or_default() {
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
        let from = self.wave_base(workspace, finished, last, checked).await?;
        let whole = assess(Some(workspace), &rules, Some(from.as_str()), to, &self.secrets).await?;
        Ok(Assessment { reasons, ..whole })
    }

    /// The tree that the whole commit of a wave is shown against.
    async fn wave_base(
        &self,
        workspace: &Workspace,
        finished: &[Iteration],
        last: &Iteration,
        checked: &Oid,
    ) -> Result<Oid, Fault> {
        let Some((first, _)) = finished.first().and_then(piece) else { return Ok(checked.clone()) };
        let base = workspace.commit_base(&first, checked, &[]).await?;
        let name = CheckpointName::new(last.run, format!("base-{}-{base}", label(last)))?;
        workspace.keep_tree(&name, &base).await?;
        Ok(base)
    }
}

/// What a run that is over says of a hook's edits that somebody has to look at.
pub(crate) fn nobody_waits() -> Fault {
    Fault::new(
        ErrorCode::GitHook,
        "a commit hook changed what has to be shown at a gate, and the run is over",
    )
}

/// Whether a gate shows what a hook made of the work of a finished iteration.
pub(crate) fn shows_hook_edits(gate: &Gate, iteration: &Iteration) -> bool {
    gate.tree.is_some()
        && gate.tree != iteration.tree_after
        && iteration.outcome == Some(Outcome::Succeeded)
        && iteration.wave.is_some()
        && iteration.commit.is_none()
}

impl WorkTree {
    /// Puts the files back as a finished iteration left them, from a tree that a hook made of them. Returns those that are
    /// not as they were.
    async fn put_back_to_kept(&self, last: &Iteration, edited: Option<&str>) -> Result<Vec<String>, Fault> {
        let trees = (last.tree_after.as_deref().and_then(Oid::parse), edited.and_then(Oid::parse));
        let (Some(workspace), (Some(tree), Some(edited))) = (self.workspace(), trees) else {
            return Ok(Vec::new());
        };
        let name = CheckpointName::new(last.run, format!("hook-{}-{tree}", label(last)))?;
        let kept = workspace.load_checkpoint(&workspace.keep_tree(&name, &tree).await?).await?;
        let plan = workspace.plan_restore(&kept, Produced::from(&edited), None).await?;
        let safety = CheckpointName::new(last.run, format!("safety-hook-{}", label(last)))?;
        let restored = workspace.restore(&plan, &safety).await?;
        Ok(restored.left.iter().map(|conflict| shown_path(&conflict.path)).collect())
    }
}
