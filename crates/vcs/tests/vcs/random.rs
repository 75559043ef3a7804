//! Random trees, random edits of an agent and of the user: a checkpoint changes nothing, a restore brings back what
//! was there and touches nothing else. 2,000 cases; each names its seed when it fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use loopwright_vcs::{CheckpointName, Workspace};

use crate::support::Lab;

const CASES: u64 = 2_000;
/// Parts that run beside each other.
const PARTS: u64 = 4;
/// As many cases share a repository, so that it has a past.
const PER_REPOSITORY: u64 = 50;
/// Set to run one case by itself.
const SEED_VARIABLE: &str = "LOOPWRIGHT_VCS_SEED";

/// Names as odd as names can be. Some are folders of others, some are ignored.
pub(crate) const NAMES: &[&str] = &[
    "a.txt",
    "b.sh",
    "dir",
    "dir/c",
    "dir/d e",
    "dir/sub/f",
    "other/g",
    "ünï ☕.txt",
    "new\nline",
    "tab\tand \"quote\"",
    "-dash",
    "*star?[x]",
    "\\back",
    ":(top)x",
    "crlf.txt",
];
pub(crate) const IGNORED: &[&str] = &["x.log", "dir/y.log", "build/out", "build/deep/out"];

/// A small generator: the same numbers on every machine.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.roll(list.len())]
    }

    fn content(&mut self) -> Vec<u8> {
        let pieces: &[&[u8]] = &[b"line\n", b"crlf\r\n", b"\0\xff", b"$Id$", "☕".as_bytes(), b"", b"end"];
        (0..self.roll(5)).flat_map(|_| self.pick(pieces).to_vec()).collect()
    }
}

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    File(Vec<u8>, bool),
    Link(PathBuf),
}

pub(crate) type World = BTreeMap<PathBuf, Thing>;

/// Everything below a folder but git's own.
fn walk(root: &Path, folder: &Path, world: &mut World) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap().to_owned();
        let kind = entry.file_type().unwrap();
        if name.starts_with(".git") && !name.starts_with(".gitignore") {
            continue;
        }
        if kind.is_dir() {
            walk(root, &path, world);
        } else if kind.is_symlink() {
            world.insert(name, Thing::Link(fs::read_link(&path).unwrap()));
        } else {
            let executable = entry.metadata().unwrap().permissions().mode() & 0o100 != 0;
            world.insert(name, Thing::File(fs::read(&path).unwrap(), executable));
        }
    }
}

pub(crate) fn world(root: &Path) -> World {
    let mut world = World::new();
    walk(root, root, &mut world);
    world
}

/// Puts something at a path, whatever was there or above it.
pub(crate) fn put(root: &Path, name: &str, dice: &mut Dice) {
    clear(root, name);
    let path = root.join(name);
    let kind = dice.roll(10);
    if kind == 0 {
        return;
    }
    let mut folder = root.to_owned();
    for part in Path::new(name).parent().unwrap() {
        folder.push(part);
        if folder.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            fs::remove_file(&folder).unwrap();
        }
    }
    fs::create_dir_all(&folder).unwrap();
    if kind == 1 {
        symlink(dice.pick(&["a.txt", "dir", "/nowhere", "ü"]), &path).unwrap();
        return;
    }
    fs::write(&path, dice.content()).unwrap();
    if kind == 2 {
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn clear(root: &Path, name: &str) {
    let path = root.join(name);
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path).unwrap(),
        Ok(_) => fs::remove_file(path).unwrap(),
        Err(_) => {}
    }
}

pub(crate) fn is_ignored(path: &Path) -> bool {
    let bytes = path.as_os_str().as_bytes();
    bytes.ends_with(b".log") || bytes.starts_with(b"build/")
}

/// The parts of git's folder that are the user's, byte by byte.
pub(crate) fn users_git(root: &Path) -> Vec<Option<Vec<u8>>> {
    let files =
        ["index", "HEAD", "refs/stash", "logs/refs/stash", "refs/heads/main", "packed-refs", "config"];
    files.iter().map(|file| fs::read(root.join(".git").join(file)).ok()).collect()
}

struct Case<'a> {
    lab: &'a Lab,
    workspace: &'a Workspace,
    root: PathBuf,
    project: &'a str,
    dice: Dice,
    seed: u64,
}

impl Case<'_> {
    async fn status(&self) -> String {
        let args =
            ["--no-optional-locks", "status", "--porcelain=v2", "-z", "--ignored", "--untracked-files=all"];
        self.lab.must(self.project, &args).await
    }

    /// Stages whatever lies at one of the paths, if anything does.
    async fn stage(&mut self) {
        let name = self.dice.pick(NAMES);
        let args = ["--literal-pathspecs", "add", "--all", "--ignore-errors", "--", name];
        self.lab.plain(self.project, &args).await;
    }

    async fn staged(&self) -> BTreeMap<String, String> {
        let listed = self.lab.must(self.project, &["ls-files", "--stage", "-z"]).await;
        let entries = listed.split('\0').filter_map(|entry| entry.split_once('\t'));
        entries.map(|(entry, name)| (name.to_owned(), entry.to_owned())).collect()
    }

    async fn user_works(&mut self) {
        for _ in 0..1 + self.dice.roll(5) {
            let name = self.dice.pick(NAMES);
            put(&self.root, name, &mut self.dice);
        }
        let name = self.dice.pick(IGNORED);
        put(&self.root, name, &mut self.dice);
        if self.dice.roll(2) == 0 {
            self.stage().await;
        }
        if self.dice.roll(8) == 0 {
            self.lab.plain(self.project, &["commit", "--quiet", "--message", "more"]).await;
        }
    }

    async fn agent_works(&mut self) {
        for _ in 0..1 + self.dice.roll(5) {
            let name = self.dice.pick(NAMES);
            put(&self.root, name, &mut self.dice);
        }
        fs::write(self.root.join("agent.txt"), self.dice.content()).unwrap();
        if self.dice.roll(3) == 0 {
            self.stage().await;
        }
    }

    /// The user changes a file while the agent's work lies there. Returns what was changed.
    fn user_interferes(&mut self) -> BTreeSet<PathBuf> {
        let files = world(&self.root);
        let is_plain = |(path, thing): &(&PathBuf, &Thing)| {
            matches!(thing, Thing::File(..)) && !path.starts_with(".gitignore")
        };
        let plain: Vec<_> = files.iter().filter(is_plain).map(|(path, _)| path.clone()).collect();
        let edited = plain.get(self.dice.roll(plain.len().max(1))).cloned();
        if let Some(path) = &edited {
            fs::write(self.root.join(path), b"the user's own words").unwrap();
        }
        edited.into_iter().collect()
    }

    async fn run(&mut self) {
        let seed = self.seed;
        self.user_works().await;
        // It follows from the files, so it is asked for now and then only.
        let status = if seed.is_multiple_of(5) { Some(self.status().await) } else { None };
        let users = users_git(&self.root);
        let before = world(&self.root);
        let name = CheckpointName::new("random", seed).unwrap();
        let checkpoint = self.workspace.checkpoint(&name).await.unwrap();
        assert_eq!(users, users_git(&self.root), "seed {seed}: git's files after the checkpoint");
        if let Some(status) = status {
            assert_eq!(status, self.status().await, "seed {seed}: status after the checkpoint");
        }
        assert_eq!(before, world(&self.root), "seed {seed}: files after the checkpoint");
        let interferes = self.dice.roll(2) == 0;
        let staged_before = if interferes { None } else { Some(self.staged().await) };

        self.agent_works().await;
        let produced = self.workspace.snapshot().await.unwrap();
        let edited = if interferes { self.user_interferes() } else { BTreeSet::new() };
        let between = world(&self.root);
        let plan = self.workspace.plan_restore(&checkpoint, &produced, None).await.unwrap();
        let safety = CheckpointName::new("random", format!("safety-{seed}")).unwrap();
        let restored = self.workspace.restore(&plan, &safety).await.unwrap();

        let after = world(&self.root);
        let paths: BTreeSet<&PathBuf> = before.keys().chain(between.keys()).chain(after.keys()).collect();
        for path in paths {
            // What the user has edited stands in the way of what was above or below it.
            let blocks = |edited: &PathBuf| path.starts_with(edited) || edited.starts_with(path);
            if !edited.contains(path) && edited.iter().any(blocks) {
                continue;
            }
            let expected = if is_ignored(path) || edited.contains(path) { &between } else { &before };
            assert_eq!(expected.get(path), after.get(path), "seed {seed}: {path:?} {restored:?}");
        }
        if let Some(staged) = staged_before {
            assert!(restored.left.is_empty(), "seed {seed}: {:?}", restored.left);
            assert_eq!(staged, self.staged().await, "seed {seed}: the index after the restore");
        }
    }
}

async fn cases(seeds: impl Iterator<Item = u64>) {
    let seeds: Vec<u64> = seeds.collect();
    for batch in seeds.chunks(PER_REPOSITORY as usize) {
        let lab = Lab::new();
        let repository = lab.repository("project").await;
        lab.write("project/.gitignore", "*.log\n/build/\n");
        lab.must("project", &["add", "--all"]).await;
        lab.must("project", &["stash", "push", "--quiet"]).await;
        lab.must("project", &["commit", "--quiet", "--allow-empty", "--message", "second"]).await;
        lab.write("project/.gitignore", "*.log\n/build/\n");
        if batch[0] % 3 == 0 {
            lab.write("project/.gitattributes", "*.txt text=auto\ncrlf.txt text eol=crlf\n*.sh ident\n");
        }
        let workspace = lab.git().workspace(&repository).await.unwrap();
        for seed in batch {
            let root = lab.path("project");
            let dice = Dice(*seed);
            let mut case =
                Case { lab: &lab, workspace: &workspace, root, project: "project", dice, seed: *seed };
            case.run().await;
        }
    }
}

async fn part(number: u64) {
    let size = CASES / PARTS;
    match std::env::var(SEED_VARIABLE).ok().map(|seed| seed.parse::<u64>().unwrap()) {
        // A case depends on those before it in its repository.
        Some(seed) if seed / size == number => cases(seed / PER_REPOSITORY * PER_REPOSITORY..=seed).await,
        Some(_) => {}
        None => cases(number * size..(number + 1) * size).await,
    }
}

#[tokio::test]
async fn random_trees_come_back_first_part() {
    part(0).await;
}

#[tokio::test]
async fn random_trees_come_back_second_part() {
    part(1).await;
}

#[tokio::test]
async fn random_trees_come_back_third_part() {
    part(2).await;
}

#[tokio::test]
async fn random_trees_come_back_fourth_part() {
    part(3).await;
}
