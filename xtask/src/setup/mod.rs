//! `cargo xtask setup`: installs what is missing, says exactly what it cannot install, and is silent otherwise.

mod install;
mod node;
mod packages;
mod system;
mod tools;

use std::env;
use std::ffi::OsString;

use crate::failure::{Failure, Outcome};
use crate::programs;
use crate::workspace::Workspace;

pub(crate) use self::packages::Need;
pub(crate) use self::tools::cargo_deny;

/// What every ordinary command together needs.
pub(crate) const EVERYTHING: &[Need] = &[Need::Build, Need::Window, Need::Test];

/// The browser for the UI's journeys: the one `CHROMIUM` names, else one that is installed.
pub(crate) fn browser() -> Option<OsString> {
    env::var_os("CHROMIUM").or_else(|| programs::find_any(packages::BROWSERS).map(Into::into))
}

/// Makes sure that the given needs are met: system packages, and Node with the UI's packages when a need has a UI.
pub(crate) fn ensure(workspace: &Workspace, needs: &[Need]) -> Outcome {
    let mut missing = Vec::new();
    if let Err(failure) = install::system_packages(workspace, needs) {
        missing.push(failure.to_string());
    }
    missing.extend(node::missing(needs));
    if !missing.is_empty() {
        return Err(Failure::new(missing.join("\n")));
    }
    if needs.contains(&Need::Window) {
        node::install_packages(workspace)?;
    }
    Ok(())
}
