//! What is asked of the app itself from outside of its windows.

use std::path::Path;

use loopwright_domain::{RunStatus, WaitReason};
use loopwright_engine::run::RunState;

/// What a person is to see of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectView {
    /// Its run.
    Run,
    /// What waits for their decision.
    Review,
}

impl ProjectView {
    /// What matters about a project whose newest run is this.
    #[must_use]
    pub fn of(state: Option<&RunState>) -> Self {
        if state.is_some_and(awaits_approval) { Self::Review } else { Self::Run }
    }

    /// The view that shows it.
    pub(crate) const fn view(self) -> &'static str {
        match self {
            Self::Run => "overview",
            Self::Review => "review",
        }
    }
}

/// Whether a run stands still until a person has decided about its work.
pub(super) fn awaits_approval(state: &RunState) -> bool {
    state.run.status == RunStatus::Waiting && state.run.waiting == Some(WaitReason::Approval)
}

/// The app, seen from outside of its windows. Every method returns soon; what takes longer goes on by itself.
pub trait AppControl: Send + Sync {
    /// Whether the person has the project's window before them.
    fn focused(&self, project: &Path) -> bool;

    /// Brings the project's window to the front, opening it when there is none, and shows what matters.
    fn show(&self, project: &Path, sight: ProjectView);

    /// Asks the project's run to stop after this iteration.
    fn pause(&self, project: &Path);

    /// Asks the person over the project's window whether its run is to end, and ends it.
    fn cancel(&self, project: &Path);

    /// Ends the app, when it has no windows or the person asked for it.
    fn quit(&self, even_with_windows: bool);
}
