//! The native question on macOS and Windows. Which button the Enter key means is the system's choice there.

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
