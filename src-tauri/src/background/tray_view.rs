//! What the tray says, as plain data.

use std::path::PathBuf;

use loopwright_domain::RunStatus;
use loopwright_engine::run::RunState;

use super::Chosen;
use super::app_control::awaits_approval;
use super::notification::plain;

/// The last entry of the menu.
pub(super) const QUIT: &str = "Quit Loopwright";

/// The tray while runs go on without a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrayView {
    /// The projects, one at least.
    pub projects: Vec<TrayProject>,
}

/// A project in the tray.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrayProject {
    /// Its folder.
    pub root: PathBuf,
    /// Its name.
    pub name: String,
    /// Where its run stands, and how many gates are open: `iteration 3/20 · 1 gate waits for you`.
    pub status: String,
    /// How many gates wait for the person.
    pub gates: u32,
    /// Whether its run works and can be asked to stop.
    pub live: bool,
    /// Whether something of it waits for the person's decision.
    pub needs_person: bool,
}

/// An entry of a project's menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) text: String,
    pub(super) enabled: bool,
    pub(super) chosen: Chosen,
}

impl TrayProject {
    /// A project, its newest run and how many of its gates are open.
    #[must_use]
    pub fn new(root: PathBuf, name: &str, state: Option<&RunState>, gates: u32) -> Self {
        Self {
            root,
            name: plain(name),
            status: state.map_or_else(|| "starting".into(), |state| status(state, gates)),
            gates,
            live: state.is_some_and(|state| state.live.is_some()),
            needs_person: gates > 0 || state.is_some_and(awaits_approval),
        }
    }

    /// The project and its run on one line.
    #[must_use]
    pub fn heading(&self) -> String {
        format!("{}: {}", self.name, self.status)
    }

    /// What can be done with it.
    pub(super) fn entries(&self) -> [Entry; 3] {
        let entry = |text: &str, enabled, choice: fn(PathBuf) -> Chosen| Entry {
            text: text.to_owned(),
            enabled,
            chosen: choice(self.root.clone()),
        };
        let open = match (self.gates, self.needs_person) {
            (0, false) => "Open".to_owned(),
            (0, true) => "Review…".to_owned(),
            (gates, _) => format!("Review ({gates})…"),
        };
        [
            entry(&open, true, Chosen::Open),
            entry("Pause after this iteration", self.live, Chosen::PauseAfterIteration),
            entry("Cancel…", self.live, Chosen::Cancel),
        ]
    }
}

impl TrayView {
    /// All of it, one line for each project.
    #[must_use]
    pub fn tooltip(&self) -> String {
        self.projects.iter().map(TrayProject::heading).collect::<Vec<_>>().join("\n")
    }

    /// How many gates wait for the person, in all projects.
    #[must_use]
    pub fn gates(&self) -> u32 {
        self.projects.iter().fold(0, |gates, project| gates.saturating_add(project.gates))
    }

    /// Whether no run works any more.
    #[must_use]
    pub fn at_rest(&self) -> bool {
        self.projects.iter().all(|project| !project.live)
    }

    /// Whether something here waits for the person: a decision, or nothing goes on any more.
    #[must_use]
    pub fn wants_attention(&self) -> bool {
        self.at_rest() || self.projects.iter().any(|project| project.needs_person)
    }
}

fn status(state: &RunState, gates: u32) -> String {
    let waiting = match gates {
        0 => None,
        1 => Some("1 gate waits for you".to_owned()),
        gates => Some(format!("{gates} gates wait for you")),
    };
    let words = match state.run.status {
        RunStatus::Running => "running",
        RunStatus::Paused => "paused",
        RunStatus::Waiting if awaits_approval(state) => "waiting for your approval",
        RunStatus::Waiting => "waiting",
        RunStatus::Completed => "completed",
        RunStatus::Aborted => "stopped",
        RunStatus::Interrupted => "interrupted",
        RunStatus::Cancelled => "cancelled",
    };
    let words = match waiting {
        Some(waiting) if awaits_approval(state) => waiting,
        Some(waiting) => format!("{words} · {waiting}"),
        None => words.to_owned(),
    };
    let under_way = u32::from(state.current.is_some());
    let number = state.run.progress.iteration.saturating_add(under_way);
    match (number, state.run.limits.max_iterations) {
        (0, _) => words,
        (number, 0) => format!("iteration {number} · {words}"),
        (number, most) => format!("iteration {number}/{most} · {words}"),
    }
}
