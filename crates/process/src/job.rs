//! A supervised program: what to start, what it may take, and what became of it.

use std::ffi::OsString;
use std::time::Duration;

use loopwright_domain::{EndCause, OutputStream};

use crate::ancestry::AGENT_MARKER;
use crate::command::{Command, Exit};
use crate::frame::Line;
use crate::redact::Secrets;
use crate::sandbox::{Sandbox, SandboxTool};

/// How long a job gets to end by itself once it is asked to, unless told otherwise.
const DEFAULT_GRACE: Duration = Duration::from_secs(10);

/// A program to run under supervision: an agent or a check.
#[derive(Clone, Debug)]
pub struct Job {
    /// What to start. Its `timeout` and `output_limit` are those of [`run`](crate::run) and do not apply here.
    pub command: Command,
    /// Names this job among all others of this machine. Put into the environment as [`AGENT_MARKER`], it is how
    /// every process of the job is found again.
    pub marker: String,
    /// How long it may take.
    pub limits: TimeLimits,
    /// What is hidden in its output and in the names of strays.
    pub secrets: Secrets,
    /// What is put around it, and by what; nothing when there is none.
    pub sandbox: Option<(SandboxTool, Sandbox)>,
}

impl Job {
    /// A job without time limits.
    #[must_use]
    pub fn new(command: Command, marker: impl Into<String>) -> Self {
        let (marker, limits, secrets) = (marker.into(), TimeLimits::none(), Secrets::built_in());
        Self { command, marker, limits, secrets, sandbox: None }
    }

    /// The command with the marker in its environment.
    pub(crate) fn marked_command(&self) -> Command {
        self.command.clone().env(AGENT_MARKER, OsString::from(&self.marker))
    }
}

/// How long a job may take, in time really spent: a sleeping machine does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// From start to end.
    pub wall: Option<Duration>,
    /// Without output, or since the start when there has been none.
    pub idle: Option<Duration>,
    /// Until the first byte of output.
    pub start: Option<Duration>,
    /// From being asked to end until being ended.
    pub grace: Duration,
}

impl TimeLimits {
    /// No limits, and the usual ten seconds to end.
    #[must_use]
    pub const fn none() -> Self {
        Self { wall: None, idle: None, start: None, grace: DEFAULT_GRACE }
    }
}

/// Takes a job's output while the job runs. Everything that arrives here has been redacted.
pub trait OutputSink: Send {
    /// The next bytes of a stream, in their order and without gaps.
    fn output(&mut self, stream: OutputStream, bytes: &[u8]) {
        let _ = (stream, bytes);
    }

    /// The next line of a stream.
    fn line(&mut self, stream: OutputStream, line: Line<'_>) {
        let _ = (stream, line);
    }

    /// Everything that was read so far has been handed on, and nothing more may come for a while: whoever gathers
    /// what others should see writes it now. Told again from time to time as long as nothing comes.
    fn caught_up(&mut self) {}
}

/// A process that was still there when its job was over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Its id.
    pub pid: u32,
    /// The program's name.
    pub name: String,
    /// The beginning of its command line, redacted.
    pub command: String,
    /// Whether it could be ended. One that waits inside the system, or runs as another user, cannot.
    pub ended: bool,
}

/// A job that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How the program itself ended.
    pub exit: Exit,
    /// Why it ended. [`Stopper::interrupt`](crate::Stopper::interrupt) and [`Stopper::kill`](crate::Stopper::kill) are
    /// told apart.
    pub cause: EndCause,
    /// What it had left behind.
    pub strays: Vec<Stray>,
    /// How long it took, in time really spent.
    pub elapsed: Duration,
    /// How many bytes it printed on standard output.
    pub stdout_bytes: u64,
    /// And on standard error.
    pub stderr_bytes: u64,
    /// How many secrets were hidden.
    pub redactions: u64,
}
