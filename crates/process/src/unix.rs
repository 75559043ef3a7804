//! Linux, macOS and the other Unix systems.

#[cfg(target_os = "linux")]
#[path = "unix/mark.rs"]
mod mark;
#[cfg(any(not(target_os = "linux"), test))]
#[cfg_attr(
    all(test, target_os = "linux"),
    expect(dead_code, reason = "only the reading of the list can be tested on Linux")
)]
#[path = "unix/process_list.rs"]
mod process_list;
#[cfg(target_os = "linux")]
#[path = "unix/processes.rs"]
mod processes;

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{self, kill, killpg};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{AccessFlags, Pid, access, setsid};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};

use crate::children::WaitedFor;
use crate::command::Exit;
use crate::family::Signal;

pub(crate) use std::os::fd::AsFd as PipeEnd;

#[cfg(not(target_os = "linux"))]
pub(crate) use process_list::{describe, process, processes, starting_environment, writes_into};
#[cfg(target_os = "linux")]
pub(crate) use processes::{describe, own_children, process, processes, starting_environment, writes_into};

/// Whether programs can be asked to end.
pub(crate) const CAN_ASK: bool = true;
/// The signal that nothing withstands.
pub(crate) const KILL_SIGNAL: i32 = signal::Signal::SIGKILL as i32;
/// Makes the program the leader of a new process group, out of reach of the terminal's Ctrl-C.
pub(crate) fn lead_own_group(command: &mut Command) {
    command.process_group(0);
}

/// Makes the program the leader of a new session, without terminal and with a group of its own, that has no files
/// but its input and outputs.
#[expect(unsafe_code, reason = "the standard library has no stable way to begin a session")]
pub(crate) fn lead_own_session(command: &mut Command) {
    // SAFETY: both calls are async-signal-safe, and the closure neither allocates nor locks.
    unsafe {
        command.pre_exec(|| {
            close_others_on_exec();
            setsid().map(|_| ()).map_err(io::Error::from)
        });
    }
}

/// Marks the program and all that it will ever start as a job's. With a sandbox around it, sockets without a file are out of
/// its reach where the system can do that.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "this has to run between fork and exec")]
pub(crate) fn mark_job(command: &mut Command, sandboxed: bool) {
    // SAFETY: what is called is async-signal-safe, and neither allocates nor locks.
    unsafe {
        command.pre_exec(move || {
            if sandboxed {
                mark::leave_abstract_sockets();
            }
            mark::mark()
        });
    }
}

/// Nothing of that kind is inherited here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn mark_job(_command: &mut Command, _sandboxed: bool) {}

/// Whether this process bears the mark of a job.
#[cfg(target_os = "linux")]
pub(crate) fn is_marked() -> bool {
    mark::is_marked()
}

/// Nobody does here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_marked() -> bool {
    false
}

/// Whether a program becomes another user when it is started, as some sandboxes do.
pub(crate) fn changes_user(program: &Path) -> bool {
    const SET_USER: u32 = 0o4000;
    program.metadata().is_ok_and(|found| found.mode() & SET_USER != 0)
}

/// Files that somebody forgot to keep from children, and that we have inherited ourselves, end here.
#[expect(
    unsafe_code,
    reason = "there is no safe wrapper of this call, and it has to run between fork and exec"
)]
#[cfg(target_os = "linux")]
fn close_others_on_exec() {
    use nix::libc;
    const FIRST: libc::c_uint = 3;
    // SAFETY: no memory is involved. A system that does not know the call refuses it, which is as before.
    let _ =
        unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// Files that somebody forgot to keep from children, and that we have inherited ourselves, end here.
#[expect(
    unsafe_code,
    reason = "there is no safe wrapper of this call, and it has to run between fork and exec"
)]
#[cfg(not(target_os = "linux"))]
fn close_others_on_exec() {
    use nix::libc;
    for file in 3..256 {
        // SAFETY: no memory is involved. Numbers that are not in use are refused.
        let _ = unsafe { libc::fcntl(file, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// Makes this process the new parent of its descendants' orphans, so that they can be found and ended.
#[cfg(target_os = "linux")]
pub(crate) fn adopt_orphans() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let _ = nix::sys::prctl::set_child_subreaper(true);
    });
}

/// Nobody's orphans are handed to this process here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn own_children() -> Vec<u32> {
    Vec::new()
}

/// Orphans go to the system's first process here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt_orphans() {}

/// The system refuses to execute a file that somebody has open for writing. A script that was written a moment ago is so
/// for as long as another process, forked while it was written, has not yet become its own program.
const BUSY_TRIES: u32 = 200;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// A started program, until its end is known.
pub(crate) struct Leader {
    child: Child,
    _listed: WaitedFor,
}

/// A program's input and outputs.
pub(crate) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl Leader {
    /// Starts a program. It is killed when this is dropped before its end.
    pub(crate) fn start(command: Command) -> io::Result<Self> {
        let mut command = tokio::process::Command::from(command);
        let mut tries = 1;
        loop {
            match WaitedFor::start(|| command.kill_on_drop(true).spawn(), Child::id) {
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < BUSY_TRIES => {
                    tries += 1;
                    std::thread::sleep(BUSY_PAUSE);
                }
                started => return started.map(|(child, listed)| Self { child, _listed: listed }),
            }
        }
    }

    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    pub(crate) fn pipes(&mut self) -> Pipes {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Waits for the program's end. Can be dropped and called again.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Ends everything that the system itself ties to the program: on Unix, its group.
    pub(crate) fn kill_group(&mut self) {
        if let Some(leader) = self.child.id() {
            signal_group(leader, Signal::Kill);
        }
    }

    /// Ends what a program that has ended left behind, where the system holds it together. Here it is looked for.
    pub(crate) fn end_leftovers(&mut self) {}
}

/// Signals every process of the group. A group that is gone already is fine.
pub(crate) fn signal_group(leader: u32, signal: Signal) {
    if let Some(group) = other_process(leader) {
        for number in numbers(signal) {
            let _ = killpg(group, *number);
        }
    }
}

/// Signals one process.
pub(crate) fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = other_process(pid) {
        for number in numbers(signal) {
            let _ = kill(pid, *number);
        }
    }
}

/// A stopped process takes no notice of a request until it is continued; being killed needs no consent.
const fn numbers(signal: Signal) -> &'static [signal::Signal] {
    match signal {
        Signal::Ask => &[signal::Signal::SIGTERM, signal::Signal::SIGCONT],
        Signal::Kill => &[signal::Signal::SIGKILL, signal::Signal::SIGCONT],
    }
}

/// 0 and 1 would mean our own group and everybody, or the system's first process.
fn other_process(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().filter(|pid| *pid > 1).map(Pid::from_raw)
}

/// Whether this process may do anything on the machine.
pub(crate) fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// The session this process is in, as far as the list of processes tells sessions.
pub(crate) fn own_session() -> Option<u32> {
    process(std::process::id()).map(|own| own.session)
}

/// Takes note of the end of a child, if it has ended.
pub(crate) fn reap(pid: u32) {
    if let Some(pid) = other_process(pid) {
        let _ = waitpid(pid, Some(WaitPidFlag::WNOHANG));
    }
}

/// Makes room for more output at once, which saves switching to and fro. The system may refuse.
#[cfg(target_os = "linux")]
pub(crate) fn widen(pipe: &impl PipeEnd) {
    const ROOM: i32 = 1024 * 1024;
    let _ = nix::fcntl::fcntl(pipe, nix::fcntl::FcntlArg::F_SETPIPE_SZ(ROOM));
}

/// Pipes have a fixed size here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn widen(_pipe: &impl PipeEnd) {}

/// What names a pipe among all others.
pub(crate) fn pipe_number(pipe: &impl PipeEnd) -> Option<u64> {
    let file = File::from(pipe.as_fd().try_clone_to_owned().ok()?);
    file.metadata().ok().map(|metadata| metadata.ino())
}

/// Makes a file, or empties it, that only this user may read.
pub(crate) fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(true).mode(0o600).open(path)
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

/// Whether two names mean the same variable.
pub(crate) fn same_variable(one: &OsStr, other: &OsStr) -> bool {
    one == other
}
