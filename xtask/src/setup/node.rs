//! Node and the UI's packages.

use super::packages::Need;
use crate::failure::Outcome;
use crate::fingerprint::{Fingerprint, stamp_matches, write_stamp};
use crate::programs::{self, Version, npm, version_of};
use crate::workspace::Workspace;

/// The oldest Node that the UI's build tools run on.
const OLDEST_NODE: Version = Version([20, 19, 0]);

/// What a person has to install by hand for `needs`.
pub(super) fn missing(needs: &[Need]) -> Option<String> {
    if !needs.contains(&Need::Window) {
        return None;
    }
    let advice = format!("Install Node.js {OLDEST_NODE} or newer with npm, then try again.");
    match version_of("node") {
        None => Some(format!("Node.js is missing. {advice}")),
        Some(found) if found < OLDEST_NODE => Some(format!("Node.js {found} is too old. {advice}")),
        Some(_) if programs::find("npm").is_none() => Some(format!("npm is missing. {advice}")),
        Some(_) => None,
    }
}

/// Installs the UI's packages unless they are the ones the lock file names.
pub(super) fn install_packages(workspace: &Workspace) -> Outcome {
    let ui = workspace.ui();
    let mut fingerprint = Fingerprint::new();
    fingerprint.add_file(&ui.join("package.json"));
    fingerprint.add_file(&ui.join("package-lock.json"));
    let expected = fingerprint.text();
    let stamp = ui.join("node_modules").join(".loopwright-packages");
    if stamp_matches(&stamp, &expected) {
        return Ok(());
    }
    workspace.step(npm()).args(["ci", "--no-audit", "--no-fund"]).dir(&ui).run()?;
    if workspace.dry_run { Ok(()) } else { write_stamp(&stamp, &expected) }
}
