//! `--answers FILE`: what a person would type, as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use loopwright_domain::wizard::{WizardEdit, WizardPhase};
use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::wizard::read_json;
use serde::Deserialize;
use serde_json::Value;

use crate::commands::run::read_prompt;
use crate::context::Context;

/// The file; `docs/wizard.md` describes it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Answers {
    /// The idea in the person's own words.
    pub(crate) idea: Option<String>,
    /// Questions and their answers.
    pub(crate) questions: BTreeMap<String, String>,
    /// What each phase holds, by its name.
    pub(crate) phases: BTreeMap<String, Value>,
    /// Fields, items or lists that are locked, as `phase.name`.
    pub(crate) locked: Vec<String>,
    /// Further edits, in order, before the phase they belong to is accepted.
    pub(crate) edits: Vec<WizardEdit>,
}

impl Answers {
    pub(super) fn read(context: &Context, file: Option<&Path>) -> Result<Self, Fault> {
        let Some(file) = file else { return Ok(Self::default()) };
        let text = read_prompt(context, file)?;
        let wrong = |message: String| {
            Fault::new(ErrorCode::UsageInvalid, format!("{}: {message}", file.display()))
                .hint("docs/wizard.md describes the file.")
        };
        let value = read_json(&text).map_err(|fault| wrong(fault.message))?;
        let answers: Self = serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
        for name in answers.phases.keys() {
            super::phase_named(name)?;
        }
        Ok(answers)
    }

    /// What a phase holds.
    pub(super) fn phase(&self, phase: WizardPhase) -> Option<&Value> {
        self.phases.iter().find(|(name, _)| WizardPhase::find(name) == Some(phase)).map(|(_, value)| value)
    }

    /// What is locked in a phase.
    pub(super) fn locks(&self, phase: WizardPhase) -> Vec<WizardEdit> {
        let of_phase = |text: &String| {
            let (name, path) = text.split_once('.')?;
            (WizardPhase::find(name)? == phase).then(|| WizardEdit::Lock {
                phase,
                path: path.to_owned(),
                locked: true,
            })
        };
        self.locked.iter().filter_map(of_phase).collect()
    }

    /// The edits that belong to a phase.
    pub(super) fn edits_of(&self, phase: WizardPhase) -> impl Iterator<Item = &WizardEdit> {
        self.edits.iter().filter(move |edit| belongs(edit) == phase)
    }
}

/// The phase that an edit belongs to. What is about the wizard as a whole comes first.
fn belongs(edit: &WizardEdit) -> WizardPhase {
    match edit {
        WizardEdit::SetField { phase, .. }
        | WizardEdit::Lock { phase, .. }
        | WizardEdit::AddItem { phase, .. }
        | WizardEdit::RemoveItem { phase, .. }
        | WizardEdit::MoveItem { phase, .. }
        | WizardEdit::MoveToList { phase, .. }
        | WizardEdit::AskAssumption { phase, .. }
        | WizardEdit::ConfirmAssumption { phase, .. }
        | WizardEdit::TakeChanges { phase, .. }
        | WizardEdit::LeaveChanges { phase, .. }
        | WizardEdit::SetPrompt { phase, .. }
        | WizardEdit::Accept { phase }
        | WizardEdit::GoBack { phase }
        | WizardEdit::LookAt { phase }
        | WizardEdit::Keep { phase } => *phase,
        WizardEdit::MergeFinding { .. } | WizardEdit::DismissFinding { .. } => WizardPhase::Gaps,
        WizardEdit::SplitTask { .. }
        | WizardEdit::MergeTasks { .. }
        | WizardEdit::ReorderTask { .. }
        | WizardEdit::Depend { .. }
        | WizardEdit::Undepend { .. } => WizardPhase::TaskReview,
        _ => WizardPhase::Vision,
    }
}
