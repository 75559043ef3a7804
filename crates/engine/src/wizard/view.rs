//! A wizard with what follows from it, as command line and app show it.

use loopwright_domain::quality::PlanQuality;
use loopwright_domain::wizard::{
    Assumption, Finding, FormProblem, FormShape, PhaseState, PlannedTasks, Wizard, WizardId, WizardPhase,
    WizardScope, WizardStatus, finding, tasks,
};
use serde::Serialize;

/// A wizard in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct WizardSummary {
    /// Its id.
    pub id: WizardId,
    /// What the project is called; the folder's name until somebody said one.
    pub name: String,
    /// The project's folder.
    pub folder: String,
    /// What it is for.
    pub scope: WizardScope,
    /// Where it stands.
    pub status: WizardStatus,
    /// The phase that is being looked at.
    pub current: WizardPhase,
    /// How many phases are accepted.
    pub accepted: u32,
    /// When it was saved last.
    pub updated_at: String,
}

impl WizardSummary {
    pub(super) fn of(wizard: &Wizard) -> Self {
        let accepted = wizard.phases.values().filter(|record| record.state == PhaseState::Accepted).count();
        Self {
            id: wizard.id.clone(),
            name: name(wizard),
            folder: wizard.folder.clone(),
            scope: wizard.scope,
            status: wizard.status,
            current: wizard.current,
            accepted: u32::try_from(accepted).unwrap_or(u32::MAX),
            updated_at: wizard.updated_at.clone(),
        }
    }
}

/// What keeps a phase from being accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PhaseProblems {
    /// The phase.
    pub phase: WizardPhase,
    /// The problems; none when it can be accepted.
    pub problems: Vec<FormProblem>,
}

/// A wizard with what follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct WizardView {
    /// The wizard.
    pub wizard: Wizard,
    /// What the project is called; the folder's name until somebody said one.
    pub name: String,
    /// What was supposed and nobody said.
    pub assumptions: Vec<Assumption>,
    /// The findings of the gap analysis, the gravest first.
    pub findings: Vec<Finding>,
    /// The tasks in waves, with the critical path.
    pub tasks: PlannedTasks,
    /// The score of the plan, by rules. Sections and tasks are numbered by their places in the lists, from 1.
    pub quality: PlanQuality,
    /// What keeps each phase from being accepted.
    pub problems: Vec<PhaseProblems>,
    /// The prompt of the phase that is being looked at, as an agent would get it; empty for Launch.
    pub prompt: String,
}

impl WizardView {
    pub(super) fn of(wizard: Wizard, prompt: String) -> Self {
        let review = wizard.form(WizardPhase::TaskReview);
        let generated = wizard.form(WizardPhase::Generate);
        let planned = if review.items(tasks::TASKS).is_empty() { generated } else { review };
        let problems =
            |phase: &WizardPhase| PhaseProblems { phase: *phase, problems: wizard.problems(*phase) };
        Self {
            name: name(&wizard),
            assumptions: wizard.assumptions(),
            findings: finding::findings(wizard.form(WizardPhase::Gaps)),
            tasks: tasks::layout(planned),
            quality: tasks::quality(generated, planned),
            problems: WizardPhase::ALL.iter().map(problems).collect(),
            prompt,
            wizard,
        }
    }
}

/// What the forms of all phases hold, in order.
#[must_use]
pub fn shapes() -> Vec<FormShape> {
    WizardPhase::ALL.iter().map(|phase| *FormShape::of(*phase)).collect()
}

/// What the project of a wizard is called.
pub(super) fn name(wizard: &Wizard) -> String {
    match wizard.form(WizardPhase::Vision).text("project_name") {
        "" => crate::project::folder_name(std::path::Path::new(&wizard.folder)),
        name => name.to_owned(),
    }
}
