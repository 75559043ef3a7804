//! Following what the newest iteration prints.

use loopwright_domain::{Fault, Iteration, IterationId, Usage};
use loopwright_transcript::{IterationFiles, Mark, OutputSource, OutputTarget, Outputs, Tail, is_finished};

use crate::background;
use crate::project::Project;
use crate::watch::run_state::RunUpdate;

/// The iteration whose output is followed, and how much of it was told.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    iteration: Iteration,
    files: IterationFiles,
    mark: Mark,
    /// Whether its end was told; none before anything was.
    finished: Option<bool>,
}

impl Followed {
    pub(crate) fn new(project: &Project, iteration: Iteration) -> Self {
        let files = project.iterations().files(&iteration);
        Self { iteration, files, mark: Mark::default(), finished: None }
    }

    pub(crate) const fn id(&self) -> IterationId {
        self.iteration.id
    }

    /// What it has used so far.
    pub(crate) fn used(&self, project: &Project) -> Usage {
        project.iterations().used_by(&self.iteration)
    }

    /// Takes note of how far the iteration has come.
    pub(crate) fn advance(&mut self, iteration: Iteration) {
        self.iteration = iteration;
    }

    /// What is new since the last look; nothing when nothing is. `live` says whether somebody works on it.
    pub(crate) async fn look(&mut self, outputs: &Outputs, live: bool) -> Result<Option<RunUpdate>, Fault> {
        let finished = is_finished(&self.iteration, OutputSource::Transcript, live);
        if finished && self.finished == Some(true) {
            return Ok(None);
        }
        let target = OutputTarget { iteration: self.id(), source: OutputSource::Transcript };
        let (outputs, files, given) = (outputs.clone(), self.files.clone(), self.mark);
        let tail = background::run(move || outputs.tail(target, &files, given));
        let Tail { first, total, counts, entries, mark } = tail.await??;
        if mark == self.mark && self.finished == Some(finished) {
            return Ok(None);
        }
        (self.mark, self.finished) = (mark, Some(finished));
        Ok(Some(RunUpdate::Output { iteration: self.id(), first, total, counts, entries, finished }))
    }
}
