//! `cargo xtask docs`: writes the references that are generated from the code.

use crate::cargo;
use crate::failure::Outcome;
use crate::setup::{self, Need};
use crate::workspace::Workspace;

/// Rewrites the committed references. `cargo xtask test` fails while they are stale.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    setup::ensure(workspace, &[Need::Build])?;
    cargo::reference_tests(workspace).env("UPDATE_DOCS", "1").run()
}
