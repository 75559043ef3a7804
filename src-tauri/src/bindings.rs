//! The one list of what the webview may call and hear. The UI's TypeScript is generated from it.

use std::path::Path;

use specta_typescript::Typescript;
use tauri::Runtime;
use tauri_specta::{Builder, collect_commands, collect_events};

use crate::commands::{project, projects, settings, window};
use crate::dto::{MenuAction, OpenFailed, ProjectChanged, WindowStart};

/// All commands and events.
#[must_use]
pub fn builder<R: Runtime>() -> Builder<R> {
    // One type per Rust type: nothing here differs between the two directions.
    Builder::<R>::new()
        .disable_serde_phases()
        .commands(collect_commands![
            window::app_info::<tauri::Wry>,
            window::first_paint::<tauri::Wry>,
            window::ready::<tauri::Wry>,
            projects::start_page::<tauri::Wry>,
            projects::forget_recent::<tauri::Wry>,
            projects::choose_folder::<tauri::Wry>,
            projects::inspect_folder::<tauri::Wry>,
            projects::create_project::<tauri::Wry>,
            projects::create_sample::<tauri::Wry>,
            projects::open_project::<tauri::Wry>,
            project::overview::<tauri::Wry>,
            project::trust_project::<tauri::Wry>,
            project::search_tasks::<tauri::Wry>,
            project::events_since::<tauri::Wry>,
            project::reveal_project::<tauri::Wry>,
            settings::settings::<tauri::Wry>,
            settings::set_setting::<tauri::Wry>,
            settings::set_agent_program::<tauri::Wry>,
            settings::doctor::<tauri::Wry>,
        ])
        .typ::<WindowStart>()
        .events(collect_events![ProjectChanged, MenuAction, OpenFailed])
}

/// Writes the UI's bindings.
///
/// # Errors
/// A type cannot be described in TypeScript, or the file cannot be written.
pub fn write(file: &Path) -> Result<(), specta_typescript::Error> {
    builder::<tauri::Wry>().export(Typescript::default(), file)
}
