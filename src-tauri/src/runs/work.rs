//! What the thread of a run does.

use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Event, EventEnvelope, Fault, Origin, Run, RunId};
use loopwright_engine::config::key;
use loopwright_engine::run::{Earlier, Observer, PreparedDigest, RunRequest, StopHandle};
use loopwright_engine::{Host, Project, logging};
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use super::LiveRunSlot;

/// What a run is begun with.
#[derive(Debug)]
pub(crate) enum Work {
    /// A new run, if it is still the one that was agreed to.
    Start { request: Box<RunRequest>, earlier: Earlier, agreed: PreparedDigest },
    /// One that was stopped.
    Resume(RunId),
}

/// Tells once whether a run has begun.
type Tell = oneshot::Sender<Result<RunId, Fault>>;

/// Carries a run out to its end. Its own runtime keeps it apart from everything the windows ask for.
pub(super) fn carry_out(
    host: &Host,
    root: &Path,
    work: Work,
    stop: StopHandle,
    place: LiveRunSlot,
    tell: Tell,
) {
    let mut beginning = Beginning { tell: Some(tell), place, may_start: matches!(work, Work::Start { .. }) };
    let outcome = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(run(host, root.to_owned(), work, &mut beginning, stop)),
        Err(error) => Err(Fault::caused(ErrorCode::Internal, "cannot start a runtime", &error)),
    };
    if let Err(fault) = outcome {
        beginning.failed(fault);
    }
}

async fn run(
    host: &Host,
    root: PathBuf,
    work: Work,
    beginning: &mut Beginning,
    stop: StopHandle,
) -> Result<Run, Fault> {
    let project = Project::open(host, &root).await?;
    // A log that cannot be written is no reason not to work.
    if let Err(fault) = logging::begin(&host.data_dir, project.config().value(key::LOG_LEVEL)) {
        eprintln!("loopwright-app: {fault}");
    }
    match work {
        Work::Start { request, earlier, agreed } => {
            let prepared = project.runs().prepare(&request)?;
            prepared.require(&agreed)?;
            project.runs().start(prepared, earlier, Origin::App, beginning, stop).await
        }
        Work::Resume(id) => project.runs().resume(Some(id), Origin::App, beginning, stop).await,
    }
}

/// Watches for the first sign of a run. Everything else is read from what the run writes down.
struct Beginning {
    tell: Option<Tell>,
    place: LiveRunSlot,
    /// Whether the person's word for the first iteration is still unused: whoever starts a run has given it.
    may_start: bool,
}

impl Beginning {
    fn failed(&mut self, fault: Fault) {
        if let Some(tell) = self.tell.take() {
            // The window that asked may have gone.
            let _gone = tell.send(Err(fault));
        }
    }
}

impl Observer for Beginning {
    fn event(&mut self, envelope: &EventEnvelope) {
        let (Event::RunStarted { run, .. } | Event::RunResumed { run, .. }) = &envelope.event else { return };
        if let Some(tell) = self.tell.take() {
            self.place.begun(*run);
            let _gone = tell.send(Ok(*run));
        }
    }

    fn may_start(&mut self, _number: u32) -> bool {
        std::mem::take(&mut self.may_start)
    }

    fn waits_at_gates(&self) -> bool {
        true
    }
}
