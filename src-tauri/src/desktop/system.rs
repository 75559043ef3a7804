//! The real desktop: native dialogs, the file manager, the bundled CLI. Only Rust can reach these plugins; no
//! capability gives them to a webview.

use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault};
use tauri::{AppHandle, Manager as _, Runtime};
use tauri_plugin_opener::OpenerExt as _;
use tauri_plugin_shell::ShellExt as _;

use super::{Desktop, Question, dialogs};

/// The CLI as it is bundled: the only program the shell plugin is ever asked for.
const CLI: &str = "loopwright";
const CLI_TIME: Duration = Duration::from_secs(5);

/// The desktop the app runs on.
#[derive(Debug)]
pub struct SystemDesktop<R: Runtime>(AppHandle<R>);

impl<R: Runtime> SystemDesktop<R> {
    /// The desktop around an app.
    #[must_use]
    pub fn new(app: &AppHandle<R>) -> Self {
        Self(app.clone())
    }
}

impl<R: Runtime> Desktop for SystemDesktop<R> {
    fn confirm(&self, window: &str, question: &Question) -> bool {
        self.0.get_webview_window(window).is_some_and(|window| dialogs::ask(&window, question))
    }

    fn choose_folder(&self, window: &str, title: &str) -> Option<PathBuf> {
        dialogs::choose_folder(&self.0.get_webview_window(window)?, title)
    }

    fn reveal(&self, folder: &Path) -> Result<(), Fault> {
        self.0.opener().open_path(folder.to_string_lossy(), None::<&str>).map_err(|error| {
            Fault::new(ErrorCode::ProcessSpawn, format!("the file manager could not be opened: {error}"))
                .hint(format!("The folder is {}.", folder.display()))
        })
    }

    fn cli_version(&self) -> Option<String> {
        let command = self.0.shell().sidecar(CLI).ok()?.arg("--version");
        let output = tauri::async_runtime::block_on(async {
            tokio::time::timeout(CLI_TIME, command.output()).await.ok()?.ok()
        })?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().strip_prefix(CLI)?.trim().to_owned().into()).flatten()
    }
}
