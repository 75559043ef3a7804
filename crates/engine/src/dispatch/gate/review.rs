//! `review_every:N`: a look back at finished work.

use loopwright_domain::{
    CommitMode, Fault, Gate, GateKind, GateReason, GateStatus, Iteration, Outcome, ReviewMode,
};
use loopwright_store::{ChangeSize, Entry, NewGate, Order};

use crate::dispatch::conclude::waves::commit_of;
use crate::dispatch::dispatcher::Dispatcher;
use crate::dispatch::step::{GO_ON, StepResult, proceed};

/// How many iterations are looked back at.
const LOOK_BACK: u32 = 1_000;

impl Dispatcher<'_> {
    /// Opens a review when it is due, and waits at one that is open. An ending means that the run stops first.
    pub(crate) async fn review(&mut self) -> StepResult {
        let ReviewMode::Every(wanted) = self.rules()?.gates.mode else { return GO_ON };
        loop {
            let finished = self.finished().await?;
            let Some(last) = finished.last() else { return GO_ON };
            let gate = match self.project.store().gate_of_iteration(last.id).await? {
                Some(gate) if gate.kind == GateKind::Review => gate,
                _ if self.unreviewed(&finished).await? < wanted => return GO_ON,
                _ => {
                    self.open_review(last).await?;
                    continue;
                }
            };
            if gate.status != GateStatus::Open {
                return GO_ON;
            }
            proceed!(self.wait_at(&gate).await?);
        }
    }

    /// The iterations of this run that finished a task, or without tasks were committed, oldest first.
    async fn finished(&self) -> Result<Vec<Iteration>, Fault> {
        let all = self.project.store().iterations(self.run.id, 0, LOOK_BACK, Order::OldestFirst).await?;
        let waves = match self.rules()?.commit {
            CommitMode::Wave => Some(self.project.store().wave_commits(LOOK_BACK).await?),
            CommitMode::Task | CommitMode::Iteration | CommitMode::None => None,
        };
        let finishes = |iteration: &Iteration| {
            let committed = match &waves {
                // A wave that goes on is not committed yet, and cannot be looked back at.
                Some(waves) => commit_of(iteration, waves).is_some(),
                None => iteration.commit.is_some() || iteration.changed_tree() != Some(false),
            };
            let own = iteration.task.is_some() || iteration.commit.is_some();
            own && iteration.outcome == Some(Outcome::Succeeded) && committed
        };
        Ok(all.into_iter().filter(finishes).collect())
    }

    /// How many of them nobody has looked back at.
    async fn unreviewed(&self, finished: &[Iteration]) -> Result<u32, Fault> {
        let mut count = 0;
        for iteration in finished.iter().rev() {
            let gate = self.project.store().gate_of_iteration(iteration.id).await?;
            if gate.is_some_and(|gate| gate.kind == GateKind::Review) {
                break;
            }
            count += 1;
        }
        Ok(count)
    }

    async fn open_review(&mut self, last: &Iteration) -> Result<(), Fault> {
        let gate = Gate {
            reasons: vec![GateReason::Mode],
            tree: last.tree_after.clone(),
            task: None,
            ..self.empty_gate(last, GateKind::Review)
        };
        let entry = Entry { run: Some(&self.run), ..Entry::default() };
        let new = NewGate { gate: &gate, size: ChangeSize::default() };
        self.journal.open_gate(self.observer, new, entry).await
    }
}
