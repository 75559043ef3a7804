//! A wizard as it is saved.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::form::Form;
use super::merge::Proposal;
use super::phase::{PhaseState, WizardPhase};
use super::trial::CheckTrial;
use crate::fault::Fault;
use crate::ids::RunId;
use crate::usage::Usage;
use crate::word::words;

/// The name of a wizard: letters, digits and `-`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(transparent)]
pub struct WizardId(pub String);

impl fmt::Display for WizardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

words! {
    /// What a wizard is for.
    WizardScope {
        /// A project with spec, tasks, checks and settings: all nine phases.
        Project = "project",
        /// Only the spec: the first five phases.
        Spec = "spec",
    }
}

impl WizardScope {
    /// Its last phase.
    #[must_use]
    pub const fn last(self) -> WizardPhase {
        match self {
            Self::Project => WizardPhase::Launch,
            Self::Spec => WizardPhase::Generate,
        }
    }
}

words! {
    /// Where a wizard as a whole stands.
    WizardStatus {
        /// Being filled in. Nothing is written into the project.
        Open = "open",
        /// Its plan is being written into the project; completed on the next resume if that was cut off.
        Applying = "applying",
        /// Its plan is in the project.
        Applied = "applied",
    }
}

/// The agent that fills phases in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct WizardAgent {
    /// Its name, such as `claude`; `api` for an OpenAI-compatible HTTP API.
    pub name: String,
    /// The model; none leaves it to the agent.
    pub model: Option<String>,
    /// The address of the API, such as `http://localhost:11434/v1`; only for `api`.
    pub base_url: Option<String>,
}

/// What the wizard's agents may use, in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct WizardCaps {
    /// Money in millionths of a US dollar; none is without a limit.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub max_cost_micros: Option<u64>,
    /// Tokens; none is without a limit.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub max_tokens: Option<u64>,
}

impl Default for WizardCaps {
    fn default() -> Self {
        Self { max_cost_micros: Some(5_000_000), max_tokens: Some(4_000_000) }
    }
}

/// A question with the person's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct StartQuestion {
    /// The question.
    pub question: String,
    /// The answer; empty while it is not answered.
    pub answer: String,
}

/// A document that the wizard starts from. Its text is kept beside the wizard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct StartDocument {
    /// The file's name.
    pub name: String,
    /// The digest of its text, by which the text is found.
    pub digest: String,
    /// How many words it has.
    pub words: u32,
}

/// What a wizard starts from. All of it is the person's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct WizardInput {
    /// The idea, in the person's own words.
    pub idea: String,
    /// Questions and their answers.
    pub questions: Vec<StartQuestion>,
    /// The documents.
    pub documents: Vec<StartDocument>,
    /// What the code in the folder is, as Markdown; none when the wizard does not start from code.
    pub survey: Option<String>,
    /// The sections and tasks that the project in the folder has already, as Markdown; none where there are none.
    pub plan: Option<String>,
}

/// Why a phase has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PhaseTrouble {
    /// What happened, and what to do.
    pub fault: Fault,
    /// The file with what the agent answered, word for word; none when it answered nothing.
    pub answer_file: Option<String>,
}

/// One phase as it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PhaseRecord {
    /// The phase.
    pub phase: WizardPhase,
    /// How far it is.
    pub state: PhaseState,
    /// Its data.
    pub form: Form,
    /// What the last re-run would change, as far as nobody has decided.
    pub proposal: Proposal,
    /// The prompt as a person wrote it; none for the usual one.
    pub prompt: Option<String>,
    /// What was asked for in words, oldest first.
    pub requests: Vec<String>,
    /// The agent's words beside its last answer.
    pub remark: Option<String>,
    /// Why there is no answer, when it failed.
    pub trouble: Option<PhaseTrouble>,
    /// Whether an agent has filled it in before: a further run only proposes.
    pub answered: bool,
    /// What agents used for it.
    pub usage: Usage,
    /// The digest of the phases before it, as they were when it was filled in.
    pub basis: Option<String>,
    /// Its state before it was worked on or went out of date.
    pub before: Option<PhaseState>,
}

impl PhaseRecord {
    /// A phase with nothing in it.
    #[must_use]
    pub fn open(phase: WizardPhase) -> Self {
        Self {
            phase,
            state: PhaseState::Open,
            form: Form::default(),
            proposal: Proposal::default(),
            prompt: None,
            requests: Vec::new(),
            remark: None,
            trouble: None,
            answered: false,
            usage: Usage::default(),
            basis: None,
            before: None,
        }
    }
}

/// A wizard: what it starts from, its phases, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Wizard {
    /// The version of this format.
    pub version: u32,
    /// Its name.
    pub id: WizardId,
    /// How often it was saved: who changes it says which one was seen.
    pub revision: u32,
    /// The folder of the project to be, as an absolute path. It need not be there yet.
    pub folder: String,
    /// What it is for.
    pub scope: WizardScope,
    /// Where it stands.
    pub status: WizardStatus,
    /// The template of the spec.
    pub template: String,
    /// The agent; none for filling in by hand.
    pub agent: Option<WizardAgent>,
    /// What its agents may use.
    pub caps: WizardCaps,
    /// What it starts from.
    pub input: WizardInput,
    /// All nine phases, in order; a list in JSON.
    #[serde(with = "phase_list")]
    #[cfg_attr(feature = "specta", specta(type = Vec<PhaseRecord>))]
    pub phases: BTreeMap<WizardPhase, PhaseRecord>,
    /// The phase that is being looked at.
    pub current: WizardPhase,
    /// What its agents used, in all.
    pub usage: Usage,
    /// How the proposed checks went, each on its last try.
    pub trials: Vec<CheckTrial>,
    /// The last number that was given to an item.
    pub last_item: u32,
    /// When it was begun, as RFC 3339 in UTC.
    pub created_at: String,
    /// When it was saved last.
    pub updated_at: String,
    /// The run that it started.
    pub run: Option<RunId>,
}

/// The version of the format that is written.
pub const WIZARD_VERSION: u32 = 1;

impl Wizard {
    /// A wizard with nothing in it.
    #[must_use]
    pub fn new(id: WizardId, folder: impl Into<String>, scope: WizardScope, at: impl Into<String>) -> Self {
        let at = at.into();
        Self {
            version: WIZARD_VERSION,
            id,
            revision: 0,
            folder: folder.into(),
            scope,
            status: WizardStatus::Open,
            template: "spec".to_owned(),
            agent: None,
            caps: WizardCaps::default(),
            input: WizardInput::default(),
            phases: WizardPhase::ALL.iter().map(|phase| (*phase, PhaseRecord::open(*phase))).collect(),
            current: WizardPhase::Vision,
            usage: Usage::default(),
            trials: Vec::new(),
            last_item: 0,
            created_at: at.clone(),
            updated_at: at,
            run: None,
        }
    }
}

/// The phases as a list.
mod phase_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::{PhaseRecord, WizardPhase};

    pub(super) fn serialize<S: Serializer>(
        phases: &BTreeMap<WizardPhase, PhaseRecord>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(phases.values())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<WizardPhase, PhaseRecord>, D::Error> {
        let records = Vec::<PhaseRecord>::deserialize(deserializer)?;
        Ok(records.into_iter().map(|record| (record.phase, record)).collect())
    }
}
