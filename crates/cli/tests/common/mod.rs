//! The CLI under test, on a throw-away machine.

mod schema;

use std::path::PathBuf;

use loopwright_testkit::{Output, Sandbox};

#[allow(unused_imports, reason = "not every test program runs the program by itself")]
pub(crate) use schema::validate;

/// Runs the real program in the work folder. What it prints as JSON has to be what the published schema says.
pub(crate) fn loopwright(sandbox: &Sandbox, args: &[&str]) -> Output {
    let output = sandbox.run(sandbox.command(installed(sandbox)).args(args));
    validate(args, &output);
    output
}

/// What it printed as JSON; it must be one document.
#[expect(clippy::expect_used, reason = "in a test that is the report")]
#[allow(dead_code, reason = "not every test program reads JSON")]
pub(crate) fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&output.stdout).expect("one JSON document")
}

/// The program in a folder of its own, with a stand-in for the rehearsal agent and no app beside it: what else
/// was built into the target folder must not matter.
#[expect(clippy::expect_used, reason = "in a test that is the report")]
pub(crate) fn installed(sandbox: &Sandbox) -> PathBuf {
    let folder = sandbox.root().join("bin");
    let place = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let program = place("loopwright");
    if !program.exists() {
        std::fs::create_dir_all(&folder).expect("a folder for programs");
        for name in ["loopwright-rehearsal", "loopwright"] {
            let built = env!("CARGO_BIN_EXE_loopwright");
            std::fs::hard_link(built, place(name))
                .or_else(|_| std::fs::copy(built, place(name)).map(|_| ()))
                .expect("a copy");
        }
    }
    program
}
