//! The commands of the webview. Each is thin: it finds the calling window's project, checks what came in, and asks
//! the engine.

pub(crate) mod agents;
pub(crate) mod checks;
pub(crate) mod gates;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod output;
pub(crate) mod outside;
pub(crate) mod project;
pub(crate) mod projects;
pub(crate) mod runs;
pub(crate) mod settings;
pub(crate) mod tasks;
pub(crate) mod window;

use loopwright_domain::{ErrorCode, Fault};
use tauri::{Runtime, WebviewWindow};

use crate::desktop::Question;
use crate::shell::Shell;

/// Runs something that waits for a person or the system without holding up other commands.
pub(crate) async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    tauri::async_runtime::spawn_blocking(work)
        .await
        .map_err(|error| Fault::new(ErrorCode::Internal, format!("a background task failed: {error}")))
}

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
