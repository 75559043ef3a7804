//! Serving output: which file is meant, what is known about it already, and what is asked of it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use loopwright_domain::{ErrorCode, Fault, Iteration, Phase};

use super::choice::Choice;
use super::classify::Format;
use super::entry::{self, Size};
use super::index::Index;
use super::model::{Entry, OutputFilter, OutputInfo, OutputMatches, OutputPage, OutputSource, OutputTarget};
use super::search;
use crate::project::Project;
use crate::run::IterationFiles;
use crate::text_file::io_fault;

/// How many entries a page holds at most.
const PAGE: u32 = 500;
/// How long a text that is looked for may be, in bytes.
const LONGEST_TEXT: usize = 1000;
/// How many files are known at once.
const KNOWN: usize = 8;

/// What is known about the files that were looked at last. Clones know the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    /// The last one used is the last.
    known: Arc<Mutex<Vec<(OutputTarget, SharedIndex)>>>,
}

type SharedIndex = Arc<Mutex<Index>>;

impl Outputs {
    fn index(&self, target: OutputTarget) -> SharedIndex {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let index = match known.iter().position(|(other, _)| *other == target) {
            Some(at) => known.remove(at).1,
            None => Arc::new(Mutex::new(Index::new(format_of(target.source)))),
        };
        known.push((target, Arc::clone(&index)));
        let surplus = known.len().saturating_sub(KNOWN);
        known.drain(..surplus);
        index
    }

    /// Looks at a file as it is now. Nobody else looks at it meanwhile.
    pub(super) fn look<T>(
        &self,
        target: OutputTarget,
        path: &Path,
        work: impl FnOnce(&Index, Option<File>) -> io::Result<T>,
    ) -> io::Result<T> {
        let index = self.index(target);
        let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
        let file = index.refresh(path)?;
        work(&index, file)
    }
}

const fn format_of(source: OutputSource) -> Format {
    match source {
        OutputSource::Transcript => Format::Transcript,
        _ => Format::Plain,
    }
}

/// Where a file is. One of a check is found by the check's place; where it never ran there is none, and the path
/// leads nowhere.
pub(super) fn path_of(files: &IterationFiles, source: OutputSource) -> PathBuf {
    match source {
        OutputSource::Transcript => files.transcript(),
        OutputSource::Stdout => files.stdout(),
        OutputSource::Stderr => files.stderr(),
        OutputSource::CheckStdout { position } => of_check(&files.checks(), position, "stdout"),
        OutputSource::CheckStderr { position } => of_check(&files.checks(), position, "stderr"),
    }
}

fn of_check(folder: &Path, position: u32, stream: &str) -> PathBuf {
    let (begin, end) = (format!("check-{position}-"), format!(".{stream}"));
    let named = |name: &str| name.starts_with(&begin) && name.ends_with(&end);
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let found = files.map(|file| file.file_name()).find(|name| name.to_str().is_some_and(named));
    folder.join(found.unwrap_or_else(|| format!("{begin}{end}").into()))
}

/// Whether nothing more will be written to a file of an iteration, while somebody works on it or not.
pub(crate) fn is_finished(iteration: &Iteration, source: OutputSource, live: bool) -> bool {
    let done = match source {
        OutputSource::Stdout | OutputSource::Stderr => Phase::AgentDone,
        OutputSource::CheckStdout { .. } | OutputSource::CheckStderr { .. } => Phase::Committing,
        OutputSource::Transcript => Phase::Settled,
    };
    !live || iteration.phase >= done
}

impl Project {
    /// How much there is in a file of an iteration. One that was never written has no entries.
    ///
    /// # Errors
    /// There is no such iteration, or the file cannot be read.
    pub async fn output_info(&self, target: OutputTarget) -> Result<OutputInfo, Fault> {
        let iteration = self.iteration_of(target).await?;
        // Whether somebody works is asked first, so that what is said to be finished was read whole.
        let live = self.live().is_some();
        let finished = is_finished(&iteration, target.source, live);
        self.look_at(target, &iteration, move |index, _| {
            Ok(OutputInfo {
                total: index.total(),
                counts: index.counts(),
                bytes: index.length(),
                exists: index.exists(),
                finished,
            })
        })
        .await
    }

    /// Some entries of a file, at most 500. `first` counts only what the filter lets through.
    ///
    /// # Errors
    /// There is no such iteration, or the file cannot be read.
    pub async fn output_page(
        &self,
        target: OutputTarget,
        filter: &OutputFilter,
        first: u32,
        count: u32,
    ) -> Result<OutputPage, Fault> {
        let choice = Choice::new(filter);
        self.look_at_iteration(target, move |index, file| {
            let total = choice.total(index);
            let wanted = choice.from(index, first).take(count.min(PAGE) as usize);
            let entries = match file {
                Some(file) => entry::read(index, file, wanted, Size::Short)?,
                None => Vec::new(),
            };
            Ok(OutputPage { first: first.min(total), total, entries })
        })
        .await
    }

    /// One entry with all of its text, up to a megabyte. `n` is its place among all entries.
    ///
    /// # Errors
    /// There is no such entry, or the file cannot be read.
    pub async fn output_entry(&self, target: OutputTarget, n: u32) -> Result<Entry, Fault> {
        let found = self.look_at_iteration(target, move |index, file| match file {
            Some(file) if n < index.total() => entry::read(index, file, [n], Size::Whole),
            _ => Ok(Vec::new()),
        });
        found.await?.pop().ok_or_else(|| {
            Fault::new(ErrorCode::UsageInvalid, format!("there is no entry {n} in this output"))
                .hint("It may have been cut to its limit. Look at it again.")
        })
    }

    /// Where a text is found, whatever its case, among what the filter lets through; at most 10,000 places.
    ///
    /// # Errors
    /// There is no such iteration, the file cannot be read, or the text is very long.
    pub async fn search_output(
        &self,
        target: OutputTarget,
        filter: &OutputFilter,
        text: &str,
    ) -> Result<OutputMatches, Fault> {
        if text.len() > LONGEST_TEXT {
            return Err(Fault::new(ErrorCode::UsageInvalid, "that is too much text to search for")
                .hint("Search for a few words."));
        }
        let (choice, text) = (Choice::new(filter), text.to_owned());
        self.look_at_iteration(target, move |index, file| match file {
            Some(file) => search::find(index, file, choice, &text),
            None => Ok(OutputMatches { places: Vec::new(), more: false }),
        })
        .await
    }

    /// The place of the next error after a place, or of the one before it; none when there is none. Places count
    /// only what the filter lets through; without `from` the first, or the last.
    ///
    /// # Errors
    /// There is no such iteration, or the file cannot be read.
    pub async fn find_error(
        &self,
        target: OutputTarget,
        filter: &OutputFilter,
        from: Option<u32>,
        backwards: bool,
    ) -> Result<Option<u32>, Fault> {
        let choice = Choice::new(filter);
        self.look_at_iteration(target, move |index, file| match file {
            Some(file) => search::error(index, file, choice, from, backwards),
            None => Ok(None),
        })
        .await
    }

    async fn iteration_of(&self, target: OutputTarget) -> Result<Iteration, Fault> {
        let found = self.store().iteration(target.iteration).await?;
        found.ok_or_else(|| Fault::new(ErrorCode::RunNotFound, "there is no such iteration"))
    }

    async fn look_at_iteration<T: Send + 'static>(
        &self,
        target: OutputTarget,
        work: impl FnOnce(&Index, Option<File>) -> io::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let iteration = self.iteration_of(target).await?;
        self.look_at(target, &iteration, work).await
    }

    async fn look_at<T: Send + 'static>(
        &self,
        target: OutputTarget,
        iteration: &Iteration,
        work: impl FnOnce(&Index, Option<File>) -> io::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let files = self.iteration_files(iteration);
        let outputs = self.outputs().clone();
        crate::background::run(move || {
            let path = path_of(&files, target.source);
            outputs.look(target, &path, work).map_err(|error| io_fault("read", &path, &error))
        })
        .await?
    }
}
