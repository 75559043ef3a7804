//! Linux: bubblewrap. The program gets its own view of the file system, in namespaces of its own.
//!
//! - A user namespace without capabilities: nothing that is mounted can be changed, also when one is root.
//! - A process namespace: it sees and signals only its own processes, and all of them end with the first one. That
//!   one is bubblewrap's, and it waits for the others; a second bubblewrap process outside hands on the exit code.
//! - The session stays ours, so that the program is found and ended as without a sandbox. It is not tied to our
//!   life by `--die-with-parent`: the system ties it to the thread that started it, and threads come and go.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Access, Sandbox};
use crate::command::Command;

/// The program that makes sandboxes.
pub(super) const PROGRAM: Option<&str> = Some("bwrap");

/// The machine's folder for temporary files, which everybody can write in.
const SHARED_TEMP: &str = "/tmp";
/// How things are before the rules: all is readable, and nothing of what others keep for a while is seen.
const BASE: &[(&str, Access)] =
    &[("/", Access::Read), (SHARED_TEMP, Access::Hidden), ("/var/tmp", Access::Hidden)];
const NAMESPACES: &[&str] = &["--unshare-user", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"];
const ROOT: &[&str] = &["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];

/// How long the trial may take.
const TRIAL_LIMIT: Duration = Duration::from_secs(5);
const TRIAL_STEP: Duration = Duration::from_millis(2);
/// A program that every Linux has and that does nothing.
const NOTHING: &str = "/bin/true";

/// What bubblewrap is told, before the program itself.
pub(super) fn arguments(sandbox: &Sandbox, command: &Command) -> Vec<OsString> {
    let mut args: Vec<OsString> = NAMESPACES.iter().chain(ROOT).map(OsString::from).collect();
    if !sandbox.network {
        args.push("--unshare-net".into());
    }
    for (path, access) in sandbox.rules(BASE).iter().skip(1) {
        match access {
            _ if path == Path::new(SHARED_TEMP) => bind(&mut args, "--bind", &sandbox.temp, path),
            Access::Write => bind(&mut args, "--bind", path, path),
            Access::Read => bind(&mut args, "--ro-bind", path, path),
            Access::Hidden if path.is_dir() => args.extend(["--tmpfs".into(), path.into()]),
            Access::Hidden if path.exists() => bind(&mut args, "--ro-bind", Path::new("/dev/null"), path),
            Access::Hidden => {}
        }
    }
    args.extend(["--chdir".into(), command.dir.clone().into_os_string(), "--".into()]);
    args
}

fn bind(args: &mut Vec<OsString>, how: &str, from: &Path, to: &Path) {
    args.extend([how.into(), from.into(), to.into()]);
}

/// Puts a sandbox around a program that does nothing.
#[expect(clippy::disallowed_methods, reason = "a trial that has to be over before anything else goes on")]
pub(super) fn try_out(program: &Path) -> Result<(), String> {
    let mut command = std::process::Command::new(program);
    command.args(NAMESPACES).args(ROOT).args(["--unshare-net", "--", NOTHING]).env_clear().current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let begun = Instant::now();
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if begun.elapsed() > TRIAL_LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err("it did not come to an end".to_owned());
        }
        sleep(TRIAL_STEP);
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().next().unwrap_or("it did not say why").trim();
    Err(first.trim_start_matches("bwrap: ").to_owned())
}
