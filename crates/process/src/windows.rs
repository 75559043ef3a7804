//! Windows. Built and tested by the workflow of the three systems, not on the developers' Linux machines.
//!
//! A job object holds everything a program starts and ends it when the program's supervisor lets go of it, also by
//! crashing. So processes need not be looked for, and what would look for them finds none. There is no way to ask
//! a program without a window to end.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use windows::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW};

use crate::children::WaitedFor;
use crate::command::Exit;
use crate::family::{Process, Signal};

pub(crate) use std::os::windows::io::AsHandle as PipeEnd;

/// Whether programs can be asked to end.
pub(crate) const CAN_ASK: bool = false;
/// What a program that had to be ended is said to have got; there are no signals here.
pub(crate) const KILL_SIGNAL: i32 = 9;
const ERROR_FILE_NOT_FOUND: i32 = 2;
const ERROR_BAD_EXE_FORMAT: i32 = 193;
const DEFAULT_ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

/// Makes the program the leader of a new process group, out of reach of the terminal's Ctrl-C.
pub(crate) fn lead_own_group(command: &mut Command) {
    command.creation_flags((CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW).0);
}

/// There are no sessions to lead; the job object does more.
pub(crate) fn lead_own_session(command: &mut Command) {
    lead_own_group(command);
}

/// Nothing leaves a job object.
pub(crate) fn adopt_orphans() {}

/// A started program with its job object, until its end is known.
pub(crate) struct Leader {
    child: Box<dyn ChildWrapper>,
    _listed: WaitedFor,
}

/// A program's input and outputs.
pub(crate) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl Leader {
    /// Starts a program. It is killed, with all it started, when this is dropped.
    pub(crate) fn start(command: Command) -> io::Result<Self> {
        let mut command = CommandWrap::from(tokio::process::Command::from(command));
        command
            .wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW))
            .wrap(KillOnDrop)
            .wrap(JobObject);
        let (child, listed) = WaitedFor::start(|| command.spawn(), |child| child.id())?;
        Ok(Self { child, _listed: listed })
    }

    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    pub(crate) fn pipes(&mut self) -> Pipes {
        (self.child.stdin().take(), self.child.stdout().take(), self.child.stderr().take())
    }

    /// Waits for the program's end, and not for that of the others in its job. Can be dropped and called again.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.inner_mut().wait().await
    }

    /// Ends the program and everything it started.
    pub(crate) fn kill_group(&mut self) {
        let _ = self.child.start_kill();
    }

    /// Ends what a program that has ended left behind.
    pub(crate) fn end_leftovers(&mut self) {
        self.kill_group();
    }
}

/// There is no group to signal; the job object is ended instead.
pub(crate) fn signal_group(_leader: u32, _signal: Signal) {}

/// No process is ever found that would have to be signalled.
pub(crate) fn signal(_pid: u32, _signal: Signal) {}

/// Nothing of that kind is inherited here.
pub(crate) fn mark_job(_command: &mut Command, _sandboxed: bool) {}

/// Nobody does here.
pub(crate) fn is_marked() -> bool {
    false
}

/// No program does here.
pub(crate) fn changes_user(_program: &Path) -> bool {
    false
}

/// There is no such user here.
pub(crate) fn is_root() -> bool {
    false
}

/// There are none to tell apart.
pub(crate) fn own_session() -> Option<u32> {
    None
}

/// Nobody has to take note of the end of others here.
pub(crate) fn reap(_pid: u32) {}

/// Nobody's orphans are handed to this process here.
pub(crate) fn own_children() -> Vec<u32> {
    Vec::new()
}

/// Not looked for: the job object holds them.
pub(crate) fn processes(_marker: Option<&str>, _since: u64) -> Vec<Process> {
    Vec::new()
}

/// Not looked for: a survivor of a crash cannot be, since the job object ends with its holder.
pub(crate) fn process(_pid: u32) -> Option<Process> {
    None
}

/// Not told here.
pub(crate) fn describe(_pid: u32) -> Option<(String, Vec<u8>)> {
    None
}

/// Not told here.
pub(crate) fn writes_into(_pid: u32, _pipes: &[u64]) -> bool {
    false
}

/// The environment a process was started with; this system does not show it.
pub(crate) fn starting_environment(_pid: u32) -> Option<Vec<u8>> {
    None
}

/// Pipes have a fixed size here.
pub(crate) fn widen(_pipe: &impl PipeEnd) {}

/// Pipes have no number here.
pub(crate) fn pipe_number(_pipe: &impl PipeEnd) -> Option<u64> {
    None
}

/// Makes a file, or empties it. It belongs to those who may read the folder.
pub(crate) fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)
}

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

/// Whether two names mean the same variable.
pub(crate) fn same_variable(one: &OsStr, other: &OsStr) -> bool {
    one.eq_ignore_ascii_case(other)
}

fn endings() -> String {
    env::var("PATHEXT").unwrap_or_else(|_| DEFAULT_ENDINGS.to_owned())
}
