//! The git program, and how it is started.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_process::{Captured, Command, Finished, ProcessError, find_program_outside, run};

use crate::error::VcsError;
use crate::harden::{Environment, base_environment};
use crate::system;
use crate::version::{MINIMUM_VERSION, Version};

/// How long one git process may take when looking.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);
/// How long one git process may take when writing.
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_secs(120);
/// Room for a thousand status entries with the longest of paths, and for any sane configuration.
const OUTPUT_LIMIT: usize = 8 * 1024 * 1024;

/// The git program of this machine.
#[derive(Clone, Debug)]
pub struct Git {
    program: PathBuf,
    surroundings: Environment,
}

impl Git {
    /// Finds git on a search path (a `PATH` value). Relative entries are skipped: a `git` that a project brings
    /// along is never taken.
    ///
    /// # Errors
    /// There is none.
    pub fn locate(path: &OsStr) -> Result<Self, VcsError> {
        Self::locate_outside(path, None)
    }

    /// As [`Self::locate`], but a git that lies in `folder` is passed over.
    ///
    /// # Errors
    /// There is none.
    pub fn locate_outside(path: &OsStr, folder: Option<&Path>) -> Result<Self, VcsError> {
        let program = find_program_outside("git", path, folder).ok_or(VcsError::GitMissing)?;
        let passed = |name: &&str| Some((OsString::from(*name), env::var_os(name)?));
        Ok(Self { program, surroundings: system::PASSED_ON.iter().filter_map(passed).collect() })
    }

    /// Takes the user's settings from another home folder.
    #[must_use]
    pub fn with_home(mut self, home: &Path) -> Self {
        self.surroundings.remove(OsStr::new("XDG_CONFIG_HOME"));
        self.surroundings.insert("HOME".into(), home.into());
        self
    }

    /// Where the program is: an absolute path.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Asks git for its version.
    ///
    /// # Errors
    /// Git is older than [`MINIMUM_VERSION`], cannot be started or does not answer.
    pub async fn version(&self) -> Result<Version, VcsError> {
        let printed = self.run(Call::new(&self.program_folder(), &["--version"], self.environment())).await?;
        let version =
            Version::parse(&String::from_utf8_lossy(&printed.stdout)).ok_or(VcsError::UnknownVersion)?;
        if version < MINIMUM_VERSION {
            return Err(VcsError::TooOld { found: version, needed: MINIMUM_VERSION });
        }
        Ok(version)
    }

    /// The environment all git processes have in common.
    pub(crate) fn environment(&self) -> Environment {
        base_environment(&self.program, &self.surroundings)
    }

    /// The user's whole environment, as far as it is let through, with this machine's home.
    pub(crate) fn user_environment(&self, passes: fn(&OsStr) -> bool) -> Environment {
        let mut environment: Environment = env::vars_os().filter(|(name, _)| passes(name)).collect();
        environment.extend(self.surroundings.clone());
        environment
    }

    /// A folder that has nothing to do with any project.
    pub(crate) fn program_folder(&self) -> PathBuf {
        self.program.parent().unwrap_or(&self.program).to_owned()
    }

    /// Runs git and takes what it printed; anything but exit code 0 is an error.
    pub(crate) async fn run(&self, call: Call) -> Result<Captured, VcsError> {
        let name = call.name();
        let finished = self.finish(call).await?;
        if finished.exit.success() {
            return Ok(finished.output);
        }
        Err(VcsError::from_refusal(name, finished.exit, &finished.output.stderr))
    }

    /// Runs git to its end, however it ends.
    pub(crate) async fn finish(&self, call: Call) -> Result<Finished, VcsError> {
        let (name, limit) = (call.name(), call.timeout);
        let mut command = Command::new(&self.program, call.dir).args(call.args);
        command.env = call.environment;
        command.stdin = call.input;
        command.timeout = limit;
        command.output_limit = call.output_limit;
        run(command).await.map_err(|error| match error {
            ProcessError::TimedOut { output, .. } => VcsError::TimedOut { command: name, limit, output },
            other => VcsError::Process(other),
        })
    }
}

/// One start of git.
#[derive(Debug)]
pub(crate) struct Call {
    dir: PathBuf,
    args: Vec<OsString>,
    environment: Environment,
    /// Handed over on standard input.
    pub(crate) input: Vec<u8>,
    /// How long it may take.
    pub(crate) timeout: Duration,
    /// How much of what it prints is kept.
    pub(crate) output_limit: usize,
}

impl Call {
    pub(crate) fn new<A: Into<OsString> + Clone>(dir: &Path, args: &[A], environment: Environment) -> Self {
        let args = args.iter().cloned().map(Into::into).collect();
        Self {
            dir: dir.to_owned(),
            args,
            environment,
            input: Vec::new(),
            timeout: TIMEOUT,
            output_limit: OUTPUT_LIMIT,
        }
    }

    /// Sets one variable.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.environment.insert(name.into(), value.into());
    }

    /// Changes the variables.
    pub(crate) fn with_environment(&mut self, change: impl FnOnce(&mut Environment)) {
        change(&mut self.environment);
    }

    /// Takes one variable out.
    pub(crate) fn unset(&mut self, name: &str) {
        self.environment.remove(OsStr::new(name));
    }

    /// The command as people know it: `git status`.
    fn name(&self) -> String {
        let verb = self.args.iter().find(|word| !word.as_encoded_bytes().starts_with(b"-"));
        verb.map_or_else(|| "git".to_owned(), |verb| format!("git {}", verb.to_string_lossy()))
    }
}
