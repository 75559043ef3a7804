//! The checks of an iteration, run by the host.

use std::path::Path;

use loopwright_domain::{CheckResult, ControlKind, Iteration, RunKind};
use tokio::sync::watch;

use super::driver::Driver;
use super::observe::Observer;
use super::steer::Wish;
use crate::check::{Check, CheckMode, CheckObserver, CheckRunner, TreeDiff};

/// Hands the progress of checks on to a run's observer.
struct Relay<'a>(&'a mut dyn Observer);

impl CheckObserver for Relay<'_> {
    fn started(&mut self, check: &Check) {
        self.0.check_started(&check.name);
    }

    fn finished(&mut self, _check: &Check, result: &CheckResult) {
        self.0.check_ended(result);
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
        let mut relay = Relay(self.observer);
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
