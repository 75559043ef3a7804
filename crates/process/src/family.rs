//! All processes that belong to one job, wherever they went.
//!
//! A process belongs to a job when its environment holds the job's marker, when it is in the session that the
//! job's first process leads, when it descends from one that belongs, when it was seen belonging before, when it can
//! write into the job's output, or when it is an orphan that was handed to us and bears nobody's mark. Whoever is older
//! than the job does not belong, and neither do we. Ids are never trusted without the start time, because the system
//! uses them again.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

use crate::ancestry::marker_in;
use crate::children::{unless_waited_for, waits_only_for, was_let_go};
use crate::identity::ProcessIdentity;
use crate::job::Stray;
use crate::redact::Secrets;
use crate::system;

/// How much of a stray's command line is told.
const COMMAND_LIMIT: usize = 200;
/// How long killed processes may take to be gone.
pub(crate) const KILL_LIMIT: Duration = Duration::from_secs(1);
/// How long orphans are chased without a pause, and how many looks in a row have to find none.
const CHASE: Duration = Duration::from_millis(100);
const QUIET_LOOKS: u32 = 5;
/// The pause between two looks at what is left.
pub(crate) const ROUND: Duration = Duration::from_millis(10);

/// One process of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    all(windows, not(test)),
    expect(dead_code, reason = "job objects make looking for processes needless")
)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) session: u32,
    /// Whether it has ended and only waits for its parent to take note.
    pub(crate) over: bool,
    /// Whether its environment holds the marker that was asked for.
    pub(crate) marked: bool,
    /// When it was started, as a number that grows; 0 where the system does not tell.
    pub(crate) born: u64,
    /// When it was started, in the system's own words.
    pub(crate) started: String,
}

/// How a process is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Asked to, and woken up in case it was stopped.
    Ask,
    /// Made to.
    Kill,
}

/// A job's processes.
pub(crate) struct Family {
    marker: Option<String>,
    leader: Option<ProcessIdentity>,
    /// Nothing older belongs.
    born: u64,
    /// Those seen so far, with their start.
    known: BTreeMap<u32, String>,
    strays: Vec<Stray>,
    secrets: Secrets,
    /// Whether orphans had come to their end when it was last looked. They may have started others meanwhile, which
    /// nobody has seen.
    unsettled: bool,
    /// The command line of what is wrapped around the job's program, by which its processes are known.
    pub(crate) wrapper: Option<Vec<u8>>,
}

impl Family {
    /// The family of a job whose first process is `leader`.
    pub(crate) fn new(marker: Option<String>, leader: Option<ProcessIdentity>, secrets: Secrets) -> Self {
        let alive = leader.as_ref().and_then(|leader| {
            system::process(leader.pid).filter(|process| process.started == leader.started)
        });
        let born = alive.map_or(0, |process| process.born);
        let known = leader.iter().map(|leader| (leader.pid, leader.started.clone())).collect();
        Self { marker, leader, born, known, strays: Vec::new(), secrets, unsettled: false, wrapper: None }
    }

    /// Everybody who belongs and is alive. Takes note of the end of those who are not.
    pub(crate) fn living(&mut self) -> Vec<Process> {
        let table = system::processes(self.marker.as_deref(), self.born);
        let own = std::process::id();
        if self.is_alone() {
            self.known.extend(hidden_orphans(&table, own, self.born));
        }
        let members = self.members(&table, own);
        let reaped = reap_orphans(&table, own, &members);
        self.unsettled = reaped > 0 && self.is_alone();
        let living: Vec<Process> =
            table.into_iter().filter(|process| !process.over && members.contains(&process.pid)).collect();
        self.known.extend(living.iter().map(|process| (process.pid, process.started.clone())));
        living
    }

    /// Whether an orphan without a mark can only be this job's. Beside other jobs it could be anybody's; the last of them
    /// to end looks for it.
    fn is_alone(&self) -> bool {
        self.leader.as_ref().is_some_and(|leader| waits_only_for(leader.pid))
    }

    /// Whether nobody is left, and nobody can have been started while it was looked.
    pub(crate) fn is_gone(&mut self) -> bool {
        self.living().is_empty() && !self.unsettled
    }

    /// Kills everybody. Tells whether anybody was, or may be, there.
    pub(crate) fn kill(&mut self) -> bool {
        let found = self.signal(Signal::Kill) > 0;
        let left = found || self.unsettled;
        if left && self.is_alone() {
            kill_orphans(self.born);
        }
        left
    }

    /// The ids of everybody who belongs.
    fn members(&self, table: &[Process], own: u32) -> BTreeSet<u32> {
        let candidates: Vec<&Process> =
            table.iter().filter(|process| process.pid != own && process.born >= self.born).collect();
        let session = self.session(table);
        let mut members: BTreeSet<u32> = candidates
            .iter()
            .filter(|process| {
                self.known.get(&process.pid) == Some(&process.started)
                    || session == Some(process.session)
                    || process.marked
            })
            .map(|process| process.pid)
            .collect();
        loop {
            let before = members.len();
            let children = candidates.iter().filter(|process| members.contains(&process.parent));
            let found: Vec<u32> = children.map(|process| process.pid).collect();
            members.extend(found);
            if members.len() == before {
                return members;
            }
        }
    }

    /// The job's session, unless its first process is gone and its id belongs to a stranger.
    fn session(&self, table: &[Process]) -> Option<u32> {
        let leader = self.leader.as_ref()?;
        let stranger = |process: &Process| process.pid == leader.pid && process.started != leader.started;
        (!table.iter().any(stranger)).then_some(leader.pid)
    }

    /// Takes in whoever can still write into the job's output.
    pub(crate) fn add_writers(&mut self, pipes: &[u64]) {
        let own = std::process::id();
        for process in system::processes(None, self.born) {
            if process.pid != own && system::writes_into(process.pid, pipes) {
                self.known.insert(process.pid, process.started);
            }
        }
    }

    /// Signals everybody who is left and remembers them as strays, the first process excepted. Tells how many
    /// there were.
    pub(crate) fn signal(&mut self, signal: Signal) -> usize {
        let living = self.living();
        // All of them first: one of them may take others with it.
        for process in &living {
            self.remember(process);
        }
        for process in &living {
            // Asked again right before: the list is as old as the reading of all those environments.
            if system::process(process.pid).is_some_and(|now| now.started == process.started) {
                system::signal(process.pid, signal);
            }
        }
        living.len()
    }

    /// Asks those to end that are still in the job's own session, but not what is wrapped around them.
    pub(crate) fn ask_session(&mut self) {
        let session = self.leader.as_ref().map(|leader| leader.pid);
        for process in self.living() {
            let described = system::describe(process.pid);
            let is_wrapper = described.is_some_and(|(name, command)| self.is_wrapper(&name, &command));
            if Some(process.session) == session && !is_wrapper {
                system::signal(process.pid, Signal::Ask);
            }
        }
    }

    /// Whether a process is wrapped around the job's program. One that is about to be gone has no command line any more.
    fn is_wrapper(&self, name: &str, command: &[u8]) -> bool {
        let Some(line) = &self.wrapper else { return false };
        let program = line.split(|byte| *byte == 0).next().unwrap_or_default();
        let own = program.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        line == command || command.is_empty() && name.as_bytes() == own
    }

    fn remember(&mut self, process: &Process) {
        let leads = self.leader.as_ref().is_some_and(|leader| leader.pid == process.pid);
        if leads || self.strays.iter().any(|stray| stray.pid == process.pid) {
            return;
        }
        let Some((name, command)) = system::describe(process.pid) else { return };
        if self.is_wrapper(&name, &command) {
            return;
        }
        let command: String =
            String::from_utf8_lossy(&command).replace('\0', " ").trim().chars().take(COMMAND_LIMIT).collect();
        let command = self.secrets.redact(&command).into_owned();
        self.strays.push(Stray { pid: process.pid, name, command, ended: true });
    }

    /// Kills everybody, again and again until nobody is left, and waits for it. For where nothing else can go on.
    pub(crate) fn end_now(&mut self) {
        let started = Instant::now();
        while self.kill() && started.elapsed() < KILL_LIMIT {
            thread::sleep(ROUND);
        }
    }

    /// The strays so far, each with its fate.
    pub(crate) fn strays(&mut self) -> Vec<Stray> {
        if self.strays.is_empty() {
            return Vec::new();
        }
        let left: BTreeSet<u32> = self.living().into_iter().map(|process| process.pid).collect();
        let mut strays = std::mem::take(&mut self.strays);
        for stray in &mut strays {
            stray.ended = !left.contains(&stray.pid);
        }
        strays
    }
}

/// Kills orphans as soon as they are handed to this process, until for some time none is. One that starts another and ends,
/// again and again, is never in a list of all processes for long enough to be killed by it; between its start and its
/// first fork it is, by whoever does nothing else. What this process started itself shares its session, is waited for,
/// or was let go.
fn kill_orphans(born: u64) {
    let Some(session) = system::own_session() else { return };
    let is_foreign = |pid: u32| {
        system::process(pid)
            .is_some_and(|found| found.session != session && !found.over && found.born >= born)
            && !system::starting_environment(pid).is_some_and(|block| was_let_go(&block))
    };
    let begun = Instant::now();
    let mut quiet = 0;
    while quiet < QUIET_LOOKS && begun.elapsed() < CHASE {
        quiet += 1;
        for pid in system::own_children() {
            unless_waited_for(pid, |pid| {
                if is_foreign(pid) {
                    system::signal(pid, Signal::Kill);
                    quiet = 0;
                }
            });
        }
    }
}

/// Orphans that were handed to this process and carry no mark at all, with their start. What this process started
/// itself shares its session, is waited for, or was let go.
fn hidden_orphans(table: &[Process], own: u32, born: u64) -> Vec<(u32, String)> {
    let Some(session) = system::own_session() else { return Vec::new() };
    let is_foreign = |process: &&Process| {
        process.parent == own && process.session != session && !process.over && process.born >= born
    };
    let is_hidden = |process: &&Process| {
        system::starting_environment(process.pid)
            .is_some_and(|block| marker_in(&block).is_none() && !was_let_go(&block))
    };
    let hidden = table.iter().filter(is_foreign).filter(is_hidden);
    hidden.map(|process| (process.pid, process.started.clone())).collect()
}

/// Takes note of the end of orphans that were handed to this process: nobody else does. A child that this process
/// started itself shares its session, or is on the list of those waited for. Tells how many there were.
fn reap_orphans(table: &[Process], own: u32, members: &BTreeSet<u32>) -> usize {
    let orphans: Vec<&Process> =
        table.iter().filter(|process| process.over && process.parent == own).collect();
    if orphans.is_empty() {
        return 0;
    }
    let mut reaped = 0;
    let session = system::own_session();
    for orphan in orphans {
        if session.is_some_and(|session| session != orphan.session) || members.contains(&orphan.pid) {
            unless_waited_for(orphan.pid, |pid| {
                system::reap(pid);
                reaped += 1;
            });
        }
    }
    reaped
}

/// Ends what a job left behind whose supervisor is gone: everything with the job's marker, and its first process
/// with all descendants if that very process still runs.
///
/// A process that merely got the same id since is left alone.
#[must_use]
pub fn end_survivors(marker: &str, leader: Option<ProcessIdentity>, secrets: &Secrets) -> Vec<Stray> {
    let leader = leader.filter(ProcessIdentity::is_alive);
    let mut family = Family::new(Some(marker.to_owned()), None, secrets.clone());
    family.known.extend(leader.map(|leader| (leader.pid, leader.started)));
    family.end_now();
    family.strays()
}

/// The same for everything with a marker, asked first and given time to clean up: git takes its locks away when it is
/// asked to end, and leaves them behind when it is killed.
#[must_use]
pub fn ask_survivors(marker: &str, grace: Duration, secrets: &Secrets) -> Vec<Stray> {
    let mut family = Family::new(Some(marker.to_owned()), None, secrets.clone());
    let asked = Instant::now();
    while family.signal(Signal::Ask) > 0 && asked.elapsed() < grace {
        thread::sleep(ROUND);
    }
    family.end_now();
    family.strays()
}

#[cfg(test)]
#[path = "family_tests.rs"]
mod tests;
