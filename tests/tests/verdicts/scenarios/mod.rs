//! The scenarios, in files by what they are about.

mod agent_commits;
mod baseline_and_environment;
mod checks_that_edit;
mod claims;
mod commit_hooks;
mod filters;
mod gates_one_tree;
mod ignored_files;
mod layouts;
mod left_out_files;
mod lock;
mod loop_and_fix_gates;
mod nothing_changed;
mod odd_files;
mod odd_settings;
mod reach;
mod records;
mod repository_tampering;
mod resume_and_limits;
mod secrets;
mod user_edits_meanwhile;
mod weakening;

use crate::scenario::Scenario;

/// Every scenario, with the file it is in.
pub(crate) fn all() -> Vec<(&'static str, Scenario)> {
    let files = [
        ("agent_commits", agent_commits::all()),
        ("baseline_and_environment", baseline_and_environment::all()),
        ("checks_that_edit", checks_that_edit::all()),
        ("claims", claims::all()),
        ("commit_hooks", commit_hooks::all()),
        ("filters", filters::all()),
        ("gates_one_tree", gates_one_tree::all()),
        ("ignored_files", ignored_files::all()),
        ("layouts", layouts::all()),
        ("left_out_files", left_out_files::all()),
        ("lock", lock::all()),
        ("loop_and_fix_gates", loop_and_fix_gates::all()),
        ("nothing_changed", nothing_changed::all()),
        ("odd_files", odd_files::all()),
        ("odd_settings", odd_settings::all()),
        ("reach", reach::all()),
        ("records", records::all()),
        ("repository_tampering", repository_tampering::all()),
        ("resume_and_limits", resume_and_limits::all()),
        ("secrets", secrets::all()),
        ("user_edits_meanwhile", user_edits_meanwhile::all()),
        ("weakening", weakening::all()),
    ];
    files.into_iter().flat_map(|(file, all)| all.into_iter().map(move |scenario| (file, scenario))).collect()
}
