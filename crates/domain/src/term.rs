//! Terms of the spec: words with one meaning.

use serde::{Deserialize, Serialize};

use crate::ids::TermId;

/// The longest name, variant or word to avoid, in characters.
pub const LONGEST_TERM: usize = 100;
/// The longest definition, in bytes.
pub const LONGEST_DEFINITION: usize = 16 * 1024;
/// The most variants, or words to avoid, of one term.
pub const MOST_VARIANTS: usize = 50;

/// A word of the spec with its definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Term {
    /// Its number in the project.
    pub id: TermId,
    /// The word, as it is to be written.
    pub name: String,
    /// What it means.
    pub definition: String,
    /// Other forms that mean the same and may be used: plurals, abbreviations.
    pub variants: Vec<String>,
    /// Words that mean the same and are not to be used.
    pub avoid: Vec<String>,
}

/// What is wrong with a term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermProblem {
    /// A name, variant or word to avoid is a short line.
    #[error("\"{0}\" is not a line of 1 to {LONGEST_TERM} characters with a letter or digit")]
    Word(String),
    /// A term needs a meaning.
    #[error("it has no definition")]
    NoDefinition,
    /// A definition is short.
    #[error("its definition is longer than 16 KiB")]
    LongDefinition,
    /// A list is too long.
    #[error("it has more than {MOST_VARIANTS} {0}")]
    LongList(&'static str),
    /// A word stands twice in it.
    #[error("\"{0}\" stands twice in it")]
    Twice(String),
    /// A word belongs to another term.
    #[error("\"{word}\" belongs to the term \"{term}\"")]
    Taken {
        /// The word.
        word: String,
        /// The other term.
        term: String,
    },
}

/// A word without regard to case and blanks, to compare it by.
#[must_use]
pub fn fold_word(word: &str) -> String {
    word.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

impl Term {
    /// Its name, variants and the words to avoid.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        [&self.name].into_iter().chain(&self.variants).chain(&self.avoid).map(String::as_str)
    }

    /// The term with blanks around its texts taken away, if it can be so beside the others. The one with the same id
    /// is not looked at.
    ///
    /// # Errors
    /// A text is empty or too long, or a word means something else already.
    pub fn checked(mut self, others: &[Self]) -> Result<Self, TermProblem> {
        let trimmed = |words: &[String]| words.iter().map(|word| word.trim().to_owned()).collect();
        (self.variants, self.avoid) = (trimmed(&self.variants), trimmed(&self.avoid));
        self.name = self.name.trim().to_owned();
        self.definition = self.definition.trim().to_owned();
        let bad = |word: &&str| {
            word.contains(['\n', '\r', '\0'])
                || word.chars().count() > LONGEST_TERM
                || !word.contains(char::is_alphanumeric)
        };
        if let Some(word) = self.words().find(bad) {
            return Err(TermProblem::Word(word.to_owned()));
        }
        if self.definition.is_empty() {
            return Err(TermProblem::NoDefinition);
        }
        if self.definition.len() > LONGEST_DEFINITION {
            return Err(TermProblem::LongDefinition);
        }
        for (list, name) in [(&self.variants, "variants"), (&self.avoid, "words to avoid")] {
            if list.len() > MOST_VARIANTS {
                return Err(TermProblem::LongList(name));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        if let Some(word) = self.words().find(|word| !seen.insert(fold_word(word))) {
            return Err(TermProblem::Twice(word.to_owned()));
        }
        for other in others.iter().filter(|other| other.id != self.id) {
            if let Some(word) = other.words().find(|word| seen.contains(&fold_word(word))) {
                return Err(TermProblem::Taken { word: word.to_owned(), term: other.name.clone() });
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(id: u32, name: &str, variants: &[&str], avoid: &[&str]) -> Term {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Term {
            id: TermId(id),
            name: name.to_owned(),
            definition: " what it is ".to_owned(),
            variants: owned(variants),
            avoid: owned(avoid),
        }
    }

    #[test]
    fn a_word_has_one_meaning() {
        let others = [term(1, "Guest", &["guests"], &["customer"])];
        let long = "x".repeat(LONGEST_TERM + 1);
        let taken = |word: &str| TermProblem::Taken { word: word.to_owned(), term: "Guest".to_owned() };
        let cases = [
            (term(2, "Pot", &["tea pot"], &[]), None),
            (term(1, "Guest", &["visitors"], &[]), None),
            (term(2, " GUEST ", &[], &[]), Some(taken("Guest"))),
            (term(2, "Pot", &["Guests"], &[]), Some(taken("guests"))),
            (term(2, "Customer", &[], &[]), Some(taken("customer"))),
            (term(2, "Pot", &["pot"], &[]), Some(TermProblem::Twice("pot".to_owned()))),
            (term(2, "Tea pot", &[], &["tea  POT"]), Some(TermProblem::Twice("tea  POT".to_owned()))),
            (term(2, "", &[], &[]), Some(TermProblem::Word(String::new()))),
            (term(2, "Pot", &["..."], &[]), Some(TermProblem::Word("...".to_owned()))),
            (term(2, &long, &[], &[]), Some(TermProblem::Word(long.clone()))),
        ];
        for (term, expected) in cases {
            assert_eq!(term.clone().checked(&others).err(), expected, "{term:?}");
        }
        let checked = term(2, " Pot ", &[" pots"], &[]).checked(&[]).unwrap();
        assert_eq!((checked.name.as_str(), checked.definition.as_str()), ("Pot", "what it is"));
        let empty = Term { definition: " \n".to_owned(), ..term(3, "Cup", &[], &[]) };
        assert_eq!(empty.checked(&[]).err(), Some(TermProblem::NoDefinition));
    }
}
