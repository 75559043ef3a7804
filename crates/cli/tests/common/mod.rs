//! The CLI under test, on a throw-away machine.

use loopwright_testkit::{Output, Sandbox};

/// Runs the real program in the work folder.
pub fn loopwright(sandbox: &Sandbox, args: &[&str]) -> Output {
    sandbox.run(sandbox.command(env!("CARGO_BIN_EXE_loopwright")).args(args))
}

/// What it printed as JSON; it must be one document.
pub fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}
