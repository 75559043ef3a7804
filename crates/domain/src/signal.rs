//! What an agent says in its own text when it cannot write the signal file: lines such as
//! `LOOPWRIGHT_COMPLETE: what was done`. The forms of DIAL and Descartes are understood as well.

use crate::learning::LearningCategory;
use crate::markdown::bare;

/// Whose words an agent uses.
const SPEAKERS: &[&str] = &["LOOPWRIGHT", "DIAL", "TASK"];

/// One thing an agent says about its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// The task is done: what was done.
    Complete(&'a str),
    /// It cannot go on: why.
    Blocked(&'a str),
    /// It learned something.
    Learning(LearningCategory, &'a str),
}

/// What a line says, if it says anything.
#[must_use]
pub fn word_of(line: &str) -> Option<Word<'_>> {
    if line.trim_start().starts_with('#') {
        return None;
    }
    let line = bare(line).trim_matches('`').trim();
    let rest = SPEAKERS.iter().find_map(|speaker| after(line, speaker))?;
    let (word, said) = match rest.split_once(':') {
        Some((word, said)) => (word.trim_matches(['*', '`', ' ']), Some(said.trim_matches(['*', '`', ' ']))),
        None => (rest.trim_matches(['*', '`', ' ']), None),
    };
    let said_something = said.filter(|said| !said.is_empty() && !is_placeholder(said));
    match word.to_ascii_uppercase().as_str() {
        "COMPLETE" if said.is_none_or(|said| !is_placeholder(said)) => {
            Some(Word::Complete(said.unwrap_or("")))
        }
        "BLOCKED" => said_something.map(Word::Blocked),
        "LEARNING" => said_something.map(learning),
        _ => None,
    }
}

/// Whether somebody who is blocked says that a check is wrong: `check is wrong: …`, or with its name
/// `check NAME is wrong: …`.
#[must_use]
pub fn says_check_is_wrong(reason: &str) -> bool {
    let line = reason.trim_start().lines().next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = line
        .split(|letter: char| letter.is_whitespace() || matches!(letter, ':' | '.' | ',' | ';'))
        .filter(|word| !word.is_empty())
        .skip_while(|word| *word == "the")
        .take(4)
        .collect();
    matches!(words.as_slice(), ["check", "is", "wrong", ..] | ["check", _, "is", "wrong"])
}

/// What follows a speaker's name. Only the names of programs may be followed by a blank: "Task complete" is prose.
fn after<'a>(line: &'a str, speaker: &str) -> Option<&'a str> {
    let (name, rest) = line.split_at_checked(speaker.len())?;
    if !name.eq_ignore_ascii_case(speaker) {
        return None;
    }
    match rest.strip_prefix('_') {
        Some(rest) => Some(rest),
        None if speaker == "TASK" => None,
        None => rest.strip_prefix(' '),
    }
}

/// Whether a text only shows where words would go, such as `<summary>` or `…`.
fn is_placeholder(text: &str) -> bool {
    let within = |open, close| text.starts_with(open) && text.ends_with(close);
    within('<', '>') || within('[', ']') || within('{', '}') || text == "…"
}

fn learning(said: &str) -> Word<'_> {
    match said.split_once(':') {
        Some((category, text)) if is_one_word(category) && !text.trim().is_empty() => {
            Word::Learning(LearningCategory::named(category), text.trim())
        }
        _ => Word::Learning(LearningCategory::Other, said),
    }
}

fn is_one_word(text: &str) -> bool {
    !text.trim().is_empty() && !text.trim().contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<Word<'_>> {
        text.lines().filter_map(word_of).collect()
    }

    #[test]
    fn every_form_of_the_seeds_is_understood() {
        let cases = [
            ("LOOPWRIGHT_COMPLETE: wrote it", Word::Complete("wrote it")),
            ("DIAL_COMPLETE: wrote it", Word::Complete("wrote it")),
            ("dial complete: wrote it", Word::Complete("wrote it")),
            ("**DIAL_COMPLETE**: wrote it", Word::Complete("wrote it")),
            ("`LOOPWRIGHT_COMPLETE: wrote it`", Word::Complete("wrote it")),
            ("TASK_COMPLETE", Word::Complete("")),
            ("- TASK_BLOCKED: no key", Word::Blocked("no key")),
            ("LOOPWRIGHT_BLOCKED: no key: none at all", Word::Blocked("no key: none at all")),
            ("DIAL_LEARNING: test: run it twice", Word::Learning(LearningCategory::Test, "run it twice")),
            ("LOOPWRIGHT_LEARNING: weather: it rains", Word::Learning(LearningCategory::Other, "it rains")),
            ("DIAL_LEARNING: use make", Word::Learning(LearningCategory::Other, "use make")),
        ];
        for (text, word) in cases {
            assert_eq!(words(text), [word], "{text}");
        }
    }

    #[test]
    fn a_check_is_said_to_be_wrong_in_these_words_only() {
        for text in [
            "check is wrong",
            "Check is wrong: it wants 3, the spec says 4",
            "check tests is wrong: it wants 3",
            "the check `tests` is wrong.",
            "check: is wrong",
        ] {
            assert!(says_check_is_wrong(text), "{text}");
        }
        for text in
            ["", "no key", "check whether the key is wrong", "the test is wrong", "is the check wrong?"]
        {
            assert!(!says_check_is_wrong(text), "{text}");
        }
    }

    #[test]
    fn talk_about_the_words_says_nothing() {
        for text in [
            "",
            "Task complete: I wrote it",
            "I will print LOOPWRIGHT_COMPLETE: done",
            "# LOOPWRIGHT_COMPLETE: done",
            "> LOOPWRIGHT_COMPLETE: done",
            "LOOPWRIGHT_COMPLETE: <summary>",
            "LOOPWRIGHT_COMPLETE: …",
            "LOOPWRIGHT_BLOCKED:",
            "LOOPWRIGHT_BLOCKED",
            "LOOPWRIGHT_COMPLETED: done",
            "INCOMPLETE",
            "DIAL",
        ] {
            assert_eq!(words(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_harm(text in ".{0,200}") {
            let _ = words(&text);
        }
    }
}
