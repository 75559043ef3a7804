//! Whether texts use terms as they are defined.

use super::prose::{Prose, fold};
use super::{QualityFinding, QualityRule, finding};
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
                findings
                    .push(finding(QualityRule::AvoidedWord, format!("\"{word}\" is called \"{term}\" here")));
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

/// A line that says what a word means: `**Word**: meaning`, in a list or by itself.
fn definition(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches(['-', '*', '+']).trim_start_matches(' ');
    let line = line.strip_prefix("**").unwrap_or(line);
    let (name, meaning) =
        line.split_once("**:").or_else(|| line.split_once(":**")).or_else(|| line.split_once("** means "))?;
    (!name.is_empty() && !meaning.trim().is_empty()).then_some((name, meaning))
}
