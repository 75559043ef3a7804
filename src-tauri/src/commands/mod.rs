//! The commands of the webview. Each is thin: it finds the calling window's project, checks what came in, and asks
//! the engine.

pub(crate) mod agents;
pub(crate) mod checks;
pub(crate) mod gates;
pub(crate) mod history;
pub(crate) mod output;
pub(crate) mod outside;
pub(crate) mod project;
pub(crate) mod projects;
pub(crate) mod runs;
pub(crate) mod settings;
pub(crate) mod tasks;
pub(crate) mod window;

use loopwright_domain::{ErrorCode, Fault};

/// Runs something that waits for a person or the system without holding up other commands.
pub(crate) async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    tauri::async_runtime::spawn_blocking(work)
        .await
        .map_err(|error| Fault::new(ErrorCode::Internal, format!("a background task failed: {error}")))
}
