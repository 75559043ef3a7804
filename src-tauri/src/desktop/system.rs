//! The real desktop: native dialogs, the file manager, the bundled CLI. Only Rust can reach these plugins; no
//! capability gives them to a webview.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault, RunId};
use loopwright_engine::Host;
use serde::Deserialize;
use tauri::{AppHandle, Manager as _, Runtime};
use tauri_plugin_shell::ShellExt as _;
use tauri_plugin_shell::process::{Command, Output};

use super::{Choice, Desktop, Question, dialogs};

/// The CLI as it is bundled: the only program the shell plugin is ever asked for.
const CLI: &str = "loopwright";
const CLI_TIME: Duration = Duration::from_secs(5);
/// How long a run may take to begin in the CLI: large trees are looked through before.
const BEGIN_TIME: Duration = Duration::from_secs(60);

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

    fn choose(&self, window: &str, choice: &Choice) -> Option<usize> {
        dialogs::choose(&self.0.get_webview_window(window)?, choice)
    }

    fn choose_folder(&self, window: &str, title: &str) -> Option<PathBuf> {
        dialogs::choose_folder(&self.0.get_webview_window(window)?, title)
    }

    fn choose_files(&self, window: &str, title: &str) -> Vec<PathBuf> {
        let window = self.0.get_webview_window(window);
        window.map(|window| dialogs::choose_files(&window, title)).unwrap_or_default()
    }

    fn choose_new_file(&self, window: &str, title: &str, name: &str) -> Option<PathBuf> {
        dialogs::choose_new_file(&self.0.get_webview_window(window)?, title, name)
    }

    fn reveal(&self, host: &Host, folder: &Path) -> Result<(), Fault> {
        self.open(host, folder.as_os_str()).map_err(|error| {
            Fault::caused(ErrorCode::ProcessSpawn, "the file manager could not be opened", &error)
                .hint(format!("The folder is {}.", folder.display()))
        })
    }

    fn open_file(&self, host: &Host, file: &Path) -> Result<(), Fault> {
        self.open(host, file.as_os_str()).map_err(|error| {
            Fault::caused(ErrorCode::ProcessSpawn, "no program opened the file", &error)
                .hint("Choose an editor in the settings under App.")
        })
    }

    fn open_link(&self, host: &Host, url: &str) -> Result<(), Fault> {
        self.open(host, OsStr::new(url)).map_err(|error| {
            Fault::caused(ErrorCode::ProcessSpawn, "the browser could not be opened", &error)
                .hint("Copy the address and open it yourself.")
        })
    }

    fn cli_version(&self) -> Option<String> {
        let output = self.cli(CLI_TIME, |command| command.arg("--version")).ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().strip_prefix(CLI)?.trim().to_owned().into()).flatten()
    }

    fn keep_running(&self, host: &Host, root: &Path, run: RunId) -> Result<u32, Fault> {
        let output = self.cli(BEGIN_TIME, |command| {
            command
                .envs(&host.variables)
                .env("LOOPWRIGHT_CONFIG_DIR", &host.config_dir)
                .env("LOOPWRIGHT_DATA_DIR", &host.data_dir)
                .arg("--dir")
                .arg(root)
                .args(["--json", "resume", "--detach", "--wait"])
                .arg(run.to_string())
        })?;
        let answer: CliReply = serde_json::from_slice(&output.stdout).map_err(|_| {
            let said = String::from_utf8_lossy(&output.stderr);
            no_cli(&format!("it said: {}", said.trim().chars().take(LONGEST_WORDS).collect::<String>()))
        })?;
        match answer {
            CliReply::Begun { pid } => Ok(pid),
            CliReply::Refused { error } => Err(error),
        }
    }
}

/// How much of what the CLI said is told.
const LONGEST_WORDS: usize = 500;

/// What the CLI answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum CliReply {
    Begun { pid: u32 },
    Refused { error: Fault },
}

impl<R: Runtime> SystemDesktop<R> {
    /// Hands something to the desktop. The plugin would take the first program of that name on the search path, which
    /// may be one of the project's.
    #[cfg(target_os = "linux")]
    fn open(&self, host: &Host, target: &OsStr) -> Result<(), Fault> {
        loopwright_engine::editor::open_on_desktop(host, target)
    }

    #[cfg(not(target_os = "linux"))]
    fn open(&self, _host: &Host, target: &OsStr) -> Result<(), tauri_plugin_opener::Error> {
        use tauri_plugin_opener::OpenerExt as _;
        self.0.opener().open_path(target.to_string_lossy(), None::<&str>)
    }

    /// Runs the bundled CLI to its end.
    fn cli(&self, time: Duration, with: impl FnOnce(Command) -> Command) -> Result<Output, Fault> {
        let command = self.0.shell().sidecar(CLI).map_err(|error| no_cli(&error.to_string()))?;
        let ended = tauri::async_runtime::block_on(async {
            tokio::time::timeout(time, with(command).output()).await
        });
        ended.map_err(|_| no_cli("it did not answer in time"))?.map_err(|error| no_cli(&error.to_string()))
    }
}

fn no_cli(why: &str) -> Fault {
    Fault::new(ErrorCode::ProcessSpawn, format!("the command line tool that came with the app failed: {why}"))
        .hint("Install Loopwright again if this goes on.")
}
