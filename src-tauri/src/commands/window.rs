//! About the calling window and this Loopwright.

use loopwright_domain::{ErrorCode, Fault};
use tauri::{Runtime, State, WebviewWindow};

use super::waiting;
use crate::dto::{AppInfo, Platform, WindowContext};
use crate::shell::Shell;

/// Names a file that is made once the first window has been painted: for measuring.
const PAINT_FILE: &str = "LOOPWRIGHT_PAINT_FILE";

/// Which Loopwright this is.
#[tauri::command]
#[specta::specta]
pub(crate) async fn app_info<R: Runtime>(
    _window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<AppInfo, Fault> {
    let desktop = shell.desktop();
    let cli_version = waiting(move || desktop.cli_version()).await?;
    Ok(AppInfo { version: env!("CARGO_PKG_VERSION").to_owned(), platform: Platform::here(), cli_version })
}

/// What the calling window shows.
#[tauri::command]
#[specta::specta]
pub(crate) fn window_context<R: Runtime>(window: WebviewWindow<R>, shell: State<'_, Shell>) -> WindowContext {
    match shell.shown(window.label()) {
        Some((root, name)) => WindowContext::Project { path: root.display().to_string(), name },
        None => WindowContext::Start { problem: shell.start_problem() },
    }
}

/// The page says that a person can see it.
#[tauri::command]
#[specta::specta]
pub(crate) fn first_paint<R: Runtime>(
    _window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<(), Fault> {
    let Some(file) = shell.host().variables.get(PAINT_FILE) else { return Ok(()) };
    std::fs::write(file, "")
        .map_err(|error| Fault::new(ErrorCode::IoFailed, format!("cannot write {PAINT_FILE}: {error}")))
}
