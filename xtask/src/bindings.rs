//! `cargo xtask bindings`: writes the UI's TypeScript bindings from the Rust commands and events.

use crate::failure::Outcome;
use crate::setup::{self, Need};
use crate::workspace::Workspace;
use crate::{cargo, ui};

/// Rewrites the committed bindings. `cargo xtask test` fails while they are stale.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    setup::ensure(workspace, &[Need::Build, Need::Window])?;
    ui::build(workspace)?;
    cargo::bindings_test(workspace).env("UPDATE_BINDINGS", "1").run()
}
