//! A temporary working folder with a scenario beside it, and the binary that plays it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What an agent is told by its surroundings; cleared so that a test decides alone.
const VARIABLES: [&str; 5] = [
    "LOOPWRIGHT_ITERATION",
    "LOOPWRIGHT_TASK",
    "LOOPWRIGHT_ATTEMPT",
    "LOOPWRIGHT_SIGNAL_FILE",
    "LOOPWRIGHT_NONCE",
];

#[expect(clippy::disallowed_methods, reason = "tests start programs themselves")]
pub(crate) fn program(program: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(program)
}

/// The binary without any of Loopwright's variables.
pub(crate) fn rehearsal() -> Command {
    let mut command = program(env!("CARGO_BIN_EXE_loopwright-rehearsal"));
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

/// A scenario of one scene with these steps.
pub(crate) fn scene(steps: &str) -> String {
    format!("[[scene]]\nsteps = [\n{steps}\n]\n")
}

pub(crate) struct Rehearsal {
    temp: TempDir,
}

impl Rehearsal {
    /// A scenario file and an empty working folder.
    pub(crate) fn new(scenario: &str) -> Self {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("scenario.toml"), scenario).unwrap();
        fs::create_dir(temp.path().join("work")).unwrap();
        Self { temp }
    }

    /// One scene with these steps.
    pub(crate) fn of(steps: &str) -> Self {
        Self::new(&scene(steps))
    }

    /// The working folder.
    pub(crate) fn work(&self) -> PathBuf {
        self.temp.path().join("work")
    }

    /// A path beside the working folder.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = rehearsal();
        command.current_dir(self.work()).arg("--scenario").arg(self.beside("scenario.toml"));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Printed {
        Printed::from(self.command().args(arguments).output().unwrap())
    }

    pub(crate) fn start(&self) -> Child {
        self.command().stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.work().join(path)).unwrap()
    }

    /// The names in the working folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.work())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(crate) struct Printed {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl From<Output> for Printed {
    fn from(output: Output) -> Self {
        Self { code: output.status.code(), stdout: output.stdout, stderr: output.stderr }
    }
}

impl Printed {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// What came on stderr after the banner, which must be there.
    pub(crate) fn complaint(&self) -> &str {
        let stderr = std::str::from_utf8(&self.stderr).unwrap();
        stderr.strip_prefix("Rehearsal: a scripted agent, not an AI.\n").unwrap()
    }

    /// Every line of stdout as JSON.
    pub(crate) fn json(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Asserts that the scene ended well and said nothing more on stderr.
    pub(crate) fn well(self) -> Self {
        assert_eq!(
            (self.code, self.complaint()),
            (Some(0), ""),
            "{:?}",
            String::from_utf8_lossy(&self.stdout)
        );
        self
    }
}

/// Plays with a prompt on standard input.
pub(crate) fn play_with_input(mut command: Command, input: &[u8]) -> Printed {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    Printed::from(output)
}

/// Every file below a folder with its bytes, by its path with `/`; `.git` is left out.
pub(crate) fn tree(root: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = std::collections::BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().unwrap() != ".git" {
                    folders.push(path);
                }
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}
