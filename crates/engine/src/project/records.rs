//! The runs and iterations of a project: who works on them, and where their files are.

use loopwright_domain::{ErrorCode, Fault, Iteration, NextAction, Run, RunId};
use loopwright_transcript::IterationFiles;

use super::{ProjectIterations, ProjectRuns};
use crate::run_lock::{self, Holder};

impl ProjectRuns<'_> {
    /// Who works on this project now, if anybody does.
    #[must_use]
    pub fn live(self) -> Option<Holder> {
        run_lock::holder(&self.project.layout().state_dir)
    }

    /// A run by its id, else the last one.
    ///
    /// # Errors
    /// There is none.
    pub async fn find(self, id: Option<RunId>) -> Result<Run, Fault> {
        let found = match id {
            Some(id) => self.project.store().run(id).await?,
            None => self.project.store().latest_run().await?,
        };
        found.ok_or_else(|| {
            Fault::new(ErrorCode::RunNotFound, "there is no such run here")
                .next(NextAction::ListRuns, "See the runs of this project")
        })
    }
}

impl ProjectIterations<'_> {
    /// Where an iteration's files are.
    #[must_use]
    pub fn files(self, iteration: &Iteration) -> IterationFiles {
        IterationFiles::of(&self.project.layout().state_dir, iteration)
    }
}
