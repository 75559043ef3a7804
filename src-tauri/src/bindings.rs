//! The one list of what the webview may call and hear. The UI's TypeScript is generated from it.

use std::path::Path;

use specta_typescript::Typescript;
use tauri::Runtime;
use tauri_specta::{Builder, collect_commands, collect_events};

use crate::commands::{
    agents, checks, gates, history, import, memory, metrics, output, outside, project, projects, prompt,
    runs, settings, spec, tasks, window, wizard,
};
use crate::dto::{FilesDropped, FilesOver, MenuAction, OpenFailed, ProjectChanged, WindowStart};
use crate::run_dto::{CloseAsked, ShowView};

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
            window::enable_menu::<tauri::Wry>,
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
            runs::run_choices::<tauri::Wry>,
            runs::preview_run::<tauri::Wry>,
            runs::start_run::<tauri::Wry>,
            runs::resume_run::<tauri::Wry>,
            runs::ask_run::<tauri::Wry>,
            runs::run_state::<tauri::Wry>,
            runs::runs::<tauri::Wry>,
            runs::follow::<tauri::Wry>,
            runs::close_window::<tauri::Wry>,
            runs::close_asked_shown::<tauri::Wry>,
            output::output_info::<tauri::Wry>,
            output::output_page::<tauri::Wry>,
            output::output_entry::<tauri::Wry>,
            output::search_output::<tauri::Wry>,
            output::find_error::<tauri::Wry>,
            history::iterations::<tauri::Wry>,
            history::iteration::<tauri::Wry>,
            history::diff_files::<tauri::Wry>,
            history::diff_file::<tauri::Wry>,
            history::preview_restore::<tauri::Wry>,
            history::restore_tree::<tauri::Wry>,
            history::undo_restore::<tauri::Wry>,
            outside::open_file::<tauri::Wry>,
            outside::open_link::<tauri::Wry>,
            checks::checks::<tauri::Wry>,
            checks::run_checks::<tauri::Wry>,
            checks::stop_checks::<tauri::Wry>,
            checks::save_check::<tauri::Wry>,
            checks::add_suggested_checks::<tauri::Wry>,
            checks::remove_check::<tauri::Wry>,
            checks::enable_check::<tauri::Wry>,
            checks::move_check::<tauri::Wry>,
            tasks::task_board::<tauri::Wry>,
            tasks::task::<tauri::Wry>,
            tasks::add_task::<tauri::Wry>,
            tasks::edit_task::<tauri::Wry>,
            tasks::edit_tasks::<tauri::Wry>,
            tasks::move_tasks::<tauri::Wry>,
            tasks::place_task::<tauri::Wry>,
            tasks::begin_task::<tauri::Wry>,
            tasks::finish_task::<tauri::Wry>,
            tasks::give_up_task::<tauri::Wry>,
            tasks::sections::<tauri::Wry>,
            import::choose_files::<tauri::Wry>,
            import::import_tasks::<tauri::Wry>,
            import::import_spec::<tauri::Wry>,
            spec::spec_view::<tauri::Wry>,
            spec::spec_section::<tauri::Wry>,
            spec::section_history::<tauri::Wry>,
            spec::search_spec::<tauri::Wry>,
            spec::judge_section::<tauri::Wry>,
            spec::save_section::<tauri::Wry>,
            spec::add_section::<tauri::Wry>,
            spec::remove_sections::<tauri::Wry>,
            spec::accept_tasks::<tauri::Wry>,
            spec::put_term::<tauri::Wry>,
            spec::remove_term::<tauri::Wry>,
            wizard::wizard_shapes::<tauri::Wry>,
            wizard::wizard_templates::<tauri::Wry>,
            wizard::wizards::<tauri::Wry>,
            wizard::wizard::<tauri::Wry>,
            wizard::new_wizard::<tauri::Wry>,
            wizard::edit_wizard::<tauri::Wry>,
            wizard::add_wizard_documents::<tauri::Wry>,
            wizard::survey_code::<tauri::Wry>,
            wizard::run_wizard_phase::<tauri::Wry>,
            wizard::stop_wizard::<tauri::Wry>,
            wizard::try_wizard_checks::<tauri::Wry>,
            wizard::wizard_launch::<tauri::Wry>,
            wizard::apply_wizard::<tauri::Wry>,
            wizard::discard_wizard::<tauri::Wry>,
            gates::gates::<tauri::Wry>,
            gates::gate::<tauri::Wry>,
            gates::decide_gate::<tauri::Wry>,
            gates::approve_with_left_out::<tauri::Wry>,
            gates::comment_gate::<tauri::Wry>,
            gates::uncomment_gate::<tauri::Wry>,
            gates::revert_work::<tauri::Wry>,
            prompt::preview_prompt::<tauri::Wry>,
            prompt::keep_prompt_choices::<tauri::Wry>,
            prompt::prompt_of::<tauri::Wry>,
            metrics::failure_patterns::<tauri::Wry>,
            metrics::metrics::<tauri::Wry>,
            metrics::health::<tauri::Wry>,
            metrics::export_metrics::<tauri::Wry>,
            memory::failures::<tauri::Wry>,
            memory::solutions::<tauri::Wry>,
            memory::solution::<tauri::Wry>,
            memory::save_solution::<tauri::Wry>,
            memory::retire_solution::<tauri::Wry>,
            memory::refresh_solution::<tauri::Wry>,
            memory::export_solutions::<tauri::Wry>,
            memory::import_solutions::<tauri::Wry>,
            memory::learnings::<tauri::Wry>,
            memory::save_learning::<tauri::Wry>,
            memory::remove_learning::<tauri::Wry>,
            settings::settings::<tauri::Wry>,
            settings::set_setting::<tauri::Wry>,
            settings::set_agent_program::<tauri::Wry>,
            settings::save_own_agent::<tauri::Wry>,
            settings::doctor::<tauri::Wry>,
            agents::agents::<tauri::Wry>,
            agents::try_agent::<tauri::Wry>,
        ])
        .typ::<WindowStart>()
        .events(collect_events![
            ProjectChanged,
            MenuAction,
            OpenFailed,
            CloseAsked,
            ShowView,
            FilesDropped,
            FilesOver,
        ])
}

/// Writes the UI's bindings.
///
/// # Errors
/// A type cannot be described in TypeScript, or the file cannot be written.
pub fn write(file: &Path) -> Result<(), specta_typescript::Error> {
    builder::<tauri::Wry>().export(Typescript::default(), file)
}

/// The table by which the isolation frame knows the commands and their arguments, made from the UI's bindings.
#[must_use]
pub fn isolation_commands(bindings: &str) -> String {
    let calls = bindings.split("__TAURI_INVOKE(\"").skip(1).filter_map(|rest| {
        let (name, rest) = rest.split_once('"')?;
        let (given, _) = rest.split_once(')')?;
        let names = given.trim_start_matches([',', ' ', '{']).trim_end_matches([' ', '}']);
        let quoted: Vec<String> =
            names.split(", ").filter(|name| !name.is_empty()).map(|name| format!("\"{name}\"")).collect();
        Some(format!("  {name}: [{}],\n", quoted.join(", ")))
    });
    format!(
        "// Generated by \"cargo xtask bindings\": every command, with the arguments it takes.\n\
         window.__LOOPWRIGHT_COMMANDS__ = {{\n{}}};\n",
        calls.collect::<String>()
    )
}
