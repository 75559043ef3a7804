//! The checks that an attempt is judged by.

use std::time::Instant;

use loopwright_domain::environment::unable;
use loopwright_domain::{CheckResult, Event, Fault, Iteration, Phase, Verdict};
use loopwright_transcript::IterationFiles;

use crate::attempt::unit::Attempt;
use crate::crash;
use crate::logging::log_phase;

/// What a round of checks came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verified {
    /// They have run, whatever they say.
    Done(Vec<CheckResult>),
    /// They were stopped. The iteration stays as it is, and they run again when the run is resumed.
    Stopped,
    /// This one cannot be run on this machine. They run again when that is put right.
    Unable(Box<CheckResult>),
}

impl Attempt<'_> {
    /// Runs the checks of an iteration and has the results written down.
    pub(crate) async fn check(&mut self, iteration: &mut Iteration) -> Result<Verified, Fault> {
        if !self.checks.iter().any(|check| check.enabled) {
            return Ok(Verified::Done(Vec::new()));
        }
        let begun = Instant::now();
        iteration.phase = Phase::Checking;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Checking };
        self.write(iteration, &[], vec![phase]).await?;
        crash::point("checking.after");
        let folder = IterationFiles::of(&self.project.layout().state_dir, iteration).checks();
        let results = self.check_tree(iteration, &folder).await?;
        let verdict = Verdict::of(&results);
        log_phase("checks", begun, verdict.as_str());
        if verdict == Verdict::Stopped {
            return Ok(Verified::Stopped);
        }
        if let Some(unable) = unable(&results).cloned() {
            self.write(iteration, &results, Vec::new()).await?;
            crash::point("checks.unable");
            return Ok(Verified::Unable(Box::new(unable)));
        }
        let spent: u64 = results.iter().map(|result| result.elapsed_ms).sum();
        iteration.elapsed_ms = iteration.agent_ms.saturating_add(spent);
        let ended = results.iter().map(|result| Event::CheckEnded {
            iteration: iteration.id,
            name: result.name.clone(),
            status: result.status,
            red_before: result.red_before,
            issues: u32::try_from(result.issues.len()).unwrap_or(u32::MAX),
            elapsed_ms: result.elapsed_ms,
        });
        self.write(iteration, &results, ended.collect()).await?;
        Ok(Verified::Done(results))
    }
}
