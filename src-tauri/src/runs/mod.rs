//! The app's own runs: each works on a thread of its own, with its own view of the project's state, and can be told to
//! stop. Runs of other processes are no business of this module.

mod closing;
mod following;
mod request;
mod work;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loopwright_domain::{ErrorCode, Fault, RunId};
use loopwright_engine::Host;
use loopwright_engine::run::StopHandle;
use tokio::sync::{oneshot, watch};

pub(crate) use self::closing::Closing;
pub use self::following::{Following, follow};
pub(crate) use self::request::{confirm_risk, resolve};
pub(crate) use self::work::Work;

/// The runs this app works on.
pub(crate) struct RunHost {
    live: Mutex<Live>,
    /// Changes whenever a run begins or ends.
    changed: watch::Sender<()>,
    /// Whether the app is ending: nothing is begun or handed over any more.
    ending: AtomicBool,
}

#[derive(Default)]
struct Live {
    /// Counts the runs, so that each has a number before it has an id.
    next: u64,
    runs: HashMap<u64, OwnRun>,
}

/// A run that this app works on, or is about to.
#[derive(Clone, Debug)]
pub(crate) struct OwnRun {
    /// The window whose project it works on.
    window: String,
    /// Its id, as soon as it has begun.
    pub(crate) id: Option<RunId>,
    /// Stops it.
    pub(crate) stop: StopHandle,
}

impl Default for RunHost {
    fn default() -> Self {
        Self { live: Mutex::default(), changed: watch::Sender::new(()), ending: AtomicBool::new(false) }
    }
}

impl RunHost {
    /// Lets a run work on a thread of its own. Answers when it has begun, or says why it has not.
    ///
    /// # Errors
    /// The run cannot begin.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        window: &str,
        host: &Host,
        root: PathBuf,
        work: Work,
    ) -> Result<RunId, Fault> {
        let stop = StopHandle::new();
        let place = LiveRunSlot { number: self.enter(window, stop.clone()), host: Arc::clone(self) };
        let (tell, told) = oneshot::channel();
        let host = host.clone();
        std::thread::Builder::new()
            .name("run".to_owned())
            .spawn(move || work::carry_out(&host, &root, work, stop, place, tell))
            .map_err(|error| Fault::caused(ErrorCode::Internal, "cannot start a thread", &error))?;
        // Nothing is told only when the thread panicked.
        told.await.unwrap_or_else(|_| {
            Err(Fault::new(ErrorCode::Internal, "the run ended before it began")
                .hint("Try again. What it had done is kept."))
        })
    }

    /// The run that this app works on for a window; one that has begun before one that is only about to.
    pub(crate) fn of_window(&self, window: &str) -> Option<OwnRun> {
        let live = self.lock();
        let own = live.runs.values().filter(|run| run.window == window);
        own.max_by_key(|run| run.id.is_some()).cloned()
    }

    /// Whether this app works on any run.
    pub(crate) fn is_working(&self) -> bool {
        !self.lock().runs.is_empty()
    }

    /// Stops every run now, since the app ends. Each can be resumed.
    pub(crate) fn end(&self) {
        self.ending.store(true, Ordering::SeqCst);
        for run in self.lock().runs.values() {
            run.stop_now();
        }
    }

    /// Whether the app is ending.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }

    /// Waits until this app works on no run of a window any more; without a window: on none at all.
    pub(crate) async fn rest(&self, window: Option<&str>) {
        let mut changed = self.changed.subscribe();
        let works = |run: &OwnRun| window.is_none_or(|window| run.window == window);
        while self.lock().runs.values().any(works) {
            // The sender lives as long as this does.
            let _never = changed.changed().await;
        }
    }

    fn enter(&self, window: &str, stop: StopHandle) -> u64 {
        let mut live = self.lock();
        live.next += 1;
        let number = live.next;
        live.runs.insert(number, OwnRun { window: window.to_owned(), id: None, stop });
        number
    }

    fn lock(&self) -> MutexGuard<'_, Live> {
        // Whoever panicked here had changed nothing halfway.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OwnRun {
    /// Stops it at once; it can be resumed.
    pub(crate) fn stop_now(&self) {
        // Twice is what "now" means to a run.
        self.stop.terminate();
        self.stop.terminate();
    }
}

/// A run's place among the live ones. It is given up when the run's thread ends, however it ends.
pub(crate) struct LiveRunSlot {
    number: u64,
    host: Arc<RunHost>,
}

impl LiveRunSlot {
    /// Notes that the run has begun.
    fn begun(&self, id: RunId) {
        if let Some(run) = self.host.lock().runs.get_mut(&self.number) {
            run.id = Some(id);
        }
        self.host.changed.send_replace(());
    }
}

impl Drop for LiveRunSlot {
    fn drop(&mut self) {
        self.host.lock().runs.remove(&self.number);
        self.host.changed.send_replace(());
    }
}
