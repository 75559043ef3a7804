//! A file line by line, in chunks: however long the file or a line is, little of it is in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// How much is read at once.
const CHUNK: usize = 256 * 1024;

/// Where a line of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Where it begins in the file.
    pub(crate) start: u64,
    /// How long it is, without its end.
    pub(crate) length: u64,
    /// Whether it has an end. Only the last line of a file may have none.
    pub(crate) ended: bool,
}

/// Reads the lines of a part of a file.
#[derive(Debug)]
pub(crate) struct Lines {
    file: File,
    /// Where reading ends, whatever the file has beyond.
    end: u64,
    chunk: Vec<u8>,
    /// What of the chunk is filled and not given out yet.
    rest: Range<usize>,
    /// Where in the file the rest begins.
    place: u64,
    /// A line that lies in more than one chunk.
    held: Vec<u8>,
    /// Where in the chunk the line is that was read last; none when it is held.
    line: Option<Range<usize>>,
}

impl Lines {
    /// Lines from a place on, which is the beginning of one, to another place.
    pub(crate) fn new(mut file: File, from: u64, end: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(from))?;
        let room = usize::try_from(end.saturating_sub(from)).unwrap_or(CHUNK).clamp(1, CHUNK);
        Ok(Self { file, end, chunk: vec![0; room], rest: 0..0, place: from, held: Vec::new(), line: None })
    }

    /// Where the next line begins.
    pub(crate) const fn place(&self) -> u64 {
        self.place
    }

    /// Goes on at another line.
    pub(crate) fn go_to(&mut self, place: u64) -> io::Result<()> {
        let begin = self.place - self.rest.start as u64;
        let at = place.checked_sub(begin).and_then(|at| usize::try_from(at).ok());
        if let Some(at) = at.filter(|at| *at < self.rest.end) {
            self.rest.start = at;
        } else {
            self.file.seek(SeekFrom::Start(place))?;
            self.rest = 0..0;
        }
        self.place = place;
        Ok(())
    }

    /// The beginning of the line that was read last, as much of it as was asked for.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.line {
            Some(line) => &self.chunk[line.clone()],
            None => &self.held,
        }
    }

    /// Reads the next line, and keeps at most `most` bytes of its beginning.
    pub(crate) fn next(&mut self, most: usize) -> io::Result<Option<Line>> {
        let start = self.place;
        let mut length = 0;
        self.held.clear();
        self.line = None;
        while !self.rest.is_empty() || self.fill()? {
            let Range { start: from, end } = self.rest;
            let found = memchr::memchr(b'\n', &self.chunk[from..end]).map(|at| from + at);
            let to = found.unwrap_or(end);
            self.rest.start = found.map_or(end, |at| at + 1);
            self.place += (self.rest.start - from) as u64;
            if found.is_some() && length == 0 {
                self.line = Some(from..to.min(from.saturating_add(most)));
            } else {
                let room = most.saturating_sub(self.held.len());
                self.held.extend_from_slice(&self.chunk[from..to.min(from.saturating_add(room))]);
            }
            length += (to - from) as u64;
            if found.is_some() {
                return Ok(Some(Line { start, length, ended: true }));
            }
        }
        Ok((length > 0).then_some(Line { start, length, ended: false }))
    }

    /// Reads the next chunk; nothing is left when this says no.
    fn fill(&mut self) -> io::Result<bool> {
        let left = usize::try_from(self.end.saturating_sub(self.place)).unwrap_or(usize::MAX);
        let room = left.min(self.chunk.len());
        let count = loop {
            match self.file.read(&mut self.chunk[..room]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.rest = 0..count;
        Ok(count > 0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8], most: usize) -> Vec<(u64, Vec<u8>, u64, bool)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let mut lines = Lines::new(file, 0, bytes.len() as u64).unwrap();
        lines.chunk = vec![0; 7];
        let mut read = Vec::new();
        while let Some(line) = lines.next(most).unwrap() {
            read.push((line.start, lines.bytes().to_vec(), line.length, line.ended));
        }
        read
    }

    proptest! {
        /// Whatever a file holds, its lines are those that splitting it at line ends gives.
        #[test]
        fn lines_are_what_lies_between_line_ends(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), any::<u8>()], 0..80),
            most in 0usize..30,
        ) {
            let read = read(&bytes, most);
            let mut start = 0;
            let whole: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
                let place = start;
                start += line.len() as u64;
                let bare = line.strip_suffix(b"\n").unwrap_or(line);
                (place, bare[..bare.len().min(most)].to_vec(), bare.len() as u64, bare.len() < line.len())
            }).collect();
            prop_assert_eq!(read, whole);
        }

        /// From wherever one is, one can go to any line, forth and back.
        #[test]
        fn every_line_is_found_from_everywhere(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), any::<u8>()], 1..80),
            jumps in proptest::collection::vec(any::<prop::sample::Index>(), 1..20),
        ) {
            let whole = read(&bytes, 80);
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes).unwrap();
            let mut lines = Lines::new(file, 0, bytes.len() as u64).unwrap();
            lines.chunk = vec![0; 11];
            for jump in jumps {
                let (start, text, length, ended) = jump.get(&whole);
                lines.go_to(*start).unwrap();
                let found = lines.next(80).unwrap().unwrap();
                prop_assert_eq!(found, Line { start: *start, length: *length, ended: *ended });
                prop_assert_eq!(lines.bytes(), text.as_slice());
            }
        }
    }
}
