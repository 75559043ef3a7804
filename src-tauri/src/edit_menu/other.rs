//! On macOS and Windows the system's own items work.

use tauri::menu::{Submenu, SubmenuBuilder};
use tauri::{AppHandle, Runtime, WebviewWindow};

/// Makes the menu.
///
/// # Errors
/// The system refuses to make it.
pub(crate) fn build<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    let menu = SubmenuBuilder::new(app, "&Edit");
    let menu = if cfg!(target_os = "macos") { menu.undo().redo().separator() } else { menu };
    menu.cut().copy().paste().select_all().build()
}

/// The system carries its own items out.
pub(crate) fn chosen<R: Runtime>(_window: &WebviewWindow<R>, _id: &str) {}
