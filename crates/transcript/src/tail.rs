//! The end of an output that grows: what is new since the last look.

use std::fs::File;
use std::io;

use loopwright_config::text_file::io_fault;
use loopwright_domain::Fault;

use crate::entry::{self, Size};
use crate::index::Index;
use crate::iteration_files::IterationFiles;
use crate::model::{Entry, EntryKind, KindCounts, OutputSource, OutputTarget};
use crate::outputs::{Outputs, path_of};

/// How many new entries are given at once; what lies before is read page by page.
const MOST: u32 = 500;

/// How far an output was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    generation: u64,
    /// Up to where its lines were known.
    known: u64,
    total: u32,
}

/// The end of an output.
#[derive(Debug, PartialEq, Eq)]
pub struct Tail {
    /// The place of the first entry.
    pub first: u32,
    /// How many entries there are.
    pub total: u32,
    /// How many of each kind.
    pub counts: KindCounts,
    /// The entries that are new or changed.
    pub entries: Vec<Entry>,
    /// How far it was given with this.
    pub mark: Mark,
}

impl Outputs {
    /// What a transcript has that was not given: no entries when it has not grown.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn tail(&self, target: OutputTarget, files: &IterationFiles, given: Mark) -> Result<Tail, Fault> {
        let path = path_of(files, OutputSource::Transcript);
        self.look(target, &path, |index, file| Tail::read(index, file, given))
            .map_err(|error| io_fault("read", &path, &error))
    }
}

impl Tail {
    pub(crate) fn read(index: &Index, file: Option<File>, given: Mark) -> io::Result<Self> {
        let mark = Mark { generation: index.generation(), known: index.known(), total: index.total() };
        let (total, counts) = (mark.total, index.counts());
        let Some(file) = file.filter(|_| mark != given) else {
            return Ok(Self { first: total, total, counts, entries: Vec::new(), mark });
        };
        let first = first_changed(index, given);
        let entries = entry::read(index, file, first..total, Size::Short)?;
        Ok(Self { first, total, counts, entries, mark })
    }
}

/// The first entry to give: new, or changed since. A message that was given last may have been continued, and a tool
/// may have answered. Where very many are new, those before them are not looked at.
fn first_changed(index: &Index, given: Mark) -> u32 {
    let given = if given.generation == index.generation() { given } else { Mark::default() };
    let newest = index.total().saturating_sub(MOST);
    if given.total < newest {
        return newest;
    }
    let continued = given.total.checked_sub(1).filter(|last| index.kind(*last) == EntryKind::Message);
    let answered = index.calls().first_answered(given.total, given.known);
    [continued, answered].into_iter().flatten().fold(given.total, u32::min)
}
