//! Outputs of iterations: which file is meant, what is known about it already, and what is asked of it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use loopwright_config::text_file::io_fault;
use loopwright_domain::{ErrorCode, Fault, Iteration, Phase};

use crate::classify::Format;
use crate::entry::{self, Size};
use crate::filter::Choice;
use crate::index::Index;
use crate::iteration_files::IterationFiles;
use crate::model::{Entry, OutputFilter, OutputInfo, OutputMatches, OutputPage, OutputSource, OutputTarget};
use crate::search;

/// How many entries a page holds at most.
const PAGE: u32 = 500;
/// How long a text that is looked for may be, in bytes.
const LONGEST_TEXT: usize = 1000;
/// How many files are known at once.
const KNOWN: usize = 8;

/// What is known about the files that were looked at last. Clones know the same.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
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
    pub(crate) fn look<T>(
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

    /// How much there is in a file of an iteration. One that was never written has no entries. `finished` says whether
    /// nothing more will come; see [`is_finished`].
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn info(
        &self,
        files: &IterationFiles,
        target: OutputTarget,
        finished: bool,
    ) -> Result<OutputInfo, Fault> {
        self.look_at(files, target, |index, _| {
            Ok(OutputInfo {
                total: index.total(),
                counts: index.counts(),
                bytes: index.length(),
                exists: index.exists(),
                finished,
            })
        })
    }

    /// Some entries of a file, at most 500. `first` counts only what the filter lets through.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn page(
        &self,
        files: &IterationFiles,
        target: OutputTarget,
        filter: &OutputFilter,
        first: u32,
        count: u32,
    ) -> Result<OutputPage, Fault> {
        let choice = Choice::new(filter);
        self.look_at(files, target, |index, file| {
            let total = choice.total(index);
            let wanted = choice.from(index, first).take(count.min(PAGE) as usize);
            let entries = match file {
                Some(file) => entry::read(index, file, wanted, Size::Short)?,
                None => Vec::new(),
            };
            Ok(OutputPage { first: first.min(total), total, entries })
        })
    }

    /// One entry with all of its text, up to a megabyte. `n` is its place among all entries.
    ///
    /// # Errors
    /// There is no such entry, or the file cannot be read.
    pub fn entry(&self, files: &IterationFiles, target: OutputTarget, n: u32) -> Result<Entry, Fault> {
        let mut found = self.look_at(files, target, |index, file| match file {
            Some(file) if n < index.total() => entry::read(index, file, [n], Size::Whole),
            _ => Ok(Vec::new()),
        })?;
        found.pop().ok_or_else(|| {
            Fault::new(ErrorCode::UsageInvalid, format!("there is no entry {n} in this output"))
                .hint("It may have been cut to its limit. Look at it again.")
        })
    }

    /// Where a text is found, whatever its case, among what the filter lets through; at most 10,000 places.
    ///
    /// # Errors
    /// The file cannot be read, or the text is very long.
    pub fn search(
        &self,
        files: &IterationFiles,
        target: OutputTarget,
        filter: &OutputFilter,
        text: &str,
    ) -> Result<OutputMatches, Fault> {
        if text.len() > LONGEST_TEXT {
            return Err(Fault::new(ErrorCode::UsageInvalid, "that is too much text to search for")
                .hint("Search for a few words."));
        }
        let choice = Choice::new(filter);
        self.look_at(files, target, |index, file| match file {
            Some(file) => search::find(index, file, choice, text),
            None => Ok(OutputMatches { places: Vec::new(), more: false }),
        })
    }

    /// The place of the next error after a place, or of the one before it; none when there is none. Places count
    /// only what the filter lets through; without `from` the first, or the last.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn find_error(
        &self,
        files: &IterationFiles,
        target: OutputTarget,
        filter: &OutputFilter,
        from: Option<u32>,
        backwards: bool,
    ) -> Result<Option<u32>, Fault> {
        let choice = Choice::new(filter);
        self.look_at(files, target, |index, file| match file {
            Some(file) => search::error(index, file, choice, from, backwards),
            None => Ok(None),
        })
    }

    fn look_at<T>(
        &self,
        files: &IterationFiles,
        target: OutputTarget,
        work: impl FnOnce(&Index, Option<File>) -> io::Result<T>,
    ) -> Result<T, Fault> {
        let path = path_of(files, target.source);
        self.look(target, &path, work).map_err(|error| io_fault("read", &path, &error))
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
pub(crate) fn path_of(files: &IterationFiles, source: OutputSource) -> PathBuf {
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
#[must_use]
pub fn is_finished(iteration: &Iteration, source: OutputSource, live: bool) -> bool {
    let done = match source {
        OutputSource::Stdout | OutputSource::Stderr => Phase::AgentDone,
        OutputSource::CheckStdout { .. } | OutputSource::CheckStderr { .. } => Phase::Committing,
        OutputSource::Transcript => Phase::Settled,
    };
    !live || iteration.phase >= done
}
