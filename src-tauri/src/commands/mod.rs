//! The commands of the webview. Each is thin: it finds the calling window's project, checks what came in, and asks
//! the engine.

pub(crate) mod agents;
pub(crate) mod checks;
pub(crate) mod gates;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod memory;
pub(crate) mod metrics;
pub(crate) mod output;
pub(crate) mod outside;
pub(crate) mod project;
pub(crate) mod projects;
pub(crate) mod prompt;
pub(crate) mod runs;
pub(crate) mod settings;
pub(crate) mod spec;
pub(crate) mod tasks;
pub(crate) mod window;
pub(crate) mod wizard;

use loopwright_domain::{ErrorCode, Fault};
use tauri::{Runtime, WebviewWindow};

pub(crate) use crate::blocking::waiting;
use crate::desktop::Question;
use crate::shell::Shell;

/// Asks in a native dialog over the calling window.
///
/// # Errors
/// The person did not agree; `otherwise` says what that means.
pub(crate) async fn confirmed<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
    question: Question,
    otherwise: &str,
) -> Result<(), Fault> {
    let (desktop, label) = (shell.desktop(), window.label().to_owned());
    if waiting(move || desktop.confirm(&label, &question)).await? {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::ConfirmationDeclined, otherwise))
}

/// Writes a text to a file that the person names in a native dialog over the calling window. Gives back where; none when
/// the dialog was closed.
///
/// # Errors
/// The file cannot be written.
pub(crate) async fn write_chosen<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
    title: &'static str,
    name: &'static str,
    text: String,
) -> Result<Option<String>, Fault> {
    let (desktop, label) = (shell.desktop(), window.label().to_owned());
    let Some(file) = waiting(move || desktop.choose_new_file(&label, title, name)).await? else {
        return Ok(None);
    };
    let shown = file.display().to_string();
    let written = waiting(move || std::fs::write(file, text)).await?;
    written.map_err(|error| {
        Fault::caused(ErrorCode::IoFailed, format_args!("{shown} could not be written"), &error)
            .hint("Choose another folder.")
    })?;
    Ok(Some(shown))
}
