//! Makes the released program smaller and quicker to start on Linux, by what the linker can do for it there.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Wanted, where the linker and the C library know them:
/// - the places to be adjusted at each start as a bit map, a hundredth of the usual table (glibc 2.36);
/// - functions of the same machine code once (lld, mold).
const WANTED: [&str; 2] = ["-Wl,-z,pack-relative-relocs", "-Wl,--icf=all"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if !is("PROFILE", "release")
        || !is("CARGO_CFG_TARGET_OS", "linux")
        || env::var("HOST") != env::var("TARGET")
    {
        return;
    }
    for argument in WANTED {
        if works(argument).unwrap_or(false) {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}

/// Whether an empty program that is linked so can be made, and runs.
#[expect(clippy::disallowed_methods, reason = "build scripts start the compiler by themselves")]
fn works(argument: &str) -> io::Result<bool> {
    let variable = |name: &str| env::var_os(name).ok_or(io::ErrorKind::NotFound);
    let program = Path::new(&variable("OUT_DIR")?).join("empty");
    let mut compiler = Command::new(variable("RUSTC")?);
    compiler.args(["-", "--crate-type", "bin", "-C", &format!("link-arg={argument}"), "-o"]).arg(&program);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        compiler.arg("-C").arg(format!("linker={}", linker.display()));
    }
    let mut compiling = compiler.stdin(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    if let Some(mut source) = compiling.stdin.take() {
        source.write_all(b"fn main() {}")?;
    }
    Ok(compiling.wait()?.success() && Command::new(&program).status()?.success())
}
