//! Cutting a stream of any bytes into lines.

use memchr::memchr;
use sha2::{Digest, Sha256};

/// How long a line may be, unless told otherwise.
pub const LINE_LIMIT: usize = 8 * 1024 * 1024;
/// Room that is given back once a long line is over.
const SPARE_ROOM: usize = 1024 * 1024;

/// One line of a stream, without its end (`\n` or `\r\n`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The line's bytes.
    Text(&'a [u8]),
    /// A line beyond the limit. It is not kept: a part of it could be taken for something it never was.
    Oversize {
        /// How long it was.
        bytes: u64,
        /// The SHA-256 of its bytes, in hexadecimal.
        sha256: String,
    },
}

/// Cuts a stream that comes in pieces into lines.
///
/// The lines depend on the bytes alone, never on where the pieces were cut. A line beyond the limit is counted and
/// skipped, and the next newline begins a fresh one. What stands after the last newline is a line too.
pub struct Framer {
    limit: usize,
    /// The beginning of a line whose end has not come.
    partial: Vec<u8>,
    /// Set while the line is beyond the limit.
    skipping: Option<Skipped>,
}

impl Default for Framer {
    fn default() -> Self {
        Self::new(LINE_LIMIT)
    }
}

impl Framer {
    /// Begins a stream with lines of at most `limit` bytes.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self { limit, partial: Vec::new(), skipping: None }
    }

    /// Takes the next piece and hands on the lines that end in it.
    pub fn push(&mut self, mut piece: &[u8], hand_on: &mut dyn FnMut(Line<'_>)) {
        while let Some(end) = memchr(b'\n', piece) {
            let (line, rest) = (&piece[..end], &piece[end + 1..]);
            if self.partial.is_empty() && self.skipping.is_none() && line.len() <= self.limit {
                hand_on(Line::Text(without_return(line)));
            } else {
                self.extend(line);
                self.end_line(true, hand_on);
            }
            piece = rest;
        }
        self.extend(piece);
    }

    /// Hands on what stands after the last newline.
    pub fn finish(&mut self, hand_on: &mut dyn FnMut(Line<'_>)) {
        if self.skipping.is_some() || !self.partial.is_empty() {
            self.end_line(false, hand_on);
        }
    }

    fn extend(&mut self, bytes: &[u8]) {
        if let Some(skipped) = &mut self.skipping {
            return skipped.add(bytes);
        }
        self.partial.extend_from_slice(bytes);
        // One more byte may turn out to be the return of a `\r\n`.
        let over = self.partial.len() > self.limit + 1;
        if over || self.partial.len() > self.limit && !self.partial.ends_with(b"\r") {
            self.skip();
        }
    }

    fn skip(&mut self) {
        let mut skipped = Skipped::default();
        skipped.add(&self.partial);
        self.skipping = Some(skipped);
        self.partial = Vec::new();
    }

    fn end_line(&mut self, by_newline: bool, hand_on: &mut dyn FnMut(Line<'_>)) {
        if !by_newline && self.partial.len() > self.limit {
            self.skip();
        }
        if let Some(skipped) = self.skipping.take() {
            return hand_on(skipped.line(by_newline));
        }
        hand_on(Line::Text(if by_newline { without_return(&self.partial) } else { &self.partial }));
        self.partial.clear();
        self.partial.shrink_to(SPARE_ROOM);
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line beyond the limit, as far as it has come.
#[derive(Default)]
struct Skipped {
    bytes: u64,
    hash: Sha256,
    /// A return at the end that may belong to the line's end.
    held_return: bool,
}

impl Skipped {
    fn add(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.release();
        let kept = without_return(bytes);
        self.held_return = kept.len() < bytes.len();
        self.count(kept);
    }

    fn release(&mut self) {
        if std::mem::take(&mut self.held_return) {
            self.count(b"\r");
        }
    }

    fn count(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }

    fn line(mut self, by_newline: bool) -> Line<'static> {
        if !by_newline {
            self.release();
        }
        let sha256 = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Line::Oversize { bytes: self.bytes, sha256 }
    }
}
