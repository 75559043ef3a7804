//! The programs under test, as cargo built them.

use std::path::{Path, PathBuf};

/// A built program: beside the running test, or in the folder that `LOOPWRIGHT_BIN_DIR` names.
#[must_use]
pub fn built(name: &str) -> PathBuf {
    let beside = std::env::current_exe().ok();
    let beside = beside.as_deref().and_then(Path::parent).and_then(Path::parent).map(Path::to_path_buf);
    let folder = std::env::var_os("LOOPWRIGHT_BIN_DIR").map(PathBuf::from).or(beside).unwrap_or_default();
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.is_file(), "{} is not built: run \"cargo build\"", program.display());
    program
}
