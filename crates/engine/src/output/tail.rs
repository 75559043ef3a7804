//! The end of an output that grows: what is new since the last look.

use std::io;

use super::entry::{self, Size};
use super::index::Index;
use super::model::{Entry, EntryKind, KindCounts, OutputSource, OutputTarget};
use super::serve::{Outputs, path_of};
use crate::run::IterationFiles;

/// How many entries are given at once; what lies before is read page by page.
const MOST: u32 = 500;

/// How far an output was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    generation: u64,
    length: u64,
    total: u32,
}

/// The end of an output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    /// The place of the first entry.
    pub(crate) first: u32,
    pub(crate) total: u32,
    pub(crate) counts: KindCounts,
    pub(crate) entries: Vec<Entry>,
    /// How far it was given with this.
    pub(crate) mark: Mark,
}

impl Outputs {
    /// What a transcript has that was not given: no entries when it has not grown.
    pub(crate) fn tail(&self, target: OutputTarget, files: &IterationFiles, given: Mark) -> io::Result<Tail> {
        self.look(target, &path_of(files, OutputSource::Transcript), |index, file| {
            let mark = Mark { generation: index.generation(), length: index.length(), total: index.total() };
            let (total, counts) = (mark.total, index.counts());
            let Some(file) = file.filter(|_| mark != given) else {
                return Ok(Tail { first: total, total, counts, entries: Vec::new(), mark });
            };
            let first = first_new(index, given).max(total.saturating_sub(MOST));
            let entries = entry::read(index, file, first..total, Size::Short)?;
            Ok(Tail { first, total, counts, entries, mark })
        })
    }
}

/// The first entry that may have changed: a message that was given last may have been continued.
fn first_new(index: &Index, given: Mark) -> u32 {
    if given.generation != index.generation() {
        return 0;
    }
    match given.total.checked_sub(1) {
        Some(last) if index.kind(last) == EntryKind::Message => last,
        _ => given.total,
    }
}
