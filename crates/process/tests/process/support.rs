//! What the tests share.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use loopwright_process::{Command, run};

/// A shell command, with an environment that lets the shell find the system's tools.
pub(crate) fn shell(script: &str, dir: &Path) -> Command {
    Command::new("/bin/sh", dir).args(["-c", script]).env("PATH", "/usr/local/bin:/usr/bin:/bin")
}

/// Writes a file with these permission bits.
pub(crate) fn file(path: &Path, content: &str, mode: u32) -> PathBuf {
    fs::write(path, content).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    path.to_owned()
}

/// Whether a process runs; one that waits for its parent to take note of its end does not.
pub(crate) async fn is_alive(pid: &str) -> bool {
    let shown = run(shell(&format!("ps -o stat= -p {pid}"), Path::new("/"))).await.unwrap();
    let state = String::from_utf8_lossy(&shown.output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}
