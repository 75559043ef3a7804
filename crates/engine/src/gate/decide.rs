//! A person's decision at a gate: bound to the tree that was shown, taken once, carried out by the process that waits
//! for it or, where none does, right here.

use std::time::Duration;

use loopwright_domain::{
    ErrorCode, FailureCause, Fault, Gate, GateDecision, GateId, GateKind, GateStatus, Iteration, NextAction,
    Origin, Outcome, Phase,
};
use loopwright_store::{Decided, Entry, NewGate};

use super::left_out::left_out_flags;
use super::model::GateAnswer;
use crate::assessment::{GateRules, assess};
use crate::attempt::tree::undo_attempt::attempt_reference;
use crate::dispatch::gate::edit_watch::edited_since;
use crate::dispatch::gate::refused_edits::RefusedEdits;
use crate::gate::carry_out::GateOutcome;
use crate::prepare::options::RunOptions;
use crate::project::ProjectGates;
use crate::run_lock::RunLock;

/// How often a gate is looked at whose edits another process checks.
const LOOK: Duration = Duration::from_millis(100);
/// The longest reason.
const LONGEST: usize = 10_000;

impl ProjectGates<'_> {
    /// Decides at a gate. `tree` is the one that was shown: nothing is decided when the gate is about another one.
    ///
    /// A process that waits at the gate is told and carries the decision out; where there is none it is done here, under
    /// the project's lock.
    ///
    /// # Errors
    /// There is no such gate, it has been decided, the files are no longer what was shown, a rejection has no reason,
    /// another process works here, an agent asks, or the decision cannot be carried out. When the fault's code is
    /// `gate.changed`, another gate shows the files as they are now.
    pub async fn decide(
        self,
        id: GateId,
        tree: Option<&str>,
        decision: &GateDecision,
        origin: Origin,
    ) -> Result<GateAnswer, Fault> {
        self.project.require_person("decide at a gate")?;
        let gate = self.find(id).await?;
        let decision = tidied(decision, &gate)?;
        if gate.status != GateStatus::Open {
            return Err(decided(&gate));
        }
        // A terminal shows the gate and asks in one go; a page has shown it before, and names what it showed.
        let named = tree.is_some() || origin == Origin::App;
        if named && tree != gate.tree.as_deref() {
            return Err(changed("the gate is about other files by now", &gate));
        }
        if decision.status() == GateStatus::Approved && gate.kind == GateKind::Work {
            self.require_branch(&gate).await?;
        }
        if decision == GateDecision::Approve {
            self.require_unchanged(&gate).await?;
        }
        if decision.status() == GateStatus::Approved {
            self.require_left_out_decided(&gate).await?;
        }
        let live = self.waits_for_decisions(&gate).await?;
        if gate.kind == GateKind::Review {
            // Not while its work is being reverted.
            let _lock = self.review_lock("approve")?;
            self.write_decision(&gate, &decision, origin).await?;
            if live {
                return Ok(GateAnswer::Told);
            }
            self.rest_after(&gate).await?;
            return Ok(GateAnswer::Committed { commit: None });
        }
        if !live {
            return Box::pin(self.carry_out_here(&gate, &decision, origin)).await;
        }
        if decision == GateDecision::ApproveWithEdits {
            // Whoever waits there checks the files first; only then is it decided.
            if !self.project.store().ask_for_edits(id, Some(origin)).await? {
                return Err(self.decided(id).await?);
            }
            return self.edits_checked(&gate).await;
        }
        self.write_decision(&gate, &decision, origin).await?;
        Ok(GateAnswer::Told)
    }

    /// Waits until the process at a gate has checked a person's edits. One that ends before leaves it to a resume.
    async fn edits_checked(self, gate: &Gate) -> Result<GateAnswer, Fault> {
        loop {
            tokio::time::sleep(LOOK).await;
            let now = self.find(gate.id).await?;
            match (now.status, &now.decision) {
                (GateStatus::Open, Some(GateDecision::ApproveWithEdits)) => {
                    if !self.waits_for_decisions(gate).await? {
                        return Ok(GateAnswer::Told);
                    }
                }
                (GateStatus::Open, _) => {
                    let iteration = self.project.iterations().find(gate.iteration).await?;
                    let refused = RefusedEdits::find(&self.project.iterations().files(&iteration).edits());
                    let RefusedEdits { checks, output } = refused.unwrap_or_default();
                    return Ok(GateAnswer::ChecksFailed { checks, output });
                }
                _ => return Ok(GateAnswer::Told),
            }
        }
    }

    /// Decides and does what that means, because nobody else will.
    async fn carry_out_here(
        self,
        gate: &Gate,
        decision: &GateDecision,
        origin: Origin,
    ) -> Result<GateAnswer, Fault> {
        let config = match decision.status() {
            // Checks and the hooks of a commit are about to run.
            GateStatus::Approved => self.project.trusted_config()?,
            _ => self.project.config_for_asking()?,
        };
        let _lock = RunLock::take(&self.project.layout().state_dir, "gate", self.project.host().timestamp())?;
        let gate = if *decision == GateDecision::ApproveWithEdits {
            if !self.project.store().ask_for_edits(gate.id, Some(origin)).await? {
                return Err(self.decided(gate.id).await?);
            }
            self.find(gate.id).await?
        } else {
            self.write_decision(gate, decision, origin).await?
        };
        let carried = self.carry_out(&gate, config).await?;
        if let Some(next) = self.shown_again(&gate, &carried).await? {
            return Err(changed("a commit hook changed the files; nothing was committed", &next));
        }
        answer(carried, decision)
    }

    /// The gate that shows what became of approved work before it could be committed.
    async fn shown_again(self, gate: &Gate, carried: &GateOutcome) -> Result<Option<Gate>, Fault> {
        if carried.iteration.phase != Phase::AwaitingApproval {
            return Ok(None);
        }
        let next = self.project.store().gate_of_iteration(carried.iteration.id).await?;
        Ok(next.filter(|next| next.status == GateStatus::Open && next.id != gate.id))
    }

    /// Takes a decision, unless somebody was quicker.
    async fn write_decision(
        self,
        gate: &Gate,
        decision: &GateDecision,
        origin: Origin,
    ) -> Result<Gate, Fault> {
        let at = self.project.host().timestamp();
        match self.project.store().decide_gate(&at, gate.id, decision, None, origin).await? {
            Some(Decided::Now(gate)) => Ok(gate),
            Some(Decided::Before(gate)) => Err(decided(&gate)),
            None => Err(self.find(gate.id).await.err().unwrap_or_else(|| decided(gate))),
        }
    }

    /// Why a gate cannot be decided any more.
    pub(super) async fn decided(self, id: GateId) -> Result<Fault, Fault> {
        Ok(decided(&self.find(id).await?))
    }

    /// Refuses to approve work while another branch is checked out than the one it was made for.
    async fn require_branch(self, gate: &Gate) -> Result<(), Fault> {
        let iteration = self.project.iterations().find(gate.iteration).await?;
        let Ok(workspace) = self.project.workspace().await else { return Ok(()) };
        let now = workspace.state().await?.head.branch;
        match (iteration.head, now) {
            (Some(was), Some(now)) if was != now => Err(Fault::new(
                ErrorCode::GateChanged,
                format!("{now} is checked out, and the work was made for {was}; nothing was approved"),
            )
            .hint(format!("Check out {was} again, then decide. Reject takes the work out of the files."))),
            _ => Ok(()),
        }
    }

    /// Refuses to approve files that were not shown, and opens a gate that shows them.
    pub(super) async fn require_unchanged(self, gate: &Gate) -> Result<(), Fault> {
        if edited_since(self.project, gate).await?.is_empty() {
            return Ok(());
        }
        let workspace = self.project.workspace().await?;
        let now = workspace.snapshot().await?.tree;
        let mut iteration = self.project.iterations().find(gate.iteration).await?;
        iteration.tree_after = Some(now.as_str().to_owned());
        let rules = self.rules_of(&iteration).await?;
        let mut found = assess(
            Some(&workspace),
            &rules,
            gate.from.as_deref(),
            Some(now.as_str()),
            self.project.secrets(),
        )
        .await?;
        found.flags.extend(left_out_flags(&workspace, &now, &gate.flags).await?);
        let mut next = Gate { tree: iteration.tree_after.clone(), flags: found.flags, ..gate.clone() };
        next.reasons.extend(found.reasons.into_iter().filter(|reason| !gate.reasons.contains(reason)));
        let new = NewGate { gate: &next, size: found.size };
        // What is settled stays as it was; the gate knows its tree.
        let open = (iteration.phase != Phase::Settled).then_some(&iteration);
        let entry = Entry { iteration: open, ..Entry::default() };
        let at = self.project.host().timestamp();
        match self.project.store().replace_gate(&at, gate.id, new, entry).await? {
            Some(opened) => {
                let gate = Gate { id: opened.id, ..next };
                Err(changed("the files changed since they were shown; nothing was approved", &gate))
            }
            None => Err(self.decided(gate.id).await?),
        }
    }

    /// The rules that the iteration's run works by.
    async fn rules_of(self, iteration: &Iteration) -> Result<GateRules, Fault> {
        let run = self.project.runs().find(Some(iteration.run)).await?;
        let options: Option<RunOptions> = serde_json::from_str(&run.options).ok();
        Ok(options.and_then(|options| options.rules).map_or_else(GateRules::default, |rules| rules.gates))
    }
}

/// What carrying a decision out came to.
fn answer(carried: GateOutcome, decision: &GateDecision) -> Result<GateAnswer, Fault> {
    let GateOutcome { iteration, failing, output, left } = carried;
    if !failing.is_empty() {
        return Ok(GateAnswer::ChecksFailed { checks: failing, output });
    }
    match (iteration.outcome, iteration.cause) {
        // Written down and not done yet: whoever resumes the run does it.
        _ if iteration.phase != Phase::Settled => Ok(GateAnswer::Told),
        _ if iteration.task.is_none() && decision.status() != GateStatus::Approved => Ok(GateAnswer::Kept),
        (_, cause) if iteration.task.is_none() && cause != Some(FailureCause::Commit) => {
            Ok(GateAnswer::Committed { commit: iteration.commit })
        }
        (Some(Outcome::Succeeded), _) if decision.status() != GateStatus::Approved => {
            Ok(GateAnswer::HookEditsPutBack { left })
        }
        (Some(Outcome::Succeeded), _) => Ok(GateAnswer::Committed { commit: iteration.commit }),
        (_, Some(FailureCause::Commit)) => {
            let told = iteration.message.unwrap_or_default();
            Err(Fault::new(ErrorCode::GitFailed, format!("the work was approved and not committed: {told}"))
                .hint(match iteration.task {
                    Some(_) => "The files are as they were before the work. The next attempt is told why.",
                    None => "The work stays in the files. The next iteration is told why.",
                }))
        }
        _ => {
            let kept = iteration.restored.then(|| attempt_reference(iteration.id));
            Ok(GateAnswer::PutBack { kept, left })
        }
    }
}

/// The decision without blanks around its reason, if it fits the gate.
fn tidied(decision: &GateDecision, gate: &Gate) -> Result<GateDecision, Fault> {
    let invalid = |message: &str, hint: &str| Err(Fault::new(ErrorCode::UsageInvalid, message).hint(hint));
    let reason = match decision {
        GateDecision::Approve => return Ok(GateDecision::Approve),
        GateDecision::ApproveWithEdits if gate.kind == GateKind::Work => {
            return Ok(GateDecision::ApproveWithEdits);
        }
        GateDecision::ApproveWithEdits => {
            return invalid(
                "only work can be approved with your edits",
                "Approve it as it is, or reject it.",
            );
        }
        GateDecision::Reject { reason } | GateDecision::Skip { reason } => reason.trim(),
    };
    if gate.kind == GateKind::Review {
        let message = "a review is about work that is committed already";
        return Err(Fault::new(ErrorCode::UsageInvalid, message)
            .next(NextAction::RevertWork, "Take back what is wrong, then approve the review"));
    }
    if gate.task.is_none() && matches!(decision, GateDecision::Skip { .. }) {
        return Err(Fault::new(ErrorCode::UsageInvalid, "there is no task that could be put aside")
            .hint("Reject the work with a reason.")
            .next(NextAction::CancelRun, "Or end the run"));
    }
    if reason.is_empty() {
        return invalid(
            "a rejection needs a reason",
            "Say what should be different: it goes into the next prompt.",
        );
    }
    if reason.chars().count() > LONGEST {
        return invalid("the reason is too long", "Keep it below 10,000 characters.");
    }
    let reason = reason.to_owned();
    Ok(match decision {
        GateDecision::Skip { .. } => GateDecision::Skip { reason },
        _ => GateDecision::Reject { reason },
    })
}

/// Says who decided, and when.
fn decided(gate: &Gate) -> Fault {
    let what = match gate.status {
        GateStatus::Approved => "was approved",
        GateStatus::Rejected => "was rejected",
        GateStatus::Skipped => "was put aside",
        GateStatus::Replaced | GateStatus::Open => "is no longer asked about",
    };
    let by = match gate.decided_by {
        Some(Origin::App) => " in the app",
        Some(Origin::Cli) => " at the command line",
        None => "",
    };
    let at = gate.decided_at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
    Fault::new(ErrorCode::GateDecided, format!("gate {} {what}{by}{at}", gate.id.0))
        .next(NextAction::ListGates, "See what waits for you now")
}

fn changed(message: &str, gate: &Gate) -> Fault {
    Fault::new(ErrorCode::GateChanged, message)
        .hint(format!("Look at gate {} again, then decide.", gate.id.0))
        .next(NextAction::ApproveEdits, "Approve it with your own edits")
}
