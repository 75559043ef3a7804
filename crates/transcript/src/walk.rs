//! From entry to entry through a file.

use std::fs::File;
use std::io;

use crate::classify::{Class, Format};
use crate::index::{Index, continues};
use crate::lines::Lines;
use crate::model::EntryKind;

/// A line and the entry it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// The entry.
    pub(crate) n: u32,
    pub(crate) class: Class,
    /// How long the line is.
    pub(crate) length: u64,
}

/// Reads the pieces of entries, in order.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    index: &'a Index,
    lines: Lines,
    /// How much of each line is read.
    most: usize,
    /// What was read last.
    current: Option<(u32, EntryKind)>,
    /// The number of the entry that begins next.
    next: u32,
}

impl<'a> Walk<'a> {
    /// Begins at the first entry. At least `most` bytes of each line are read.
    pub(crate) fn new(index: &'a Index, file: File, most: usize) -> io::Result<Self> {
        let lines = Lines::new(file, 0, index.length())?;
        let most = most.max(index.format().telling());
        Ok(Self { index, lines, most, current: None, next: 0 })
    }

    /// Goes on at an entry, or a little before it.
    pub(crate) fn go_to(&mut self, n: u32) -> io::Result<()> {
        let (near, place) = self.index.place_before(n);
        let on_the_way = self.next <= n && place <= self.lines.place();
        if !on_the_way {
            self.lines.go_to(place)?;
            (self.next, self.current) = (near, None);
        }
        Ok(())
    }

    /// As much of the last line as is read.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.lines.bytes()
    }

    /// Reads the line that answers an entry, where there is one. Its bytes are the last ones read; the next piece is
    /// the same as without it.
    pub(crate) fn answer_to(&mut self, n: u32) -> io::Result<Option<Class>> {
        let Some(place) = self.index.calls().place_of(n) else { return Ok(None) };
        let back = self.lines.place();
        self.lines.go_to(place)?;
        let line = self.lines.next(self.most)?;
        self.lines.go_to(back)?;
        Ok(line.and_then(|line| self.index.format().classify(self.lines.bytes(), line.length)))
    }

    /// The next piece. Answers to calls are none: they are read with their call.
    pub(crate) fn next(&mut self) -> io::Result<Option<Piece>> {
        let format = self.index.format();
        while let Some(line) = self.lines.next(self.most)? {
            if !line.ended && format == Format::Transcript {
                break;
            }
            let Some(class) = format.classify(self.lines.bytes(), line.length) else { continue };
            if class.answers().is_some() && self.index.calls().is_answer(line.start, self.next) {
                continue;
            }
            let n = match self.current {
                Some((n, kind)) if continues(class, Some(kind)) => n,
                _ => {
                    let n = self.next;
                    self.current = Some((n, class.kind));
                    self.next += 1;
                    n
                }
            };
            return Ok(Some(Piece { n, class, length: line.length }));
        }
        Ok(None)
    }
}
