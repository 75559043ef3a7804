//! Linux, macOS and the other Unix systems.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{AccessFlags, Pid, access};

use crate::command::Exit;

/// More than any environment; a process can make its own look endless.
const ENVIRONMENT_LIMIT: u64 = 8 * 1024 * 1024;

/// Makes the program the leader of a new process group, out of reach of the terminal's Ctrl-C.
pub(crate) fn lead_own_group(command: &mut Command) {
    command.process_group(0);
}

/// Kills every process of the group. A group that is gone already is fine.
pub(crate) fn kill_group(leader: u32) {
    // 0 and 1 would mean our own group and everybody.
    if let Ok(group) = i32::try_from(leader)
        && group > 1
    {
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

pub(crate) fn exit_of(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}

/// Whether this user may execute the file.
pub(crate) fn is_executable(path: &Path) -> bool {
    access(path, AccessFlags::X_OK).is_ok()
}

/// Whether an executable file was refused because of what is in it. The file itself is known to be there, so
/// "not found" speaks of its interpreter.
pub(crate) fn is_broken_program(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(Errno::from_raw);
    matches!(code, Some(Errno::ENOENT | Errno::ENOEXEC))
}

/// The file names a program may have.
pub(crate) fn spellings(path: &Path) -> Vec<PathBuf> {
    vec![path.to_owned()]
}

/// The environment a process was started with, where the system shows it.
pub(crate) fn starting_environment(pid: u32) -> Option<Vec<u8>> {
    let mut block = Vec::new();
    File::open(format!("/proc/{pid}/environ")).ok()?.take(ENVIRONMENT_LIMIT).read_to_end(&mut block).ok()?;
    Some(block)
}

/// The process that started this one, where the system shows it.
pub(crate) fn parent_of(pid: u32) -> Option<u32> {
    parent_in(&fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads `pid (name) state parent …`. The name may hold spaces and parentheses, so it ends at the last one.
fn parent_in(stat: &[u8]) -> Option<u32> {
    let end_of_name = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(end_of_name + 1..)?).ok()?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn our_own_parent_is_read_from_the_system() {
        if Path::new("/proc/self/stat").exists() {
            assert_eq!(parent_of(std::process::id()), Some(std::os::unix::process::parent_id()));
        }
        assert_eq!(parent_of(u32::MAX), None);
    }

    proptest! {
        #[test]
        fn any_process_name_is_stepped_over(name in "[ -~]{0,16}", pid: u32, parent: u32) {
            let stat = format!("{pid} ({name}) S {parent} {pid} {pid} 0 -1 4194560");
            prop_assert_eq!(parent_in(stat.as_bytes()), Some(parent));
        }

        #[test]
        fn any_bytes_are_read_without_harm(stat in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parent_in(&stat);
        }
    }
}
