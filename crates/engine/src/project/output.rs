//! What agents and checks printed, for people: entries by page, search, errors.

use loopwright_domain::{ErrorCode, Fault, Iteration};
pub use loopwright_transcript::{
    Entry, EntryKind, IterationFiles, KindCounts, OutputFilter, OutputInfo, OutputMatches, OutputPage,
    OutputSource, OutputTarget, ToolAnswer, tool_brief,
};
use loopwright_transcript::{Outputs, is_finished};

use crate::background;
use crate::project::ProjectOutput;

impl ProjectOutput<'_> {
    /// How much there is in a file of an iteration. One that was never written has no entries.
    ///
    /// # Errors
    /// There is no such iteration, or the file cannot be read.
    pub async fn info(self, target: OutputTarget) -> Result<OutputInfo, Fault> {
        let iteration = self.iteration_of(target).await?;
        // Whether somebody works is asked first, so that what is said to be finished was read whole.
        let live = self.project.runs().live().is_some();
        let finished = is_finished(&iteration, target.source, live);
        self.read(&iteration, move |outputs, files| outputs.info(files, target, finished)).await
    }

    /// Some entries of a file, at most 500. `first` counts only what the filter lets through.
    ///
    /// # Errors
    /// There is no such iteration, or the file cannot be read.
    pub async fn page(
        self,
        target: OutputTarget,
        filter: &OutputFilter,
        first: u32,
        count: u32,
    ) -> Result<OutputPage, Fault> {
        let (iteration, filter) = (self.iteration_of(target).await?, filter.clone());
        self.read(&iteration, move |outputs, files| outputs.page(files, target, &filter, first, count)).await
    }

    /// One entry with all of its text, up to a megabyte. `n` is its place among all entries.
    ///
    /// # Errors
    /// There is no such entry, or the file cannot be read.
    pub async fn entry(self, target: OutputTarget, n: u32) -> Result<Entry, Fault> {
        let iteration = self.iteration_of(target).await?;
        self.read(&iteration, move |outputs, files| outputs.entry(files, target, n)).await
    }

    /// Where a text is found, whatever its case, among what the filter lets through; at most 10,000 places.
    ///
    /// # Errors
    /// There is no such iteration, the file cannot be read, or the text is very long.
    pub async fn search(
        self,
        target: OutputTarget,
        filter: &OutputFilter,
        text: &str,
    ) -> Result<OutputMatches, Fault> {
        let iteration = self.iteration_of(target).await?;
        let (filter, text) = (filter.clone(), text.to_owned());
        self.read(&iteration, move |outputs, files| outputs.search(files, target, &filter, &text)).await
    }

    /// The place of the next error after a place, or of the one before it; none when there is none. Places count
    /// only what the filter lets through; without `from` the first, or the last.
    ///
    /// # Errors
    /// There is no such iteration, or the file cannot be read.
    pub async fn find_error(
        self,
        target: OutputTarget,
        filter: &OutputFilter,
        from: Option<u32>,
        backwards: bool,
    ) -> Result<Option<u32>, Fault> {
        let (iteration, filter) = (self.iteration_of(target).await?, filter.clone());
        self.read(&iteration, move |outputs, files| {
            outputs.find_error(files, target, &filter, from, backwards)
        })
        .await
    }

    async fn iteration_of(self, target: OutputTarget) -> Result<Iteration, Fault> {
        let found = self.project.store().iteration(target.iteration).await?;
        found.ok_or_else(|| Fault::new(ErrorCode::RunNotFound, "there is no such iteration"))
    }

    async fn read<T: Send + 'static>(
        self,
        iteration: &Iteration,
        work: impl FnOnce(&Outputs, &IterationFiles) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let files = self.project.iterations().files(iteration);
        let outputs = self.project.outputs().clone();
        background::run(move || work(&outputs, &files)).await?
    }
}
