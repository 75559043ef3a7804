//! Known values that something cuts in two: line ends, as `base64`, `fold` and terminals make them, and terminal codes
//! for colours. Both may be written as escapes, as in the JSON of an agent's event.
//!
//! At each cut the two bytes around it are looked up among the neighbours that known values have, which few cuts pass.

use memchr::memchr3;

/// How many bytes before a position the search looks at, so that cuts in what was passed on already are seen whole.
pub(super) const CONTEXT: usize = 128;
/// The longest cut: several codes and a line end in a row.
const LONGEST_CUT: usize = 72;
/// The longest single terminal code.
const LONGEST_CODE: usize = 48;
/// How far a line may be indented.
const LONGEST_INDENT: usize = 32;
/// The beginning of a value that is passed on before its end has come: too short to wait for, or to tell anything.
const SHORT_HEAD: usize = 4;
/// Shorter values are not looked for in pieces: ordinary words would make them up.
const SHORTEST: usize = 8;

/// The values to look for.
pub(super) struct Splits {
    values: Vec<Vec<u8>>,
    /// Every pair of neighbours in a value, sorted.
    places: Vec<PairPosition>,
    /// Which pairs there are: one bit for each.
    pairs: Vec<u64>,
    /// Which bytes are the first of a pair.
    first: [bool; 256],
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PairPosition {
    pair: u16,
    value: u32,
    /// The position of the second of the two.
    at: u32,
}

/// A value in pieces, or what may become one.
#[derive(Clone, Copy)]
pub(super) struct Split {
    /// Where to begin hiding.
    pub(super) from: usize,
    /// Where the value ends; none when the text ends too early to say.
    pub(super) until: Option<usize>,
}

#[derive(Clone, Copy)]
struct Cut {
    start: usize,
    end: usize,
}

enum Tail {
    Until(usize),
    TooShort,
    Other,
}

impl Splits {
    pub(super) fn new<'a>(values: impl Iterator<Item = &'a Vec<u8>>) -> Self {
        let values: Vec<Vec<u8>> = values.filter(|value| value.len() >= SHORTEST).cloned().collect();
        let mut places = Vec::new();
        let mut first = [false; 256];
        let mut pairs = if values.is_empty() { Vec::new() } else { vec![0; 1 << 10] };
        for (number, value) in (0u32..).zip(&values) {
            for (at, neighbours) in (1u32..).zip(value.windows(2)) {
                let pair = u16::from_be_bytes([neighbours[0], neighbours[1]]);
                pairs[usize::from(pair >> 6)] |= 1 << (pair & 63);
                first[usize::from(neighbours[0])] = true;
                places.push(PairPosition { pair, value: number, at });
            }
        }
        places.sort_unstable();
        Self { values, places, pairs, first }
    }

    /// The first value in pieces of which something lies behind `cursor`.
    pub(super) fn next(&self, buffer: &[u8], cursor: usize, last: bool) -> Option<Split> {
        if self.values.is_empty() {
            return None;
        }
        let mut position = cursor.saturating_sub(CONTEXT);
        while let Some(cut) = self.next_cut(buffer, position) {
            position = cut.end;
            if cut.end < cursor || cut.end - cut.start > LONGEST_CUT {
                continue;
            }
            if let Some(split) = self.at(buffer, cut, cursor, last) {
                return Some(split);
            }
        }
        None
    }

    /// The first cut from a position on that a value could go through, by the byte before it. Its end is the text's
    /// end when it may go on.
    fn next_cut(&self, buffer: &[u8], from: usize) -> Option<Cut> {
        let mut position = from;
        loop {
            let rest = buffer.get(position..)?;
            let found = match memchr3(b'\n', b'\x1b', b'\\', rest) {
                Some(found) => position + found,
                // The line end may be on its way.
                None if rest.last() == Some(&b'\r') => buffer.len() - 1,
                None => return None,
            };
            position = found + 1;
            let start = if found > from && buffer[found - 1] == b'\r' { found - 1 } else { found };
            if start == 0 || !self.first[usize::from(buffer[start - 1])] {
                continue;
            }
            if let Some(end) = run_of_cuts(buffer, found) {
                return Some(Cut { start, end });
            }
        }
    }

    /// The value that a cut goes through.
    fn at(&self, buffer: &[u8], cut: Cut, cursor: usize, last: bool) -> Option<Split> {
        let before = buffer[cut.start - 1];
        let Some(after) = buffer.get(cut.end) else {
            let from = if last { None } else { self.begun(buffer, cut, cursor, before) };
            return from.map(|from| Split { from, until: None });
        };
        let pair = u16::from_be_bytes([before, *after]);
        if self.pairs[usize::from(pair >> 6)] >> (pair & 63) & 1 == 0 {
            return None;
        }
        let first = self.places.partition_point(|place| place.pair < pair);
        let places = self.places[first..].iter().take_while(|place| place.pair == pair);
        let mut found: Option<Split> = None;
        for place in places {
            let Some(from) = self.head(buffer, cut, cursor, place) else { continue };
            let until = match self.tail(buffer, cut.end, place) {
                Tail::Until(until) => Some(until),
                Tail::TooShort if !last => None,
                Tail::TooShort | Tail::Other => continue,
            };
            found = Some(match found {
                None => Split { from, until },
                // What is not certain is waited for; of two values the longer one is hidden.
                Some(other) => Split {
                    from: from.min(other.from),
                    until: until.and_then(|until| other.until.map(|other| other.max(until))),
                },
            });
        }
        found
    }

    /// Where the longest value begins that may go on behind a cut at the end of the text.
    fn begun(&self, buffer: &[u8], cut: Cut, cursor: usize, before: u8) -> Option<usize> {
        let first = self.places.partition_point(|place| place.pair < u16::from(before) << 8);
        let places = self.places[first..].iter().take_while(|place| place.pair >> 8 == u16::from(before));
        places
            .filter(|place| place.at as usize >= SHORT_HEAD)
            .filter_map(|place| self.head(buffer, cut, cursor, place))
            .min()
    }

    /// Where hiding begins, if the first part of a value ends at a cut: before it, or behind the cut when the first
    /// part is so short that it was not held back.
    fn head(&self, buffer: &[u8], cut: Cut, cursor: usize, place: &PairPosition) -> Option<usize> {
        let head = &self.values[place.value as usize][..place.at as usize];
        if !buffer[..cut.start].ends_with(head) {
            return None;
        }
        if head.len() < SHORT_HEAD {
            return Some(cut.end);
        }
        Some(cut.start - head.len()).filter(|from| *from >= cursor)
    }

    fn tail(&self, buffer: &[u8], from: usize, place: &PairPosition) -> Tail {
        let mut position = from;
        for byte in &self.values[place.value as usize][place.at as usize..] {
            if buffer.get(position).is_some_and(|there| there != byte) {
                match run_of_cuts(buffer, position) {
                    Some(end) if end - position <= LONGEST_CUT => position = end,
                    _ => return Tail::Other,
                }
            }
            match buffer.get(position) {
                None => return Tail::TooShort,
                Some(there) if there == byte => position += 1,
                Some(_) => return Tail::Other,
            }
        }
        Tail::Until(position)
    }
}

/// Where the cuts end that begin at a position, one right after another.
fn run_of_cuts(buffer: &[u8], from: usize) -> Option<usize> {
    let mut end = cut_at(buffer, from)?;
    while let Some(next) = cut_at(buffer, end).filter(|_| end - from <= LONGEST_CUT) {
        end = next;
    }
    Some(end)
}

/// Where the cut ends that begins at a position.
fn cut_at(buffer: &[u8], at: usize) -> Option<usize> {
    match buffer.get(at)? {
        b'\n' | b'\r' => Some(indented(buffer, at + 1)),
        b'\x1b' => code(buffer, at + 1),
        b'\\' => match buffer.get(at + 1) {
            None => Some(at + 1),
            Some(b'n' | b'r' | b'\n') => Some(indented(buffer, at + 2)),
            Some(b'e') => code(buffer, at + 2),
            // Escaped twice; more is something else.
            Some(b'\\') if buffer.get(at + 2) != Some(&b'\\') => cut_at(buffer, at + 1),
            Some(b'u' | b'x' | b'0') => escaped_code(buffer, at + 1),
            Some(_) => None,
        },
        _ => None,
    }
}

fn indented(buffer: &[u8], from: usize) -> usize {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    from + buffer[from..].iter().take(LONGEST_INDENT).take_while(blank).count()
}

/// A terminal code whose first byte is written in digits: `\u001b[31m`, `\x1b[31m`, `\033[31m`.
fn escaped_code(buffer: &[u8], at: usize) -> Option<usize> {
    let text = &buffer[at..];
    for name in [b"u001b".as_slice(), b"x1b", b"033"] {
        let there = &text[..text.len().min(name.len())];
        if there.eq_ignore_ascii_case(&name[..there.len()]) {
            return if there.len() < name.len() { Some(buffer.len()) } else { code(buffer, at + name.len()) };
        }
    }
    None
}

/// The rest of a terminal code: `[31m`.
fn code(buffer: &[u8], at: usize) -> Option<usize> {
    match buffer.get(at) {
        None => return Some(at),
        Some(b'[') => {}
        Some(_) => return None,
    }
    let parameters =
        buffer[at + 1..].iter().take(LONGEST_CODE).take_while(|byte| matches!(byte, 0x20..=0x3f));
    let end = at + 1 + parameters.count();
    match buffer.get(end) {
        None => Some(end),
        Some(0x40..=0x7e) => Some(end + 1),
        Some(_) => None,
    }
}
