//! Looking at runs: what is shown while one works and after it ended.

use loopwright_domain::{CheckResult, ErrorCode, EventSeq, Fault, Iteration, Phase, Run, RunId};
use loopwright_store::Order;
use loopwright_vcs::{FileChange, Patch};

use super::difference::Comparison;
use super::files::IterationFiles;
use super::pulse;
use super::view::RunView;
use crate::project::Project;

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

impl Project {
    /// The run named, else the last one, as it is shown. None when there is no run at all.
    ///
    /// # Errors
    /// The state cannot be read, or there is no run with that id.
    pub async fn run_view(&self, id: Option<RunId>) -> Result<Option<RunView>, Fault> {
        let mut run = match id {
            Some(_) => self.find_run(id).await?,
            None => match self.store().latest_run().await? {
                Some(run) => run,
                None => return Ok(None),
            },
        };
        let mut iterations = self.store().last_iterations(run.id, SHOWN).await?;
        iterations.reverse();
        let live = self.live().filter(|_| !run.status.is_over());
        if let Some(last) = iterations.last_mut() {
            self.count_so_far(&mut run, last);
        }
        Ok(Some(RunView::new(&run, &iterations, live)))
    }

    /// Counts what an agent has used and how long it has worked since it began, which is written down when it ends, or when
    /// somebody takes up what a killed process left.
    fn count_so_far(&self, run: &mut Run, iteration: &mut Iteration) {
        if iteration.phase != Phase::Running {
            return;
        }
        iteration.usage = self.used_by(iteration);
        iteration.elapsed_ms = pulse::read(&self.iteration_files(iteration).pulse()).unwrap_or(0);
        run.progress.usage = run.progress.usage.plus(&iteration.usage);
        run.progress.worked_ms = run.progress.worked_ms.saturating_add(iteration.elapsed_ms);
    }

    /// The runs of this project, the last one first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn runs(&self, limit: u32, before: Option<RunId>) -> Result<Vec<Run>, Fault> {
        Ok(self.store().runs(limit, before).await?)
    }

    /// The iterations of a run, the first one first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn iterations(&self, run: RunId, offset: u32, limit: u32) -> Result<Vec<Iteration>, Fault> {
        Ok(self.store().iterations(run, offset, limit, Order::OldestFirst).await?)
    }

    /// An iteration by its number, counted from 1; without a number the last one.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn iteration(&self, run: &Run, number: Option<u32>) -> Result<Iteration, Fault> {
        let found = match number {
            Some(number) => self.store().iteration_by_number(run.id, number.saturating_sub(1)).await?,
            None => self.store().last_iterations(run.id, 1).await?.into_iter().next(),
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
    pub async fn check_results(&self, iteration: &Iteration) -> Result<Vec<CheckResult>, Fault> {
        Ok(self.store().check_results(iteration.id).await?)
    }

    /// Where an iteration's files are.
    #[must_use]
    pub fn iteration_files(&self, iteration: &Iteration) -> IterationFiles {
        IterationFiles::of(&self.layout().state_dir, iteration)
    }

    /// The place of the newest event: changes whenever anything happens.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn last_seq(&self) -> Result<EventSeq, Fault> {
        Ok(self.store().last_seq().await?)
    }

    /// What changed from one tree to another, as git prints it.
    ///
    /// # Errors
    /// There is no git here, no tree was saved, or git fails.
    pub async fn changes(&self, comparison: Comparison, limit: usize) -> Result<Changes, Fault> {
        let (workspace, from, to) = self.compared(comparison).await?;
        let files = workspace.changes(&from, &to).await?;
        let patch = workspace.diff(&from, &to, limit).await?;
        Ok(Changes { files, patch })
    }
}
