//! What belongs to the user, looked at before and after.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use loopwright_testkit::Sandbox;

/// Files that git itself writes into its folder while commits are made or read.
const GITS_OWN: &[&str] = &[
    "COMMIT_EDITMSG",
    "FETCH_HEAD",
    "HEAD",
    "ORIG_HEAD",
    "gc.log",
    "index",
    "loopwright",
    "packed-refs",
    "logs",
    "objects",
    "refs",
    "reftable",
    "lost-found",
];
/// Parts of the git folder whose bytes are the user's.
const BYTES: &[&str] =
    &["config", "config.worktree", "commondir", "gitdir", "info", "hooks", "shallow", "modules"];

/// The user's repository and files at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct World {
    pub(crate) git: bool,
    pub(crate) head: Option<String>,
    /// The branch that is checked out; none when HEAD is detached.
    pub(crate) branch: Option<String>,
    pub(crate) refs: BTreeMap<String, String>,
    pub(crate) stash: Vec<String>,
    pub(crate) staged: BTreeSet<String>,
    /// Index entries with a flag that hides changes.
    pub(crate) flagged: BTreeSet<String>,
    /// Files of the git folder that are the user's.
    pub(crate) own: BTreeMap<String, Vec<u8>>,
    /// Names in the git folder that git does not make by itself.
    pub(crate) strange: BTreeSet<String>,
    /// Every file of the project folder, Loopwright's own state aside.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// The files of it that git does not track.
    pub(crate) untracked: BTreeSet<String>,
}

impl World {
    pub(crate) fn of(sandbox: &Sandbox, project: &Path) -> Self {
        let mut world = Self { files: files_in(project), ..Self::default() };
        let git = |args: &[&str]| run(sandbox, project, args);
        let Some(common) = git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]) else {
            return world;
        };
        let common = PathBuf::from(common.trim());
        let own = PathBuf::from(git(&["rev-parse", "--absolute-git-dir"]).unwrap_or_default().trim());
        world.git = true;
        world.head = line(git(&["rev-parse", "--verify", "--quiet", "HEAD"]));
        world.branch = line(git(&["symbolic-ref", "--quiet", "HEAD"]));
        world.refs =
            refs(&git(&["for-each-ref", "--format=%(refname) %(objectname) %(symref)"]).unwrap_or_default());
        world.stash = lines(git(&["log", "-g", "--format=%H", "refs/stash", "--"]));
        world.staged =
            lines(git(&["diff", "--cached", "--name-status", "--no-renames"])).into_iter().collect();
        let flags = lines(git(&["ls-files", "-v"]));
        world.flagged = flags.into_iter().filter(|line| !line.starts_with("H ")).collect();
        let tracked: BTreeSet<String> = lines(git(&["ls-files", "-c"])).into_iter().collect();
        world.untracked = world.files.keys().filter(|path| !tracked.contains(*path)).cloned().collect();
        for folder in BTreeSet::from([common, own]) {
            for name in BYTES {
                read(&folder, &folder.join(name), &mut world.own);
            }
            let names = fs::read_dir(&folder).into_iter().flatten().flatten();
            // An empty folder is a place where something was mounted.
            let is_empty =
                |path: PathBuf| fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
            let names = names.filter(|entry| !is_empty(entry.path()));
            let names = names.filter_map(|entry| entry.file_name().into_string().ok());
            let known = |name: &String| {
                let shared = name.starts_with("sharedindex.");
                shared || GITS_OWN.contains(&name.as_str()) || BYTES.contains(&name.as_str())
            };
            world.strange.extend(names.filter(|name| !known(name)));
        }
        world
    }

    /// What of the user's repository is no longer as it was. The current branch may have gone forward.
    pub(crate) fn losses(
        &self,
        after: &Self,
        sandbox: &Sandbox,
        project: &Path,
        meant: &[impl AsRef<str>],
    ) -> Vec<String> {
        let mut lost = Vec::new();
        let meant = |what: &str| meant.iter().any(|one| one.as_ref() == what);
        if !self.git {
            return lost;
        }
        let mut say = |what: &str, text: String| {
            if !meant(what) {
                lost.push(text);
            }
        };
        if self.branch != after.branch {
            say("HEAD", format!("HEAD was at {:?} and is at {:?}", self.branch, after.branch));
        }
        for (name, was) in &self.refs {
            let is = after.refs.get(name);
            let current = Some(name) == self.branch.as_ref();
            let forward = || {
                is.is_some_and(|is| {
                    run(sandbox, project, &["merge-base", "--is-ancestor", was, is]).is_some()
                })
            };
            if is != Some(was) && !(current && forward()) {
                say(name, format!("{name} was {was} and is {is:?}"));
            }
        }
        for name in after.refs.keys().filter(|name| !self.refs.contains_key(*name)) {
            say(name, format!("{name} is new"));
        }
        if let (None, Some(was), Some(is)) = (&self.branch, &self.head, &after.head)
            && run(sandbox, project, &["merge-base", "--is-ancestor", was, is]).is_none()
        {
            say("HEAD", format!("HEAD was {was} and is {is}, which does not hold it"));
        }
        if self.stash != after.stash {
            say("stash", format!("the stash was {:?} and is {:?}", self.stash, after.stash));
        }
        if self.staged != after.staged {
            say("index", format!("staged was {:?} and is {:?}", self.staged, after.staged));
        }
        if self.flagged != after.flagged {
            say("index", format!("index flags were {:?} and are {:?}", self.flagged, after.flagged));
        }
        for name in self.own.keys().chain(after.own.keys()).collect::<BTreeSet<_>>() {
            let text =
                |world: &Self| world.own.get(name).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            if self.own.get(name) != after.own.get(name) {
                say("config", format!("git's {name} was {:?} and is {:?}", text(self), text(after)));
            }
        }
        for name in after.strange.difference(&self.strange) {
            say("git folder", format!("{name} is new in the git folder"));
        }
        lost
    }

    /// This world after the user did something to it: what they left of the repository, and of the files those that they
    /// changed.
    pub(crate) fn edited(&self, unedited: &Self, edited: &Self) -> Self {
        let mut world =
            Self { files: self.files.clone(), untracked: self.untracked.clone(), ..edited.clone() };
        for path in unedited.changed(edited) {
            match edited.files.get(&path) {
                Some(bytes) => world.files.insert(path.clone(), bytes.clone()),
                None => world.files.remove(&path),
            };
            if edited.untracked.contains(&path) {
                world.untracked.insert(path);
            } else {
                world.untracked.remove(&path);
            }
        }
        world
    }

    /// Paths whose bytes differ, or that are only on one side.
    pub(crate) fn changed(&self, after: &Self) -> BTreeSet<String> {
        let names = self.files.keys().chain(after.files.keys());
        names.filter(|name| self.files.get(*name) != after.files.get(*name)).cloned().collect()
    }
}

/// Runs git without asking that it succeeds; none when it fails.
pub(crate) fn run(sandbox: &Sandbox, folder: &Path, args: &[&str]) -> Option<String> {
    let mut command = sandbox.command("git");
    command.args(args).current_dir(folder).env("GIT_OPTIONAL_LOCKS", "0");
    let output = sandbox.run(&mut command);
    (output.code == 0).then_some(output.stdout)
}

fn line(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn lines(text: Option<String>) -> Vec<String> {
    text.unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The user's references: those of Loopwright are its own.
fn refs(text: &str) -> BTreeMap<String, String> {
    let of = |line: &str| line.split_once(' ').map(|(name, to)| (name.to_owned(), to.trim().to_owned()));
    let is_ours = |name: &str| name.starts_with("refs/loopwright/") || name == "refs/stash";
    text.lines().filter_map(of).filter(|(name, _)| !is_ours(name)).collect()
}

fn read(base: &Path, path: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            read(base, &entry.path(), found);
        }
    } else if let Ok(bytes) = fs::read(path) {
        let name = path.strip_prefix(base).unwrap_or(path).display().to_string();
        // What the private part of a submodule's or worktree's folder holds is looked at by itself; `info/refs` is a
        // list that git makes from the references.
        if !name.starts_with("modules/") && name != "info/refs" {
            found.insert(name, bytes);
        }
    }
}

/// Every file below a folder, links as where they lead, without git's and Loopwright's own state.
fn files_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            let Ok(kind) = entry.file_type() else { continue };
            if name == ".git"
                || name == ".loopwright/run"
                || name == ".loopwright/state"
                || name.ends_with("/.git")
            {
                continue;
            }
            if kind.is_dir() {
                left.push(path);
            } else if kind.is_symlink() {
                let to = fs::read_link(&path).unwrap_or_default();
                found.insert(name, format!("-> {}", to.display()).into_bytes());
            } else if kind.is_file() {
                found.insert(name, fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}
