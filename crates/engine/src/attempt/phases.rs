//! The phases of an attempt as the dispatcher sees them: planned, running (a lane has it), ended, checked, judged, then at
//! a gate or settling. Each owns what is known by then, so that nothing can be read that is not there yet, and only the
//! step before makes it.

use std::future::Future;
use std::pin::Pin;

use loopwright_domain::{CheckResult, Fault, Iteration, Settlement};
use loopwright_transcript::IterationFiles;

use crate::assessment::Assessment;
use crate::attempt::agent::result::AgentEnd;
use crate::attempt::checks::verify::Verified;
use crate::attempt::unit::Attempt;

/// Written down, and nothing is started yet.
pub(crate) struct PlannedAttempt {
    pub(crate) iteration: Iteration,
    /// What the agent is asked.
    pub(crate) prompt: String,
    pub(crate) files: IterationFiles,
}

/// Its agent has ended, or could not be started.
pub(crate) struct EndedAttempt {
    pub(crate) iteration: Iteration,
    pub(crate) end: AgentEnd,
}

/// Its checks have run; none where there was nothing to check.
pub(crate) struct CheckedAttempt {
    pub(crate) iteration: Iteration,
    /// What the checks said, in their order.
    pub(crate) results: Vec<CheckResult>,
}

/// By agent and checks it is known what becomes of its task.
pub(crate) struct JudgedAttempt {
    pub(crate) iteration: Iteration,
    pub(crate) settlement: Settlement,
    /// What was seen in its changes, for whoever has to look at them.
    pub(crate) assessment: Assessment,
}

/// Its gate is open: a person decides.
#[derive(Debug)]
pub(crate) struct GatedAttempt {
    pub(crate) iteration: Iteration,
}

/// What becomes of its task is decided and has to be carried out: a commit, or putting the files back.
pub(crate) struct SettlingAttempt {
    pub(crate) iteration: Iteration,
    pub(crate) settlement: Settlement,
}

/// What an attempt is when its agent has ended.
pub(crate) type EndedResult = Result<EndedAttempt, Fault>;

/// Work that an attempt does.
pub(crate) type WorkFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Who carries attempts out. The dispatcher's tests have one without processes and without git.
pub(crate) trait AttemptWorker: Send + Sync {
    /// Takes a planned attempt to the end of its agent.
    fn run_agent<'a>(&self, attempt: Attempt<'a>, planned: PlannedAttempt) -> WorkFuture<'a, EndedResult>;

    /// Runs the checks on what an agent left.
    fn check<'w>(
        &'w self,
        attempt: &'w mut Attempt<'_>,
        iteration: &'w mut Iteration,
    ) -> WorkFuture<'w, Result<Verified, Fault>>;
}

/// Starts agents and runs checks.
pub(crate) struct AgentWorker;

impl AttemptWorker for AgentWorker {
    fn run_agent<'a>(
        &self,
        mut attempt: Attempt<'a>,
        planned: PlannedAttempt,
    ) -> WorkFuture<'a, EndedResult> {
        Box::pin(async move {
            let PlannedAttempt { mut iteration, prompt, files } = planned;
            let end = attempt.run_agent(&mut iteration, &prompt, &files).await?;
            Ok(EndedAttempt { iteration, end })
        })
    }

    fn check<'w>(
        &'w self,
        attempt: &'w mut Attempt<'_>,
        iteration: &'w mut Iteration,
    ) -> WorkFuture<'w, Result<Verified, Fault>> {
        Box::pin(attempt.check(iteration))
    }
}
