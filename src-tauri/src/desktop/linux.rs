//! Native dialogs on Linux. GTK is asked directly: dialogs then belong to their window, and "Cancel" can be what the
//! Enter key means in a question.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};

use gtk::prelude::{
    DialogExt as _, FileChooserExt as _, GtkWindowExt as _, MessageDialogExt as _, NativeDialogExt as _,
    WidgetExt as _,
};
use gtk::{
    ApplicationWindow, ButtonsType, DialogFlags, FileChooserAction, FileChooserNative, MessageDialog,
    MessageType, ResponseType,
};
use tauri::{Runtime, WebviewWindow};

use super::{Choice, Question};

/// Asks over a window and waits for the answer. A dialog that is closed in any other way is a no.
pub(super) fn ask<R: Runtime>(window: &WebviewWindow<R>, question: &Question) -> bool {
    let buttons = vec![(question.yes.clone(), ResponseType::Accept)];
    let answer = message(window, &question.title, &question.text, buttons, ResponseType::Cancel);
    answer == Some(ResponseType::Accept)
}

/// Lets a person choose between two answers over a window; none when the dialog is closed in any other way.
pub(super) fn choose<R: Runtime>(window: &WebviewWindow<R>, choice: &Choice) -> Option<usize> {
    let answers = [ResponseType::Yes, ResponseType::No];
    let buttons = choice.answers.iter().cloned().zip(answers).rev().collect();
    let answer = message(window, &choice.title, &choice.text, buttons, ResponseType::Yes)?;
    answers.iter().position(|other| *other == answer)
}

/// Shows a message with "Cancel" and other buttons, and gives what was pressed.
fn message<R: Runtime>(
    window: &WebviewWindow<R>,
    title: &str,
    text: &str,
    buttons: Vec<(String, ResponseType)>,
    default: ResponseType,
) -> Option<ResponseType> {
    let (title, text) = (title.to_owned(), text.to_owned());
    shown(window, move |parent, answer| {
        let flags = DialogFlags::MODAL | DialogFlags::DESTROY_WITH_PARENT;
        let dialog = MessageDialog::new(Some(parent), flags, MessageType::Warning, ButtonsType::None, &title);
        dialog.set_title("Loopwright");
        dialog.set_secondary_text(Some(&text));
        dialog.add_button("Cancel", ResponseType::Cancel);
        for (label, response) in &buttons {
            dialog.add_button(label, *response);
        }
        dialog.set_default_response(default);
        dialog.connect_response(move |dialog, response| {
            // Nobody waits any more only when the app is ending.
            let _late = answer.send(response);
            dialog.close();
        });
        dialog.show_all();
    })
}

/// Lets a person choose a folder over a window; none when the dialog was closed.
pub(super) fn choose_folder<R: Runtime>(window: &WebviewWindow<R>, title: &str) -> Option<PathBuf> {
    choose_paths(window, title, FileChooserAction::SelectFolder, None).pop()
}

/// Lets a person choose files over a window; none when the dialog was closed.
pub(super) fn choose_files<R: Runtime>(window: &WebviewWindow<R>, title: &str) -> Vec<PathBuf> {
    choose_paths(window, title, FileChooserAction::Open, None)
}

/// Lets a person name a file to be written over a window; none when the dialog was closed.
pub(super) fn choose_new_file<R: Runtime>(
    window: &WebviewWindow<R>,
    title: &str,
    name: &str,
) -> Option<PathBuf> {
    choose_paths(window, title, FileChooserAction::Save, Some(name)).pop()
}

fn choose_paths<R: Runtime>(
    window: &WebviewWindow<R>,
    title: &str,
    action: FileChooserAction,
    name: Option<&str>,
) -> Vec<PathBuf> {
    let (title, name) = (title.to_owned(), name.map(ToOwned::to_owned));
    shown(window, move |parent, answer| {
        let dialog =
            FileChooserNative::new(Some(&title), Some(parent), action, Some("Choose"), Some("Cancel"));
        dialog.set_modal(true);
        dialog.set_select_multiple(action == FileChooserAction::Open);
        if let Some(name) = &name {
            dialog.set_current_name(name);
            dialog.set_do_overwrite_confirmation(true);
        }
        // No window owns this kind of dialog, so it keeps itself until it is answered.
        let keep = RefCell::new(Some(dialog.clone()));
        dialog.connect_response(move |dialog, response| {
            let chosen = if response == ResponseType::Accept { dialog.filenames() } else { Vec::new() };
            let _late = answer.send(chosen);
            dialog.destroy();
            keep.take();
        });
        dialog.show();
    })
    .unwrap_or_default()
}

/// Shows a dialog on the main thread and waits for what it sends; none when it vanished without.
fn shown<R: Runtime, T: Send + 'static>(
    window: &WebviewWindow<R>,
    show: impl FnOnce(&ApplicationWindow, Sender<T>) + Send + 'static,
) -> Option<T> {
    let (answer, answered) = mpsc::channel();
    let parent = window.clone();
    let asked = window.run_on_main_thread(move || {
        if let Ok(parent) = parent.gtk_window() {
            show(&parent, answer);
        }
    });
    asked.ok().and_then(|()| answered.recv().ok())
}
