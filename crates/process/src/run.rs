//! Starting a program and staying with it until it has ended.

use std::io;
use std::path::Path;
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};
use tokio::time::timeout;

use crate::capture::Capture;
use crate::command::{Captured, Command, Finished};
use crate::error::ProcessError;
use crate::system;

/// How long what a program left behind may go on writing after the program itself has ended.
const LEFTOVER_GRACE: Duration = Duration::from_secs(1);
/// How long to wait for pipes to close, and for the end to be reported, once the group has been killed.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// Runs a program to its end.
///
/// The program leads its own process group. When it has ended, when its time is over, or when the returned
/// future is dropped, whatever is left of the group is killed. A program that ends without reading its input is
/// no error.
///
/// # Errors
/// When the program cannot be started, or does not end in time. An exit code other than 0 is not an error here.
pub async fn run(command: Command) -> Result<Finished, ProcessError> {
    let started = Instant::now();
    let mut child = start(&command)?;
    // Declared after the child, and so dropped before it: the group is killed while its leader still holds the id.
    let mut group = Group { leader: child.id() };
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let mut out = Capture::new(command.output_limit);
    let mut err = Capture::new(command.output_limit);
    let mut pump = Some(Box::pin(async {
        let ((), out, err) = tokio::join!(feed(stdin, &command.stdin), out.fill(stdout), err.fill(stderr));
        out.and(err)
    }));

    let ended = timeout(command.timeout, wait(&mut child, &mut pump)).await;
    group.kill();
    let leaked = pump.is_some();
    // Takes in what was still in the pipes; a process that left the group could hold them open for ever.
    let _ = timeout(KILL_GRACE, drain(&mut pump)).await;
    drop(pump);

    let output = Captured { stdout: out.kept, stderr: err.kept, discarded: out.discarded + err.discarded };
    match ended {
        Ok(Ok(status)) => {
            Ok(Finished { exit: system::exit_of(status), output, leaked, elapsed: started.elapsed() })
        }
        Ok(Err(source)) => Err(ProcessError::Pipe { program: command.program, source }),
        Err(_) => {
            // Reaps the leader; if even that hangs, the runtime goes on trying in the background.
            let _ = timeout(KILL_GRACE, child.kill()).await;
            let (program, limit) = (command.program, command.timeout);
            Err(ProcessError::TimedOut { program, limit, output: Box::new(output) })
        }
    }
}

/// Starts a program that lives on by itself, in its own process group and without input or output.
///
/// Input, time and output limits of the command do not apply. Returns the process id.
///
/// # Errors
/// When the program cannot be started.
pub fn spawn_detached(command: Command) -> Result<u32, ProcessError> {
    let mut prepared = prepare(&command)?;
    prepared.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    prepared.spawn().map(|child| child.id()).map_err(|error| refused(&command, error))
}

fn start(command: &Command) -> Result<Child, ProcessError> {
    let mut prepared = prepare(command)?;
    let stdin = if command.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    prepared.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    tokio::process::Command::from(prepared)
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| refused(command, error))
}

/// Makes a command ready for the system.
#[expect(clippy::disallowed_methods, reason = "the one place of Loopwright that starts programs")]
fn prepare(command: &Command) -> Result<std::process::Command, ProcessError> {
    check_program(&command.program)?;
    if !command.dir.is_dir() {
        return Err(ProcessError::FolderMissing { dir: command.dir.clone() });
    }
    let mut prepared = std::process::Command::new(&command.program);
    prepared.args(&command.args).current_dir(&command.dir).env_clear().envs(&command.env);
    system::lead_own_group(&mut prepared);
    Ok(prepared)
}

/// Tells apart what the system reports with one and the same error.
fn check_program(program: &Path) -> Result<(), ProcessError> {
    let owned = || program.to_owned();
    if !program.is_absolute() {
        return Err(ProcessError::ProgramNotAbsolute { program: owned() });
    }
    match program.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(ProcessError::ProgramMissing { program: owned() })
        }
        Err(source) => Err(ProcessError::Spawn { program: owned(), source }),
        Ok(metadata) if metadata.is_dir() => Err(ProcessError::ProgramIsFolder { program: owned() }),
        Ok(_) if !system::is_executable(program) => {
            Err(ProcessError::ProgramNotExecutable { program: owned() })
        }
        Ok(_) => Ok(()),
    }
}

fn refused(command: &Command, source: io::Error) -> ProcessError {
    let program = command.program.clone();
    if system::is_broken_program(&source) {
        ProcessError::ProgramBroken { program, source }
    } else {
        ProcessError::Spawn { program, source }
    }
}

/// Waits for the program's end, and a little longer for what it left behind to stop writing. `pump` is empty
/// afterwards when all output has been read.
async fn wait<P>(child: &mut Child, pump: &mut Option<Pin<Box<P>>>) -> io::Result<ExitStatus>
where
    P: Future<Output = io::Result<()>>,
{
    tokio::select! {
        status = child.wait() => {
            timeout(LEFTOVER_GRACE, drain(pump)).await.unwrap_or(Ok(()))?;
            status
        }
        drained = drain(pump) => {
            drained?;
            child.wait().await
        }
    }
}

/// Drives the pump to its end unless it has been reached already. Can be dropped and called again.
async fn drain<P>(pump: &mut Option<Pin<Box<P>>>) -> io::Result<()>
where
    P: Future<Output = io::Result<()>>,
{
    let Some(running) = pump else { return Ok(()) };
    let drained = running.await;
    *pump = None;
    drained
}

/// Writes the input and closes it. A program that stops reading is within its rights, so errors end the writing
/// and nothing else.
async fn feed(stdin: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(bytes).await;
        let _ = stdin.shutdown().await;
    }
}

/// A running process group; killed once, at the latest when dropped.
struct Group {
    leader: Option<u32>,
}

impl Group {
    fn kill(&mut self) {
        if let Some(leader) = self.leader.take() {
            system::kill_group(leader);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
