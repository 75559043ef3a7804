//! Windows. Built and tested by the workflow of the three systems, not on the developers' Linux machines.
//!
//! A process group ends only its leader here: programs that outlive their parent are not reached.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::command::Exit;

const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
const CREATE_NO_WINDOW: u32 = 0x0800_0000;
const ERROR_FILE_NOT_FOUND: i32 = 2;
const ERROR_BAD_EXE_FORMAT: i32 = 193;
const DEFAULT_ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

/// Makes the program the leader of a new process group, out of reach of the terminal's Ctrl-C.
pub(crate) fn lead_own_group(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

/// The leader itself is killed by the runtime when its handle is dropped; there is no group to signal.
pub(crate) fn kill_group(_leader: u32) {}

pub(crate) fn exit_of(status: ExitStatus) -> Exit {
    Exit::Code(status.code().unwrap_or_default())
}

/// Whether this user may execute the file: here, any file whose ending says so.
pub(crate) fn is_executable(path: &Path) -> bool {
    let Some(ending) = path.extension() else { return false };
    let ending = format!(".{}", ending.to_string_lossy());
    endings().split(';').any(|known| known.eq_ignore_ascii_case(&ending))
}

/// Whether an executable file was refused because of what is in it.
pub(crate) fn is_broken_program(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(ERROR_FILE_NOT_FOUND | ERROR_BAD_EXE_FORMAT))
}

/// The file names a program may have: as given, and with each of the system's endings for programs.
pub(crate) fn spellings(path: &Path) -> Vec<PathBuf> {
    let with_ending = |ending: &str| {
        let mut name = OsString::from(path);
        name.push(ending);
        PathBuf::from(name)
    };
    std::iter::once(path.to_owned())
        .chain(endings().split(';').filter(|ending| !ending.is_empty()).map(with_ending))
        .collect()
}

/// The environment a process was started with; this system does not show it.
pub(crate) fn starting_environment(_pid: u32) -> Option<Vec<u8>> {
    None
}

/// The process that started this one; not asked for, since its environment would not be shown.
pub(crate) fn parent_of(_pid: u32) -> Option<u32> {
    None
}

fn endings() -> String {
    env::var("PATHEXT").unwrap_or_else(|_| DEFAULT_ENDINGS.to_owned())
}
