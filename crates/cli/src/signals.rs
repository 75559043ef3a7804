//! Ctrl-C and the system's wish to end: answered at once, and told to the run, which stops in its own order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use loopwright_engine::run::StopHandle;
use loopwright_engine::run::report::elapsed;
use serde::Serialize;

use crate::output::{self, complain};

/// After this many wishes the program ends whatever it is doing.
const PATIENCE: u32 = 3;

/// What is said at the first signal, before anything has stopped.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    /// What happens now.
    what: String,
    /// Whether a program reads standard output line by line.
    json: bool,
}

/// The line for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(crate) struct StoppingLine<'a> {
    /// Always `stopping`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// What happens now.
    message: &'a str,
}

impl Notice {
    /// For a run whose agent may go on for a while.
    pub(crate) fn of_run(json: bool, grace: Duration) -> Self {
        let grace = elapsed(u64::try_from(grace.as_millis()).unwrap_or(u64::MAX));
        Self { what: format!("a running agent gets {grace} to end"), json }
    }

    /// For a round of checks.
    pub(crate) fn of_checks(json: bool) -> Self {
        Self { what: "the running check is ended".to_owned(), json }
    }

    /// Says it, once in this process.
    fn tell(&self) {
        static TOLD: AtomicBool = AtomicBool::new(false);
        if TOLD.swap(true, Ordering::SeqCst) {
            return;
        }
        complain!("stopping: {}, Ctrl-C again to stop at once", self.what);
        if self.json {
            output::json_line(&StoppingLine { kind: "stopping", message: &self.what });
        }
    }
}

/// Hands signals on to a run for as long as the runtime lives. The first is answered with a notice and is gentle, the
/// second means now; the third ends this process.
#[cfg(unix)]
pub(crate) fn watch(stop: StopHandle, notice: Option<Notice>) {
    use tokio::signal::unix::{SignalKind, signal};

    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hang_up)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return;
    };
    tokio::spawn(async move {
        for count in 1.. {
            tokio::select! {
                _ = interrupt.recv() => stop.interrupt(),
                _ = terminate.recv() => stop.terminate(),
                _ = hang_up.recv() => stop.terminate(),
            }
            if let Some(notice) = notice.as_ref().filter(|_| count == 1) {
                notice.tell();
            }
            if count >= PATIENCE {
                std::process::exit(if stop.by_system() { 143 } else { 130 });
            }
        }
    });
}

/// Hands Ctrl-C on to a run for as long as the runtime lives. The first is answered with a notice.
#[cfg(windows)]
pub(crate) fn watch(stop: StopHandle, notice: Option<Notice>) {
    tokio::spawn(async move {
        for count in 1.. {
            if tokio::signal::ctrl_c().await.is_err() {
                return;
            }
            stop.interrupt();
            if let Some(notice) = notice.as_ref().filter(|_| count == 1) {
                notice.tell();
            }
            if count >= PATIENCE {
                std::process::exit(130);
            }
        }
    });
}
