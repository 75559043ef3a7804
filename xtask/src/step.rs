//! One command to run: shown before it starts, honouring `--dry-run`. The only place that starts processes.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::failure::{Context, Failure, Outcome};

/// A command with its folder and environment changes.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    program: PathBuf,
    args: Vec<OsString>,
    dir: Option<PathBuf>,
    env: Vec<(OsString, Option<OsString>)>,
    dry_run: bool,
}

/// What a captured command printed.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Step {
    pub(crate) fn new(program: impl AsRef<Path>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            dir: None,
            env: Vec::new(),
            dry_run: false,
        }
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    pub(crate) fn dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    pub(crate) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    pub(crate) fn envs<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        self,
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        pairs.into_iter().fold(self, |step, (name, value)| step.env(name, value))
    }

    pub(crate) fn without_env(mut self, name: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().to_owned(), None));
        self
    }

    pub(crate) fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// The command as a person would type it: for display only, it is never given to a shell.
    pub(crate) fn line(&self) -> String {
        let words =
            std::iter::once(self.program.as_os_str()).chain(self.args.iter().map(OsString::as_os_str));
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }

    /// Runs with the terminal's own input and output. Fails unless the command succeeds.
    pub(crate) fn run(&self) -> Outcome {
        if self.announce() {
            return Ok(());
        }
        let status = self.command().status().context(self.cannot_start())?;
        self.succeeded(status)
    }

    /// Runs without showing anything but the command. Fails with the command's own words unless it succeeds.
    pub(crate) fn run_quietly(&self) -> Outcome {
        if self.announce() {
            return Ok(());
        }
        self.capture_success().map(drop)
    }

    /// Runs with the terminal's own input and errors and gives back what was printed. Fails unless the command succeeds.
    pub(crate) fn run_for_output(&self) -> Outcome<String> {
        if self.announce() {
            return Ok(String::new());
        }
        let output = self.command().stderr(Stdio::inherit()).output().context(self.cannot_start())?;
        self.succeeded(output.status)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs in the terminal as if it had been called there, unannounced, and gives the exit code back.
    pub(crate) fn exit_code(&self) -> Outcome<i32> {
        if self.dry_run {
            self.announce();
            return Ok(0);
        }
        let status = self.command().status().context(self.cannot_start())?;
        Ok(status.code().unwrap_or(1))
    }

    /// Runs quietly and gives back what was printed. Queries run in a dry run as well: they change nothing.
    pub(crate) fn capture(&self) -> Outcome<Captured> {
        let output = self.command().stdin(Stdio::null()).output().context(self.cannot_start())?;
        Ok(Captured {
            status: output.status,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Runs quietly. Fails with the command's own words unless it succeeds.
    pub(crate) fn capture_success(&self) -> Outcome<String> {
        let captured = self.capture()?;
        if captured.status.success() {
            return Ok(captured.stdout);
        }
        let said = format!("{}{}", captured.stdout, captured.stderr);
        Err(Failure::new(format!("`{}` failed ({}).\n{}", self.line(), captured.status, said.trim_end())))
    }

    /// Starts the command; `wire` sets its input and output.
    pub(crate) fn spawn(&self, wire: impl FnOnce(&mut Command)) -> Outcome<Child> {
        let mut command = self.command();
        wire(&mut command);
        command.spawn().context(self.cannot_start())
    }

    /// Shows the command; true when it must not be run.
    pub(crate) fn announce(&self) -> bool {
        eprintln!("$ {}", self.line());
        self.dry_run
    }

    /// Whether it must not be run.
    pub(crate) fn is_dry(&self) -> bool {
        self.dry_run
    }

    /// An error that names the command unless `status` is a success.
    pub(crate) fn succeeded(&self, status: ExitStatus) -> Outcome {
        if status.success() {
            return Ok(());
        }
        Err(Failure::new(format!("`{}` failed ({status}).", self.line())))
    }

    fn cannot_start(&self) -> String {
        format!("cannot start {}", self.program.display())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the project's own commands stand outside the product, whose rule this is"
    )]
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }
}

fn quoted(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=,@+%\\".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_quotes_only_what_needs_it() {
        let step = Step::new("cargo").args(["test", "--features", "a/b,c", "it's here", ""]);
        assert_eq!(step.line(), r"cargo test --features a/b,c 'it'\''s here' ''");
    }

    #[test]
    fn captured_failure_carries_the_programs_words() {
        let failure = Step::new("cargo").arg("no-such-subcommand-here").capture_success().unwrap_err();
        assert!(failure.to_string().contains("no-such-subcommand-here"), "{failure}");
    }

    #[test]
    fn missing_program_is_named() {
        let failure = Step::new("loopwright-no-such-program").run().unwrap_err();
        assert!(failure.to_string().contains("cannot start loopwright-no-such-program"), "{failure}");
    }
}
