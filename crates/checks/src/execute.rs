//! Carrying a check's command out under supervision: a tree of its own, its time enforced, nothing left behind.

use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use loopwright_config::check::Check;
use loopwright_domain::Fault;
use loopwright_process::{Command, EndCause, Exit, Job, Secrets, TimeLimits, start};
use tokio::sync::watch;

use crate::kept_output::Keep;

/// How long a check gets to end by itself once it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// Why a command is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// By itself.
    Ended,
    /// Its time was over.
    TimedOut,
    /// The round of checks was stopped.
    Stopped,
}

/// A command that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Execution {
    pub(crate) cause: Cause,
    pub(crate) exit: Exit,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) elapsed: Duration,
    /// What went wrong beside the command itself.
    pub(crate) trouble: Option<String>,
}

/// What to carry out.
pub(crate) struct Order<'a> {
    pub(crate) check: &'a Check,
    pub(crate) command: Command,
    pub(crate) marker: String,
    pub(crate) secrets: Secrets,
    /// Where both streams are kept.
    pub(crate) outputs: Option<&'a Path>,
}

/// Runs a command to its end, to its time limit, or until the round is stopped; then nothing of it is left.
pub(crate) async fn execute(order: Order<'_>, stop: &mut watch::Receiver<bool>) -> Result<Execution, Fault> {
    let (mut keep, unkept) = match Keep::new(order.outputs, order.check) {
        Ok(keep) => (keep, None),
        Err(error) => (Keep::default(), Some(error)),
    };
    let mut job = Job::new(order.command, order.marker);
    job.limits = TimeLimits { wall: Some(order.check.timeout), grace: GRACE, ..TimeLimits::none() };
    job.secrets = order.secrets;
    let running = start(job)?;
    let stopper = running.stopper();
    let ended = {
        let mut finished = pin!(running.finish(&mut keep));
        tokio::select! {
            ended = &mut finished => ended,
            () = stopped(stop) => {
                stopper.interrupt();
                finished.await
            }
        }
    }?;
    let output = keep.finish();
    let unkept =
        unkept.or(output.failure).map(|error| format!("its output could not be kept in a file: {error}"));
    let names: Vec<&str> = ended.strays.iter().map(|stray| stray.name.as_str()).collect();
    let left = (!names.is_empty())
        .then(|| format!("it left processes behind, which were ended: {}", names.join(", ")));
    Ok(Execution {
        cause: match ended.cause {
            EndCause::Exited => Cause::Ended,
            EndCause::WallTimeout | EndCause::IdleTimeout | EndCause::StartTimeout => Cause::TimedOut,
            EndCause::Interrupted | EndCause::Killed => Cause::Stopped,
        },
        exit: ended.exit,
        stdout: output.stdout,
        stderr: output.stderr,
        elapsed: ended.elapsed,
        trouble: unkept.or(left),
    })
}

/// Waits until the round is to stop; for ever when nobody can say so any more.
pub(crate) async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
