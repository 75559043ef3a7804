//! How alike two texts are: what makes learnings and solutions near-duplicates, and what ranks them.

use std::collections::BTreeSet;

/// From here on two texts say the same.
pub const NEARLY_SAME: f64 = 0.75;
/// The longest title that is made from a text, in characters.
const LONGEST_TITLE: usize = 72;

/// Words that say nothing about what a text is about.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "do", "does", "for", "from", "has", "have", "if",
    "in", "into", "is", "it", "its", "no", "not", "of", "on", "or", "so", "that", "the", "then", "there",
    "this", "to", "was", "when", "which", "will", "with", "you", "your",
];

/// The words of a text that say what it is about, in small letters.
#[must_use]
pub fn content_words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .filter(|word| STOP_WORDS.binary_search(&word.as_str()).is_err())
        .collect()
}

/// How many of the words of either are words of both, from 0 to 1.
#[must_use]
pub fn likeness(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let both = one.intersection(other).count();
    let either = one.len() + other.len() - both;
    match either {
        0 => 0.0,
        // Counts of words in one text are far below 2^52.
        #[allow(clippy::cast_precision_loss, reason = "counts of words are small")]
        _ => both as f64 / either as f64,
    }
}

/// Whether two texts say the same in nearly the same words.
#[must_use]
pub fn nearly_same(one: &str, other: &str) -> bool {
    likeness(&content_words(one), &content_words(other)) >= NEARLY_SAME
}

/// A title for a text: its first sentence, cut at a word where it is long.
#[must_use]
pub fn title_of(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let sentence = match line.find(". ") {
        Some(end) => line.get(..end).unwrap_or(line),
        None => line.trim_end_matches('.'),
    };
    if sentence.chars().count() <= LONGEST_TITLE {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(LONGEST_TITLE - 1).collect();
    let whole = cut.rfind(' ').filter(|place| *place > LONGEST_TITLE / 2).and_then(|place| cut.get(..place));
    format!("{}…", whole.unwrap_or(&cut).trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_stop_words_are_in_order() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn the_same_in_other_words_is_nearly_the_same() {
        for (one, other, same) in [
            ("Run the tests with TZ=UTC", "run tests with TZ=UTC.", true),
            ("Keep slots in UTC, convert once", "Keep slots in UTC and convert once", true),
            ("Keep slots in UTC", "Freeze the clock in tests", false),
            ("", "", false),
            ("the", "a", false),
        ] {
            assert_eq!(nearly_same(one, other), same, "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_title_is_the_first_sentence() {
        for (text, title) in [
            ("Use make. It knows.", "Use make"),
            ("\n  Use make.\nIt knows.", "Use make"),
            ("", ""),
            ("v1.2 is needed", "v1.2 is needed"),
        ] {
            assert_eq!(title_of(text), title);
        }
        let long = title_of(&"word ".repeat(40));
        assert!(long.chars().count() <= LONGEST_TITLE && long.ends_with("word…"), "{long}");
        assert_eq!(title_of(&"x".repeat(200)).chars().count(), LONGEST_TITLE);
    }

    proptest! {
        #[test]
        fn likeness_is_symmetric_and_bounded(one in ".{0,80}", other in ".{0,80}") {
            let (a, b) = (content_words(&one), content_words(&other));
            prop_assert!((likeness(&a, &b) - likeness(&b, &a)).abs() < f64::EPSILON);
            prop_assert!((0.0..=1.0).contains(&likeness(&a, &b)));
            let _ = title_of(&one);
        }
    }
}
