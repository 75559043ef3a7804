//! Running a project's checks in their order.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use loopwright_domain::{CheckResult, CheckStatus, Fault};
use loopwright_process::{Command, Secrets};
use tokio::sync::watch;

use super::diff::DiffSource;
use super::environment::{self, Environment};
use super::execute::{Order, execute};
use super::judge::{self, Places};
use super::model::{Check, CheckCommand, CheckWork};
use super::{builtin, program};
use crate::host::Host;

/// What happens after a required check has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckMode {
    /// The others are run all the same.
    All,
    /// The others are passed over.
    StopAtFirstRequiredFailure,
}

/// Is told how a round of checks goes.
pub trait CheckObserver: Send {
    /// A check begins.
    fn started(&mut self, check: &Check) {
        let _ = check;
    }

    /// A check is over, or was passed over.
    fn finished(&mut self, check: &Check, result: &CheckResult) {
        let _ = (check, result);
    }

    /// The results could not be kept for later; nothing else is wrong with them.
    fn unrecorded(&mut self, fault: &Fault) {
        let _ = fault;
    }
}

/// Nobody watches.
impl CheckObserver for () {}

/// Runs checks in one project. Whether the folder is trusted has to be asked before: the runner executes what it is
/// given.
#[derive(Clone)]
pub struct CheckRunner {
    host: Host,
    root: PathBuf,
    environment: Environment,
    secrets: Secrets,
    marker: String,
    diff: Option<Arc<dyn DiffSource>>,
}

impl CheckRunner {
    /// A runner for a project folder. Of the variables only an allow-list is passed on. The marker names the round
    /// among all others of this machine: an iteration's id, or any new one.
    #[must_use]
    pub fn new(
        host: &Host,
        root: &Path,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        marker: impl Into<String>,
    ) -> Self {
        Self {
            host: host.clone(),
            root: root.to_owned(),
            environment: environment::allowed(variables),
            secrets: Secrets::built_in(),
            marker: marker.into(),
            diff: None,
        }
    }

    /// Says what must not show in any output, besides what is known everywhere.
    #[must_use]
    pub fn secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Says where built-in checks learn what changed. Without it they cannot be run.
    #[must_use]
    pub fn diff(mut self, diff: Arc<dyn DiffSource>) -> Self {
        self.diff = Some(diff);
        self
    }

    /// Runs those checks that are switched on, in the order given, and gives one result for each. With `outputs`, both
    /// streams of each command are kept in that folder. When `stop` becomes true, the running check's whole tree is
    /// ended and no other begins.
    pub async fn run(
        &self,
        checks: &[Check],
        mode: CheckMode,
        observer: &mut dyn CheckObserver,
        stop: &mut watch::Receiver<bool>,
        outputs: Option<&Path>,
    ) -> Vec<CheckResult> {
        let mut results: Vec<CheckResult> = Vec::new();
        let mut skip = false;
        for check in checks.iter().filter(|check| check.enabled) {
            let result = if *stop.borrow() {
                judge::result(check, CheckStatus::Stopped)
            } else if skip {
                judge::result(check, CheckStatus::Skipped)
            } else {
                observer.started(check);
                self.one(check, stop, outputs).await
            };
            observer.finished(check, &result);
            skip |= mode == CheckMode::StopAtFirstRequiredFailure && result.required && result.failed();
            results.push(result);
        }
        results
    }

    async fn one(
        &self,
        check: &Check,
        stop: &mut watch::Receiver<bool>,
        outputs: Option<&Path>,
    ) -> CheckResult {
        let done = match &check.work {
            CheckWork::Command(command) => self.command(check, command, stop, outputs).await,
            CheckWork::Builtin(builtin) => {
                let diff = self.diff.as_deref();
                within(check, stop, builtin::run(check, *builtin, &self.root, diff)).await
            }
            CheckWork::Custom(custom) => {
                let found = async { Ok(judge::found(check, custom.0.run(&self.root).await?)) };
                within(check, stop, found).await
            }
        };
        done.unwrap_or_else(|fault| judge::broken(check, &fault, self.places()))
    }

    async fn command(
        &self,
        check: &Check,
        command: &CheckCommand,
        stop: &mut watch::Receiver<bool>,
        outputs: Option<&Path>,
    ) -> Result<CheckResult, Fault> {
        let folder = program::folder(&self.root, command)?;
        let program = program::find(&self.host, &self.root, &folder, command)?;
        let mut start = Command::new(program, folder).args(command.argv.iter().skip(1));
        start.env = environment::of_check(&self.environment, check, command);
        let order = Order {
            check,
            command: start,
            marker: format!("{}.check-{}", self.marker, check.position),
            secrets: self.secrets.clone(),
            outputs,
        };
        let execution = execute(order, stop).await?;
        Ok(judge::judge(check, command, &execution, self.places()))
    }

    fn places(&self) -> Places<'_> {
        let named = ["TMPDIR", "TEMP", "TMP"]
            .iter()
            .find_map(|name| self.environment.get(std::ffi::OsStr::new(name)));
        Places { root: &self.root, temporary: named.map_or(Path::new(""), Path::new) }
    }
}

/// Waits for a check that is no command, as long as it may take.
async fn within(
    check: &Check,
    stop: &mut watch::Receiver<bool>,
    looking: impl Future<Output = Result<CheckResult, Fault>>,
) -> Result<CheckResult, Fault> {
    let begun = Instant::now();
    let found = tokio::select! {
        found = tokio::time::timeout(check.timeout, looking) => {
            found.unwrap_or_else(|_| Ok(judge::timed_out(check)))
        }
        () = stopped(stop) => Ok(judge::result(check, CheckStatus::Stopped)),
    };
    found.map(|result| CheckResult { elapsed_ms: judge::milliseconds(begun.elapsed()), ..result })
}

/// Waits until the round is to stop; for ever when nobody can say so any more.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(all(test, unix))]
#[path = "run_tests.rs"]
mod tests;
