//! What happens to windows, and what is done about it.

use tauri::{DragDropEvent, Manager as _, Runtime, Window, WindowEvent};
use tauri_specta::Event as _;

use crate::dto::{FilesDropped, FilesOver};
use crate::shell::Shell;
use crate::{exit, theme, windows};

/// Follows what happens to windows.
pub(crate) fn noticed<R: Runtime>(window: &Window<R>, event: &WindowEvent) {
    let shell = window.state::<Shell>();
    match event {
        WindowEvent::Focused(true) => shell.set_focused(window.label()),
        WindowEvent::CloseRequested { api, .. } if exit::holds_back(window.app_handle(), window.label()) => {
            api.prevent_close();
        }
        WindowEvent::Destroyed => windows::let_go(window.app_handle(), window.label()),
        WindowEvent::ThemeChanged(shown) => theme::follow(window, *shown),
        WindowEvent::DragDrop(event) => dragged(window, &shell, event),
        _ => {}
    }
}

/// Tells a page of files that are dragged over its window or dropped on it. Dropped files count as chosen by the person.
fn dragged<R: Runtime>(window: &Window<R>, shell: &Shell, event: &DragDropEvent) {
    let (app, to) = (window.app_handle(), windows::target(window.label()));
    // It fails only while the window is closing.
    let _closing = match event {
        DragDropEvent::Enter { .. } => FilesOver { over: true }.emit_to(app, to),
        DragDropEvent::Leave => FilesOver { over: false }.emit_to(app, to),
        DragDropEvent::Drop { paths, .. } => {
            shell.remember_chosen(paths);
            let paths = paths.iter().map(|path| path.display().to_string()).collect();
            FilesDropped { paths }.emit_to(app, to)
        }
        _ => Ok(()),
    };
}
