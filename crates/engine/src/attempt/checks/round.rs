//! The checks of an iteration, run by the host.

use std::path::{Path, PathBuf};

use loopwright_checks::{
    Check, CheckMode, CheckObserver, CheckRunner, NoEdits, TreeDiff, TreeWatch, looks_at_spec,
};
use loopwright_config::TrustedCheck;
use loopwright_domain::{Baseline, CheckResult, Iteration, RunKind};
use loopwright_transcript::HostEvent;
use tokio::sync::{mpsc, watch};

use crate::attempt::link::{AttemptMessage, StopOrder};
use crate::attempt::unit::Attempt;

/// Hands the progress of checks on to the dispatcher, and to the transcript of their iteration.
struct CheckRelay {
    messages: mpsc::UnboundedSender<AttemptMessage>,
    transcript: Option<PathBuf>,
    baseline: Option<Baseline>,
}

/// One round of checks.
pub(crate) struct CheckRound<'a> {
    pub(crate) checks: &'a [TrustedCheck],
    pub(crate) mode: CheckMode,
    /// What its processes carry in their environment.
    pub(crate) marker: &'a str,
    /// Where both streams of each check are kept.
    pub(crate) outputs: Option<&'a Path>,
    /// The iteration it judges; none before the first agent.
    pub(crate) iteration: Option<&'a Iteration>,
    /// Which checks must not edit files.
    pub(crate) no_edits: NoEdits,
}

impl CheckRelay {
    fn note(&self, event: &HostEvent) {
        if let Some(transcript) = &self.transcript {
            event.note(transcript);
        }
    }
}

impl CheckObserver for CheckRelay {
    fn started(&mut self, check: &Check) {
        self.note(&HostEvent::CheckStarted { name: check.name.clone() });
        let _ = self.messages.send(AttemptMessage::CheckStarted(check.name.clone()));
    }

    fn finished(&mut self, _check: &Check, result: &CheckResult) {
        let mut result = result.clone();
        if let Some(baseline) = &self.baseline {
            baseline.mark(std::slice::from_mut(&mut result));
        }
        self.note(&HostEvent::check_ended(&result));
        let _ = self.messages.send(AttemptMessage::CheckEnded(Box::new(result)));
    }
}

impl Attempt<'_> {
    /// Runs all checks once; whoever wants the run to stop stops them too. In `fix` all of them run, so that what
    /// fails can be compared from one iteration to the next; elsewhere the first required failure is enough.
    pub(crate) async fn run_checks(
        &mut self,
        marker: &str,
        of: Option<(&Path, &Iteration)>,
    ) -> Vec<CheckResult> {
        let mode = match self.run.kind {
            RunKind::Fix => CheckMode::All,
            _ => CheckMode::StopAtFirstRequiredFailure,
        };
        let checks = self.checks.clone();
        let (outputs, iteration) = of.unzip();
        let no_edits = NoEdits::Forbidden;
        self.run_round(CheckRound { checks: &checks, mode, marker, outputs, iteration, no_edits }).await
    }

    /// Runs a round of checks; whoever wants the run to stop stops it too. Each result says whether its check was red
    /// before the run.
    pub(crate) async fn run_round(&mut self, round: CheckRound<'_>) -> Vec<CheckResult> {
        let host = self.project.host();
        let base = match round.iteration {
            Some(iteration) => TreeDiff::base_of(self.project.store(), round.checks, iteration).await,
            None => None,
        };
        let mut runner =
            CheckRunner::new(host, &self.project.layout().root, host.environment.clone(), round.marker)
                .secrets(self.project.secrets().clone());
        if looks_at_spec(round.checks)
            && let Ok(drift) = self.project.spec().drift().await
        {
            runner = runner.drift(drift);
        }
        if let Some(diff) = TreeDiff::open(host, self.project.layout(), base) {
            runner = runner.diff(std::sync::Arc::new(diff));
        }
        if let Some(workspace) = self.tree.shared_workspace() {
            let watch = TreeWatch::new(workspace, &self.project.layout().root);
            runner = runner.watch(std::sync::Arc::new(watch), round.no_edits);
        }
        let (stopper, mut stop) = watch::channel(false);
        let transcript =
            round.iteration.map(|iteration| self.project.iterations().files(iteration).transcript());
        let baseline = self.run.baseline.clone();
        let mut relay = CheckRelay { messages: self.link.sender(), transcript, baseline: baseline.clone() };
        let running = runner.run(round.checks, round.mode, &mut relay, &mut stop, round.outputs);
        tokio::pin!(running);
        loop {
            tokio::select! {
                mut results = &mut running => {
                    if let Some(baseline) = &baseline {
                        baseline.mark(&mut results);
                    }
                    return results;
                }
                // What is spent is spent: a cap stops no checks.
                order = self.link.next_order() => if !matches!(order, StopOrder::Cap(_)) {
                    let _ = stopper.send(true);
                },
            }
        }
    }
}
