//! The wizard: nine phases from an idea, a document or existing code to a plan that can be run.
//!
//! [`Wizards`] is the façade. A wizard lives in the user's data folder until its plan is applied; until then nothing is
//! written into the project. Every call that changes one saves it before it returns, and returns it as a [`WizardView`]:
//! the wizard with what follows from it.
//!
//! | to | call |
//! |---|---|
//! | begin, list, look at, throw away | [`Wizards::create`], [`Wizards::list`], [`Wizards::show`], [`Wizards::discard`] |
//! | do anything a person does in a form | [`Wizards::edit`] with a [`WizardEdit`](loopwright_domain::wizard::WizardEdit) |
//! | fill in a whole phase by hand | [`Wizards::fill_in`] |
//! | add documents, survey the code, note what the project has | [`Wizards::add_documents`], [`Wizards::survey_code`], [`Wizards::note_project`] |
//! | let an agent fill in or re-run a phase or one field, or ask it for a change | [`Wizards::run_phase`] |
//! | run the proposed checks once | [`Wizards::try_checks`] |
//! | see what a launch would do | [`Wizards::launch_summary`] |
//! | write spec, tasks and settings into the project | [`Wizards::apply`] |
//!
//! Starting the run afterwards is a run like any other: [`crate::Project::runs`].

mod answer;
mod api;
mod apply;
mod backend;
mod checks;
mod existing;
mod folder;
mod launch;
mod manage;
mod phase;
mod prompt;
mod roles;
mod survey;
mod view;

use std::path::PathBuf;

use loopwright_config::Host;
use loopwright_domain::wizard::{CheckTrial, WizardAgent, WizardCaps, WizardPhase, WizardScope};
use loopwright_domain::{AgentEvent, Usage};
use serde::{Deserialize, Serialize};

pub use apply::{APPLY_CRASH_POINTS, ProposedCommands};
pub use manage::{form_json, read_json};
pub use phase::API;
pub use view::{PhaseProblems, WizardSummary, WizardView, shapes};

/// The wizards of a user.
#[derive(Clone, Copy, Debug)]
pub struct Wizards<'h> {
    host: &'h Host,
}

/// What a new wizard begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct NewWizard {
    /// The project's folder. It need not be there yet.
    pub folder: PathBuf,
    /// The project's name, when the person said one.
    pub name: Option<String>,
    /// What it is for.
    pub scope: Option<WizardScope>,
    /// The idea in the person's own words.
    pub idea: String,
    /// Documents to start from: files of Markdown, text, Word or PDF.
    pub documents: Vec<PathBuf>,
    /// Whether to start from the code in the folder.
    pub from_code: bool,
    /// The template of the spec; none for `spec`.
    pub template: Option<String>,
    /// The agent; none for filling in by hand.
    pub agent: Option<WizardAgent>,
    /// What its agents may use; none for the usual.
    pub caps: Option<WizardCaps>,
}

/// What an agent is asked for in a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct PhaseRequest {
    /// Only this field, item or list; none for the whole phase.
    pub path: Option<String>,
    /// A change in the person's own words.
    pub request: Option<String>,
}

/// What happens while an agent works on a phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WizardUpdate {
    /// The prompt, before the agent starts.
    Prompt {
        /// The phase.
        phase: WizardPhase,
        /// Which try it is, counted from 1: the second repairs, the third is strict.
        attempt: u32,
        /// The whole prompt.
        text: String,
        /// How many tokens that is, roughly.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        tokens: u64,
    },
    /// Something the agent said or did.
    Agent {
        /// The phase.
        phase: WizardPhase,
        /// The event.
        event: AgentEvent,
    },
    /// Which parts of the answer have arrived, by field or list: how many items are complete.
    Arrived {
        /// The phase.
        phase: WizardPhase,
        /// The name of the field or list.
        name: String,
        /// How many items.
        items: u32,
    },
    /// The answer could not be used, and the agent is asked again.
    Again {
        /// The phase.
        phase: WizardPhase,
        /// Why.
        problem: String,
    },
    /// What was used so far by this phase.
    Used {
        /// The phase.
        phase: WizardPhase,
        /// In all tries.
        usage: Usage,
    },
    /// A check has been tried.
    Check {
        /// How it went.
        trial: CheckTrial,
    },
}

/// Takes what happens, as it happens.
pub type WizardObserver<'o> = &'o mut (dyn FnMut(WizardUpdate) + Send);

impl<'h> Wizards<'h> {
    /// The wizards of a host's user.
    #[must_use]
    pub const fn of(host: &'h Host) -> Self {
        Self { host }
    }
}
