//! Starting a job and staying with it until nothing of it is left.

use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use loopwright_domain::EndCause;
use tokio::time::{sleep, timeout};

use crate::clock::{Clock, STEP};
use crate::command::Exit;
use crate::error::ProcessError;
use crate::family::{Family, KILL_LIMIT, ROUND, Signal};
use crate::flow::Flow;
use crate::identity::ProcessIdentity;
use crate::job::{Ended, Job, OutputSink, TimeLimits};
use crate::redact::Secrets;
use crate::spawn;
use crate::stop::{Stopper, Urgency};
use crate::system::{self, Leader};

/// How long what a program left behind may take to end by itself.
const SETTLE_LIMIT: Duration = Duration::from_millis(500);
/// The same after a job was ended at once, when only the system's own work is left.
const SETTLE_AFTER_KILL: Duration = Duration::from_millis(50);
/// How long strays get to end once they are asked to.
const STRAY_GRACE: Duration = Duration::from_millis(500);

/// The signals that end a program without its doing: those of a crash, and those of being ended. Others could be an
/// exit code of the program's own.
const FATAL: &[i32] = &[4, 6, 7, 8, 9, 11, 15];

/// Starts a job. It has to be [finished](Running::finish): nothing is read from it before.
///
/// The program leads a session of its own and inherits nothing but what the command gives it. When the result is
/// dropped, everything the program has started is ended with it. Needs a Tokio runtime.
///
/// # Errors
/// When the program cannot be started.
pub fn start(job: Job) -> Result<Running, ProcessError> {
    system::adopt_orphans();
    let mut command = job.marked_command();
    let mut wrapper = None;
    if let Some((sandbox_tool, sandbox)) = &job.sandbox {
        spawn::check(&command)?;
        command = sandbox_tool.wrap(sandbox, command);
        wrapper = Some(command.line());
    }
    let mut prepared = spawn::prepare(&command)?;
    system::lead_own_session(&mut prepared);
    system::mark_job(&mut prepared, wrapper.is_some() && !system::changes_user(&command.program));
    spawn::connect(&mut prepared, &command);
    let leader = Leader::start(prepared).map_err(|error| spawn::refused(&command, error))?;
    let pid = leader.id().unwrap_or_default();
    let identity = ProcessIdentity::of(pid).unwrap_or(ProcessIdentity { pid, started: String::new() });
    let mut family = Family::new(Some(job.marker), Some(identity.clone()), job.secrets.clone());
    family.wrapper = wrapper;
    Ok(Running {
        identity,
        program: job.command.program,
        input: command.stdin,
        limits: job.limits,
        secrets: job.secrets,
        stopper: Stopper::new(),
        tree: Tree { leader, pid, family, over: false },
    })
}

/// A job that has been started.
pub struct Running {
    /// Its first process, for recognising it after a crash.
    pub identity: ProcessIdentity,
    program: PathBuf,
    input: Vec<u8>,
    limits: TimeLimits,
    secrets: Secrets,
    stopper: Stopper,
    tree: Tree,
}

impl Running {
    /// Ends the job from elsewhere.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Writes the input, hands on the output, keeps to the limits, and returns once nothing of the job is left.
    ///
    /// # Errors
    /// When the connection to the program fails. Whatever the program itself does is not an error here.
    pub async fn finish(self, sink: &mut dyn OutputSink) -> Result<Ended, ProcessError> {
        let Self { program, input, limits, secrets, stopper, mut tree, .. } = self;
        let heard = AtomicU64::new(0);
        let mut flow = Flow::new(tree.leader.pipes(), input, &secrets, sink, &heard);
        let mut timer = Timer { clock: Clock::new(limits), last: Instant::now() };

        let first = flow.alongside(tree.first_end(&stopper, &mut timer, &heard)).await;
        let (cause, status) = match first {
            FirstEnd::Exit(status) => (EndCause::Exited, Some(status)),
            FirstEnd::Stop(cause) => {
                let stopped = timer.during(tree.stop(cause, limits.grace, &stopper), &heard);
                (cause, flow.alongside(stopped).await)
            }
        };
        tree.sweep(cause, &mut flow).await;
        timer.tick(&heard);

        let totals = flow.close();
        let strays = tree.family.strays();
        tree.over = true;
        let totals = totals.map_err(|source| ProcessError::Pipe { program: program.clone(), source })?;
        let status = status.transpose().map_err(|source| ProcessError::Pipe { program, source })?;
        Ok(Ended {
            exit: status.map_or(Exit::Signal(system::KILL_SIGNAL), |status| tree.exit_of(status)),
            cause,
            strays,
            elapsed: timer.clock.active(),
            stdout_bytes: totals.stdout,
            stderr_bytes: totals.stderr,
            redactions: totals.redactions,
        })
    }
}

type Status = std::io::Result<ExitStatus>;

/// What happened first to a running job.
enum FirstEnd {
    Exit(Status),
    Stop(EndCause),
}

/// A job's clock, and when it was last looked at.
struct Timer {
    clock: Clock,
    last: Instant,
}

impl Timer {
    fn tick(&mut self, heard: &AtomicU64) -> Option<EndCause> {
        let now = Instant::now();
        let step = now.duration_since(self.last);
        self.last = now;
        self.clock.advance(step, heard.load(Ordering::Relaxed))
    }

    /// Waits for something, and goes on counting the time.
    async fn during<T>(&mut self, other: impl Future<Output = T>, heard: &AtomicU64) -> T {
        let mut other = pin!(other);
        loop {
            if let Ok(result) = timeout(STEP, &mut other).await {
                return result;
            }
            self.tick(heard);
        }
    }

    /// Waits for the first limit that is reached.
    async fn limit(&mut self, heard: &AtomicU64) -> EndCause {
        loop {
            sleep(self.clock.pause()).await;
            if let Some(cause) = self.tick(heard) {
                return cause;
            }
        }
    }
}

/// A job's processes; ended at the latest when this is dropped.
struct Tree {
    leader: Leader,
    pid: u32,
    family: Family,
    over: bool,
}

impl Tree {
    async fn first_end(&mut self, stopper: &Stopper, timer: &mut Timer, heard: &AtomicU64) -> FirstEnd {
        tokio::select! {
            biased;
            status = self.leader.wait() => FirstEnd::Exit(status),
            urgency = stopper.wanted(Urgency::Ask) => FirstEnd::Stop(match urgency {
                Urgency::Now => EndCause::Killed,
                Urgency::Ask | Urgency::None => EndCause::Interrupted,
            }),
            cause = timer.limit(heard) => FirstEnd::Stop(cause),
        }
    }

    /// Ends the first process and its group: asks, unless it has to be at once, and kills when the grace is over.
    /// Gives nothing when even that is of no avail.
    async fn stop(&mut self, cause: EndCause, grace: Duration, stopper: &Stopper) -> Option<Status> {
        // Seen now, they are recognised when they have lost their parents.
        self.family.living();
        if cause != EndCause::Killed && system::CAN_ASK {
            self.ask();
            tokio::select! {
                biased;
                status = self.leader.wait() => return Some(status),
                _ = stopper.wanted(Urgency::Now) => {}
                () = sleep(grace) => {}
            }
        }
        self.leader.kill_group();
        timeout(KILL_LIMIT, self.leader.wait()).await.ok()
    }

    /// Asks the first process and its group to end. What is only wrapped around it is not asked: it would go at once
    /// and take the program with it.
    fn ask(&mut self) {
        if self.family.wrapper.is_some() {
            self.family.ask_session();
        } else {
            system::signal_group(self.pid, Signal::Ask);
        }
    }

    /// How the program ended. What is wrapped around it ends by itself and tells of a signal as shells do.
    fn exit_of(&self, status: ExitStatus) -> Exit {
        match system::exit_of(status) {
            Exit::Code(code) if self.family.wrapper.is_some() && FATAL.contains(&(code - 128)) => {
                Exit::Signal(code - 128)
            }
            exit => exit,
        }
    }

    /// Ends everything that is left, wherever it went, and takes in the last output.
    async fn sweep(&mut self, cause: EndCause, flow: &mut Flow<'_>) {
        let settle = if cause == EndCause::Killed { SETTLE_AFTER_KILL } else { SETTLE_LIMIT };
        if !self.gone_within(settle, flow).await {
            self.family.signal(if cause == EndCause::Killed { Signal::Kill } else { Signal::Ask });
            if !self.gone_within(STRAY_GRACE, flow).await {
                self.kill(flow).await;
            }
        }
        self.leader.end_leftovers();
        if !flow.drained().await {
            self.family.add_writers(&flow.open_pipes());
            self.kill(flow).await;
            flow.drained().await;
        }
    }

    async fn kill(&mut self, flow: &mut Flow<'_>) {
        let started = Instant::now();
        while self.family.kill() && started.elapsed() < KILL_LIMIT {
            flow.alongside(sleep(ROUND)).await;
        }
    }

    async fn gone_within(&mut self, limit: Duration, flow: &mut Flow<'_>) -> bool {
        let started = Instant::now();
        let mut pause = Duration::from_millis(2);
        while !self.family.is_gone() {
            if started.elapsed() >= limit {
                return false;
            }
            flow.alongside(sleep(pause)).await;
            pause = (pause * 2).min(Duration::from_millis(100));
        }
        true
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if !self.over {
            self.family.living();
            self.leader.kill_group();
            self.family.end_now();
        }
    }
}
