//! A folder that stands for a whole machine: home, settings, data and a place for projects.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::normalise::normalise;

/// A throw-away machine. Nothing a program does in it reaches the user's own files.
#[derive(Debug)]
pub struct Sandbox {
    folder: TempDir,
    root: PathBuf,
}

/// What a program printed, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The exit code; -1 when a signal ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Sandbox {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        let folder = must(tempfile::tempdir(), "make a temporary folder");
        let root = must(dunce::canonicalize(folder.path()), "resolve the temporary folder");
        for name in ["home", "work"] {
            must(fs::create_dir(root.join(name)), "make a folder");
        }
        Self { folder, root }
    }

    /// The folder that holds everything.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where projects go; programs start here.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The user's settings folder.
    #[must_use]
    pub fn config_dir(&self) -> PathBuf {
        self.root.join("config")
    }

    /// The user's data folder.
    #[must_use]
    pub fn data_dir(&self) -> PathBuf {
        self.root.join("data")
    }

    /// Writes a file below the work folder, with the folders it needs.
    pub fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.work().join(path);
        if let Some(parent) = path.parent() {
            must(fs::create_dir_all(parent), "make a folder");
        }
        must(fs::write(path, text), "write a file");
    }

    /// Reads a file below the work folder.
    #[must_use]
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        must(fs::read_to_string(self.work().join(path)), "read a file")
    }

    /// A program with this machine's environment: its own home, and nothing of the real one but the path.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "tests start the real programs as a person would")]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LOOPWRIGHT_CONFIG_DIR", self.config_dir())
            .env("LOOPWRIGHT_DATA_DIR", self.data_dir())
            .env("LOOPWRIGHT_SANDBOX", "off")
            .env("TZ", "UTC")
            .env("LC_ALL", "C.UTF-8")
            .current_dir(self.work())
            .stdin(Stdio::null());
        // Windows programs do not start without these.
        for name in ["SystemRoot", "TEMP", "TMP", "PATHEXT"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
    }

    /// Runs a command to its end.
    #[must_use]
    pub fn run(&self, command: &mut Command) -> Output {
        let output = must(command.output(), "start a program");
        Output {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs git in a folder below the work folder and gives what it printed; it must succeed.
    pub fn git(&self, folder: impl AsRef<Path>, args: &[&str]) -> String {
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
        let mut command = self.command("git");
        command.args(identity).args(args).current_dir(self.work().join(folder));
        let output = self.run(&mut command);
        assert!(output.code == 0, "git {args:?} failed: {}", output.stderr);
        output.stdout
    }

    /// Makes a repository with one commit of what is in the folder.
    pub fn git_init(&self, folder: impl AsRef<Path>) {
        let folder = folder.as_ref();
        must(fs::create_dir_all(self.work().join(folder)), "make a folder");
        self.git(folder, &["init", "--quiet", "--initial-branch=main"]);
        self.git(folder, &["add", "--all"]);
        self.git(folder, &["commit", "--quiet", "--allow-empty", "--message", "Begin"]);
    }

    /// A program's output as one text for a snapshot: exit code, both streams, volatile parts replaced.
    #[must_use]
    pub fn snapshot(&self, output: &Output) -> String {
        let mut text = format!("exit {}\n", output.code);
        for (name, stream) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            if !stream.is_empty() {
                text.push_str(&format!("--- {name}\n{}", normalise(stream, self.folder.path(), &self.root)));
            }
        }
        text
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

fn must<T, E: std::fmt::Display>(result: Result<T, E>, action: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("cannot {action}: {error}"),
    }
}
