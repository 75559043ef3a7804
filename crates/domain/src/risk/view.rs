//! One side of a change: the code as it was, or as it is.

use super::change::{ChangedFile, Hunk, Line};
use crate::code::Language;

/// Which side of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Old,
    New,
}

/// Lines of a hunk that are about tests.
#[derive(Clone, Copy)]
pub(crate) struct TestLines<'a> {
    /// What git says they are in.
    pub(crate) section: &'a str,
    pub(crate) lines: &'a [Line],
    pub(crate) language: Language,
}

/// A line as it is on one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// Its number on this side.
    pub(crate) number: u32,
    /// How many blanks are before its code.
    pub(crate) indent: usize,
    /// Without its comment.
    pub(crate) code: &'a str,
    /// Whether it is only on this side.
    pub(crate) touched: bool,
}

/// Test lines on one side, in order.
pub(crate) struct View<'a> {
    pub(crate) language: Language,
    /// What git says the lines are in.
    pub(crate) section: &'a str,
    pub(crate) lines: Vec<Seen<'a>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(part: TestLines<'a>, side: Side) -> Self {
        let lines = part.lines.iter().filter_map(|line| {
            let (here, there) = match side {
                Side::Old => (line.old, line.new),
                Side::New => (line.new, line.old),
            };
            Some(Seen {
                number: here?,
                indent: line.text.len() - line.text.trim_start().len(),
                code: part.language.code_of_line(&line.text),
                touched: there.is_none(),
            })
        });
        Self { language: part.language, section: part.section, lines: lines.collect() }
    }

    /// The code of the lines that are only on this side.
    pub(crate) fn touched(&self) -> impl Iterator<Item = Seen<'a>> {
        self.lines.iter().copied().filter(|line| line.touched && !line.code.is_empty())
    }

    /// The code of a line; nothing when there is no such line.
    pub(crate) fn code(&self, at: usize) -> &'a str {
        self.lines.get(at).map_or("", |line| line.code)
    }

    /// The lines that a line is in, from the innermost one out, each with its place: those before it that are indented
    /// less.
    pub(crate) fn around(&self, at: usize) -> impl Iterator<Item = (usize, Seen<'a>)> {
        let mut indent = self.lines.get(at).map_or(0, |line| line.indent);
        let mut place = at;
        std::iter::from_fn(move || {
            while indent > 0 {
                place = place.checked_sub(1)?;
                let line = *self.lines.get(place)?;
                let is_end = || {
                    line.code.starts_with([')', ']'])
                        || line.code.chars().all(|letter| "});,".contains(letter))
                };
                if line.indent < indent && !is_end() {
                    indent = line.indent;
                    return Some((place, line));
                }
            }
            None
        })
    }
}

/// The lines of a file that are about tests: all of a test file; of a Rust file those of its test module.
pub(crate) fn test_lines(file: &ChangedFile) -> impl Iterator<Item = TestLines<'_>> {
    let language = language_of(&file.path).or_else(|| file.old_path.as_deref().and_then(language_of));
    let whole = file.paths().any(super::test_files::is_test_file);
    file.hunks.iter().filter_map(move |hunk| {
        let language = language?;
        let lines = match language {
            _ if whole => hunk.lines.as_slice(),
            Language::Rust => test_module(hunk)?,
            _ => return None,
        };
        Some(TestLines { section: &hunk.section, lines, language })
    })
}

/// By the rules of which language the tests of a file are read. C# has none of its own: its assertions are found by their
/// names alone.
fn language_of(path: &str) -> Option<Language> {
    Language::of_path(path).map(|language| match language {
        Language::CSharp => Language::Other,
        language => language,
    })
}

/// The part of a hunk of Rust code that is in a test module.
fn test_module(hunk: &Hunk) -> Option<&[Line]> {
    let opens = |code: &str| code.contains("mod test") || (code.contains("cfg(") && code.contains("test"));
    let is_test =
        |code: &str| code.contains("#[test]") || code.contains("::test]") || code.contains("::test(");
    if opens(&hunk.section) || is_test(&hunk.section) {
        return Some(&hunk.lines);
    }
    let first = hunk.lines.iter().position(|line| opens(&line.text) || is_test(&line.text))?;
    let line = hunk.lines.get(first)?;
    // A test before the line that opens its module: the module begins before the hunk does.
    let inside = !opens(&line.text) && line.text.starts_with([' ', '\t']);
    hunk.lines.get(if inside { 0 } else { first }..)
}
