//! Where the agent of an iteration may write, and what in there it may not.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_config::{Host, Layout, PROJECT_DIR};
use loopwright_process::Sandbox;
use loopwright_vcs::AgentRepository;

use super::agent_folders::{self, AgentPlaces};
use super::folders;

/// What git executes or obeys in the folder it shares between work trees, and what of ours is in there. Modules and
/// other work trees are repositories with all of this once more.
const KEPT_IN_GIT: &[&str] =
    &["hooks", "config", "config.worktree", "info", "modules", "worktrees", "loopwright"];
/// Our own refs, where there are any.
const REFS: &str = "refs/loopwright";
/// What says to git where the rest of a repository is.
const LEADS_ELSEWHERE: &[&str] = &["commondir", "gitdir", "config.worktree"];
/// Folders of git's that are made where they are missing, so that they can be kept.
const MADE_IN_GIT: &[&str] = &["hooks", "info", "modules", "worktrees"];

/// Where an agent works.
pub(crate) struct SandboxPaths<'a> {
    pub(crate) host: &'a Host,
    pub(crate) layout: &'a Layout,
    /// The agent's name.
    pub(crate) agent: &'a str,
    /// Its program.
    pub(crate) program: &'a Path,
    /// Files it is told about on its command line.
    pub(crate) named: Vec<PathBuf>,
    /// Its folder for temporary files.
    pub(crate) temp: &'a Path,
    /// Whether it only reads the project.
    pub(crate) reads_only: bool,
    /// The git folder that it sees in the place of the repository's; none where it gets that one itself.
    pub(crate) repository: Option<&'a AgentRepository>,
}

impl SandboxPaths<'_> {
    /// Everything that is open, and what is not; `more` is what the user opened besides. Makes the agent's own
    /// folders, and those that have to be there to be kept.
    pub(super) fn sandbox(&self, more: &[PathBuf]) -> Sandbox {
        let own = self.own();
        let npm = folders::npm_cache(self.host);
        for folder in own.folders.iter().chain([&npm]) {
            let _ = fs::create_dir_all(folder);
        }
        let hidden = folders::services(self.host);
        let is_opened = |path: &PathBuf| more.iter().any(|opened| path.starts_with(opened));
        let run = self.layout.root.join(PROJECT_DIR).join("run");
        let _ = fs::create_dir_all(&run);
        let git = if self.repository.is_some() { Vec::new() } else { self.git_folders() };
        let project = [self.layout.root.clone()].into_iter().chain(git);
        let sandbox = Sandbox::new(self.temp);
        let sandbox = if self.reads_only { sandbox.read_only(project) } else { sandbox.writable(project) };
        sandbox
            .writable(plain(run))
            .writable(own.folders)
            .writable(own.files)
            .writable([npm])
            .writable(more.iter().cloned())
            .read_only([self.layout.root.join(PROJECT_DIR), self.layout.state_dir.clone()])
            .read_only(self.kept_in_git())
            .read_only(own.kept)
            .read_only(folders::kept(self.host))
            .hidden(hidden.into_iter().filter(|path| !is_opened(path)))
            .visible(self.seen())
            .mounted(self.repository.iter().flat_map(|own| own.mounts(!self.reads_only)))
            .sockets(more.iter().cloned())
            .searched(folders::searched(self.host))
    }

    /// What is the agent's own in the home folder.
    fn own(&self) -> AgentPlaces {
        agent_folders::of_agent(self.host, &[self.agent, self.program_name()])
    }

    /// Settings that the agent has to write, and that name programs.
    pub(super) fn compared(&self) -> Vec<PathBuf> {
        self.own().compared
    }

    fn program_name(&self) -> &str {
        self.program.file_stem().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Where agents commit to the repository itself, git's folders are open but for what is kept.
    pub(super) fn git_folders(&self) -> Vec<PathBuf> {
        let repository = self.layout.repository.iter();
        repository.flat_map(|found| [found.git_dir.clone(), found.common_dir.clone()]).collect()
    }

    fn kept_in_git(&self) -> Vec<PathBuf> {
        let Some(repository) = &self.layout.repository else { return Vec::new() };
        let door = Some(repository.work_tree.join(".git")).filter(|door| door.is_file() || door.is_symlink());
        if self.repository.is_some() {
            return [repository.git_dir.clone(), repository.common_dir.clone()]
                .into_iter()
                .chain(door)
                .collect();
        }
        for folder in MADE_IN_GIT {
            let _ = fs::create_dir(repository.common_dir.join(folder));
        }
        let shared = KEPT_IN_GIT.iter().map(|name| repository.common_dir.join(name));
        let ours = LEADS_ELSEWHERE.iter().map(|name| repository.git_dir.join(name));
        let refs = Some(repository.common_dir.join(REFS)).filter(|refs| refs.exists());
        shared.chain(ours).chain(refs).chain(door).collect()
    }

    /// What the agent needs to see wherever it lies: programs, the home folder, what it is told about.
    fn seen(&self) -> Vec<PathBuf> {
        let program = self.program.canonicalize().unwrap_or_else(|_| self.program.to_path_buf());
        let beside = [self.program, &program].into_iter().filter_map(installation).map(Path::to_path_buf);
        let path = std::env::split_paths(&self.host.search_path).filter(|folder| folder.is_absolute());
        let work_tree = self.layout.repository.iter().map(|found| found.work_tree.clone());
        let borrowed = self.repository.iter().flat_map(|own| own.borrowed().iter().cloned());
        beside
            .chain(path)
            .chain(work_tree)
            .chain(borrowed)
            .chain(self.host.program_dir.clone())
            .chain(folders::home(self.host))
            .chain(self.named.iter().filter(|path| path.is_absolute()).cloned())
            .collect()
    }
}

/// The folder that holds a program and what it needs: all of npm's modules, or what is around its `bin`.
fn installation(program: &Path) -> Option<&Path> {
    let modules = program.ancestors().filter(|place| place.ends_with("node_modules")).last();
    let folder = program.parent()?;
    let around = if folder.ends_with("bin") { folder.parent() } else { Some(folder) };
    modules.or(around)
}

/// A folder of the project, unless it is a link: that could lead anywhere.
fn plain(folder: PathBuf) -> Option<PathBuf> {
    folder.canonicalize().is_ok_and(|real| real == folder).then_some(folder)
}
