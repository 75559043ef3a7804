//! The completion promise: how an agent says in its own text that it is done, and what does not count as that.

mod lines;
mod mention;
mod prompt_echo;

pub use prompt_echo::{without_echo, without_echoed_lines};

use crate::iteration::Claim;
use crate::learning::LearningCategory;
use crate::markdown::{bare, without_emphasis};
use crate::signal::{Word, word_of};
use lines::{OwnLine, Part, own_lines};
use mention::{Standing, standing};

const OPEN: &str = "<promise>";
const CLOSE: &str = "</promise>";
/// The promise that says the opposite, and wins.
pub const FAILURE: &str = "FAILURE";
/// The last line by which an agent ends a loop, as dun has it.
pub const EXIT_SIGNAL: &str = "EXIT_SIGNAL: true";

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected<'a> {
    /// The promised word; none when no promise is asked for.
    pub promise: Option<&'a str>,
    /// Whether the word alone on a line counts as well.
    pub plain: bool,
    /// Whether lines such as `LOOPWRIGHT_COMPLETE: what was done` count.
    pub words: bool,
}

/// The tag to give, as prompts spell it.
#[must_use]
pub fn tag(promise: &str) -> String {
    format!("{OPEN}{promise}{CLOSE}")
}

/// Finds what an agent claims in its own text, and the words that say so: the line, or what it says behind its word.
///
/// A claim that the work is done is the last line of the last message, alone on it but for emphasis or backticks around
/// the whole line. In code, in a quotation, or as the end of a sentence about it, it is none. Alone on an earlier line it
/// is [`Claim::Misplaced`], which counts as none. What says the opposite counts on every line: [`FAILURE`], which wins
/// over everything, and `LOOPWRIGHT_BLOCKED: why`. `earlier` are the messages before the last one.
#[must_use]
pub fn find_claim(earlier: &str, last_message: &str, expected: Expected<'_>) -> (Claim, Option<String>) {
    let messages = [own_lines(earlier), own_lines(last_message)];
    if let Some(line) = messages.iter().flatten().find(|line| is_failure(line)) {
        return (Claim::Failure, Some(line.text.trim().to_owned()));
    }
    if let Some(reason) = messages.iter().find_map(|lines| blocked(lines, expected)) {
        return (Claim::Blocked, Some(reason));
    }
    let [before, lines] = &messages;
    let last = lines.iter().rposition(|line| line.part != Part::Blank);
    let claimed = last.and_then(|index| claim_at(lines, index, expected).map(|claim| (index, claim)));
    if let Some((index, (claim, said))) = claimed {
        match standing(lines, index) {
            Standing::Alone => return (claim, Some(said)),
            Standing::Wrapped => return (Claim::Misplaced, lines.get(index).map(OwnLine::shown)),
            Standing::Talk => {}
        }
    }
    let earlier_line = [lines, before].into_iter().find_map(|lines| misplaced(lines, expected));
    match earlier_line {
        Some(line) => (Claim::Misplaced, Some(line)),
        None => (Claim::None, None),
    }
}

/// Whether a person has to look at work whose agent put its claim on the wrong line: the second time. `earlier` are the
/// claims of the attempts before, at the same task or in the same loop.
#[must_use]
pub fn gates_misplaced(claim: Claim, earlier: impl IntoIterator<Item = Claim>) -> bool {
    claim == Claim::Misplaced && earlier.into_iter().any(|claim| claim == Claim::Misplaced)
}

/// Everything an agent says by words such as `LOOPWRIGHT_LEARNING: build: use make` in its own text, in order. Code and
/// quotations say nothing.
#[must_use]
pub fn learnings(text: &str) -> Vec<(LearningCategory, String)> {
    let lines = own_lines(text);
    let own = lines.iter().filter(|line| line.part == Part::Words);
    own.filter_map(|line| word_of(&line.text))
        .filter_map(|word| match word {
            Word::Learning(category, text) => Some((category, text.to_owned())),
            Word::Complete(_) | Word::Blocked(_) => None,
        })
        .collect()
}

impl OwnLine<'_> {
    fn shown(&self) -> String {
        self.text.trim().to_owned()
    }
}

/// What the line at `index` claims when it is the last one, and the words that say so.
fn claim_at(lines: &[OwnLine<'_>], index: usize, expected: Expected<'_>) -> Option<(Claim, String)> {
    let line = lines.get(index).filter(|line| line.part == Part::Words)?;
    claim_of(without_emphasis(&line.text), expected)
}

/// What a line claims that holds nothing else.
fn claim_of(whole: &str, expected: Expected<'_>) -> Option<(Claim, String)> {
    let promised = expected.promise.is_some_and(|promise| {
        let inner = whole.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE));
        inner.is_some_and(|inner| inner.trim() == promise.trim())
            || (expected.plain && !promise.trim().is_empty() && whole.eq_ignore_ascii_case(promise.trim()))
    });
    if promised {
        return Some((Claim::Promise, whole.to_owned()));
    }
    if whole == EXIT_SIGNAL {
        return Some((Claim::Signal, whole.to_owned()));
    }
    // The word may be emphasised alone; nothing else may stand before it.
    let begins = whole.starts_with(|c: char| c.is_alphabetic() || matches!(c, '*' | '_' | '`'));
    match word_of(whole).filter(|_| expected.words && begins)? {
        Word::Complete(said) if !is_about_the_word(said) => Some((Claim::Signal, said.to_owned())),
        _ => None,
    }
}

/// The last line that would be a claim at the end of the message: it stands alone, but for the marks of a list or a
/// sentence.
fn misplaced(lines: &[OwnLine<'_>], expected: Expected<'_>) -> Option<String> {
    let is_one = |index: &usize| {
        let Some(line) = lines.get(*index).filter(|line| line.part == Part::Words) else { return false };
        let heading = line.text.trim_start().starts_with('#');
        !heading
            && claim_of(without_emphasis(bare(&line.text)), expected).is_some()
            && standing(lines, *index) != Standing::Talk
    };
    (0..lines.len()).rev().find(is_one).and_then(|index| lines.get(index)).map(OwnLine::shown)
}

/// Whether a line says that the work failed: the tag begins or ends it. A fence that is
/// never closed does not hide it.
fn is_failure(line: &OwnLine<'_>) -> bool {
    if !matches!(line.part, Part::Words | Part::OpenCode) {
        return false;
    }
    let line = without_emphasis(bare(&line.text));
    let is_it = |inner: &str| inner.trim() == FAILURE;
    let at_start = line.strip_prefix(OPEN).and_then(|rest| rest.split_once(CLOSE));
    let at_end = line.strip_suffix(CLOSE).and_then(|rest| rest.rsplit_once(OPEN));
    at_start.is_some_and(|(inner, _)| is_it(inner)) || at_end.is_some_and(|(_, inner)| is_it(inner))
}

/// Why the agent needs a person, when a line says so.
fn blocked(lines: &[OwnLine<'_>], expected: Expected<'_>) -> Option<String> {
    let own = lines.iter().enumerate().filter(|(_, line)| expected.words && line.part == Part::Words);
    own.filter_map(|(index, line)| match word_of(&line.text)? {
        Word::Blocked(reason) => Some((index, reason)),
        Word::Complete(_) | Word::Learning(..) => None,
    })
    .find(|(index, _)| standing(lines, *index) != Standing::Talk)
    .map(|(_, reason)| reason.to_owned())
}

/// Whether what follows the word is a sentence about it: "LOOPWRIGHT_COMPLETE: is what I print at the end".
fn is_about_the_word(said: &str) -> bool {
    let first = said.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    ["is", "will", "would", "should", "must", "means", "cannot", "comes", "goes"].contains(&first.as_str())
}

#[cfg(test)]
mod tests;
