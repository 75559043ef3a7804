//! The lock that marks a live run. The system releases it when the process ends, however it ends, so a crash never
//! leaves a stale one.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault, NextAction};
use loopwright_process::ProcessIdentity;
use serde::{Deserialize, Serialize};

use loopwright_config::text_file::io_fault;

const NOTE_LIMIT: u64 = 4 * 1024;
/// Whoever only looks whether the lock is held holds it for a moment, so it is tried more than once.
const TRIES: u32 = 5;
const TRIES_AFTER_A_CRASH: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

/// Who holds the lock. Only a note for people: the lock itself is the system's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Holder {
    /// The process.
    pub pid: u32,
    /// Since when, RFC 3339.
    pub since: String,
    /// What it does: `loop`, `fix`, `cancel`.
    pub what: String,
}

/// The lock, held until dropped.
#[derive(Debug)]
pub(crate) struct RunLock {
    _file: File,
}

/// Where the lock of a state folder is.
pub(crate) fn lock_file(state_dir: &Path) -> PathBuf {
    state_dir.join("run.lock")
}

impl RunLock {
    /// Takes the lock, or says who has it.
    pub(crate) fn take(state_dir: &Path, what: &str, since: String) -> Result<Self, Fault> {
        let path = lock_file(state_dir);
        let open = || {
            fs::create_dir_all(state_dir)?;
            File::options().create(true).truncate(false).read(true).write(true).open(&path)
        };
        let mut file = open().map_err(|error| io_fault("write", &path, &error))?;
        let mut tries = 1;
        while let Err(refusal) = file.try_lock() {
            match refusal {
                TryLockError::WouldBlock if tries < TRIES || is_passing(&path, tries) => thread::sleep(PAUSE),
                TryLockError::WouldBlock => return Err(held(&path)),
                TryLockError::Error(error) => return Err(io_fault("lock", &path, &error)),
            }
            tries += 1;
        }
        let note = Holder { pid: std::process::id(), since, what: what.to_owned() };
        // The note is a courtesy; a full disk must not keep a run from starting.
        let _ = write_note(&mut file, &note);
        Ok(Self { _file: file })
    }
}

/// Who holds the lock of a state folder now, if anybody does. Waits for nobody who lives.
#[must_use]
pub(crate) fn holder(state_dir: &Path) -> Option<Holder> {
    let path = lock_file(state_dir);
    let file = File::options().read(true).open(&path).ok()?;
    let mut tries = 1;
    while file.try_lock_shared().is_err() {
        if !is_passing(&path, tries) {
            return Some(read_note(&path));
        }
        thread::sleep(PAUSE);
        tries += 1;
    }
    None
}

/// Whether the lock is about to be free: the process that took it is gone, and only a child that it was just starting
/// still holds it, until that child has begun.
fn is_passing(path: &Path, tries: u32) -> bool {
    let holder = read_note(path).pid;
    let lives = || ProcessIdentity::of(holder).is_some_and(|process| process.is_alive());
    tries < TRIES_AFTER_A_CRASH && holder != 0 && !lives()
}

fn write_note(file: &mut File, note: &Holder) -> std::io::Result<()> {
    let text = serde_json::to_string(note)?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.flush()
}

fn read_note(path: &Path) -> Holder {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(NOTE_LIMIT).read_to_string(&mut text));
    read.ok().and_then(|_| serde_json::from_str(&text).ok()).unwrap_or_else(|| Holder {
        pid: 0,
        since: String::new(),
        what: "another run".into(),
    })
}

fn held(path: &Path) -> Fault {
    let mut holder = read_note(path);
    for _ in 1..TRIES {
        if holder.pid != 0 {
            break;
        }
        // It has the lock and is about to write its note.
        thread::sleep(PAUSE);
        holder = read_note(path);
    }
    let who = match holder.pid {
        0 => "another process".to_owned(),
        pid => format!("\"{}\" (process {pid}, since {})", holder.what, holder.since),
    };
    Fault::new(ErrorCode::RunLocked, format!("this project is in use by {who}"))
        .next(NextAction::WatchRun, "Watch it")
        .next(NextAction::CancelRun, "End it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_and_the_second_is_told_who() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(holder(folder.path()), None);
        let lock = RunLock::take(folder.path(), "loop", "2026-01-02T03:04:05Z".into()).unwrap();
        let fault = RunLock::take(folder.path(), "fix", String::new()).unwrap_err();
        assert_eq!(fault.code, ErrorCode::RunLocked);
        assert!(fault.message.contains(&std::process::id().to_string()), "{}", fault.message);
        assert_eq!(holder(folder.path()).unwrap().what, "loop");
        drop(lock);
        assert_eq!(holder(folder.path()), None);
        RunLock::take(folder.path(), "fix", String::new()).unwrap();
    }

    #[test]
    fn a_garbled_note_still_locks() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(lock_file(folder.path()), [0xff, 0xfe, b'{']).unwrap();
        assert_eq!(holder(folder.path()), None);
        let _lock = RunLock::take(folder.path(), "loop", String::new()).unwrap();
        fs::write(lock_file(folder.path()), "not json").unwrap();
        assert_eq!(holder(folder.path()).unwrap().pid, 0);
    }

    #[test]
    fn whoever_only_looks_keeps_nobody_out() {
        let folder = tempfile::tempdir().unwrap();
        drop(RunLock::take(folder.path(), "loop", String::new()).unwrap());
        let looking = File::open(lock_file(folder.path())).unwrap();
        looking.lock_shared().unwrap();
        let until = thread::spawn(move || {
            thread::sleep(PAUSE);
            drop(looking);
        });
        RunLock::take(folder.path(), "loop", String::new()).unwrap();
        until.join().unwrap();
    }

    #[test]
    fn a_lock_that_outlives_its_process_for_a_moment_is_nobodys() {
        let folder = tempfile::tempdir().unwrap();
        let path = lock_file(folder.path());
        // No system gives this number to a process.
        let note = Holder { pid: u32::MAX - 1, since: String::new(), what: "loop".to_owned() };
        fs::write(&path, serde_json::to_string(&note).unwrap()).unwrap();
        let left = File::open(&path).unwrap();
        left.lock().unwrap();
        let until = thread::spawn(move || {
            thread::sleep(PAUSE * (TRIES + 2));
            drop(left);
        });
        assert_eq!(holder(folder.path()), None);
        until.join().unwrap();
    }
}
