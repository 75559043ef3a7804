//! The items of the menu as they are: which of them can be chosen now.

use tauri::menu::MenuItemKind;
use tauri::{AppHandle, Runtime};

use crate::dto::MenuCommand;

/// Enables the items that the window a person works in can carry out now, and disables the others.
pub(crate) fn enable<R: Runtime>(app: &AppHandle<R>, ids: &[String]) {
    let Some(menu) = app.menu() else { return };
    let commands = |id: &str| MenuCommand::ALL.iter().any(|command| command.id() == id);
    let mut kinds = menu.items().unwrap_or_default();
    while let Some(kind) = kinds.pop() {
        match kind {
            MenuItemKind::Submenu(submenu) => kinds.extend(submenu.items().unwrap_or_default()),
            MenuItemKind::MenuItem(item) if commands(item.id().as_ref()) => {
                // It fails only while the app is ending.
                let _ending = item.set_enabled(ids.iter().any(|id| id == item.id().as_ref()));
            }
            _ => {}
        }
    }
}
