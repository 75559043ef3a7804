//! Making an entry of the lines it is in.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;

use crate::classify::{Class, Format};
use crate::display;
use crate::index::Index;
use crate::model::{Entry, EntryKind, ToolAnswer};
use crate::walk::{Piece, Walk};

/// How much of an entry is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// What fits into a list.
    Short,
    /// All of it, up to a megabyte.
    Whole,
}

impl Size {
    /// How many characters of text.
    const fn characters(self) -> usize {
        match self {
            Self::Short => 4_000,
            Self::Whole => 1024 * 1024,
        }
    }

    /// How many bytes of a plain line are read. Control characters are left out of them.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Short => 4 * Self::Short.characters(),
            Self::Whole => Self::Whole.characters(),
        }
    }
}

/// An entry of which not all lines may have been read.
#[derive(Debug)]
struct Draft {
    entry: Entry,
    size: Size,
    /// How many characters the text has.
    characters: usize,
}

impl Draft {
    /// Begins an entry with its first line.
    fn new(format: Format, piece: Piece, bytes: &[u8], size: Size) -> Self {
        let entry = Entry {
            n: piece.n,
            kind: piece.class.kind,
            name: None,
            text: String::new(),
            failed: piece.class.failed,
            cut: bytes.len() as u64 != piece.length,
            answer: None,
            red_before: None,
            at: (format == Format::Transcript).then(|| display::written_at(bytes)).flatten(),
        };
        let mut draft = Self { entry, size, characters: 0 };
        draft.add(format, bytes);
        draft
    }

    /// Adds a line.
    fn add(&mut self, format: Format, bytes: &[u8]) {
        if self.characters >= self.size.characters() {
            self.entry.cut = true;
        } else if format == Format::Plain {
            let text = String::from_utf8_lossy(bytes);
            // Where a line is cut, a character may be too.
            self.push(if self.entry.cut { text.trim_end_matches('\u{fffd}') } else { &text });
        } else if let Some(shown) = display::event(bytes, self.size == Size::Whole) {
            self.entry.name =
                self.entry.name.take().or_else(|| shown.name.map(|name| clean(&name).into_owned()));
            self.entry.cut |= shown.more;
            self.entry.red_before = self.entry.red_before.or(shown.red_before);
            self.push(&shown.text);
        } else {
            self.push(&String::from_utf8_lossy(bytes));
        }
    }

    fn push(&mut self, text: &str) {
        let text = clean(text);
        let (text, cut) = beginning(&text, self.size.characters() - self.characters);
        self.entry.text.push_str(text);
        self.characters += text.chars().count();
        self.entry.cut |= cut;
    }

    /// Adds the line that answers it.
    fn answer(&mut self, class: Class, bytes: &[u8]) {
        let told = display::event(bytes, true).map(|shown| shown.text);
        let told = told.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned());
        let text = clean(&told);
        let (shown, cut) = beginning(&text, self.size.characters());
        self.entry.failed |= class.failed;
        self.entry.answer = Some(ToolAnswer {
            text: shown.to_owned(),
            lines: u32::try_from(text.lines().count()).unwrap_or(u32::MAX),
            denied: class.kind == EntryKind::Error,
            cut,
            clipped: loopwright_domain::agent_event::is_clipped(&told),
        });
    }
}

/// As many characters of a text, and whether there are more.
fn beginning(text: &str, characters: usize) -> (&str, bool) {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(end, _)| end);
    (&text[..end], end < text.len())
}

fn clean(text: &str) -> Cow<'_, str> {
    loopwright_domain::sanitize::strip(text)
}

/// Reads some entries, which are named in order, and shows them one by one until it is told to stop.
pub(crate) fn each(
    index: &Index,
    file: File,
    wanted: impl IntoIterator<Item = u32>,
    size: Size,
    mut show: impl FnMut(Entry) -> ControlFlow<()>,
) -> io::Result<()> {
    let format = index.format();
    let mut wanted = wanted.into_iter().peekable();
    let mut walk = Walk::new(index, file, size.bytes())?;
    let mut draft: Option<Draft> = None;
    if let Some(first) = wanted.peek() {
        walk.go_to(*first)?;
    }
    while let Some(piece) = walk.next()? {
        if let Some(same) = draft.as_mut().filter(|draft| draft.entry.n == piece.n) {
            same.add(format, walk.bytes());
            continue;
        }
        if draft.take().is_some_and(|draft| show(draft.entry).is_break()) {
            return Ok(());
        }
        match wanted.peek() {
            None => return Ok(()),
            Some(n) if *n == piece.n => {
                let mut begun = Draft::new(format, piece, walk.bytes(), size);
                if let Some(class) = walk.answer_to(piece.n)? {
                    begun.answer(class, walk.bytes());
                }
                draft = Some(begun);
                wanted.next();
            }
            Some(n) => walk.go_to(*n)?,
        }
    }
    if let Some(draft) = draft {
        let _ = show(draft.entry);
    }
    Ok(())
}

/// Reads some entries, which are named in order.
pub(crate) fn read(
    index: &Index,
    file: File,
    wanted: impl IntoIterator<Item = u32>,
    size: Size,
) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    each(index, file, wanted, size, |entry| {
        entries.push(entry);
        ControlFlow::Continue(())
    })?;
    Ok(entries)
}
