//! Which shared libraries a program needs from the system it runs on.

use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::step::Step;

/// Libraries that every Linux system with the same C library has.
const LINUX_BASE: &[&str] = &["libc.so", "libm.so", "libgcc_s.so", "ld-linux", "linux-vdso.so"];
/// Folders whose libraries are part of macOS.
const MAC_BASE: &[&str] = &["/usr/lib/", "/System/Library/"];

/// Names of the shared libraries that `program` asks for. Not known on Windows, whose tools for it are not on PATH.
pub(crate) fn libraries(program: &Path) -> Outcome<Vec<String>> {
    if cfg!(target_os = "linux") {
        let listed =
            Step::new("readelf").arg("--dynamic").arg(program).env("LC_ALL", "C").capture_success()?;
        return Ok(from_readelf(&listed));
    }
    if cfg!(target_os = "macos") {
        return Ok(from_otool(&Step::new("otool").arg("-L").arg(program).capture_success()?));
    }
    Ok(Vec::new())
}

/// The libraries beyond those every system has.
pub(crate) fn beyond_the_base(libraries: &[String]) -> Vec<&str> {
    let base = if cfg!(target_os = "macos") { MAC_BASE } else { LINUX_BASE };
    let is_base = |library: &str| base.iter().any(|start| library.starts_with(start));
    libraries.iter().map(String::as_str).filter(|library| !is_base(library)).collect()
}

/// Fails when `program` needs more than the C library and what belongs to it.
pub(crate) fn require_base_only(program: &Path) -> Outcome {
    let found = libraries(program)?;
    let beyond = beyond_the_base(&found);
    if beyond.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} must link to the C library only, but also needs {}.",
        program.display(),
        beyond.join(", ")
    )))
}

/// Lines such as ` 0x0000000000000001 (NEEDED)  Shared library: [libc.so.6]`.
fn from_readelf(listed: &str) -> Vec<String> {
    let needed = listed.lines().filter(|line| line.contains("(NEEDED)"));
    needed.filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned())).collect()
}

/// The program's own name, then lines such as `\t/usr/lib/libSystem.B.dylib (compatibility version …)`.
fn from_otool(listed: &str) -> Vec<String> {
    listed.lines().skip(1).filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_libraries_are_read_from_readelf() {
        let listed = "Dynamic section at offset 0x1 contains 2 entries:\n \
                      0x0000000000000001 (NEEDED)             Shared library: [libgcc_s.so.1]\n \
                      0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]\n \
                      0x000000000000001d (RUNPATH)            Library runpath: [/opt]\n";
        assert_eq!(from_readelf(listed), ["libgcc_s.so.1", "libc.so.6"]);
    }

    #[test]
    fn needed_libraries_are_read_from_otool() {
        let listed = "loopwright:\n\t/usr/lib/libSystem.B.dylib (compatibility version 1.0.0)\n";
        assert_eq!(from_otool(listed), ["/usr/lib/libSystem.B.dylib"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_libraries_beyond_the_base_are_named() {
        let libraries = ["libc.so.6", "libgtk-3.so.0", "ld-linux-x86-64.so.2"].map(str::to_owned);
        assert_eq!(beyond_the_base(&libraries), ["libgtk-3.so.0"]);
    }
}
