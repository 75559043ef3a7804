//! What is kept of a check's output: both streams, in memory for judging and in files for people.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use loopwright_process::{CappedLog, LogLimits, OutputSink, Stream};

use super::model::Check;

/// As much of a check's name as goes into a file's name, in characters.
const LONGEST_NAME: usize = 60;
/// What is kept of each stream in memory, from its beginning.
const HEAD: usize = 8 * 1024 * 1024;
/// And from its end.
const TAIL: usize = 1024 * 1024;
/// What is kept of each stream in its file.
const FILE: LogLimits = LogLimits { head: 2 * 1024 * 1024, tail: 8 * 1024 * 1024 };

/// The beginning and the end of one stream.
#[derive(Debug, Default)]
struct Memory {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    skipped: bool,
}

impl Memory {
    fn push(&mut self, bytes: &[u8], head: usize, tail: usize) {
        let room = head.saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        let kept = &rest[rest.len().saturating_sub(tail)..];
        let surplus = (self.tail.len() + kept.len()).saturating_sub(tail);
        self.skipped |= kept.len() < rest.len() || surplus > 0;
        self.tail.drain(..surplus);
        self.tail.extend(kept);
    }

    /// Both together; where something is missing a line ends.
    fn take(self) -> Vec<u8> {
        let mut all = self.head;
        if self.skipped {
            all.extend_from_slice(b"\n[...]\n");
        }
        all.extend(self.tail);
        all
    }
}

/// One stream's memory and file.
#[derive(Debug, Default)]
struct Kept {
    memory: Memory,
    log: Option<CappedLog>,
}

/// Takes the output of one check.
#[derive(Debug, Default)]
pub(super) struct Keep {
    stdout: Kept,
    stderr: Kept,
}

/// What was kept.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// Why the files are not whole.
    pub(super) failure: Option<io::Error>,
}

impl Keep {
    /// Keeps output in memory, and in files when there is a folder for them.
    pub(super) fn new(folder: Option<&Path>, check: &Check) -> io::Result<Self> {
        let mut keep = Self::default();
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)?;
            keep.stdout.log = Some(CappedLog::create(path(folder, check, "stdout"), FILE)?);
            keep.stderr.log = Some(CappedLog::create(path(folder, check, "stderr"), FILE)?);
        }
        Ok(keep)
    }

    /// Closes the files.
    pub(super) fn finish(self) -> Output {
        let mut failure = None;
        let mut close = |kept: Kept| {
            let failed = kept.log.and_then(|log| log.finish().failure);
            failure = failure.take().or(failed);
            kept.memory.take()
        };
        let (stdout, stderr) = (close(self.stdout), close(self.stderr));
        Output { stdout, stderr, failure }
    }
}

impl OutputSink for Keep {
    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        let kept = match stream {
            Stream::Out => &mut self.stdout,
            Stream::Err => &mut self.stderr,
        };
        kept.memory.push(bytes, HEAD, TAIL);
        if let Some(log) = &mut kept.log {
            log.write(bytes);
        }
    }
}

/// `check-<position>-<name>.<stream>` in a folder, with a name that every system takes.
fn path(folder: &Path, check: &Check, stream: &str) -> PathBuf {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let name: String = check.name.chars().take(LONGEST_NAME).map(safe).collect();
    folder.join(format!("check-{}-{name}.{stream}", check.position))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However the bytes are cut into pieces, the beginning and the end are kept.
        #[test]
        fn the_beginning_and_the_end_are_kept(
            pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..20),
            head in 0usize..100,
            tail in 1usize..100,
        ) {
            let all = pieces.concat();
            let mut memory = Memory::default();
            for piece in &pieces {
                memory.push(piece, head, tail);
            }
            let kept = memory.take();
            if all.len() <= head + tail {
                prop_assert_eq!(kept, all);
            } else {
                prop_assert_eq!(&kept[..head], &all[..head]);
                prop_assert_eq!(&kept[kept.len() - tail..], &all[all.len() - tail..]);
            }
        }
    }
}
