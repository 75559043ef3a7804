//! A person's decision at a gate: bound to the tree that was shown, taken once, carried out by the process that waits
//! for it or, where none does, right here.

use loopwright_domain::{
    ErrorCode, FailureCause, Fault, Gate, GateDecision, GateId, GateKind, GateStatus, Iteration, Origin,
    Outcome, Phase,
};
use loopwright_store::{Decided, Entry, NewGate};

use super::assess::assess;
use super::model::GateAnswer;
use super::rules::GateRules;
use crate::project::Project;
use crate::run::{Carried, RunLock, RunOptions, attempt_reference};
use crate::trust;

/// The longest reason.
const LONGEST: usize = 10_000;

impl Project {
    /// Decides at a gate. `tree` is the one that was shown: nothing is decided when the gate is about another one.
    ///
    /// A process that waits at the gate is told and carries the decision out; where there is none it is done here, under
    /// the project's lock.
    ///
    /// # Errors
    /// There is no such gate, it has been decided, the files are no longer what was shown, a rejection has no reason,
    /// another process works here, an agent asks, or the decision cannot be carried out. When the fault's code is
    /// `gate.changed`, another gate shows the files as they are now.
    pub async fn decide_gate(
        &self,
        id: GateId,
        tree: Option<&str>,
        decision: &GateDecision,
        origin: Origin,
    ) -> Result<GateAnswer, Fault> {
        self.require_person("decide at a gate")?;
        let gate = self.find_gate(id).await?;
        let decision = tidied(decision, &gate)?;
        if gate.status != GateStatus::Open {
            return Err(decided(&gate));
        }
        if tree.is_some_and(|tree| Some(tree) != gate.tree.as_deref()) {
            return Err(changed("the gate is about other files by now", &gate));
        }
        if decision == GateDecision::Approve {
            self.require_unchanged(&gate).await?;
        }
        let live = self.waits_for_decisions(&gate).await?;
        if gate.kind == GateKind::Review {
            // Not while its work is being reverted.
            let _lock = self.review_lock("approve")?;
            self.write_decision(&gate, &decision, origin).await?;
            return Ok(if live { GateAnswer::Told } else { GateAnswer::Committed { commit: None } });
        }
        if !live {
            return self.carry_out_here(&gate, &decision, origin).await;
        }
        if decision == GateDecision::ApproveWithEdits {
            // Whoever waits there checks the files first; only then is it decided.
            if !self.store().ask_for_edits(id, Some(origin)).await? {
                return Err(self.decided(id).await?);
            }
        } else {
            self.write_decision(&gate, &decision, origin).await?;
        }
        Ok(GateAnswer::Told)
    }

    /// Decides and does what that means, because nobody else will.
    async fn carry_out_here(
        &self,
        gate: &Gate,
        decision: &GateDecision,
        origin: Origin,
    ) -> Result<GateAnswer, Fault> {
        if decision.status() == GateStatus::Approved {
            // Checks and the hooks of a commit are about to run.
            self.require_trust()?;
        }
        let _lock = RunLock::take(&self.layout().state_dir, "gate", self.host().timestamp())?;
        let gate = if *decision == GateDecision::ApproveWithEdits {
            if !self.store().ask_for_edits(gate.id, Some(origin)).await? {
                return Err(self.decided(gate.id).await?);
            }
            self.find_gate(gate.id).await?
        } else {
            self.write_decision(gate, decision, origin).await?
        };
        answer(self.carry_out_gate(&gate).await?)
    }

    /// Refuses where the folder would execute what nobody has trusted.
    pub(super) fn require_trust(&self) -> Result<(), Fault> {
        let state = self.trust_judgement(&self.config().strict()?)?.state;
        if state.may_run() { Ok(()) } else { Err(trust::refusal(state)) }
    }

    /// Takes a decision, unless somebody was quicker.
    async fn write_decision(
        &self,
        gate: &Gate,
        decision: &GateDecision,
        origin: Origin,
    ) -> Result<Gate, Fault> {
        let at = self.host().timestamp();
        match self.store().decide_gate(&at, gate.id, decision, None, origin).await? {
            Some(Decided::Now(gate)) => Ok(gate),
            Some(Decided::Before(gate)) => Err(decided(&gate)),
            None => Err(self.find_gate(gate.id).await.err().unwrap_or_else(|| decided(gate))),
        }
    }

    /// Why a gate cannot be decided any more.
    pub(super) async fn decided(&self, id: GateId) -> Result<Fault, Fault> {
        Ok(decided(&self.find_gate(id).await?))
    }

    /// Refuses to approve files that were not shown, and opens a gate that shows them.
    async fn require_unchanged(&self, gate: &Gate) -> Result<(), Fault> {
        if self.edited_since(gate).await?.is_empty() {
            return Ok(());
        }
        let workspace = self.workspace().await?;
        let now = workspace.snapshot().await?.tree;
        let mut iteration = self.find_iteration(gate.iteration).await?;
        iteration.tree_after = Some(now.as_str().to_owned());
        let rules = self.rules_of(&iteration).await?;
        let found = assess(Some(&workspace), &rules, gate.from.as_deref(), Some(now.as_str())).await?;
        let mut next = Gate { tree: iteration.tree_after.clone(), flags: found.flags, ..gate.clone() };
        next.reasons.extend(found.reasons.into_iter().filter(|reason| !gate.reasons.contains(reason)));
        let new = NewGate { gate: &next, size: found.size };
        let entry = Entry { iteration: Some(&iteration), ..Entry::default() };
        let at = self.host().timestamp();
        match self.store().replace_gate(&at, gate.id, new, entry).await? {
            Some(opened) => {
                let gate = Gate { id: opened.id, ..next };
                Err(changed("the files changed since they were shown; nothing was approved", &gate))
            }
            None => Err(self.decided(gate.id).await?),
        }
    }

    /// The rules that the iteration's run works by.
    async fn rules_of(&self, iteration: &Iteration) -> Result<GateRules, Fault> {
        let run = self.find_run(Some(iteration.run)).await?;
        let options: Option<RunOptions> = serde_json::from_str(&run.options).ok();
        Ok(options.and_then(|options| options.rules).map_or_else(GateRules::default, |rules| rules.gates))
    }
}

/// What carrying a decision out came to.
fn answer(Carried { iteration, failing }: Carried) -> Result<GateAnswer, Fault> {
    if !failing.is_empty() {
        return Ok(GateAnswer::ChecksFailed { checks: failing });
    }
    match (iteration.outcome, iteration.cause) {
        // Written down and not done yet: whoever resumes the run does it.
        _ if iteration.phase != Phase::Settled => Ok(GateAnswer::Told),
        (Some(Outcome::Succeeded), _) => Ok(GateAnswer::Committed { commit: iteration.commit }),
        (_, Some(FailureCause::Commit)) => {
            let told = iteration.message.unwrap_or_default();
            Err(Fault::new(ErrorCode::GitFailed, format!("the work was approved and not committed: {told}"))
                .hint("The files are as they were before the work. The next attempt is told why."))
        }
        _ => Ok(GateAnswer::PutBack { kept: iteration.restored.then(|| attempt_reference(iteration.id)) }),
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
        return invalid(
            "a review is about work that is committed already",
            "Take back what is wrong with \"loopwright revert\", then approve the review.",
        );
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
        .hint("\"loopwright gate list\" shows what waits for you now.")
}

fn changed(message: &str, gate: &Gate) -> Fault {
    Fault::new(ErrorCode::GateChanged, message).hint(format!(
        "Look at gate {} again, then decide. Your own edits are approved with --with-edits.",
        gate.id.0
    ))
}
