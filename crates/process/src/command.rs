//! What to start, and what came of it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A program to run, with all that decides how it runs.
#[derive(Clone, PartialEq, Eq)]
pub struct Command {
    /// The program's absolute path; see [`find_program`](crate::find_program).
    pub program: PathBuf,
    /// Its arguments, handed over one by one and never through a shell.
    pub args: Vec<OsString>,
    /// The folder it runs in.
    pub dir: PathBuf,
    /// Its whole environment. Nothing is inherited.
    pub env: BTreeMap<OsString, OsString>,
    /// What it reads from standard input, which is then closed.
    pub stdin: Vec<u8>,
    /// How long it may take before its whole group is killed.
    pub timeout: Duration,
    /// How many bytes of standard output, and as many of standard error, are kept. The rest is read and counted.
    pub output_limit: usize,
}

impl Command {
    /// A command without arguments, environment and input, that may take a minute and print 1 MiB.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>, dir: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            dir: dir.into(),
            env: BTreeMap::new(),
            stdin: Vec::new(),
            timeout: Duration::from_secs(60),
            output_limit: 1024 * 1024,
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Its command line as the system keeps it: each word ends with a NUL.
    pub(crate) fn line(&self) -> Vec<u8> {
        let words =
            std::iter::once(self.program.as_os_str()).chain(self.args.iter().map(OsString::as_os_str));
        words.flat_map(|word| [word.as_encoded_bytes(), b"\0"].concat()).collect()
    }

    /// Sets one variable of the environment.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }
}

/// Leaves out the environment's values and the input: they may hold secrets, and this ends up in logs.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command")
            .field("program", &self.program)
            .field("args", &self.args)
            .field("dir", &self.dir)
            .field("env", &self.env.keys().map(OsString::as_os_str).collect::<Vec<&OsStr>>())
            .field("stdin", &format_args!("{} bytes", self.stdin.len()))
            .field("timeout", &self.timeout)
            .field("output_limit", &self.output_limit)
            .finish()
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Exit {
    /// Whether the program said that all went well.
    #[must_use]
    pub const fn success(self) -> bool {
        matches!(self, Self::Code(0))
    }
}

/// As people read it: `exit code 1`, `signal 9`.
impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// What a program printed, up to the limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The beginning of standard output.
    pub stdout: Vec<u8>,
    /// The beginning of standard error.
    pub stderr: Vec<u8>,
    /// How many bytes beyond the limit were read and dropped, of both together.
    pub discarded: u64,
}

impl Captured {
    /// Whether anything was dropped.
    #[must_use]
    pub const fn truncated(&self) -> bool {
        self.discarded > 0
    }
}

/// A program that ended within its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub exit: Exit,
    /// What it printed.
    pub output: Captured,
    /// Whether processes it left behind still held its output open after it had ended.
    pub leaked: bool,
    /// How long it took, by the monotonic clock.
    pub elapsed: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_keeps_secrets_out() {
        let mut command = Command::new("/bin/agent", "/tmp").args(["--fast"]).env("API_KEY", "hunter2");
        command.stdin = b"secret prompt".to_vec();
        let shown = format!("{command:?}");
        assert!(
            shown.contains("API_KEY") && shown.contains("--fast") && shown.contains("13 bytes"),
            "{shown}"
        );
        assert!(!shown.contains("hunter2") && !shown.contains("secret prompt"), "{shown}");
    }

    #[test]
    fn only_exit_code_zero_is_success() {
        assert!(Exit::Code(0).success());
        assert!(!Exit::Code(1).success() && !Exit::Signal(15).success());
        assert_eq!(
            (Exit::Code(3).to_string(), Exit::Signal(9).to_string()),
            ("exit code 3".into(), "signal 9".into())
        );
    }
}
