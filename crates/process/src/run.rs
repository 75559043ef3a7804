//! Starting a program and staying with it until it has ended.

use std::io;
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::capture::Capture;
use crate::children::let_go;
use crate::command::{Captured, Command, Finished};
use crate::error::ProcessError;
use crate::family::{Family, Signal};
use crate::flow::feed;
use crate::identity::ProcessIdentity;
use crate::redact::Secrets;
use crate::spawn;
use crate::system::{self, Leader};

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
    let (stdin, stdout, stderr) = child.pipes();
    let mut out = Capture::new(command.output_limit);
    let mut err = Capture::new(command.output_limit);
    let mut pump = Some(Box::pin(async {
        let ((), out, err) = tokio::join!(feed(stdin, &command.stdin), out.fill(stdout), err.fill(stderr));
        out.and(err)
    }));

    let ended = timeout(command.timeout, wait(&mut child, &mut pump)).await;
    match &ended {
        Ok(_) => {
            group.end();
            child.end_leftovers();
        }
        Err(_) => group.end_tree(),
    }
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
            let _ = timeout(KILL_GRACE, child.wait()).await;
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
    let mut prepared = spawn::prepare(&command)?;
    system::lead_own_group(&mut prepared);
    let_go(&mut prepared);
    prepared.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    prepared.spawn().map(|child| child.id()).map_err(|error| spawn::refused(&command, error))
}

fn start(command: &Command) -> Result<Leader, ProcessError> {
    let mut prepared = spawn::prepare(command)?;
    system::lead_own_group(&mut prepared);
    spawn::connect(&mut prepared, command);
    Leader::start(prepared).map_err(|error| spawn::refused(command, error))
}

/// Waits for the program's end, and a little longer for what it left behind to stop writing. `pump` is empty
/// afterwards when all output has been read.
async fn wait<P>(child: &mut Leader, pump: &mut Option<Pin<Box<P>>>) -> io::Result<ExitStatus>
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

/// A running process group. Unless it was ended in an orderly way, everything it started is ended with it.
struct Group {
    leader: Option<u32>,
}

impl Group {
    /// The program has ended: kills what is left of its group.
    fn end(&mut self) {
        if let Some(leader) = self.leader.take() {
            system::signal_group(leader, Signal::Kill);
        }
    }

    /// The program is to end: kills its group and all its descendants, also those that left the group.
    fn end_tree(&mut self) {
        if let Some(leader) = self.leader.take() {
            let mut family = Family::new(None, ProcessIdentity::of(leader), Secrets::built_in());
            family.living();
            system::signal_group(leader, Signal::Kill);
            family.end_now();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end_tree();
    }
}
