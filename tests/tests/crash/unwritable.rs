//! State that cannot be written in the middle of a run: the run goes on or holds, and nothing is lost.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::ChildStdout;

use loopwright_domain::{Outcome, RunStatus};
use loopwright_testkit::{eventually, skipped};
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;

use crate::oracle::{newest, state_is_sound};
use crate::scene::{Scene, Started};

const ITERATIONS: u32 = 3;
/// What a run says when it waits until its state can be written.
const HOLDS: &str = "the run holds until";
/// Where SQLite's writers lock each other out, in the file beside the database (its documented WAL index format).
const WRITE_LOCK: i64 = 120;
/// Tells that it is there, and in its first iteration waits for a word.
const AGENT: &str = r#"
echo "$LOOPWRIGHT_ATTEMPT" >> "$SCENE/started"
while [ "$LOOPWRIGHT_ATTEMPT" = 1 ] && [ ! -e "$SCENE/go" ]; do sleep 0.02; done
echo "$LOOPWRIGHT_ATTEMPT" > "file-$LOOPWRIGHT_ATTEMPT"
"#;

fn agents(scene: &Scene) -> usize {
    std::fs::read_to_string(scene.sandbox.root().join("started")).unwrap_or_default().lines().count()
}

fn begin(scene: &Scene, more: &[&str]) -> Started {
    let started = scene.start_heard(&mut scene.looping("work", ITERATIONS, more));
    eventually("the first agent is written down", || {
        agents(scene) == 1 && scene.last_run()["phase"] == "running"
    });
    started
}

/// How it ended and what it said.
fn finish(mut started: Started) -> (Option<i32>, String) {
    let output = BufReader::new(started.0.stdout.take().unwrap());
    finish_reading(started, output, String::new())
}

fn finish_reading(
    mut started: Started,
    mut output: BufReader<ChildStdout>,
    mut said: String,
) -> (Option<i32>, String) {
    output.read_to_string(&mut said).unwrap();
    (started.0.wait().unwrap().code(), said)
}

/// Waits until it says that it holds, lets it go on with `release`, and gives back how it ended and what it said. While
/// it held no second agent was started.
fn finish_after_hold(scene: &Scene, mut started: Started, release: impl FnOnce()) -> (Option<i32>, String) {
    let mut output = BufReader::new(started.0.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains(HOLDS) {
        assert_ne!(output.read_line(&mut said).unwrap(), 0, "it ended without holding: {said}");
    }
    assert_eq!(agents(scene), 1, "it holds");
    release();
    finish_reading(started, output, said)
}

/// All iterations are there, each once, with their outcome and commit.
fn nothing_is_lost(scene: &Scene) {
    let (run, all) = newest(scene);
    assert_eq!(run.status, RunStatus::Aborted, "all iterations are used: {:?}", run.message);
    let numbers: Vec<u32> = all.iter().map(|iteration| iteration.number).collect();
    assert_eq!(numbers, (0..ITERATIONS).collect::<Vec<_>>());
    assert!(all.iter().all(|iteration| iteration.outcome == Some(Outcome::Succeeded)), "{all:?}");
    assert!(all.iter().all(|iteration| iteration.commit.is_some()), "{all:?}");
    assert_eq!(scene.git_line(&["rev-list", "--count", "HEAD"]), (ITERATIONS + 1).to_string());
    state_is_sound(scene);
}

/// Keeps every other process from writing into the database.
fn keep_out(scene: &Scene) -> File {
    let path = scene.state_dir().join("state.db-shm");
    let file = File::options().read(true).write(true).open(path).unwrap();
    let lock = libc::flock {
        l_type: i16::try_from(libc::F_WRLCK).unwrap(),
        l_whence: i16::try_from(libc::SEEK_SET).unwrap(),
        l_start: WRITE_LOCK,
        l_len: 1,
        l_pid: 0,
    };
    fcntl(&file, FcntlArg::F_SETLKW(&lock)).unwrap();
    file
}

#[test]
fn a_loop_goes_on_while_another_process_holds_the_database_and_says_so() {
    let scene = Scene::with_agent(AGENT);
    let started = begin(&scene, &["--auto-commit"]);
    let held = keep_out(&scene);
    scene.outside("go", "");
    eventually("the next agent starts all the same", || agents(&scene) >= 2);
    drop(held);
    let (code, said) = finish(started);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("the state cannot be written, the run goes on without it"), "{said}");
    nothing_is_lost(&scene);
}

#[test]
fn a_run_that_holds_starts_no_agent_until_its_state_can_be_written_again() {
    let scene = Scene::with_agent(AGENT);
    let started = begin(&scene, &["--auto-commit", "-c", "loop.on_state_error=hold"]);
    let held = keep_out(&scene);
    scene.outside("go", "");
    let (code, said) = finish_after_hold(&scene, started, || drop(held));
    assert_eq!(code, Some(3), "{said}");
    assert_eq!(agents(&scene), 3);
    nothing_is_lost(&scene);
}

#[test]
fn a_folder_that_cannot_be_written_costs_the_transcript_and_not_the_run() {
    let scene = Scene::with_agent(AGENT);
    let started = begin(&scene, &["--auto-commit"]);
    let runs = scene.state_dir().join("runs");
    std::fs::rename(&runs, scene.state_dir().join("runs.away")).unwrap();
    // Also root cannot make a folder in a file.
    std::fs::write(&runs, "").unwrap();
    scene.outside("go", "");
    let (code, said) = finish(started);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("WARNING"), "{said}");
    nothing_is_lost(&scene);
}

/// A small disk of its own in the place of the state folder.
struct SmallDisk<'a> {
    scene: &'a Scene,
    folder: PathBuf,
}

impl<'a> SmallDisk<'a> {
    /// None where this user may not mount anything.
    fn mount(scene: &'a Scene) -> Option<Self> {
        let folder = scene.state_dir();
        let kept = scene.sandbox.root().join("kept");
        copy(&folder, &kept);
        let mut mount = scene.sandbox.command("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(&folder);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        copy(&kept, &folder);
        mounted.then_some(Self { scene, folder })
    }

    /// Fills it to the last byte.
    fn fill(&self) {
        let filler = self.folder.join("filler");
        for size in [64 * 1024, 4096, 512, 1] {
            let block = vec![b'x'; size];
            let mut file = File::options().create(true).append(true).open(&filler).unwrap();
            while std::io::Write::write_all(&mut file, &block).is_ok() {}
        }
    }

    fn free(&self) {
        std::fs::remove_file(self.folder.join("filler")).unwrap();
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let mut unmount = self.scene.sandbox.command("umount");
        let _ = unmount.arg("--lazy").arg(&self.folder).output();
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_run_that_a_full_disk_ended_is_resumed_when_there_is_room_again() {
    let scene = Scene::with_agent(AGENT);
    let Some(disk) = SmallDisk::mount(&scene) else {
        skipped("this user may not mount a small disk");
        return;
    };
    let started = begin(&scene, &["--auto-commit"]);
    disk.fill();
    scene.outside("go", "");
    let (code, said) = finish(started);
    assert_eq!(code, Some(1), "without room no tree can be saved: {said}");
    assert!(said.contains("The disk is full"), "{said}");
    disk.free();
    let resumed = scene.run(&["resume"]);
    assert_eq!(resumed.code, 3, "{resumed:?}");
    let (run, all) = newest(&scene);
    assert_eq!(run.status, RunStatus::Aborted, "all iterations are used: {resumed:?}");
    let good = all.iter().filter(|iteration| iteration.outcome == Some(Outcome::Succeeded));
    assert_eq!(good.map(|one| one.number).collect::<Vec<_>>(), (0..ITERATIONS).collect::<Vec<_>>());
    assert_eq!(scene.git_line(&["rev-list", "--count", "HEAD"]), (ITERATIONS + 1).to_string());
    assert_eq!(scene.git_line(&["status", "--porcelain"]), "");
    state_is_sound(&scene);
}

#[test]
fn a_run_that_holds_waits_for_room_on_a_full_disk_and_goes_on_by_itself() {
    let scene = Scene::with_agent(AGENT);
    let Some(disk) = SmallDisk::mount(&scene) else {
        skipped("this user may not mount a small disk");
        return;
    };
    let started = begin(&scene, &["--auto-commit", "-c", "loop.on_state_error=hold"]);
    disk.fill();
    scene.outside("go", "");
    let (code, said) = finish_after_hold(&scene, started, || disk.free());
    assert_eq!(code, Some(3), "{said}");
    assert_eq!(agents(&scene), 3);
    nothing_is_lost(&scene);
    state_is_sound(&scene);
}
