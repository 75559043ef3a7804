//! Whether texts use terms as they are defined.

use super::prose::{Prose, fold};
use super::{PlacedSection, QualityFinding, QualityRule, finding, finding_about};
use crate::term::Term;

/// The words of all terms, ready to be looked for.
pub(super) struct TermWords<'a> {
    terms: &'a [Term],
    /// Words to avoid, folded, with the word and the term to use.
    avoid: Vec<(String, &'a str, &'a str)>,
}

impl<'a> TermWords<'a> {
    pub(super) fn new(terms: &'a [Term]) -> Self {
        let avoided =
            |term: &'a Term| term.avoid.iter().map(|word| (fold(word), word.as_str(), term.name.as_str()));
        Self { terms, avoid: terms.iter().flat_map(avoided).collect() }
    }

    /// What a text says against the terms.
    pub(super) fn judge(&self, text: &str, prose: &Prose, findings: &mut Vec<QualityFinding>) {
        for (folded, word, term) in &self.avoid {
            if prose.has(folded) {
                let message = format!("\"{word}\" is called \"{term}\" here");
                findings.push(finding_about(QualityRule::AvoidedWord, word, message));
            }
        }
        if self.terms.is_empty() {
            return;
        }
        for (name, meaning) in text.lines().filter_map(definition) {
            let name = fold(name);
            let term = self.terms.iter().find(|term| fold(&term.name) == name);
            if let Some(term) = term.filter(|term| fold(&term.definition) != fold(meaning)) {
                let message = format!("it defines \"{}\" in other words than the term does", term.name);
                findings.push(finding(QualityRule::RedefinedTerm, message));
            }
        }
    }
}

/// In how many sections each term is used.
pub(super) fn uses(sections: &[PlacedSection<'_>], terms: &[Term]) -> Vec<u32> {
    let allowed = |term: &Term| -> Vec<String> {
        [&term.name].into_iter().chain(&term.variants).map(|word| fold(word)).collect()
    };
    let words: Vec<Vec<String>> = terms.iter().map(allowed).collect();
    let mut counts = vec![0_u32; terms.len()];
    for placed in sections {
        let prose = Prose::new(&placed.section.content);
        for (count, words) in counts.iter_mut().zip(&words) {
            *count += u32::from(words.iter().any(|word| prose.has(word)));
        }
    }
    counts
}

/// A line that says what a word means: `**Word**: meaning`, in a list or by itself.
fn definition(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches(['-', '*', '+']).trim_start_matches(' ');
    let line = line.strip_prefix("**").unwrap_or(line);
    let (name, meaning) =
        line.split_once("**:").or_else(|| line.split_once(":**")).or_else(|| line.split_once("** means "))?;
    (!name.is_empty() && !meaning.trim().is_empty()).then_some((name, meaning))
}
