//! The wizard: from an idea, a document or existing code to a plan that can be run, in nine phases.
//!
//! A phase's data is a [`Form`]: fields, and lists of items that have fields. What a form of a phase holds is said once, in
//! [`FormShape::of`]; prompts, the schema of an answer, validation, the command line and the app all come from it. Every
//! field has a value, where it came from, and whether a person wrote or locked it. What an agent answers is merged by
//! [`merge::propose`]: what a person wrote or locked never changes without consent.

mod command;
pub mod edit;
pub mod finding;
pub mod flow;
pub mod form;
mod form_problems;
pub mod launch;
pub mod merge;
pub mod mode;
mod names;
pub mod path;
mod phase;
mod shape;
mod state;
pub mod tasks;
pub mod trial;

#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;

pub use command::WizardEdit;
pub use finding::{Finding, FindingStatus};
pub use form::{Assumption, Field, FieldOrigin, FieldValue, Form, FormProblem, Item};
pub use launch::{Forecast, ForecastBasis, LaunchSummary, Range};
pub use merge::{FormChange, FormChangeKind, Proposal};
pub use mode::ModeChoice;
pub use path::FieldPath;
pub use phase::{PhaseState, WizardPhase};
pub use shape::{FieldKind, FieldShape, FormShape, ListShape};
pub use state::{
    PhaseRecord, PhaseTrouble, StartDocument, StartQuestion, WIZARD_VERSION, Wizard, WizardAgent, WizardCaps,
    WizardId, WizardInput, WizardScope, WizardStatus,
};
pub use tasks::{PlannedSection, PlannedTask, PlannedTasks};
pub use trial::{CheckTrial, CheckTrialOutcome, PlannedCheck};
