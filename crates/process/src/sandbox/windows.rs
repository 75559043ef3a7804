//! Windows and all other systems: no sandbox.

use std::ffi::OsString;
use std::path::Path;

use super::Sandbox;
use crate::command::Command;

/// There is none.
pub(super) const PROGRAM: Option<&str> = None;
/// Whether folders can be shown in the place of others.
pub(super) const CAN_MOUNT: bool = false;

/// Never asked: there is no program that could be told anything.
pub(super) fn arguments(_sandbox: &Sandbox, _command: &Command) -> Vec<OsString> {
    Vec::new()
}

/// Never asked.
pub(super) fn try_out(_program: &Path) -> Result<(), String> {
    Err("there is no sandbox on this system".to_owned())
}
