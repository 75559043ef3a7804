//! Makes the released program smaller and quicker to start on Linux, by what the linker can do for it there.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Leaves out the tables by which a stack is unwound, a seventh of the program. A release aborts when it panics, after it
/// has said why and where, so nothing ever reads them.
const WITHOUT_UNWINDING: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame) } } INSERT AFTER .rodata;\n";

/// Wanted, where the linker and the C library know them:
/// - the places to be adjusted at each start as a bit map, a hundredth of the usual table (glibc 2.36);
/// - functions of the same machine code once (lld, mold);
/// - no tables for unwinding, and no index of them;
/// - all tables of addresses filled in at the start and read-only from then on, whatever the compiler was told.
fn wanted() -> io::Result<[String; 4]> {
    let script = out_dir()?.join("without-unwinding.ld");
    fs::write(&script, WITHOUT_UNWINDING)?;
    Ok([
        "-Wl,-z,pack-relative-relocs".to_owned(),
        "-Wl,--icf=all".to_owned(),
        format!("-Wl,--no-eh-frame-hdr,-T,{}", script.display()),
        "-Wl,-z,relro,-z,now".to_owned(),
    ])
}

/// What the standard library would unwind a stack by, from an archive instead of a library of its own, where the compiler
/// has one: a library that is not loaded saves a tenth of a millisecond at each start. Without the tables it can find no
/// stack at all: where RUST_BACKTRACE asks for one, a panic ends in it, after its message.
const UNWINDER: &str = "static:-bundle=gcc_eh";

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
    for argument in wanted().into_iter().flatten() {
        if works(["-C", &format!("link-arg={argument}")]).unwrap_or(false) {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
    if works(["-l", UNWINDER]).unwrap_or(false) {
        println!("cargo::rustc-link-lib={UNWINDER}");
    }
}

/// Whether an empty program that is linked so can be made, and runs.
#[expect(clippy::disallowed_methods, reason = "build scripts start the compiler by themselves")]
fn works(arguments: [&str; 2]) -> io::Result<bool> {
    let program = out_dir()?.join("empty");
    let mut compiler = Command::new(variable("RUSTC")?);
    compiler.args(["-", "--crate-type", "bin", "-o"]).arg(&program).args(arguments);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        compiler.arg("-C").arg(format!("linker={}", linker.display()));
    }
    let mut compiling = compiler.stdin(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    if let Some(mut source) = compiling.stdin.take() {
        source.write_all(b"fn main() {}")?;
    }
    Ok(compiling.wait()?.success() && Command::new(&program).status()?.success())
}

fn out_dir() -> io::Result<PathBuf> {
    variable("OUT_DIR").map(PathBuf::from)
}

fn variable(name: &str) -> io::Result<OsString> {
    env::var_os(name).ok_or_else(|| io::ErrorKind::NotFound.into())
}
