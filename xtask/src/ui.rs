//! Builds the UI, which the app embeds.

use crate::failure::Outcome;
use crate::fingerprint::{Fingerprint, stamp_matches, write_stamp};
use crate::programs::npm;
use crate::setup;
use crate::step::Step;
use crate::workspace::Workspace;

/// Folders below `ui/` that are not inputs of the build.
const NOT_INPUTS: &[&str] = &["node_modules", "dist", "dist-mock", "dist-contract", "tests"];

/// Builds `ui/dist` unless it is the result of exactly these inputs.
pub(crate) fn build(workspace: &Workspace) -> Outcome {
    let stamp = workspace.ui().join("node_modules").join(".loopwright-build");
    if stamp_matches(&stamp, &state(workspace)?) {
        return Ok(());
    }
    script(workspace, "build").run()?;
    if workspace.dry_run { Ok(()) } else { write_stamp(&stamp, &state(workspace)?) }
}

/// One of the scripts of `ui/package.json`.
pub(crate) fn script(workspace: &Workspace, name: &str) -> Step {
    workspace.step(npm()).args(["run", "--silent", name]).dir(workspace.ui())
}

/// Builds `ui/dist-contract`: what the tests of the shell put into its window. It is no part of the app.
pub(crate) fn build_contract(workspace: &Workspace) -> Outcome {
    script(workspace, "build:contract").run()
}

/// The UI in a headless browser against its mock backend.
pub(crate) fn journeys(workspace: &Workspace) -> Step {
    script(workspace, "test:journeys").envs(setup::browser().map(|browser| ("CHROMIUM", browser)))
}

/// The figures of the output in a headless browser.
pub(crate) fn bench(workspace: &Workspace) -> Step {
    script(workspace, "bench").envs(setup::browser().map(|browser| ("CHROMIUM", browser)))
}

/// Inputs and output together: a changed source and a missing or altered `dist` both lead to a build.
fn state(workspace: &Workspace) -> Outcome<String> {
    let ui = workspace.ui();
    let mut fingerprint = Fingerprint::new();
    fingerprint.add_folder(&ui, NOT_INPUTS)?;
    fingerprint.add_file(&ui.join("node_modules").join(".loopwright-packages"));
    fingerprint.add_folder(&ui.join("dist"), &[])?;
    Ok(fingerprint.text())
}
