//! About the calling window and this Loopwright.

use loopwright_domain::{ErrorCode, Fault};
use tauri::{Manager as _, Runtime, State, WebviewWindow};

use super::waiting;
use crate::dto::{AppInfo, Platform};
use crate::shell::Shell;
use crate::{menu_items, windows};

/// Name files that are made when the first window can be seen and when it can be worked with: for measuring.
const PAINT_FILE: &str = "LOOPWRIGHT_PAINT_FILE";
const READY_FILE: &str = "LOOPWRIGHT_READY_FILE";

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

/// The page says that a person can see its frame.
#[tauri::command]
#[specta::specta]
pub(crate) fn first_paint<R: Runtime>(
    _window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<(), Fault> {
    note(&shell, PAINT_FILE)
}

/// The page says that it shows its content and answers.
#[tauri::command]
#[specta::specta]
pub(crate) fn ready<R: Runtime>(_window: WebviewWindow<R>, shell: State<'_, Shell>) -> Result<(), Fault> {
    note(&shell, READY_FILE)
}

/// Makes the file that a variable names, if it is set.
fn note(shell: &Shell, variable: &str) -> Result<(), Fault> {
    let Some(file) = shell.host().variables.get(variable) else { return Ok(()) };
    std::fs::write(file, "")
        .map_err(|error| Fault::caused(ErrorCode::IoFailed, format_args!("cannot write {variable}"), &error))
}

/// Tells which menu items this window can carry out now. Only the window a person works in decides.
#[tauri::command]
#[specta::specta]
pub(crate) fn enable_menu<R: Runtime>(
    window: WebviewWindow<R>,
    _shell: State<'_, Shell>,
    ids: Vec<String>,
) -> Result<(), Fault> {
    let app = window.app_handle();
    if windows::current(app).is_some_and(|current| current.label() == window.label()) {
        menu_items::enable(app, &ids);
    }
    Ok(())
}
