//! macOS: `sandbox-exec`. The system itself refuses what the profile does not allow, to the program and to all it
//! starts. Built and tested by the workflow of the three systems, but for the writing of the profile.
//!
//! The program takes the place of `sandbox-exec`, so that it is found and ended as without a sandbox. There is no
//! view of its own: the machine's folder for temporary files can be read and not written, and what is hidden is
//! refused instead of missing.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::process::Stdio;

use super::{Access, Sandbox};
use crate::command::Command;

/// The program that makes sandboxes.
pub(super) const PROGRAM: Option<&str> = Some("/usr/bin/sandbox-exec");
/// Whether folders can be shown in the place of others.
pub(super) const CAN_MOUNT: bool = false;

const BASE: &[(&str, Access)] = &[("/", Access::Read)];
/// Devices that programs write to as a matter of course.
const DEVICES: &str = "(allow file-write* (literal \"/dev/null\") (literal \"/dev/zero\") (literal \"/dev/tty\") \
     (literal \"/dev/dtracehelper\") (literal \"/dev/ptmx\") (regex #\"^/dev/ttys[0-9]+$\") \
     (subpath \"/dev/fd\"))\n";
/// A program that does nothing.
const NOTHING: &str = "/usr/bin/true";

/// What `sandbox-exec` is told, before the program itself.
pub(super) fn arguments(sandbox: &Sandbox, _command: &Command) -> Vec<OsString> {
    vec!["-p".into(), profile(sandbox).into(), "--".into()]
}

/// The rules in the system's own language, in which the last word about a place counts.
fn profile(sandbox: &Sandbox) -> String {
    let mut text = String::from("(version 1)\n(allow default)\n(deny file-write*)\n");
    text.push_str(DEVICES);
    let rules = sandbox.rules(BASE);
    for (path, access) in rules.iter().skip(1) {
        let place = quoted(path);
        let _ = match access {
            Access::Write => writeln!(text, "(allow file-write* (subpath {place}))"),
            Access::Read => writeln!(text, "(deny file-write* (subpath {place}))"),
            Access::Hidden => writeln!(text, "(deny file-read* file-write* network* (subpath {place}))"),
        };
    }
    // What has a rule of its own stays where it is, with the folders on the way to it.
    for path in rules.keys().skip(1) {
        let _ = writeln!(text, "(deny file-write-unlink (literal {}))", quoted(path));
    }
    if !sandbox.network {
        text.push_str("(deny network*)\n");
    }
    text
}

/// A path as a word of the profile.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

/// Puts a sandbox around a program that does nothing.
#[expect(clippy::disallowed_methods, reason = "a trial that has to be over before anything else goes on")]
pub(super) fn try_out(program: &Path) -> Result<(), String> {
    let mut command = std::process::Command::new(program);
    command.args(["-p", "(version 1)(allow default)(deny network*)", "--", NOTHING]).env_clear();
    command.current_dir("/").stdin(Stdio::null());
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().next().unwrap_or("it did not say why").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_about_a_place_is_that_of_the_deepest_rule() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for below in ["tmp", "project/.git/hooks", "project/odd \"name\"", "secret"] {
            std::fs::create_dir_all(root.join(below)).unwrap();
        }
        let sandbox = Sandbox::new(root.join("tmp"))
            .writable([root.join("project")])
            .read_only([root.join("project/.git/hooks"), root.join("project/odd \"name\"")])
            .hidden([root.join("secret")])
            .network(false);
        let text = profile(&sandbox).replace(&*root.to_string_lossy(), "R");
        let place = |line: &str| text.lines().position(|found| found == line).unwrap_or(usize::MAX);
        let order = [
            "(deny file-write*)",
            "(allow file-write* (subpath \"R/project\"))",
            "(allow file-write* (subpath \"R/project/.git\"))",
            "(deny file-write* (subpath \"R/project/.git/hooks\"))",
            "(deny file-write* (subpath \"R/project/odd \\\"name\\\"\"))",
            "(deny file-read* file-write* network* (subpath \"R/secret\"))",
            "(allow file-write* (subpath \"R/tmp\"))",
            "(deny file-write-unlink (literal \"R/project/.git\"))",
            "(deny network*)",
        ];
        let places: Vec<usize> = order.iter().map(|line| place(line)).collect();
        assert!(places.is_sorted() && places.iter().all(|place| *place < usize::MAX), "{places:?}\n{text}");
    }
}
