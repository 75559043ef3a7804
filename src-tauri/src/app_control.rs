//! Does what the tray and notifications ask of the app, by its windows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loopwright_domain::{ControlKind, Origin};
use loopwright_engine::{Host, Project};
use tauri::{AppHandle, Manager as _, Runtime};
use tauri_specta::Event as _;
use tokio::sync::mpsc;

use crate::background::{AppControl, Background, ProjectView, SystemServices};
use crate::desktop::Question;
use crate::run_dto::ShowView;
use crate::shell::Shell;
use crate::windows;

/// Begins what the app does outside of its windows, with the desktop's own services.
pub(crate) fn start_background<R: Runtime>(app: &AppHandle<R>, host: Host) -> Background {
    let (chosen, choices) = mpsc::unbounded_channel();
    let services = SystemServices::of_app(app, chosen);
    Background::start(host, Arc::new(TauriControl(app.clone())), Arc::new(services), choices)
}

/// The app's own windows.
#[derive(Debug)]
struct TauriControl<R: Runtime>(AppHandle<R>);

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
