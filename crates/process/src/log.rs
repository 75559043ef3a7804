//! A file that keeps the beginning and the end of an output of any length.
//!
//! Up to its limit an output is simply appended to the file, where others can follow it. Beyond, further bytes go
//! into short files beside it (`NAME.tail-OFFSET`), of which the oldest are removed; at the end everything is put
//! together. After a crash the parts are still there, can be read as they are, and [`CappedLog::recover`] puts
//! them together. Memory does not grow with the output.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::system;

/// The end is kept in this many files, and one that is being written.
const TAIL_PARTS: u64 = 4;

/// How much of an output is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLimits {
    /// Bytes from the beginning.
    pub head: u64,
    /// Bytes from the end.
    pub tail: u64,
}

/// 50 MiB: 10 from the beginning and 40 from the end.
impl Default for LogLimits {
    fn default() -> Self {
        Self { head: 10 * 1024 * 1024, tail: 40 * 1024 * 1024 }
    }
}

impl LogLimits {
    const fn whole(self) -> u64 {
        self.head.saturating_add(self.tail)
    }

    const fn part(self) -> u64 {
        let part = self.tail.div_ceil(TAIL_PARTS);
        if part == 0 { 1 } else { part }
    }
}

/// What became of an output.
#[derive(Debug)]
pub struct LogSummary {
    /// How many bytes there were.
    pub bytes: u64,
    /// How many of them were left out between the beginning and the end.
    pub skipped: u64,
    /// How many of them could not be written.
    pub lost: u64,
    /// Why not, or why the parts could not be put together; a full disk for example.
    pub failure: Option<io::Error>,
}

/// A log that is being written.
#[derive(Debug)]
pub struct CappedLog {
    limits: LogLimits,
    whole: Part,
    tail: VecDeque<Part>,
    bytes: u64,
    lost: u64,
    failure: Option<io::Error>,
}

impl CappedLog {
    /// Makes the file, or empties it. Only this user may read it.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: impl Into<PathBuf>, limits: LogLimits) -> io::Result<Self> {
        let path = path.into();
        for part in tail_parts(&path)? {
            fs::remove_file(part.path)?;
        }
        let whole = Part::create(path, 0)?;
        Ok(Self { limits, whole, tail: VecDeque::new(), bytes: 0, lost: 0, failure: None })
    }

    /// Adds bytes. They can be read in the file when this returns. A failure is remembered for
    /// [`finish`](Self::finish), and what comes after it is counted.
    pub fn write(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if self.failure.is_none() {
            self.failure = self.append(bytes).err();
        }
        if self.failure.is_some() {
            self.lost += bytes.len() as u64;
        }
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        if self.tail.is_empty() {
            rest = self.whole.append(rest, self.limits.whole())?;
        }
        while !rest.is_empty() {
            let room = self.limits.part();
            if self.tail.back().is_none_or(|part| part.length == room) {
                self.begin_part()?;
            }
            if let Some(part) = self.tail.back_mut() {
                rest = part.append(rest, room)?;
            }
        }
        Ok(())
    }

    fn begin_part(&mut self) -> io::Result<()> {
        let start = self.tail.back().map_or(self.whole.length, Part::end);
        if self.tail.len() as u64 > TAIL_PARTS
            && let Some(oldest) = self.tail.pop_front()
        {
            fs::remove_file(&oldest.path)?;
            // The parts are the whole end now, so that the file needs to hold the beginning only.
            self.whole.shorten(self.limits.head)?;
        }
        self.tail.push_back(Part::create(part_path(&self.whole.path, start), start)?);
        Ok(())
    }

    /// Puts the parts together and says how it went.
    #[must_use]
    pub fn finish(self) -> LogSummary {
        let Self { limits, whole, tail, bytes, lost, mut failure } = self;
        let mut skipped = 0;
        if failure.is_none() && !tail.is_empty() {
            match fold(whole, tail.into(), limits) {
                Ok(count) => skipped = count,
                Err(error) => failure = Some(error),
            }
        }
        LogSummary { bytes, skipped, lost, failure }
    }

    /// Puts together what a crash left in parts. Does nothing to a log that was finished.
    ///
    /// # Errors
    /// When a part cannot be read or the file cannot be written.
    pub fn recover(path: impl Into<PathBuf>, limits: LogLimits) -> io::Result<()> {
        let path = path.into();
        let tail = tail_parts(&path)?;
        if !tail.is_empty() {
            fold(Part::open(path, 0)?, tail, limits)?;
        }
        Ok(())
    }
}

/// One file with a piece of the output.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    file: File,
    /// Where in the output it begins.
    start: u64,
    length: u64,
}

impl Part {
    fn create(path: PathBuf, start: u64) -> io::Result<Self> {
        Ok(Self { file: system::private_file(&path)?, path, start, length: 0 })
    }

    fn open(path: PathBuf, start: u64) -> io::Result<Self> {
        let file = File::open(&path)?;
        let length = file.metadata()?.len();
        Ok(Self { path, file, start, length })
    }

    const fn end(&self) -> u64 {
        self.start + self.length
    }

    /// Adds what fits and returns the rest.
    fn append<'a>(&mut self, bytes: &'a [u8], room: u64) -> io::Result<&'a [u8]> {
        let fits = usize::try_from(room.saturating_sub(self.length)).unwrap_or(usize::MAX).min(bytes.len());
        let (now, later) = bytes.split_at(fits);
        self.file.write_all(now)?;
        self.length += fits as u64;
        Ok(later)
    }

    fn shorten(&mut self, length: u64) -> io::Result<()> {
        if self.length > length {
            self.file.set_len(length)?;
            self.length = length;
        }
        Ok(())
    }

    /// Copies what it holds of this range of the output.
    fn copy(&mut self, from: u64, to: u64, target: &mut File) -> io::Result<()> {
        let (from, to) = (from.max(self.start), to.min(self.end()));
        if from < to {
            self.file.seek(SeekFrom::Start(from - self.start))?;
            io::copy(&mut (&mut self.file).take(to - from), target)?;
        }
        Ok(())
    }
}

/// Makes one file of the parts: the beginning, a line about what is missing, the end. Returns how much is missing.
fn fold(mut whole: Part, mut tail: Vec<Part>, limits: LogLimits) -> io::Result<u64> {
    let bytes = tail.last().map_or(whole.length, Part::end);
    let resume = bytes.saturating_sub(limits.tail).max(limits.head);
    let skipped = resume - limits.head;
    let folded = beside(&whole.path, ".part");
    let mut target = system::private_file(&folded)?;
    whole.copy(0, limits.head, &mut target)?;
    if skipped > 0 {
        target.write_all(format!("\n[loopwright: {skipped} bytes left out here]\n").as_bytes())?;
    }
    whole.copy(resume, bytes, &mut target)?;
    for part in &mut tail {
        part.copy(resume, bytes, &mut target)?;
    }
    drop(target);
    fs::rename(&folded, &whole.path)?;
    for part in tail {
        fs::remove_file(part.path)?;
    }
    Ok(skipped)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

fn part_path(path: &Path, start: u64) -> PathBuf {
    beside(path, &format!(".tail-{start:020}"))
}

/// The parts beside a log, in their order.
fn tail_parts(path: &Path) -> io::Result<Vec<Part>> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Ok(Vec::new());
    };
    let prefix = format!("{name}.tail-");
    let mut parts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let start = entry.file_name().to_str().and_then(|name| name.strip_prefix(&prefix)?.parse().ok());
        if let Some(start) = start {
            parts.push(Part::open(entry.path(), start)?);
        }
    }
    parts.sort_unstable_by_key(|part| part.start);
    Ok(parts)
}
