//! How good a plan is: findings about sections and tasks, and a score, by rules and without a model.

mod prose;
mod sections;
mod tasks;
mod terms;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ids::{SectionId, TaskId};
use crate::section::Section;
use crate::task::Task;
use crate::term::Term;
use crate::word::words;

words! {
    /// A rule that sections and tasks are judged by.
    QualityRule {
        /// A section without a text and without subsections.
        EmptySection = "empty_section",
        /// Words that can mean anything.
        VagueWords = "vague_words",
        /// Something that is left to be decided.
        OpenPoint = "open_point",
        /// A section that says what another one says.
        DuplicateSection = "duplicate_section",
        /// A section that no task carries out.
        OrphanSection = "orphan_section",
        /// A word that is to be avoided, by a term.
        AvoidedWord = "avoided_word",
        /// A term that is defined in another way than its definition.
        RedefinedTerm = "redefined_term",
        /// A task without acceptance criteria.
        NoCriteria = "no_criteria",
        /// A criterion that cannot be told to be met.
        UntestableCriterion = "untestable_criterion",
        /// Criteria, and nothing about how they are tested.
        UncheckedCriteria = "unchecked_criteria",
        /// More than one attempt should take.
        LargeTask = "large_task",
        /// A task that carries out no section.
        OrphanTask = "orphan_task",
        /// A task with the title of another one.
        DuplicateTask = "duplicate_task",
        /// A dependency on a task that it has nothing in common with.
        UnexplainedDependency = "unexplained_dependency",
    }
}

impl QualityRule {
    /// What one finding takes off the score of 100, and the most that the rule takes off.
    #[must_use]
    pub const fn penalty(self) -> (u32, u32) {
        match self {
            Self::EmptySection => (40, 40),
            Self::NoCriteria | Self::DuplicateSection => (30, 30),
            Self::LargeTask | Self::DuplicateTask => (20, 20),
            Self::OpenPoint | Self::UntestableCriterion | Self::RedefinedTerm => (15, 30),
            Self::OrphanSection | Self::OrphanTask | Self::UncheckedCriteria => (10, 10),
            Self::VagueWords | Self::AvoidedWord => (5, 20),
            Self::UnexplainedDependency => (5, 15),
        }
    }
}

/// One thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct QualityFinding {
    /// The rule.
    pub rule: QualityRule,
    /// What is wrong, in words.
    pub message: String,
    /// The word or phrase of the text that it is about, where there is one, in lower case.
    pub word: Option<String>,
}

/// A section or task that was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Judged<Id> {
    /// The one.
    pub id: Id,
    /// Its heading or title.
    pub title: String,
    /// 100 without findings.
    pub score: u32,
    /// What was found, in the order of the rules.
    pub findings: Vec<QualityFinding>,
}

/// How good a plan is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PlanQuality {
    /// The mean of all scores; none when there is nothing to judge.
    pub score: Option<u32>,
    /// Every section, in order.
    pub sections: Vec<Judged<SectionId>>,
    /// Every task that is not finished, by id.
    pub tasks: Vec<Judged<TaskId>>,
}

/// A section with where it stands.
#[derive(Clone, Copy, Debug)]
pub struct PlacedSection<'a> {
    /// The section.
    pub section: &'a Section,
    /// The section it stands below.
    pub parent: Option<SectionId>,
    /// Whether a task is linked to it.
    pub linked: bool,
}

/// In how many sections each term is used, by its name or one of its variants, in the order of the terms.
#[must_use]
pub fn uses(sections: &[PlacedSection<'_>], terms: &[Term]) -> Vec<u32> {
    terms::uses(sections, terms)
}

/// Judges a plan. The same plan always gets the same findings.
#[must_use]
pub fn judge(sections: &[PlacedSection<'_>], tasks: &[Task], terms: &[Term]) -> PlanQuality {
    let words = terms::TermWords::new(terms);
    let open: Vec<&Task> = tasks.iter().filter(|task| task.status.is_unfinished()).collect();
    let sections = sections::judge(sections, !tasks.is_empty(), &words);
    let tasks = tasks::judge(&open, tasks, !sections.is_empty(), &words);
    let scores = sections.iter().map(|one| one.score).chain(tasks.iter().map(|one| one.score));
    let (sum, count) = scores.fold((0_u64, 0_u64), |(sum, count), score| (sum + u64::from(score), count + 1));
    let score = (sum + count / 2).checked_div(count).map(|mean| u32::try_from(mean).unwrap_or(100));
    PlanQuality { score, sections, tasks }
}

fn judged<Id>(id: Id, title: &str, mut findings: Vec<QualityFinding>) -> Judged<Id> {
    findings.sort_by_key(|finding| finding.rule);
    let mut taken: BTreeMap<QualityRule, u32> = BTreeMap::new();
    for finding in &findings {
        let (one, most) = finding.rule.penalty();
        let taken = taken.entry(finding.rule).or_default();
        *taken = (*taken + one).min(most);
    }
    let score = 100_u32.saturating_sub(taken.values().sum());
    Judged { id, title: title.to_owned(), score, findings }
}

fn finding(rule: QualityRule, message: impl Into<String>) -> QualityFinding {
    QualityFinding { rule, message: message.into(), word: None }
}

fn finding_about(rule: QualityRule, word: &str, message: impl Into<String>) -> QualityFinding {
    QualityFinding { rule, message: message.into(), word: Some(word.to_lowercase()) }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
