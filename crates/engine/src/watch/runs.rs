//! Looking at runs: what is shown while one works and after it ended.

use loopwright_domain::{CheckResult, ErrorCode, EventSeq, Fault, Iteration, Phase, Progress, Run, RunId};
use loopwright_store::Order;
use loopwright_vcs::{FileChange, Patch};

use crate::attempt::agent::heartbeat;
use crate::project::{ProjectEvents, ProjectIterations, ProjectRuns};
use crate::watch::diff_model::Comparison;
use crate::watch::run_view::RunView;

/// How many iterations a view holds.
const SHOWN: u32 = 200;

/// What differs between two trees.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The files.
    pub files: Vec<FileChange>,
    /// The patch, cut when it is very long.
    pub patch: Patch,
}

impl ProjectRuns<'_> {
    /// A run as a document; without an id the one somebody works on, else the newest. None when there is no run at all.
    ///
    /// # Errors
    /// The state cannot be read, or there is no run with that id.
    pub async fn view(self, id: Option<RunId>) -> Result<Option<RunView>, Fault> {
        let Some(mut state) = self.state(id).await? else { return Ok(None) };
        let mut iterations = self.project.store().last_iterations(state.run.id, SHOWN).await?;
        iterations.reverse();
        if let Some(last) = iterations.last_mut() {
            self.count_so_far(&mut state.run.progress, last);
        }
        Ok(Some(RunView::new(state, &iterations)))
    }

    /// Counts what an agent has used and how long it has worked since it began, which is written down when it ends, or when
    /// somebody takes up what a killed process left.
    fn count_so_far(self, progress: &mut Progress, iteration: &mut Iteration) {
        if iteration.phase != Phase::Running {
            return;
        }
        iteration.usage = self.project.iterations().used_by(iteration);
        iteration.elapsed_ms =
            heartbeat::read(&self.project.iterations().files(iteration).heartbeat()).unwrap_or(0);
        progress.usage = progress.usage.plus(&iteration.usage);
        progress.worked_ms = progress.worked_ms.saturating_add(iteration.elapsed_ms);
    }

    /// The runs of this project, the last one first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn list(self, limit: u32, before: Option<RunId>) -> Result<Vec<Run>, Fault> {
        Ok(self.project.store().runs(limit, before).await?)
    }
}

impl ProjectIterations<'_> {
    /// The iterations of a run, the first one first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn list(self, run: RunId, offset: u32, limit: u32) -> Result<Vec<Iteration>, Fault> {
        Ok(self.project.store().iterations(run, offset, limit, Order::OldestFirst).await?)
    }

    /// An iteration by its number, counted from 1; without a number the last one.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn numbered(self, run: &Run, number: Option<u32>) -> Result<Iteration, Fault> {
        let found = match number {
            Some(number) => {
                self.project.store().iteration_by_number(run.id, number.saturating_sub(1)).await?
            }
            None => self.project.store().last_iterations(run.id, 1).await?.into_iter().next(),
        };
        found.filter(|_| number != Some(0)).ok_or_else(|| {
            Fault::new(ErrorCode::RunNotFound, "there is no such iteration")
                .hint(format!("The run \"{}\" has {}.", run.title, run.progress.iteration))
        })
    }

    /// How an iteration's checks went.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn check_results(self, iteration: &Iteration) -> Result<Vec<CheckResult>, Fault> {
        Ok(self.project.store().check_results(iteration.id).await?)
    }

    /// What changed from one tree to another, as git prints it.
    ///
    /// # Errors
    /// There is no git here, no tree was saved, or git fails.
    pub async fn changes(self, comparison: Comparison, limit: usize) -> Result<Changes, Fault> {
        let (workspace, from, to) = self.compared(comparison).await?;
        let files = workspace.changes(&from, &to).await?;
        let patch = workspace.diff(&from, &to, limit).await?;
        Ok(Changes { files, patch })
    }
}

impl ProjectEvents<'_> {
    /// The place of the newest event: changes whenever anything happens.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn last(self) -> Result<EventSeq, Fault> {
        Ok(self.project.store().last_seq().await?)
    }
}
