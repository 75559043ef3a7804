//! `cargo xtask cross`: type-checks the CLI and the app for Windows and the CLI for macOS, from Linux.
//!
//! The standard library of the other system is built from its sources (`-Z build-std`), so a toolchain with those
//! sources is needed and `RUSTC_BOOTSTRAP=1` lets a stable one do it. Nothing is linked or run.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::programs;
use crate::step::Step;
use crate::workspace::Workspace;

/// The variable that names the folder of `cargo` and `rustc` to use; the first toolchain of the system otherwise.
const TOOLCHAIN: &str = "CROSS_TOOLCHAIN";
/// The folder of a system's own toolchain.
const SYSTEM_PROGRAMS: &str = "/usr/bin";

const WINDOWS: &str = "x86_64-pc-windows-gnu";
const WINDOWS_COMPILER: &str = "x86_64-w64-mingw32-gcc";
const MACOS: &str = "aarch64-apple-darwin";

/// Turns the arguments that crates give to Apple's compiler into those of `zig cc`.
const ZIG_WRAPPER: &str = r#"#!/bin/sh
skip=
for argument in "$@"; do
  shift
  if [ -n "$skip" ]; then skip=; continue; fi
  case "$argument" in
    --target=* | -mmacosx-version-min*) ;;
    -arch | -isysroot | -target) skip=yes ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec ${ZIG:-python3 -m ziglang} cc -target aarch64-macos "$@"
"#;

/// Checks for each system in turn; fails with all that did not pass.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let toolchain = env::var_os(TOOLCHAIN).map_or_else(|| PathBuf::from(SYSTEM_PROGRAMS), PathBuf::from);
    require_sources(workspace, &toolchain)?;
    require_program(WINDOWS_COMPILER, "gcc-mingw-w64-x86-64")?;
    provide_page(workspace)?;
    let folder = workspace.target.join("cross");
    let check = |target: &str, package: &str| cargo_check(workspace, &toolchain, &folder, target, package);
    let results = [
        check(WINDOWS, "loopwright-cli").env("CC_x86_64_pc_windows_gnu", WINDOWS_COMPILER).run(),
        check(WINDOWS, "loopwright-app").env("CC_x86_64_pc_windows_gnu", WINDOWS_COMPILER).run(),
        zig_wrapper(workspace, &folder)
            .and_then(|zig| check(MACOS, "loopwright-cli").env("CC_aarch64_apple_darwin", zig).run()),
    ];
    let failed: Vec<String> =
        results.into_iter().filter_map(Result::err).map(|failure| failure.to_string()).collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::new(failed.join("\n"))) }
}

fn cargo_check(workspace: &Workspace, toolchain: &Path, folder: &Path, target: &str, package: &str) -> Step {
    workspace
        .step(toolchain.join("cargo"))
        .args([
            "check",
            "--locked",
            "-Z",
            "build-std=std,panic_abort",
            "--target",
            target,
            "--package",
            package,
        ])
        .env("PATH", with_first(toolchain))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", folder)
        // Set by rustup and by the cargo that started us, for another toolchain.
        .without_env("RUSTUP_TOOLCHAIN")
        .without_env("CARGO")
        .without_env("RUSTC")
}

/// PATH with one folder before all others.
fn with_first(folder: &Path) -> OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder.to_owned()).chain(env::split_paths(&rest));
    env::join_paths(all).unwrap_or(rest)
}

fn require_sources(workspace: &Workspace, toolchain: &Path) -> Outcome {
    let rustc = toolchain.join("rustc");
    let root = Step::new(&rustc).args(["--print", "sysroot"]).dir(&workspace.root).capture_success();
    let sources = |root: String| PathBuf::from(root.trim()).join("lib/rustlib/src/rust/library/std");
    match root.map(sources) {
        Ok(folder) if folder.is_dir() => Ok(()),
        _ => Err(Failure::new(format!(
            "{} has no sources of the standard library. Install them (Debian 12: rustc-web cargo-web rust-web-src; \
             rustup: `rustup component add rust-src`) and name the toolchain's folder in {TOOLCHAIN}.",
            rustc.display()
        ))),
    }
}

fn require_program(name: &str, package: &str) -> Outcome {
    match programs::find(name) {
        Some(_) => Ok(()),
        None => Err(Failure::new(format!("{name} is not on PATH. On Debian and Ubuntu it is in {package}."))),
    }
}

/// Tauri embeds the UI when it is compiled; for a type check any page will do.
fn provide_page(workspace: &Workspace) -> Outcome {
    let page = workspace.ui().join("dist").join("index.html");
    if workspace.dry_run || page.exists() {
        return Ok(());
    }
    let write = || {
        fs::create_dir_all(page.parent().unwrap_or(&page))?;
        fs::write(&page, "<!doctype html>")
    };
    write().context(format!("cannot write {}", page.display()))
}

/// Writes the compiler for macOS: `zig cc` behind a script.
fn zig_wrapper(workspace: &Workspace, folder: &Path) -> Outcome<PathBuf> {
    let script = folder.join("zig-cc");
    if workspace.dry_run {
        return Ok(script);
    }
    let write = || {
        fs::create_dir_all(folder)?;
        fs::write(&script, ZIG_WRAPPER)?;
        make_executable(&script)
    };
    write().context(format!("cannot write {}", script.display()))?;
    let works = Step::new(&script).arg("--version").capture_success();
    works.map(|_| script).map_err(|failure| {
        Failure::new(format!(
            "There is no zig for macOS's C code (`pip install ziglang`, or ZIG=…).\n{failure}"
        ))
    })
}

#[cfg(unix)]
fn make_executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) -> std::io::Result<()> {
    Ok(())
}
