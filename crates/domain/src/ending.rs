//! What ended or stopped a run, in plain words, and what a person can do next. The same for the terminal and the app.

use serde::{Deserialize, Serialize};

use crate::word::words;

words! {
    /// Something a person can do about a run that ended or stopped.
    NextAction {
        /// Go on with the run.
        Resume = "resume",
        /// Start the same again.
        StartAgain = "start_again",
        /// Give the run more of what it used up.
        RaiseLimit = "raise_limit",
        /// Read the iteration that went wrong.
        ReadIteration = "read_iteration",
        /// Read the checks that fail.
        ReadChecks = "read_checks",
        /// Look at what was changed.
        ReviewChanges = "review_changes",
        /// Make room on the disk.
        FreeSpace = "free_space",
        /// Bring back what was deleted.
        Recover = "recover",
        /// Look at the settings of the agent.
        AgentSettings = "agent_settings",
    }
}

/// One thing to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct NextStep {
    /// What to do: the app makes a button of it.
    pub action: NextAction,
    /// The same in words.
    pub text: String,
}

/// What ended or stopped a run, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Ending {
    /// A few words.
    pub headline: String,
    /// One or two sentences.
    pub explanation: String,
    /// What to do next, the best first; none when there is nothing to do.
    pub steps: Vec<NextStep>,
}
