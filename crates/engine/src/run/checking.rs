//! The checks of an iteration, run by the host.

use std::path::{Path, PathBuf};

use loopwright_domain::{CheckResult, ControlKind, Iteration, RunKind};
use tokio::sync::watch;

use super::driver::Driver;
use super::observe::Observer;
use super::steer::Wish;
use super::transcript::HostEvent;
use crate::check::{Check, CheckMode, CheckObserver, CheckRunner, TreeDiff};

/// Hands the progress of checks on to a run's observer, and to the transcript of their iteration.
struct Relay<'a> {
    observer: &'a mut dyn Observer,
    transcript: Option<PathBuf>,
}

impl Relay<'_> {
    fn note(&self, event: &HostEvent) {
        if let Some(transcript) = &self.transcript {
            event.note(transcript);
        }
    }
}

impl CheckObserver for Relay<'_> {
    fn started(&mut self, check: &Check) {
        self.note(&HostEvent::CheckStarted { name: check.name.clone() });
        self.observer.check_started(&check.name);
    }

    fn finished(&mut self, _check: &Check, result: &CheckResult) {
        self.note(&HostEvent::check_ended(result));
        self.observer.check_ended(result);
    }
}

impl Driver<'_> {
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
        let host = self.project.host();
        let base = match of {
            Some((_, iteration)) => TreeDiff::base_of(self.project, &self.checks, iteration).await,
            None => None,
        };
        let mut runner =
            CheckRunner::new(host, &self.project.layout().root, host.environment.clone(), marker)
                .secrets(self.project.secrets().clone());
        if let Some(diff) = TreeDiff::open(host, self.project.layout(), base) {
            runner = runner.diff(std::sync::Arc::new(diff));
        }
        let (stopper, mut stop) = watch::channel(false);
        let transcript = of.map(|(_, iteration)| self.project.iteration_files(iteration).transcript());
        let mut relay = Relay { observer: self.observer, transcript };
        let running = runner.run(&self.checks, mode, &mut relay, &mut stop, of.map(|(folder, _)| folder));
        tokio::pin!(running);
        loop {
            tokio::select! {
                results = &mut running => return results,
                wish = self.steering.next() => match wish {
                    Wish::Stop(_) | Wish::Asked(ControlKind::Cancel) => {
                        let _ = stopper.send(true);
                    }
                    Wish::Asked(ControlKind::Resume) => self.pause = None,
                    Wish::Asked(kind) => self.pause = Some(kind),
                },
            }
        }
    }
}
