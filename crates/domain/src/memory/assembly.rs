//! What goes into a prompt: candidates in the prompt's order, a budget, and a person's choices decide which are in whole,
//! in cut, or out, and why. Pure: the same input gives the same items.

use std::collections::BTreeMap;

use crate::memory::prompt_item::{ItemChoice, ItemState, PromptChoice, PromptItem, PromptItemKind};
use crate::memory::solution_trust::SolutionTrust;
use crate::tokens::{cut_to_tokens, estimate_tokens};

/// The budget of context items where nothing else is set, in tokens.
pub const DEFAULT_BUDGET: u32 = 8_000;
/// Less than this of an item says nothing: it is left out instead.
const LEAST_CUT: u64 = 60;
/// What stands at the end of an item that is cut.
const CUT_MARK: &str = "\n[cut]";
/// What [`CUT_MARK`] takes.
const CUT_MARK_TOKENS: u64 = 4;

/// Something that could go into a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it is known by.
    pub key: String,
    /// What it is.
    pub kind: PromptItemKind,
    /// What it is called.
    pub title: String,
    /// Why it is a candidate.
    pub why: String,
    /// Its text as it would stand in the prompt.
    pub text: String,
    /// How far it is trusted.
    pub trust: Option<SolutionTrust>,
    /// Why it is left out, unless a person asks for it.
    pub held_back: Option<String>,
}

/// How many items of a kind there may be, and how many tokens each may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Caps {
    items: usize,
    tokens: u64,
}

/// The caps of a kind. Those of linked sections and of the last attempt are the budget's alone.
const fn caps(kind: PromptItemKind) -> Caps {
    let (items, tokens) = match kind {
        PromptItemKind::RelatedSection => (3, 500),
        PromptItemKind::LastError => (1, 2_000),
        PromptItemKind::LastDiff => (1, 1_500),
        PromptItemKind::KnownFix | PromptItemKind::Solution => (5, 300),
        PromptItemKind::TrialSolution => (1, 300),
        PromptItemKind::SimilarTask => (3, 150),
        PromptItemKind::Dependency => (20, 200),
        PromptItemKind::RecentFailure => (5, 80),
        PromptItemKind::Learning => (10, 150),
        _ => (usize::MAX, u64::MAX),
    };
    Caps { items, tokens }
}

/// Whether the budget counts an item of this kind. What a person handed along with the run is not dropped for it.
const fn is_budgeted(kind: PromptItemKind) -> bool {
    !kind.is_always_in() && !matches!(kind, PromptItemKind::Plan | PromptItemKind::Document)
}

/// Decides about every candidate. They are taken in their order; pinned ones first. One that does not fit is cut where
/// its beginning helps, else left out, and a smaller one after it may still fit. A budget of 0 is none.
#[must_use]
pub fn assemble(candidates: Vec<Candidate>, budget: u32, choices: &[PromptChoice]) -> Vec<PromptItem> {
    let chosen: BTreeMap<&str, ItemChoice> =
        choices.iter().map(|choice| (choice.key.as_str(), choice.choice)).collect();
    let choice_of = |candidate: &Candidate| chosen.get(candidate.key.as_str()).copied();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|place| {
        candidates.get(*place).and_then(choice_of).is_none_or(|choice| choice != ItemChoice::Pinned)
    });
    let mut room =
        Room { left: if budget == 0 { u64::MAX } else { u64::from(budget) }, taken: BTreeMap::new() };
    let mut items: Vec<Option<PromptItem>> = vec![None; candidates.len()];
    for place in order {
        let Some(candidate) = candidates.get(place) else { continue };
        if let Some(item) = items.get_mut(place) {
            *item = Some(room.decide(candidate, choice_of(candidate)));
        }
    }
    items.into_iter().flatten().collect()
}

/// What is left of the budget, and how many items of each kind are in.
struct Room {
    left: u64,
    taken: BTreeMap<PromptItemKind, usize>,
}

impl Room {
    fn decide(&mut self, candidate: &Candidate, choice: Option<ItemChoice>) -> PromptItem {
        let whole = estimate_tokens(&candidate.text);
        let kind = candidate.kind;
        let item = |state: ItemState, why: String, tokens: u64, text: String| PromptItem {
            key: candidate.key.clone(),
            kind,
            group: kind.group(),
            title: candidate.title.clone(),
            why,
            state,
            choice,
            tokens: small(tokens),
            whole_tokens: small(whole),
            trust: candidate.trust,
            cost_micros: None,
            cited: None,
            text,
        };
        let out = |why: String| item(ItemState::Out, why, whole, candidate.text.clone());
        if kind.is_always_in() {
            return item(ItemState::In, candidate.why.clone(), whole, candidate.text.clone());
        }
        if choice == Some(ItemChoice::Out) {
            return out("you took it out".to_owned());
        }
        if !is_budgeted(kind) {
            return item(ItemState::In, candidate.why.clone(), whole, candidate.text.clone());
        }
        if let Some(why) = candidate.held_back.as_ref().filter(|_| choice.is_none()) {
            return out(why.clone());
        }
        let caps = caps(kind);
        let taken = self.taken.get(&kind).copied().unwrap_or(0);
        if taken >= caps.items && choice.is_none() {
            return out(format!("below the cut: {}", candidate.why));
        }
        // What somebody asked for by name may take as much room as there is.
        let most = if choice.is_some() { self.left } else { self.left.min(caps.tokens) };
        if whole <= most {
            self.take(kind, whole);
            return item(ItemState::In, candidate.why.clone(), whole, candidate.text.clone());
        }
        let beginning = cut_to_tokens(&candidate.text, most.saturating_sub(CUT_MARK_TOKENS));
        let text = format!("{}{CUT_MARK}", beginning.trim_end());
        let tokens = estimate_tokens(&text);
        if most < LEAST_CUT || beginning.trim().is_empty() || tokens > self.left {
            return out(format!("no room: it takes {whole} tokens, {} are left", self.left));
        }
        self.take(kind, tokens);
        item(ItemState::Cut, format!("{}, cut from {whole}", candidate.why), tokens, text)
    }

    fn take(&mut self, kind: PromptItemKind, tokens: u64) {
        self.left = self.left.saturating_sub(tokens);
        *self.taken.entry(kind).or_default() += 1;
    }
}

/// What the items that are in take of the budget.
#[must_use]
pub fn context_tokens(items: &[PromptItem]) -> u32 {
    let counted = items.iter().filter(|item| item.state != ItemState::Out && is_budgeted(item.kind));
    counted.fold(0, |sum, item| sum.saturating_add(item.tokens))
}

fn small(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

/// What speaks for a solution or a learning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Relevance {
    /// Whether it is about the pattern of the task's last failure.
    pub same_pattern: bool,
    /// How well its words match, from 0 to 1.
    pub words: f64,
    /// How many files it shares with what the failure names and the last attempt changed.
    pub shared_files: u32,
    /// How many of its kind are newer.
    pub newer: u32,
    /// How far it is trusted, from 0 to 1.
    pub trust: f64,
}

impl Relevance {
    /// The figure that ranks it: a pattern weighs more than words, words more than files, files more than age.
    #[must_use]
    pub fn score(&self) -> f64 {
        let pattern = if self.same_pattern { 3.0 } else { 0.0 };
        let files = f64::from(self.shared_files.min(3)) / 3.0;
        let recency = 1.0 / (1.0 + f64::from(self.newer));
        pattern + 2.0 * self.words.clamp(0.0, 1.0) + files + self.trust.clamp(0.0, 1.0) + 0.5 * recency
    }
}

/// Sorts by score, the best first; among equals the one that came first stays first.
pub fn rank<T>(items: &mut [(Relevance, T)]) {
    items.sort_by(|(one, _), (other, _)| other.score().total_cmp(&one.score()));
}

#[cfg(test)]
#[path = "assembly_tests.rs"]
mod tests;
