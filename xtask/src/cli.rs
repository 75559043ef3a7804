//! `cargo xtask cli`: builds the CLI and runs it in the caller's folder.

use std::env;
use std::ffi::OsString;

use crate::cargo;
use crate::failure::{Context, Outcome};
use crate::setup::{self, Need};
use crate::workspace::{Profile, Workspace};

/// Builds the CLI, runs it with `args` and gives its exit code back.
pub(crate) fn run(workspace: &Workspace, args: &[OsString]) -> Outcome<i32> {
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_headless(workspace, Profile::Dev)?;
    let here = env::current_dir().context("cannot tell the current folder")?;
    workspace.step(workspace.built(Profile::Dev, "loopwright")).args(args).dir(here).exit_code()
}
