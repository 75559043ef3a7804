//! Gates of `loop` and `fix`: once, when a commit or a good end is due, over the work since the last approval.

use std::ops::ControlFlow;

use loopwright_domain::check::failing;
use loopwright_domain::decide::{finish, gate_reasons};
use loopwright_domain::promise::gates_misplaced;
use loopwright_domain::signal::says_check_is_wrong;
use loopwright_domain::{
    Change, CheckResult, Claim, ExitReason, FailureCause, Fault, Gate, GateDecision, GateReason, GateStatus,
    Goal, Iteration, Outcome, Phase, Verdict,
};

use crate::assessment::assess;
use crate::attempt::phases::{CheckedAttempt, GatedAttempt};
use crate::attempt::tree::agent_repository::loop_repository;
use crate::attempt::tree::commit::{CommitOutcome, uncommitted_since};
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::step::{GO_ON, StepFuture, StepResult, end, proceed};
use crate::prompt::compose::comment_line;
use crate::report;

/// How many iterations are looked through for earlier claims.
const LOOK_BACK: u32 = 200;

/// How an iteration was judged.
pub(crate) type Judged = (Outcome, Option<FailureCause>);

/// What becomes of a good end that no iteration has asked about.
pub(crate) enum EndApproval {
    /// Nobody has to look, or somebody has approved it.
    Good,
    /// A person wants something to be different.
    Rejected,
}

impl Dispatcher<'_> {
    /// The tree from which on nobody has approved what the run changed; none without git.
    pub(crate) fn unapproved_since(&self) -> Option<String> {
        self.run.approved_tree.clone().or_else(|| self.run.start_tree.clone())
    }

    /// Opens a gate for an iteration without a task when a commit or a good end is due, or the agent says that a check
    /// is wrong, and a person has to look. Else the iteration goes on.
    pub(crate) async fn opens_gate(
        &mut self,
        mut iteration: Iteration,
        judged: Judged,
        results: &[CheckResult],
        change: Change,
    ) -> Result<ControlFlow<GatedAttempt, Iteration>, Fault> {
        let verdict = Verdict::of(results);
        let said = iteration.claim_text.as_deref().unwrap_or_default();
        let wrong_check = judged.1 == Some(FailureCause::Blocked)
            && verdict == Verdict::Failed
            && says_check_is_wrong(said);
        let misplaced = judged.0 == Outcome::Succeeded && self.misplaced_twice(&iteration).await?;
        let due = iteration.phase < Phase::Committing && self.is_due(&iteration, judged, verdict).await?;
        if !due && !wrong_check && !misplaced {
            return Ok(ControlFlow::Continue(iteration));
        }
        let shown = self.shown_otherwise(&iteration).await?;
        let from = self.unapproved_since();
        let rules = self.rules()?.gates;
        let mut assessment = assess(
            self.tree.workspace(),
            &rules,
            from.as_deref(),
            iteration.tree_after.as_deref(),
            &self.secrets,
        )
        .await?;
        if due {
            assessment.add_left_out(&self.left_out(&iteration).await?, &rules);
        }
        let mut reasons = gate_reasons(self.run.kind, change, &assessment.reasons);
        reasons.extend(wrong_check.then_some(GateReason::WrongCheck));
        reasons.extend(misplaced.then_some(GateReason::MisplacedClaim));
        let again = shown.into_iter().filter(|reason| !reasons.contains(reason)).collect::<Vec<_>>();
        reasons.extend(again);
        if reasons.is_empty() {
            return Ok(ControlFlow::Continue(iteration));
        }
        iteration.failing = failing(results).into_iter().collect();
        self.open_gate(iteration, reasons, assessment).await.map(ControlFlow::Break)
    }

    /// Why a person looked at an iteration's work when it was another tree: a commit hook has changed it since.
    pub(crate) async fn shown_otherwise(&self, iteration: &Iteration) -> Result<Vec<GateReason>, Fault> {
        let gate = self.project.store().work_gate_of(iteration.id).await?;
        let approved =
            gate.filter(|gate| gate.status == GateStatus::Approved && gate.tree != iteration.tree_after);
        Ok(approved.map(|gate| gate.reasons).unwrap_or_default())
    }

    /// Whether the agents of this run said for the second time that they are done, and not where it counts.
    async fn misplaced_twice(&self, iteration: &Iteration) -> Result<bool, Fault> {
        if iteration.claim != Claim::Misplaced || self.options.goal != Goal::Promise {
            return Ok(false);
        }
        let past = self.project.store().last_iterations(self.run.id, LOOK_BACK).await?;
        let earlier = past.iter().filter(|it| it.id != iteration.id).map(|it| it.claim);
        Ok(gates_misplaced(iteration.claim, earlier))
    }

    /// Whether a judged iteration is to be committed or ends the run well.
    async fn is_due(&self, iteration: &Iteration, judged: Judged, verdict: Verdict) -> Result<bool, Fault> {
        if judged.0 != Outcome::Succeeded {
            return Ok(false);
        }
        let judged = Iteration { outcome: Some(judged.0), cause: judged.1, ..iteration.clone() };
        let commits =
            self.options.git.auto_commit && uncommitted_since(self.project, iteration).await.is_some();
        Ok(finish(self.options.goal, &judged, verdict).is_some()
            || commits
            || self.has_agent_commits().await?)
    }

    /// Whether the agents of a loop have committed what is not part of the branch yet.
    async fn has_agent_commits(&self) -> Result<bool, Fault> {
        let own = loop_repository(&self.project.layout().state_dir, &self.tree, self.run.id);
        let (Some(own), Some(workspace)) = (own, self.tree.workspace()) else { return Ok(false) };
        Ok(workspace.agent_commits(&own).await?.is_some())
    }

    async fn commit(&mut self, iteration: &mut Iteration) -> Result<CommitOutcome, Fault> {
        let (mut attempt, mailbox) = self.attempt(Some(iteration));
        self.serve(mailbox, attempt.commit(iteration)).await
    }

    /// Commits and settles a judged iteration without a task. An ending means that the run stops with it; where a person
    /// has to mend the repository first, the iteration stays as it is and is taken up again.
    pub(crate) fn settle_judged(
        &mut self,
        checked: CheckedAttempt,
        judged: Judged,
        mut told: Option<String>,
    ) -> StepFuture<'_> {
        Box::pin(async move {
            let CheckedAttempt { mut iteration, results } = checked;
            let (mut outcome, mut cause) = judged;
            let (verdict, before, after) = (Verdict::of(&results), self.failing(), failing(&results));
            match cause {
                Some(FailureCause::NothingChanged) => {
                    told = Some(self.not_so(&iteration, &results).await?.join(", "));
                }
                None if outcome == Outcome::Succeeded => match self.commit(&mut iteration).await? {
                    CommitOutcome::Done(files) => {
                        self.about_files.extend(files);
                        self.note_commit(&iteration);
                    }
                    CommitOutcome::Edited => {
                        self.hook_edited = Some(iteration.id);
                        return self.conclude_prompt(iteration).await;
                    }
                    CommitOutcome::NeedsPerson(message) => {
                        return end(RunEnd { message: Some(message), ..ExitReason::NeedsPerson.into() });
                    }
                    CommitOutcome::Environment(fault) => return end(self.unable_to_commit(&fault)),
                    CommitOutcome::Failed(fault) => {
                        (outcome, cause) = (Outcome::Failed, Some(FailureCause::Commit));
                        told = Some(report::fault(&fault));
                    }
                },
                _ => {}
            }
            iteration.message = report::iteration(&iteration, cause, &results, told);
            iteration.cause = cause;
            iteration.failing = after.iter().cloned().collect();
            self.last_checks = results;
            self.settle(iteration, outcome, verdict, before == after, Vec::new()).await?;
            let last = self.last.as_ref();
            match last.and_then(|last| finish(self.options.goal, last, verdict)) {
                Some(reason) => end(reason),
                None => GO_ON,
            }
        })
    }

    /// Carries out what was decided at the gate of an iteration without a task. Approved work is committed or ends the
    /// run well; rejected work stays in the files, and the next iteration is told why.
    pub(crate) async fn decided_about_prompt(
        &mut self,
        mut iteration: Iteration,
        gate: &Gate,
        decision: &GateDecision,
    ) -> StepResult {
        let results = self.project.store().check_results(iteration.id).await?;
        let (judged, told) = match decision {
            GateDecision::Approve | GateDecision::ApproveWithEdits => {
                iteration.tree_after = gate.tree.clone().or(iteration.tree_after);
                self.run.approved_tree = iteration.tree_after.clone().or(self.run.approved_tree.take());
                if gate.reasons.contains(&GateReason::MisplacedClaim) {
                    // A person takes it for what it was meant to be.
                    iteration.claim = Claim::Promise;
                }
                // Who agrees that a check is wrong has not made it pass: the work goes on.
                match Verdict::of(&results) == Verdict::Failed
                    && gate.reasons.contains(&GateReason::WrongCheck)
                {
                    true => ((Outcome::Failed, Some(FailureCause::Checks)), None),
                    false => ((Outcome::Succeeded, None), None),
                }
            }
            GateDecision::Reject { reason } | GateDecision::Skip { reason } => {
                ((Outcome::Failed, Some(FailureCause::Rejected)), Some(reason.clone()))
            }
        };
        self.settle_judged(CheckedAttempt { iteration, results }, judged, told).await
    }

    /// What stands before a good end that no iteration has asked about: the checks of `fix` pass although the last agent
    /// failed or was stopped, or a procedure has used its iterations. The gate is that of the last iteration.
    pub(crate) async fn approve_end(&mut self) -> StepResult<EndApproval> {
        let Some(mut last) = self.last.clone() else { return Ok(ControlFlow::Continue(EndApproval::Good)) };
        loop {
            let Some(now) = self.tree.snapshot().await?.map(|now| now.tree.as_str().to_owned()) else {
                return Ok(ControlFlow::Continue(EndApproval::Good));
            };
            match self.project.store().work_gate_of(last.id).await? {
                Some(gate) if gate.status == GateStatus::Open => {
                    if gate.decision == Some(GateDecision::ApproveWithEdits) {
                        proceed!(self.take_edits(&mut last, &gate).await?);
                    } else {
                        proceed!(self.wait_at(&gate).await?);
                    }
                    continue;
                }
                Some(gate) if gate.status == GateStatus::Rejected => {
                    return Ok(ControlFlow::Continue(EndApproval::Rejected));
                }
                Some(gate) if gate.status == GateStatus::Approved && gate.tree.as_ref() == Some(&now) => {
                    self.run.approved_tree = Some(now);
                    self.note(Vec::new()).await?;
                    return Ok(ControlFlow::Continue(EndApproval::Good));
                }
                _ => {}
            }
            let from = self.unapproved_since();
            let rules = self.rules()?.gates;
            let mut found =
                assess(self.tree.workspace(), &rules, from.as_deref(), Some(&now), &self.secrets).await?;
            found.add_left_out(&self.left_out(&last).await?, &rules);
            let change = Change::of(self.run.start_tree.as_ref().map(|start| *start != now), true, false);
            let change = if self.run.goal { change } else { Change::NotNeeded };
            let reasons = gate_reasons(self.run.kind, change, &found.reasons);
            if reasons.is_empty() {
                return Ok(ControlFlow::Continue(EndApproval::Good));
            }
            last.tree_after = Some(now);
            self.open_gate_again(&last, reasons, found).await?;
        }
    }

    /// What a person said about the last iteration's work, for the next prompt.
    pub(crate) async fn person_feedback(&self) -> Result<Option<PersonFeedback>, Fault> {
        let Some(last) = self.last.as_ref().filter(|last| last.task.is_none()) else { return Ok(None) };
        let Some(gate) = self.project.store().work_gate_of(last.id).await? else { return Ok(None) };
        Ok(PersonFeedback::of(&gate))
    }
}

/// What a person said at the gate of the last iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PersonFeedback {
    pub(crate) rejected: bool,
    /// For the next prompt.
    pub(crate) text: String,
}

impl PersonFeedback {
    fn of(gate: &Gate) -> Option<Self> {
        let mut blocks = Vec::new();
        let rejected = match &gate.decision {
            Some(GateDecision::Reject { reason } | GateDecision::Skip { reason }) => {
                blocks.push(format!(
                    "A person looked at the work so far and rejected it: {}\n\nThe work is still in the files: mend \
                     what is wrong with it.",
                    reason.trim()
                ));
                true
            }
            Some(GateDecision::Approve) if gate.reasons.contains(&GateReason::WrongCheck) => {
                blocks.push(format!(
                    "You said: {}\n\nA person agrees. Mend that check, and change no more of it than is wrong: a person \
                     looks at the change.",
                    gate.summary.trim()
                ));
                false
            }
            _ => return None,
        };
        if !gate.comments.is_empty() {
            let lines: Vec<String> = gate.comments.iter().map(comment_line).collect();
            blocks.push(format!("Remarks on lines:\n{}", lines.join("\n")));
        }
        Some(Self { rejected, text: blocks.join("\n\n") })
    }
}
