//! Native dialogs on macOS and Windows. Which button the Enter key means is the system's choice there.

use std::path::PathBuf;

use tauri::{Runtime, WebviewWindow};
use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons, MessageDialogKind};

use super::Question;

/// Asks over a window and waits for the answer. A dialog that is closed in any other way is a no.
pub(super) fn ask<R: Runtime>(window: &WebviewWindow<R>, question: &Question) -> bool {
    window
        .dialog()
        .message(&question.text)
        .title(&question.title)
        .kind(MessageDialogKind::Warning)
        .buttons(MessageDialogButtons::OkCancelCustom(question.yes.clone(), "Cancel".into()))
        .parent(window)
        .blocking_show()
}

/// Lets a person choose a folder over a window; none when the dialog was closed.
pub(super) fn choose_folder<R: Runtime>(window: &WebviewWindow<R>, title: &str) -> Option<PathBuf> {
    window.dialog().file().set_parent(window).set_title(title).blocking_pick_folder()?.into_path().ok()
}
