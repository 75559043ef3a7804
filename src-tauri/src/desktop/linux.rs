//! The native question on Linux. GTK is asked directly, because "Cancel" has to be what the Enter key means.

use std::sync::mpsc;

use gtk::prelude::{DialogExt as _, GtkWindowExt as _, MessageDialogExt as _, WidgetExt as _};
use gtk::{ButtonsType, DialogFlags, MessageDialog, MessageType, ResponseType};
use tauri::{Runtime, WebviewWindow};

use super::Question;

/// Asks over a window and waits for the answer. A dialog that is closed in any other way is a no.
pub(super) fn ask<R: Runtime>(window: &WebviewWindow<R>, question: &Question) -> bool {
    let (answer, answered) = mpsc::channel();
    let (parent, question) = (window.clone(), question.clone());
    let shown = window.run_on_main_thread(move || {
        let Ok(parent) = parent.gtk_window() else { return };
        let flags = DialogFlags::MODAL | DialogFlags::DESTROY_WITH_PARENT;
        let dialog = MessageDialog::new(
            Some(&parent),
            flags,
            MessageType::Warning,
            ButtonsType::None,
            &question.title,
        );
        dialog.set_title("Loopwright");
        dialog.set_secondary_text(Some(&question.text));
        dialog.add_button("Cancel", ResponseType::Cancel);
        dialog.add_button(&question.yes, ResponseType::Accept);
        dialog.set_default_response(ResponseType::Cancel);
        dialog.connect_response(move |dialog, response| {
            // Nobody waits any more only when the app is ending.
            let _late = answer.send(response == ResponseType::Accept);
            dialog.close();
        });
        dialog.show_all();
    });
    shown.is_ok() && answered.recv().unwrap_or(false)
}
