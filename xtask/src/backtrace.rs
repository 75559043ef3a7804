//! Whether a released program can print a backtrace: the linker or `strip` may have left out what that takes.

use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::step::Step;

/// The sections of an ELF file by which a panic walks the stack (`.eh_frame` and its index) and names the functions.
const SECTIONS: &[&str] = &[".eh_frame", ".eh_frame_hdr", ".symtab"];

/// What `program` lacks for a backtrace. Known on Linux only.
pub(crate) fn missing_sections(program: &Path) -> Outcome<Vec<&'static str>> {
    if !cfg!(target_os = "linux") {
        return Ok(Vec::new());
    }
    let listed = Step::new("readelf")
        .args(["--section-headers", "--wide"])
        .arg(program)
        .env("LC_ALL", "C")
        .capture_success()?;
    Ok(missing_from(&listed))
}

/// Fails when `program` cannot print a backtrace.
pub(crate) fn require(program: &Path) -> Outcome {
    let missing = missing_sections(program)?;
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} cannot print a backtrace: it has no {}.",
        program.display(),
        missing.join(", ")
    )))
}

/// Lines such as `  [ 3] .symtab   SYMTAB   0000000000000000 …`.
fn missing_from(listed: &str) -> Vec<&'static str> {
    let names: Vec<&str> =
        listed.lines().filter_map(|line| line.split_once(']')?.1.split_whitespace().next()).collect();
    SECTIONS.iter().copied().filter(|section| !names.contains(section)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found_by_their_whole_names() {
        let listed = "Section Headers:\n  [Nr] Name              Type            Address\n  \
                      [ 0]                   NULL            0000000000000000\n  \
                      [14] .eh_frame_hdr     PROGBITS        00000000000012c8\n  \
                      [15] .eh_frame         PROGBITS        00000000000032c8\n";
        assert_eq!(missing_from(listed), [".symtab"]);
        assert_eq!(missing_from(""), SECTIONS);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_debug_build_can_print_a_backtrace() {
        assert!(require(&std::env::current_exe().unwrap()).is_ok());
    }
}
