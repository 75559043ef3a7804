//! Native dialogs on macOS and Windows. Which button the Enter key means is the system's choice there.

use std::path::PathBuf;

use tauri::{Runtime, WebviewWindow};
use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons, MessageDialogKind, MessageDialogResult};

use super::{Choice, Question};

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

/// Lets a person choose between two answers over a window; none when the dialog is closed in any other way.
pub(super) fn choose<R: Runtime>(window: &WebviewWindow<R>, choice: &Choice) -> Option<usize> {
    let [first, second] = choice.answers.clone();
    let pressed = window
        .dialog()
        .message(&choice.text)
        .title(&choice.title)
        .kind(MessageDialogKind::Warning)
        .buttons(MessageDialogButtons::YesNoCancelCustom(first, second, "Cancel".into()))
        .parent(window)
        .blocking_show_with_result();
    match pressed {
        MessageDialogResult::Yes => Some(0),
        MessageDialogResult::No => Some(1),
        MessageDialogResult::Custom(label) => choice.answers.iter().position(|answer| *answer == label),
        MessageDialogResult::Ok | MessageDialogResult::Cancel => None,
    }
}

/// Lets a person choose a folder over a window; none when the dialog was closed.
pub(super) fn choose_folder<R: Runtime>(window: &WebviewWindow<R>, title: &str) -> Option<PathBuf> {
    window.dialog().file().set_parent(window).set_title(title).blocking_pick_folder()?.into_path().ok()
}

/// Lets a person name a file to be written over a window; none when the dialog was closed.
pub(super) fn choose_new_file<R: Runtime>(
    window: &WebviewWindow<R>,
    title: &str,
    name: &str,
) -> Option<PathBuf> {
    let dialog = window.dialog().file().set_parent(window).set_title(title).set_file_name(name);
    dialog.blocking_save_file()?.into_path().ok()
}

/// Lets a person choose files over a window; none when the dialog was closed.
pub(super) fn choose_files<R: Runtime>(window: &WebviewWindow<R>, title: &str) -> Vec<PathBuf> {
    let chosen = window.dialog().file().set_parent(window).set_title(title).blocking_pick_files();
    chosen.into_iter().flatten().filter_map(|file| file.into_path().ok()).collect()
}
