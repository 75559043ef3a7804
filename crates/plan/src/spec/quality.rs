//! How good a project's plan is.

use loopwright_domain::quality::{PlacedSection, PlanQuality, judge};
use loopwright_domain::{Fault, SectionId};
use serde::Serialize;

use super::sections::SpecSection;
use super::sources::SpecSource;
use super::split_sections::words;
use crate::plan::Plan;

/// What `spec check` finds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecCheck {
    /// The score, and what was found in sections and tasks.
    #[serde(flatten)]
    pub quality: PlanQuality,
    /// The documents, with those that changed since they were imported.
    pub sources: Vec<SpecSource>,
}

impl Plan<'_> {
    /// Judges the spec and the tasks by the rules of the domain, and looks whether documents changed.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn check_spec(&self) -> Result<SpecCheck, Fault> {
        let sections = self.spec().await?;
        let (tasks, terms) = (self.store().tasks().await?, self.terms().await?);
        let placed = placed(&sections);
        Ok(SpecCheck { quality: judge(&placed, &tasks, &terms), sources: self.spec_sources().await? })
    }

    /// Judges the plan as it would be with another text in one section. Nothing is written.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn judge_draft(&self, id: SectionId, content: &str) -> Result<PlanQuality, Fault> {
        let mut sections = self.spec().await?;
        if let Some(found) = sections.iter_mut().find(|found| found.section.id == id) {
            content.trim_end().clone_into(&mut found.section.content);
            found.section.words = words(content);
        }
        let (tasks, terms) = (self.store().tasks().await?, self.terms().await?);
        Ok(judge(&placed(&sections), &tasks, &terms))
    }
}

/// The sections as the rules look at them.
#[must_use]
pub fn placed(sections: &[SpecSection]) -> Vec<PlacedSection<'_>> {
    sections
        .iter()
        .map(|found| PlacedSection {
            section: &found.section,
            parent: found.parent,
            linked: !found.tasks.is_empty(),
        })
        .collect()
}
