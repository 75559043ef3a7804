//! Where the entries of a file are: a place for every so many of them and for every answer of a tool, and a byte for
//! each. It grows with the file, and is made anew when the file is another one.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use crate::calls::Calls;
use crate::classify::{Class, Format};
use crate::lines::Lines;
use crate::model::{EntryKind, KindCounts};

/// For every so many entries the place of one is kept.
const STRIDE: usize = 64;
/// As many bytes at the beginning and before the end of what is known tell whether it is still the same file.
const SAMPLE: usize = 64;
/// The bit of an entry's byte that says that it tells of a failure.
const FAILED: u8 = 0x80;

/// What is known about a file.
#[derive(Debug)]
pub(crate) struct Index {
    format: Format,
    exists: bool,
    /// How long the file was when it was last looked at.
    length: u64,
    /// Up to where its lines are known; what is beyond is a line without an end.
    known: u64,
    /// The place of each [`STRIDE`]th entry.
    places: Vec<u64>,
    /// The kind of each entry.
    kinds: Vec<u8>,
    calls: Calls,
    counts: KindCounts,
    /// How often it was made anew.
    generation: u64,
    created: Option<SystemTime>,
    sample: Sample,
}

/// Some bytes of a file that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sample {
    first: Vec<u8>,
    last: Vec<u8>,
}

impl Index {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            exists: false,
            length: 0,
            known: 0,
            places: Vec::new(),
            kinds: Vec::new(),
            calls: Calls::default(),
            counts: KindCounts::default(),
            generation: 0,
            created: None,
            sample: Sample::default(),
        }
    }

    pub(crate) const fn format(&self) -> Format {
        self.format
    }

    pub(crate) const fn exists(&self) -> bool {
        self.exists
    }

    /// How long the file is, in bytes.
    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    /// Up to where the file's lines are known, in bytes.
    pub(crate) const fn known(&self) -> u64 {
        self.known
    }

    /// Which tools have answered which calls.
    pub(crate) const fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Grows whenever everything that was known is forgotten.
    pub(crate) const fn generation(&self) -> u64 {
        self.generation
    }

    /// How many entries there are. A plain line counts before it has its end.
    pub(crate) fn total(&self) -> u32 {
        let open = usize::from(self.has_open_line());
        u32::try_from(self.kinds.len() + open).unwrap_or(u32::MAX)
    }

    fn has_open_line(&self) -> bool {
        self.format == Format::Plain && self.length > self.known
    }

    pub(crate) fn counts(&self) -> KindCounts {
        let open = u32::from(self.has_open_line());
        KindCounts { line: self.counts.line + open, ..self.counts }
    }

    pub(crate) fn kind(&self, n: u32) -> EntryKind {
        self.kinds.get(n as usize).map_or(EntryKind::Line, |byte| {
            EntryKind::ALL[usize::from(byte & !FAILED) % EntryKind::ALL.len()]
        })
    }

    /// Whether an entry tells of a failure.
    pub(crate) fn failed(&self, n: u32) -> bool {
        self.kinds.get(n as usize).is_some_and(|byte| byte & FAILED != 0)
    }

    /// A place at or before an entry, and which entry begins there.
    pub(crate) fn place_before(&self, n: u32) -> (u32, u64) {
        let block = (n as usize / STRIDE).min(self.places.len().saturating_sub(1));
        let place = self.places.get(block).copied().unwrap_or(0);
        (u32::try_from(block * STRIDE).unwrap_or(0), place)
    }

    /// Takes in what the file has now. Gives the file when there is one.
    pub(crate) fn refresh(&mut self, path: &Path) -> io::Result<Option<File>> {
        let mut file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.forget();
                self.exists = false;
                return Ok(None);
            }
            opened => opened?,
        };
        let metadata = file.metadata()?;
        if !self.is_same(&mut file, &metadata)? {
            self.forget();
        }
        self.exists = true;
        self.created = metadata.created().ok();
        if metadata.len() > self.length {
            self.extend(file.try_clone()?, metadata.len())?;
            self.sample = sample(&mut file, self.known)?;
        }
        Ok(Some(file))
    }

    fn is_same(&self, file: &mut File, metadata: &Metadata) -> io::Result<bool> {
        let same = metadata.len() >= self.length
            && (self.created.is_none() || self.created == metadata.created().ok());
        Ok(same && sample(file, self.known)? == self.sample)
    }

    fn forget(&mut self) {
        if self.length > 0 {
            *self = Self { generation: self.generation + 1, ..Self::new(self.format) };
        }
    }

    fn extend(&mut self, file: File, length: u64) -> io::Result<()> {
        let mut lines = Lines::new(file, self.known, length)?;
        while let Some(line) = lines.next(self.format.telling())? {
            if !line.ended {
                break;
            }
            if let Some(class) = self.format.classify(lines.bytes(), line.length) {
                self.add(line.start, class);
            }
            self.known = lines.place();
        }
        // A file that became shorter while it was read is looked at again the next time.
        self.length = length;
        Ok(())
    }

    fn add(&mut self, start: u64, class: Class) {
        let n = u32::try_from(self.kinds.len()).unwrap_or(u32::MAX);
        if continues(class, n.checked_sub(1).map(|last| self.kind(last))) {
            return;
        }
        let failed = if class.failed { FAILED } else { 0 };
        if let Some(call) = class.answers().and_then(|key| self.calls.answer(key, start, n)) {
            self.kinds[call as usize] |= failed;
            return;
        }
        if self.kinds.len().is_multiple_of(STRIDE) {
            self.places.push(start);
        }
        self.kinds.push(class.kind as u8 | failed);
        self.counts.add(class.kind);
        if let Some(key) = class.calls() {
            self.calls.call(n, key);
        }
    }
}

/// Whether a line is a piece of the entry before it.
pub(crate) fn continues(class: Class, before: Option<EntryKind>) -> bool {
    class.continues && before == Some(EntryKind::Message)
}

fn sample(file: &mut File, known: u64) -> io::Result<Sample> {
    let size = usize::try_from(known).unwrap_or(SAMPLE).min(SAMPLE);
    let mut read = |from: u64| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(size);
        file.seek(SeekFrom::Start(from))?;
        file.by_ref().take(size as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    Ok(Sample { first: read(0)?, last: read(known - size as u64)? })
}
