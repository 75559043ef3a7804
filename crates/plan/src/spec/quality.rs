//! How good a project's plan is.

use loopwright_domain::Fault;
use loopwright_domain::quality::{PlacedSection, PlanQuality, judge};
use serde::Serialize;

use super::sources::SpecSource;
use crate::plan::Plan;

/// What `spec check` finds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
        let placed: Vec<PlacedSection<'_>> = sections
            .iter()
            .map(|found| PlacedSection {
                section: &found.section,
                parent: found.parent,
                linked: !found.tasks.is_empty(),
            })
            .collect();
        Ok(SpecCheck { quality: judge(&placed, &tasks, &terms), sources: self.spec_sources().await? })
    }
}
