//! Running a project's checks in their order.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use loopwright_config::check::{Builtin, Check, CheckCommand, CheckWork};
use loopwright_config::{Host, TrustedCheck};
use loopwright_domain::{CheckResult, CheckStatus, Fault, Issue};
use loopwright_process::{Command, Secrets};
use tokio::sync::watch;

use crate::diff::DiffSource;
use crate::edit_watch::{EditWatch, NoEdits};
use crate::environment::{self, Environment};
use crate::execute::{Order, execute, stopped};
use crate::judge::{self, Places};
use crate::{builtin, program};

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

/// Runs checks in one project: those of a trusted configuration, and those that the caller answers for.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use loopwright_domain::{CheckStatus, Issue, Severity};
/// use loopwright_config::{Host, TrustedCheck};
/// use loopwright_checks::{CheckMode, CheckRunner, CustomCheck, Pending};
///
/// struct HasReadme;
///
/// impl CustomCheck for HasReadme {
///     fn run<'a>(&'a self, project: &'a Path) -> Pending<'a, Vec<Issue>> {
///         Box::pin(async move {
///             let message = "there is no README.md".to_owned();
///             let issue = Issue { severity: Severity::Error, file: None, line: None, message };
///             Ok(if project.join("README.md").exists() { Vec::new() } else { vec![issue] })
///         })
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// # let folder = tempfile::tempdir()?;
/// let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
/// let checks = [TrustedCheck::custom("readme", 0, Arc::new(HasReadme))];
/// let (_keep, mut stop) = tokio::sync::watch::channel(false);
/// let runner = CheckRunner::new(&host, folder.path(), [], "an-id-of-this-round");
/// let results = runner.run(&checks, CheckMode::All, &mut (), &mut stop, None).await;
/// assert_eq!(results[0].status, CheckStatus::Failed);
/// # Ok::<_, std::io::Error>(()) })?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct CheckRunner {
    host: Host,
    root: PathBuf,
    environment: Environment,
    secrets: Secrets,
    marker: String,
    diff: Option<Arc<dyn DiffSource>>,
    drift: Option<Vec<Issue>>,
    watch: Option<(Arc<dyn EditWatch>, NoEdits)>,
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
            drift: None,
            watch: None,
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

    /// Says how finished tasks and documents differ from the spec. Without it `spec-drift` cannot be run.
    #[must_use]
    pub fn drift(mut self, drift: Vec<Issue>) -> Self {
        self.drift = Some(drift);
        self
    }

    /// Says who sees whether checks edit files, and which of them must not. Without it all may.
    #[must_use]
    pub fn watch(mut self, watch: Arc<dyn EditWatch>, no_edits: NoEdits) -> Self {
        self.watch = Some((watch, no_edits));
        self
    }

    /// Runs those checks that are switched on, in the order given, and gives one result for each. With `outputs`, both
    /// streams of each command are kept in that folder. When `stop` becomes true, the running check's whole tree is
    /// ended and no other begins.
    pub async fn run(
        &self,
        checks: &[TrustedCheck],
        mode: CheckMode,
        observer: &mut dyn CheckObserver,
        stop: &mut watch::Receiver<bool>,
        outputs: Option<&Path>,
    ) -> Vec<CheckResult> {
        let mut results: Vec<CheckResult> = Vec::new();
        let mut skip = false;
        // Whether the files are as they were last noted.
        let mut noted = false;
        for check in checks.iter().filter(|check| check.enabled) {
            let result = if *stop.borrow() {
                judge::result(check, CheckStatus::Stopped)
            } else if skip {
                judge::result(check, CheckStatus::Skipped)
            } else {
                observer.started(check);
                self.watched(check, stop, outputs, &mut noted).await
            };
            observer.finished(check, &result);
            skip |= mode == CheckMode::StopAtFirstRequiredFailure && result.required && result.failed();
            results.push(result);
        }
        results
    }

    /// Runs one check, and fails it when it edits files and must not.
    async fn watched(
        &self,
        check: &Check,
        stop: &mut watch::Receiver<bool>,
        outputs: Option<&Path>,
        noted: &mut bool,
    ) -> CheckResult {
        if matches!(check.work, CheckWork::Builtin(_)) {
            return self.one(check, stop, outputs).await;
        }
        let Some((watch, no_edits)) = self.watch.as_ref().filter(|(_, no_edits)| no_edits.concerns(check))
        else {
            *noted = false;
            return self.one(check, stop, outputs).await;
        };
        if !*noted && let Err(fault) = watch.note().await {
            return judge::broken(check, &fault, self.places());
        }
        let result = self.one(check, stop, outputs).await;
        if result.status == CheckStatus::Stopped {
            return result;
        }
        *noted = true;
        match watch.edited().await {
            Ok(files) if files.is_empty() => result,
            Ok(files) => no_edits.failed(check, result, &files),
            Err(fault) => judge::broken(check, &fault, self.places()),
        }
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
                let drift = self.drift.as_deref();
                within(check, stop, builtin::run(check, *builtin, &self.root, diff, drift)).await
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

/// Whether one of the checks compares with the spec, see [`CheckRunner::drift`].
#[must_use]
pub fn looks_at_spec(checks: &[TrustedCheck]) -> bool {
    checks.iter().any(|check| check.enabled && matches!(check.work, CheckWork::Builtin(Builtin::SpecDrift)))
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

#[cfg(all(test, unix))]
#[path = "run_tests.rs"]
mod tests;
