//! The end of an iteration without a task: checks, judgement, and what follows from it.

use std::ops::ControlFlow;

use loopwright_domain::check::failing;
use loopwright_domain::decide::judge;
use loopwright_domain::{Facts, Iteration, Verdict};

use crate::attempt::phases::CheckedAttempt;
use crate::attempt::unsettled::UnsettledIteration;
use crate::dispatch::dispatcher::Dispatcher;
use crate::dispatch::step::{StepFuture, StepResult, proceed};

impl Dispatcher<'_> {
    /// Checks, judges, commits and settles an iteration without a task whose agent has ended.
    pub(crate) fn conclude_prompt(&mut self, iteration: Iteration) -> StepFuture<'_> {
        Box::pin(async move {
            match UnsettledIteration::from(iteration) {
                UnsettledIteration::Judged(iteration, outcome) => {
                    // A limit or an outage stopped its agent: what it did is kept and counts for nothing.
                    self.settle(iteration, outcome, Verdict::Stopped, true, Vec::new()).await?;
                    self.check_first().await
                }
                UnsettledIteration::AtGate(gated) => self.at_gate(gated).await,
                UnsettledIteration::Committing(iteration) => {
                    let results = self.project.store().check_results(iteration.id).await?;
                    self.judge_prompt(CheckedAttempt { iteration, results }).await
                }
                UnsettledIteration::Ended(mut iteration) => {
                    self.know_tree(&mut iteration).await?;
                    let results = match iteration.end {
                        Some(_) => proceed!(self.check(&mut iteration).await?),
                        None => Vec::new(),
                    };
                    self.judge_prompt(CheckedAttempt { iteration, results }).await
                }
            }
        })
    }

    /// Judges an iteration without a task whose checks have run; then asks a person about it, or settles it.
    async fn judge_prompt(&mut self, checked: CheckedAttempt) -> StepResult {
        let CheckedAttempt { mut iteration, results } = checked;
        let change = self.change_in_run(&mut iteration, &results).await?;
        let judged = judge(&Facts {
            kind: self.run.kind,
            end: iteration.end,
            exit_code: iteration.exit_code,
            told: iteration.told(),
            claim: iteration.claim,
            verdict: Verdict::of(&results),
            improved: failing(&results).len() < self.failing().len(),
            change,
        });
        let mut iteration = match self.opens_gate(iteration, judged, &results, change).await? {
            ControlFlow::Break(gated) => return self.at_gate(gated).await,
            ControlFlow::Continue(iteration) => iteration,
        };
        let told = iteration.message.take();
        self.settle_judged(CheckedAttempt { iteration, results }, judged, told).await
    }
}
