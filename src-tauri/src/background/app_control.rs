//! What is asked of the app itself from outside of its windows.

use std::path::{Path, PathBuf};

use loopwright_domain::{ControlKind, Origin, RunStatus, WaitReason};
use loopwright_engine::Project;
use loopwright_engine::run::RunState;
use tauri::{AppHandle, Manager as _, Runtime};
use tauri_specta::Event as _;

use crate::desktop::Question;
use crate::run_dto::ShowView;
use crate::shell::Shell;
use crate::windows;

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
    const fn view(self) -> &'static str {
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

/// The app's own windows.
#[derive(Debug)]
pub struct TauriControl<R: Runtime>(AppHandle<R>);

impl<R: Runtime> TauriControl<R> {
    /// The front of an app.
    #[must_use]
    pub fn new(app: &AppHandle<R>) -> Self {
        Self(app.clone())
    }
}

impl<R: Runtime> AppControl for TauriControl<R> {
    fn focused(&self, project: &Path) -> bool {
        let window = self.0.get_webview_window(&windows::project_label(project));
        window.is_some_and(|window| window.is_focused().unwrap_or(false))
    }

    fn show(&self, project: &Path, sight: ProjectView) {
        let (app, project) = (self.0.clone(), project.to_owned());
        tauri::async_runtime::spawn(async move { drop(shown(&app, &project, sight).await) });
    }

    fn pause(&self, project: &Path) {
        ask(&self.0, project.to_owned(), ControlKind::PauseAfterIteration);
    }

    fn cancel(&self, project: &Path) {
        let (app, project) = (self.0.clone(), project.to_owned());
        tauri::async_runtime::spawn(async move {
            let Some(window) = shown(&app, &project, ProjectView::Run).await else { return };
            let desktop = app.state::<Shell>().desktop();
            let question = Question {
                title: "End this run for good?".into(),
                text: "The agent is stopped. What it changed stays as it is; the run cannot be resumed."
                    .into(),
                yes: "End the run".into(),
            };
            let agreed =
                tauri::async_runtime::spawn_blocking(move || desktop.confirm(&window, &question)).await;
            if agreed.is_ok_and(|agreed| agreed) {
                ask(&app, project, ControlKind::Cancel);
            }
        });
    }

    fn quit(&self, even_with_windows: bool) {
        if even_with_windows || self.0.webview_windows().is_empty() {
            self.0.exit(0);
        }
    }
}

/// Opens or raises a project's window on what matters, and gives the window's label.
async fn shown<R: Runtime>(app: &AppHandle<R>, project: &Path, sight: ProjectView) -> Option<String> {
    if let Err(fault) = windows::open_project(app, project, None).await {
        windows::second_start(app, Err(fault)).await;
        return None;
    }
    let label = windows::project_label(project);
    // A page that is still loading begins with the run, which says what it waits for.
    let _loading = ShowView { view: sight.view().into() }.emit_to(app, windows::target(&label));
    Some(label)
}

/// Writes a request to a project's run; whoever works on it reads it.
fn ask<R: Runtime>(app: &AppHandle<R>, project: PathBuf, kind: ControlKind) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let host = app.state::<Shell>().host().clone();
        let asked = match Project::open(&host, &project).await {
            Ok(project) => project.runs().ask(kind, Origin::App).await.map(drop),
            Err(fault) => Err(fault),
        };
        if let Err(fault) = asked {
            windows::second_start(&app, Err(fault)).await;
        }
    });
}
