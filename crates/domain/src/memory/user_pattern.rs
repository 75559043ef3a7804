//! Patterns of failures that a person adds, and those that failures without a pattern suggest.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::failure::FailureCategory;
use crate::word::words;

words! {
    /// How far a pattern of a person's own has come. Only confirmed and trusted ones name failures.
    PatternStatus {
        /// Proposed, and not used yet.
        Suggested = "suggested",
        /// Used where no built-in pattern names a cause.
        Confirmed = "confirmed",
        /// Used before the built-in ones.
        Trusted = "trusted",
        /// Built in.
        BuiltIn = "built_in",
    }
}

impl PatternStatus {
    /// What comes after it; none at the end.
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        match self {
            Self::Suggested => Some(Self::Confirmed),
            Self::Confirmed => Some(Self::Trusted),
            Self::Trusted | Self::BuiltIn => None,
        }
    }
}

/// A pattern of a person's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct UserPattern {
    /// Its name, such as `time_zone_mismatch`.
    pub name: String,
    /// What kind of thing goes wrong.
    pub category: FailureCategory,
    /// The regular expression that a line of the output has to match.
    pub regex: String,
    /// What it means, in one line.
    pub about: String,
    /// How far it has come.
    pub status: PatternStatus,
}

/// A pattern, built in or a person's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct FailurePattern {
    /// Its name.
    pub name: String,
    /// What kind of thing goes wrong.
    pub category: FailureCategory,
    /// What it means, in one line.
    pub about: String,
    /// Whether it is built in, or how far a person's own has come.
    pub status: PatternStatus,
    /// The regular expression of a person's own; none of those that are built in.
    pub regex: Option<String>,
}

impl From<UserPattern> for FailurePattern {
    fn from(own: UserPattern) -> Self {
        let UserPattern { name, category, regex, about, status } = own;
        Self { name, category, about, status, regex: Some(regex) }
    }
}

/// Whether this can be the name of a pattern: a word of small letters, digits and `_`.
#[must_use]
pub fn is_pattern_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.len() <= LONGEST_NAME && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(fits)
}

/// The longest name of a pattern.
const LONGEST_NAME: usize = 48;
/// Shorter words say nothing about a failure.
const LEAST_LETTERS: usize = 5;
/// Words that fewer failures share are chance.
const LEAST_FAILURES: usize = 3;
/// As many suggestions as are made.
const MOST_SUGGESTED: usize = 10;
/// As many words as a suggestion is made of.
const MOST_WORDS: usize = 4;
/// As many causes as are shown of a suggestion, and how long each may be, in characters.
const EXAMPLES: usize = 3;
const LONGEST_EXAMPLE: usize = 150;

/// Words that several failures without a pattern have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PatternSuggestion {
    /// A name for it.
    pub name: String,
    /// A regular expression that matches all of them.
    pub regex: String,
    /// How many failures it matches.
    pub failures: u32,
    /// Causes that it matches, at most three.
    pub examples: Vec<String>,
}

/// What failures without a pattern have in common, by their causes: words that at least three of them share, those of
/// most failures first. A failure is in one suggestion only.
#[must_use]
pub fn suggest_patterns(causes: &[String]) -> Vec<PatternSuggestion> {
    let words: Vec<Vec<&str>> = causes.iter().map(|cause| words_of(cause)).collect();
    let mut met: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (place, words) in words.iter().enumerate() {
        for word in words {
            met.entry(word).or_default().insert(place);
        }
    }
    let mut groups: Vec<&BTreeSet<usize>> =
        met.values().filter(|places| places.len() >= LEAST_FAILURES).collect();
    groups.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    groups.dedup();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut suggestions: Vec<PatternSuggestion> = Vec::new();
    for group in groups {
        if suggestions.len() == MOST_SUGGESTED || !taken.is_disjoint(group) {
            continue;
        }
        let shared = |word: &&str| met.get(*word).is_some_and(|places| places.is_superset(group));
        let first = group.first().and_then(|place| words.get(*place));
        let common: Vec<&str> = first.into_iter().flatten().copied().filter(shared).collect();
        let all: Vec<&Vec<&str>> = group.iter().filter_map(|place| words.get(*place)).collect();
        let chosen = in_same_order(&common, &all);
        let examples = group.iter().filter_map(|place| causes.get(*place));
        let example = |cause: &String| cause.chars().take(LONGEST_EXAMPLE).collect::<String>();
        suggestions.push(PatternSuggestion {
            name: name_of(&chosen),
            regex: chosen.join(".*"),
            failures: u32::try_from(group.len()).unwrap_or(u32::MAX),
            examples: examples.take(EXAMPLES).map(example).collect(),
        });
        taken.extend(group);
    }
    suggestions
}

/// The words of a cause that can name it, each once, in their order.
fn words_of(cause: &str) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let long = |word: &&str| {
        word.chars().count() >= LEAST_LETTERS && word.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    let split = cause.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    split.filter(long).filter(|word| seen.insert(*word)).collect()
}

/// The words that stand one after the other in every one of these lists, at most [`MOST_WORDS`].
fn in_same_order<'w>(words: &[&'w str], all: &[&Vec<&str>]) -> Vec<&'w str> {
    let mut chosen: Vec<&str> = Vec::new();
    for word in words {
        let after = |list: &&Vec<&str>| {
            let place = |wanted: &str| list.iter().position(|it| *it == wanted);
            chosen.last().is_none_or(|last| place(last) < place(word))
        };
        if chosen.len() < MOST_WORDS && all.iter().all(after) {
            chosen.push(word);
        }
    }
    chosen
}

fn name_of(words: &[&str]) -> String {
    let name = words.join("_").to_lowercase();
    name.chars().take(LONGEST_NAME).collect::<String>().trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn suggested(causes: &[&str]) -> Vec<PatternSuggestion> {
        suggest_patterns(&causes.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn words_that_three_failures_share_suggest_a_pattern() {
        let found = suggested(&[
            "kettle 3 refused: pressure sensor offline",
            "kettle 12 refused: pressure sensor offline",
            "something else altogether",
            "till: pressure sensor offline again",
            "kettle 4 refused: pressure sensor offline",
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].name, "pressure_sensor_offline");
        assert_eq!(found[0].regex, "pressure.*sensor.*offline");
        assert_eq!((found[0].failures, found[0].examples.len()), (4, 3));
        assert_eq!(suggested(&["the same twice here", "the same twice here"]), []);
        assert_eq!(suggested(&["a b c d", "a b c d", "a b c d"]), [], "short words name nothing");
    }

    #[test]
    fn a_suggestion_matches_in_the_order_of_every_cause() {
        let found = suggested(&["alpha bravo charlie", "bravo alpha charlie", "charlie alpha bravo"]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(!found[0].regex.contains(".*"), "{found:?}");
    }

    #[test]
    fn names_are_plain_words() {
        for (name, fits) in
            [("time_zone", true), ("a1", true), ("", false), ("1a", false), ("Time", false), ("a-b", false)]
        {
            assert_eq!(is_pattern_name(name), fits, "{name}");
        }
        assert!(!is_pattern_name(&"a".repeat(60)));
    }

    #[test]
    fn a_pattern_comes_up_step_by_step() {
        assert_eq!(PatternStatus::Suggested.next(), Some(PatternStatus::Confirmed));
        assert_eq!(PatternStatus::Confirmed.next(), Some(PatternStatus::Trusted));
        assert_eq!((PatternStatus::Trusted.next(), PatternStatus::BuiltIn.next()), (None, None));
    }

    proptest! {
        #[test]
        fn suggestions_have_names_and_fit_their_failures(causes in prop::collection::vec("[a-zA-Z0-9_.: é]{0,60}", 0..20)) {
            for one in suggest_patterns(&causes) {
                prop_assert!(is_pattern_name(&one.name), "{}", one.name);
                let words: Vec<&str> = one.regex.split(".*").collect();
                for example in &one.examples {
                    prop_assert!(words.iter().all(|word| example.contains(word)), "{one:?}");
                }
            }
        }
    }
}
