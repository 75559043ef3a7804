//! One side of a hunk: the code as it was, or as it is.

use super::change::{ChangedFile, Hunk};
use super::language::Language;

/// Which side of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Old,
    New,
}

/// A line as it is on one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// Its number on this side.
    pub(crate) number: u32,
    /// Without its comment.
    pub(crate) code: &'a str,
    /// Whether it is only on this side.
    pub(crate) touched: bool,
}

/// The lines of a hunk on one side, in order.
pub(crate) struct View<'a> {
    pub(crate) language: Language,
    pub(crate) lines: Vec<Seen<'a>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(hunk: &'a Hunk, language: Language, side: Side) -> Self {
        let lines = hunk.lines.iter().filter_map(|line| {
            let (here, there) = match side {
                Side::Old => (line.old, line.new),
                Side::New => (line.new, line.old),
            };
            Some(Seen { number: here?, code: language.code(&line.text), touched: there.is_none() })
        });
        Self { language, lines: lines.collect() }
    }

    /// The code of the lines that are only on this side.
    pub(crate) fn touched(&self) -> impl Iterator<Item = Seen<'a>> {
        self.lines.iter().copied().filter(|line| line.touched && !line.code.is_empty())
    }
}

/// The hunks of a file that are about tests: all of a test file; of a Rust file those inside of its test module.
pub(crate) fn test_hunks(file: &ChangedFile) -> impl Iterator<Item = (&Hunk, Language)> {
    let language = Language::of(&file.path).or_else(|| file.old_path.as_deref().and_then(Language::of));
    let whole = file.paths().any(super::language::is_test_file);
    file.hunks.iter().filter_map(move |hunk| {
        let language = language?;
        (whole || (language == Language::Rust && is_in_test_module(hunk))).then_some((hunk, language))
    })
}

fn is_in_test_module(hunk: &Hunk) -> bool {
    let marks = |code: &str| {
        code.contains("mod test")
            || code.contains("#[test]")
            || code.contains("#[cfg(test)]")
            || code.contains("::test]")
    };
    marks(&hunk.section) || hunk.lines.iter().any(|line| marks(&line.text))
}
