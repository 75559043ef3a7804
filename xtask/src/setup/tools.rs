//! cargo-deny, pinned and kept in the user's cache.

use std::path::PathBuf;

use crate::failure::{Failure, Outcome};
use crate::folders;
use crate::programs::{self, Version, version_of};
use crate::workspace::{Workspace, executable};

/// The version `deny.toml` is written for.
const CARGO_DENY: Version = Version([0, 20, 2]);

/// Path of cargo-deny. Builds it on first use, in cargo's dev profile: a minute instead of several, and fast
/// enough for a graph of this size.
pub(crate) fn cargo_deny(workspace: &Workspace) -> Outcome<PathBuf> {
    if let Some(found) = programs::find("cargo-deny").filter(|found| version_of(found) == Some(CARGO_DENY)) {
        return Ok(found);
    }
    let home = folders::cache()?.join("tools").join(format!("cargo-deny-{CARGO_DENY}"));
    let program = home.join("bin").join(executable("cargo-deny"));
    if program.is_file() {
        return Ok(program);
    }
    let version = CARGO_DENY.to_string();
    workspace
        .step("cargo")
        .args(["install", "--locked", "cargo-deny", "--version", &version, "--no-default-features"])
        .args(["--profile", "dev", "--root"])
        .arg(&home)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        // Its build output is of no use afterwards: cargo puts it into a temporary folder and removes it.
        .without_env("CARGO_TARGET_DIR")
        .run()
        .map_err(|failure| {
            Failure::new(format!("cargo-deny {version} is missing and cannot be installed. {failure}"))
        })?;
    Ok(program)
}
