//! On Linux the system's own items do nothing in a web view, so each item is an editing command of the web view.

use tauri::menu::{MenuItem, Submenu, SubmenuBuilder};
use tauri::{AppHandle, Runtime, WebviewWindow};
use webkit2gtk::WebViewExt as _;

/// Item id, which is WebKit's name for the command, and text. The keys work by themselves in the web view.
const ITEMS: &[(&str, &str)] = &[
    ("Undo", "&Undo"),
    ("Redo", "&Redo"),
    ("Cut", "Cu&t"),
    ("Copy", "&Copy"),
    ("Paste", "&Paste"),
    ("SelectAll", "Select &all"),
];

/// Makes the menu.
///
/// # Errors
/// The system refuses to make it.
pub(crate) fn build<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    let mut menu = SubmenuBuilder::new(app, "&Edit");
    for (id, text) in ITEMS {
        if *id == "Cut" {
            menu = menu.separator();
        }
        menu = menu.item(&MenuItem::with_id(app, *id, *text, true, None::<&str>)?);
    }
    menu.build()
}

/// Carries out an item of this menu in a window.
pub(crate) fn chosen<R: Runtime>(window: &WebviewWindow<R>, id: &str) {
    if let Some((command, _)) = ITEMS.iter().find(|(item, _)| *item == id) {
        // It fails only while the window is closing.
        let _closing = window.with_webview(|webview| webview.inner().execute_editing_command(command));
    }
}
