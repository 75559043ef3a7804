//! What crosses to the UI about runs and is the shell's own.

use loopwright_domain::{Automation, TaskId};
use loopwright_engine::run::RunSummary;
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri_specta::Event;

/// The work of a run that a person starts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum StartWork {
    /// One prompt, again and again.
    Prompt {
        /// What to do.
        text: String,
    },
    /// One procedure, again and again.
    Procedure {
        /// Which.
        name: String,
    },
    /// The pending tasks, wave by wave.
    Tasks {
        /// Only those of this group.
        tag: Option<String>,
        /// Only this one.
        task: Option<TaskId>,
        /// Only those of this wave.
        wave: Option<u32>,
    },
    /// The failing checks.
    Fix {
        /// What a person adds.
        extra: Option<String>,
    },
}

/// A setting for one run only.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct RunSetting {
    /// The dotted key: one of those of the loop, the limits, git, or the agent's times.
    pub(crate) key: String,
    /// The value, as in the settings.
    pub(crate) value: String,
}

/// What a person starts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct StartRun {
    /// The work.
    pub(crate) work: StartWork,
    /// The agent; none for the one that is taken unless told otherwise.
    pub(crate) harness: Option<String>,
    /// The model; none for the agent's own choice.
    pub(crate) model: Option<String>,
    /// How much the agent may do; none for what the settings say. `yolo` is asked about in a native dialog.
    pub(crate) automation: Option<Automation>,
    /// Settings for this run only.
    pub(crate) settings: Vec<RunSetting>,
    /// Whether an earlier run that was stopped may be left as it is.
    pub(crate) leave_earlier: bool,
}

/// What becomes of a run whose window is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CloseChoice {
    /// It goes on without a window, in the CLI that came with the app.
    KeepRunning,
    /// It stops after this iteration and can be resumed.
    StopAfterIteration,
    /// It stops now and can be resumed.
    StopNow,
    /// The window stays open.
    Stay,
}

/// The window is asked to close while its run works: the page asks the person and answers with `close_window`.
#[derive(Clone, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct CloseAsked {
    /// The run.
    pub(crate) run: RunSummary,
    /// Whether this app works on it; another process would go on by itself.
    pub(crate) own: bool,
}

/// Something outside of the page asks for a view: a notification or the tray was clicked.
#[derive(Clone, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct ShowView {
    /// The view, by its id.
    pub(crate) view: String,
}
