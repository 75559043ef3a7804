//! What is kept of a check's output: both streams, in memory for judging and in files for people.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use loopwright_process::{CappedLog, LogLimits, OutputSink, OutputStream};

use loopwright_config::check::Check;

use crate::text::plain;

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
        let (_, kept) = rest.split_at(rest.len().saturating_sub(tail));
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
pub(crate) struct Keep {
    stdout: Kept,
    stderr: Kept,
}

/// What was kept.
#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// Why the files are not whole.
    pub(crate) failure: Option<io::Error>,
}

impl Keep {
    /// Keeps output in memory, and in files when there is a folder for them.
    pub(crate) fn new(folder: Option<&Path>, check: &Check) -> io::Result<Self> {
        let mut keep = Self::default();
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)?;
            keep.stdout.log =
                Some(CappedLog::create(path(folder, check.position, &check.name, "stdout"), FILE)?);
            keep.stderr.log =
                Some(CappedLog::create(path(folder, check.position, &check.name, "stderr"), FILE)?);
        }
        Ok(keep)
    }

    /// Closes the files.
    pub(crate) fn finish(self) -> Output {
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
    fn output(&mut self, stream: OutputStream, bytes: &[u8]) {
        let kept = match stream {
            OutputStream::Stdout => &mut self.stdout,
            OutputStream::Stderr => &mut self.stderr,
        };
        kept.memory.push(bytes, HEAD, TAIL);
        if let Some(log) = &mut kept.log {
            log.write(bytes);
        }
    }
}

/// What a check printed to both streams, as it is kept in a folder; empty where nothing is.
#[must_use]
pub fn kept_output(folder: &Path, position: u32, name: &str) -> (String, String) {
    let read = |stream| {
        let bytes = std::fs::read(path(folder, position, name, stream)).unwrap_or_default();
        plain(&bytes)
    };
    (read("stdout"), read("stderr"))
}

/// `check-<position>-<name>.<stream>` in a folder, with a name that every system takes.
fn path(folder: &Path, position: u32, name: &str, stream: &str) -> PathBuf {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let name: String = name.chars().take(LONGEST_NAME).map(safe).collect();
    folder.join(format!("check-{position}-{name}.{stream}"))
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
