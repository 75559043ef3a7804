//! The checks of the calling window's project.

use loopwright_domain::{CheckResult, Fault};
use loopwright_engine::check::{CheckDraft, CheckUpdate, ChecksReport};
use tauri::ipc::Channel;
use tauri::{Runtime, State, WebviewWindow};

use super::pending;
use crate::shell::Shell;

/// All checks, how they went last and how they have been going.
#[tauri::command]
#[specta::specta]
pub(crate) async fn checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<ChecksReport, Fault> {
    pending(window, shell)
}

/// Runs checks now: the ones named, or all that are on. Tells meanwhile what happens.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    names: Vec<String>,
    channel: Channel<CheckUpdate>,
) -> Result<Vec<CheckResult>, Fault> {
    let _ = (names, channel);
    pending(window, shell)
}

/// Stops the checks that this window runs.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<(), Fault> {
    pending(window, shell)
}

/// Adds a check, or changes the one with the name `old`. A command line is asked about in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_check<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    old: Option<String>,
    draft: CheckDraft,
) -> Result<ChecksReport, Fault> {
    let _ = (old, draft);
    pending(window, shell)
}

/// Adds suggested checks by name, as the folder suggests them now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_suggested_checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    names: Vec<String>,
) -> Result<ChecksReport, Fault> {
    let _ = names;
    pending(window, shell)
}

/// Takes a check out of the configuration.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_check<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
) -> Result<ChecksReport, Fault> {
    let _ = name;
    pending(window, shell)
}

/// Switches a check on or off.
#[tauri::command]
#[specta::specta]
pub(crate) async fn enable_check<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
    enabled: bool,
) -> Result<ChecksReport, Fault> {
    let _ = (name, enabled);
    pending(window, shell)
}

/// Moves a check to another place in the order, counted from 0.
#[tauri::command]
#[specta::specta]
pub(crate) async fn move_check<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
    to: u32,
) -> Result<ChecksReport, Fault> {
    let _ = (name, to);
    pending(window, shell)
}
