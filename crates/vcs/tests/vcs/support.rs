//! What the tests share: a throw-away machine with a home, projects and the plain git.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use loopwright_process::{Command, Finished, find_program, run};
use loopwright_vcs::{CheckpointName, Git, RepoSummary, Repository, VcsError, Workspace, discover};
use tempfile::TempDir;

/// Words that `-c` and the like are not needed for: a name, and no surprises.
const GITCONFIG: &str =
    "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n";

/// A throw-away machine.
pub(crate) struct Lab {
    _folder: TempDir,
    root: PathBuf,
}

/// The search path of this process, with git on it.
pub(crate) fn search_path() -> OsString {
    env::var_os("PATH").unwrap()
}

/// The git of this machine.
pub(crate) fn real_git() -> PathBuf {
    find_program("git", &search_path()).unwrap()
}

/// The name of a checkpoint of the tests' run.
pub(crate) fn named(label: &str) -> CheckpointName {
    CheckpointName::new("run", label).unwrap()
}

impl Lab {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["home", "canaries"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        fs::write(root.join("home/.gitconfig"), GITCONFIG).unwrap();
        Self { _folder: folder, root }
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    /// Writes a file, with the folders it needs.
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes an executable shell script.
    pub(crate) fn script(&self, name: impl AsRef<Path>, body: &str) -> PathBuf {
        let path = self.write(name, format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Adds to a file.
    pub(crate) fn append(&self, name: impl AsRef<Path>, content: &str) {
        let path = self.path(&name);
        let before = fs::read_to_string(&path).unwrap_or_default();
        self.write(name, format!("{before}{content}"));
    }

    /// Makes git look into a file although its content is the same.
    pub(crate) fn age(&self, name: impl AsRef<Path>) {
        let file = fs::File::options().write(true).open(self.path(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).unwrap();
    }

    /// The crate's git, with this machine's home.
    pub(crate) fn git(&self) -> Git {
        Git::locate(&search_path()).unwrap().with_home(&self.path("home"))
    }

    /// A plain git without any protection, as a person would call it.
    pub(crate) async fn plain(&self, dir: &str, args: &[&str]) -> Finished {
        let command = Command::new(real_git(), self.path(dir)).args(args.iter().copied());
        run(self.as_a_person(command)).await.unwrap()
    }

    /// The same, and it has to work.
    pub(crate) async fn must(&self, dir: &str, args: &[&str]) -> String {
        let finished = self.plain(dir, args).await;
        let said = String::from_utf8_lossy(&finished.output.stderr).into_owned();
        assert!(finished.exit.success(), "git {args:?}: {said}");
        String::from_utf8_lossy(&finished.output.stdout).trim().to_owned()
    }

    /// A shell in the place of a person.
    pub(crate) async fn shell(&self, dir: &str, script: &str) -> Finished {
        let command = Command::new("/bin/sh", self.path(dir)).args(["-c", script]);
        run(self.as_a_person(command)).await.unwrap()
    }

    fn as_a_person(&self, command: Command) -> Command {
        command
            .env("PATH", search_path())
            .env("HOME", self.path("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
    }

    /// A repository with one commit of one file.
    pub(crate) async fn repository(&self, name: &str) -> Repository {
        fs::create_dir_all(self.path(name)).unwrap();
        self.must(name, &["init", "--quiet"]).await;
        self.write(format!("{name}/file.txt"), "content\n");
        self.must(name, &["add", "--all"]).await;
        self.must(name, &["commit", "--quiet", "--message", "first"]).await;
        discover(&self.path(name)).unwrap()
    }

    /// Opens a folder that has to be a repository for a run.
    pub(crate) async fn workspace(&self, name: &str) -> Workspace {
        self.git().workspace(&discover(&self.path(name)).unwrap()).await.unwrap()
    }

    /// What a file holds.
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Looks at a folder that has to be a repository.
    pub(crate) async fn summary(&self, name: &str) -> Result<RepoSummary, VcsError> {
        let repository = discover(&self.path(name)).unwrap();
        self.git().inspect(&repository).summary().await
    }

    /// A shell command that leaves a trace when it is run. It needs no other program, and so no search path.
    pub(crate) fn canary(&self, name: &str) -> String {
        format!(": > {}", self.path("canaries").join(name).display())
    }

    /// The traces.
    pub(crate) fn fired(&self) -> BTreeSet<String> {
        let traces = fs::read_dir(self.path("canaries")).unwrap();
        traces.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Removes all traces.
    pub(crate) fn forget(&self) {
        for name in self.fired() {
            fs::remove_file(self.path("canaries").join(name)).unwrap();
        }
    }
}
