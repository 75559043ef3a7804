//! What waits for a person, and all that is needed to decide.

use loopwright_domain::{
    CheckResult, ErrorCode, Fault, Gate, GateId, GateKind, GateReason, GateStatus, Iteration, NextAction,
    Outcome, Task, TaskId,
};
use loopwright_store::StoredGate;

use super::model::{GateDetail, GateInbox, GateSummary, ReviewedWork};
use crate::dispatch::conclude::waves::commit_of;
use crate::dispatch::gate::edit_watch::edited_since;
use crate::project::ProjectGates;
use crate::watch::diff_model::{Comparison, TreeOf, TreeSide};
use crate::watch::run_state::RunSummary;

/// As many decided gates are listed.
const DECIDED: u32 = 30;
/// As many iterations are looked through for the work of a review.
const REVIEWED: u32 = 500;

impl ProjectGates<'_> {
    /// What waits for a person, and what was decided lately.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn inbox(self) -> Result<GateInbox, Fault> {
        let open = self.project.store().open_gates().await?;
        let decided = self.project.store().decided_gates(DECIDED).await?;
        Ok(GateInbox { open: self.summaries(open).await?, decided: self.summaries(decided).await? })
    }

    /// How many gates wait for a person.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn count_open(self) -> Result<u32, Fault> {
        Ok(u32::try_from(self.project.store().open_gates().await?.len()).unwrap_or(u32::MAX))
    }

    /// One gate in full, but for its diff.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn detail(self, id: GateId) -> Result<GateDetail, Fault> {
        let gate = self.find(id).await?;
        let run = self.project.runs().find(Some(gate.run)).await?;
        let live = self.waits_for_decisions(&gate).await?;
        let iteration = self.project.iterations().find(gate.iteration).await?;
        let edited = if gate.status == GateStatus::Open {
            edited_since(self.project, &gate).await?
        } else {
            Vec::new()
        };
        Ok(GateDetail {
            run: RunSummary::new(&run, live),
            task: self.task_of(gate.task).await?,
            checks: self.checks_at(&gate).await?,
            comparison: comparison(&gate),
            satisfied_by: match gate.reasons.contains(&GateReason::AlreadySatisfied) {
                true => iteration.agent.satisfied_by.clone(),
                false => Vec::new(),
            },
            left_out: match gate.status {
                GateStatus::Open => self.left_out_at(&gate).await?,
                _ => Vec::new(),
            },
            unchanged: edited.is_empty(),
            edited,
            live,
            work: self.reviewed_work(&gate, &iteration).await?,
            gate,
        })
    }

    /// A gate by its number.
    pub(super) async fn find(self, id: GateId) -> Result<Gate, Fault> {
        let found = self.project.store().gate(id).await?.map(|stored| stored.gate);
        found.ok_or_else(|| {
            Fault::new(ErrorCode::GateNotFound, format!("there is no gate {}", id.0))
                .next(NextAction::ListGates, "See what waits for you")
        })
    }

    /// Whether a process works on the gate's run and carries a decision out by itself.
    pub(super) async fn waits_for_decisions(self, gate: &Gate) -> Result<bool, Fault> {
        Ok(self.project.runs().state(Some(gate.run)).await?.is_some_and(|state| state.live.is_some()))
    }

    async fn checks_at(self, gate: &Gate) -> Result<Vec<CheckResult>, Fault> {
        match gate.kind {
            GateKind::Review => Ok(Vec::new()),
            GateKind::Work | GateKind::Plan => Ok(self.project.store().check_results(gate.iteration).await?),
        }
    }

    async fn task_of(self, task: Option<TaskId>) -> Result<Option<Task>, Fault> {
        match task {
            Some(task) => Ok(self.project.store().task(task).await?),
            None => Ok(None),
        }
    }

    async fn summaries(self, gates: Vec<StoredGate>) -> Result<Vec<GateSummary>, Fault> {
        let mut list = Vec::with_capacity(gates.len());
        for StoredGate { gate, size } in gates {
            list.push(GateSummary {
                title: self.title(&gate).await?,
                id: gate.id,
                kind: gate.kind,
                status: gate.status,
                task: gate.task,
                reasons: gate.reasons,
                flags: gate.flags,
                files: size.files,
                added: size.added,
                removed: size.removed,
                opened_at: gate.opened_at,
                decided_at: gate.decided_at,
            });
        }
        Ok(list)
    }

    /// What a gate is about, in one line.
    pub(super) async fn title(self, gate: &Gate) -> Result<String, Fault> {
        if gate.kind == GateKind::Review {
            return Ok("Review of finished tasks".to_owned());
        }
        match self.task_of(gate.task).await? {
            Some(task) => Ok(task.draft.title),
            None => Ok(self.project.runs().find(Some(gate.run)).await?.title),
        }
    }

    /// The finished work since the review before.
    async fn reviewed_work(self, gate: &Gate, last: &Iteration) -> Result<Vec<ReviewedWork>, Fault> {
        if gate.kind != GateKind::Review {
            return Ok(Vec::new());
        }
        let first = match self.project.store().review_before(gate.run, gate.id).await? {
            Some(before) => self.project.iterations().find(before.iteration).await?.number + 1,
            None => 0,
        };
        let mut past = self.project.store().last_iterations(gate.run, REVIEWED).await?;
        past.retain(|past| {
            (first..=last.number).contains(&past.number) && past.outcome == Some(Outcome::Succeeded)
        });
        past.reverse();
        let waves = self.project.store().wave_commits(REVIEWED).await?;
        let mut work = Vec::new();
        for iteration in past {
            let Some(commit) = commit_of(&iteration, &waves).map(str::to_owned) else { continue };
            let title = self.task_of(iteration.task).await?.map(|task| task.draft.title);
            work.push(ReviewedWork {
                iteration: iteration.id,
                task: iteration.task,
                title: title.unwrap_or_else(|| format!("iteration {}", iteration.number + 1)),
                commit,
                reverted: self.project.store().is_reverted(iteration.id).await?,
            });
        }
        Ok(work)
    }
}

/// What to compare for the diff of a gate: exactly what it shows.
fn comparison(gate: &Gate) -> Option<Comparison> {
    let of = |side| TreeOf { iteration: gate.iteration, side };
    (gate.kind == GateKind::Work && gate.from.is_some() && gate.tree.is_some())
        .then(|| Comparison { from: of(TreeSide::GateFrom), to: of(TreeSide::GateTree) })
}
