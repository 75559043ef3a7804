//! The processes of this machine, as Linux shows them in `/proc`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::LazyLock;

use crate::ancestry::marker_in;
use crate::family::Process;

/// More than any environment; a process can make its own look endless.
const ENVIRONMENT_LIMIT: u64 = 8 * 1024 * 1024;
/// More than the longest line about a process.
const STAT_LIMIT: usize = 1024;

/// Changes with every start of the machine, so that a process of an earlier one is never taken for one of now.
static BOOT: LazyLock<String> = LazyLock::new(|| {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
});

/// Every process that was born since then. Those with the marker are marked.
pub(crate) fn processes(marker: Option<&str>, since: u64) -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let mut processes: Vec<Process> =
        ids.filter_map(read_stat).filter(|stat| stat.born >= since).map(Stat::into_process).collect();
    if let Some(marker) = marker {
        for process in processes.iter_mut().filter(|process| !process.over) {
            let environment = starting_environment(process.pid).unwrap_or_default();
            process.marked = marker_in(&environment).as_deref() == Some(marker);
        }
    }
    processes
}

/// One process, if it is there.
pub(crate) fn process(pid: u32) -> Option<Process> {
    read_stat(pid).map(Stat::into_process)
}

/// The processes that this one has to wait for, orphans that were handed to it among them. Nothing where the system does
/// not list them.
pub(crate) fn own_children() -> Vec<u32> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().filter_map(Result::ok);
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// What the system says about a process in one line.
struct Stat {
    pid: u32,
    parent: u32,
    session: u32,
    over: bool,
    born: u64,
}

impl Stat {
    fn into_process(self) -> Process {
        let Self { pid, parent, session, over, born } = self;
        Process { pid, parent, session, over, marked: false, born, started: format!("{born}@{}", *BOOT) }
    }
}

/// This is done for every process of the machine after every job, so it takes one read and no memory.
fn read_stat(pid: u32) -> Option<Stat> {
    let mut line = [0; STAT_LIMIT];
    let length = File::open(format!("/proc/{pid}/stat")).ok()?.read(&mut line).ok()?;
    stat_in(pid, &line[..length])
}

/// Reads `pid (name) state parent group session …`. The name may hold spaces and parentheses, so it ends at the
/// last one.
fn stat_in(pid: u32, line: &[u8]) -> Option<Stat> {
    let end_of_name = line.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(line.get(end_of_name + 1..)?).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    let born = fields.nth(15)?.parse().ok()?;
    Some(Stat { pid, parent, session, over: matches!(state, "Z" | "X"), born })
}

/// The environment a process was started with.
pub(crate) fn starting_environment(pid: u32) -> Option<Vec<u8>> {
    let mut block = Vec::new();
    File::open(format!("/proc/{pid}/environ")).ok()?.take(ENVIRONMENT_LIMIT).read_to_end(&mut block).ok()?;
    Some(block)
}

/// A process's name, and its command line.
pub(crate) fn describe(pid: u32) -> Option<(String, Vec<u8>)> {
    let name = fs::read(format!("/proc/{pid}/comm")).ok()?;
    let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    Some((String::from_utf8_lossy(name.trim_ascii()).into_owned(), command))
}

/// Whether a process can write into one of these pipes.
pub(crate) fn writes_into(pid: u32, pipes: &[u64]) -> bool {
    let Ok(entries) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    entries.filter_map(io::Result::ok).any(|entry| {
        let target = fs::read_link(entry.path()).unwrap_or_default();
        let leads_there = pipes.iter().any(|pipe| target == Path::new(&format!("pipe:[{pipe}]")));
        leads_there && is_for_writing(pid, &entry.file_name().to_string_lossy())
    })
}

fn is_for_writing(pid: u32, descriptor: &str) -> bool {
    let Ok(info) = fs::read_to_string(format!("/proc/{pid}/fdinfo/{descriptor}")) else { return false };
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.is_some_and(|flags| matches!(flags.trim().as_bytes().last(), Some(b'1' | b'2' | b'5' | b'6')))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn our_own_process_is_read_from_the_system() {
        let own = process(std::process::id()).unwrap();
        assert_eq!(own.parent, std::os::unix::process::parent_id());
        assert!(!own.over && own.born > 0);
        assert!(
            processes(None, 0).iter().any(|process| process.pid == own.pid && process.started == own.started)
        );
        assert!(process(u32::MAX).is_none());
        assert!(describe(own.pid).is_some_and(|(name, command)| !name.is_empty() && !command.is_empty()));
    }

    proptest! {
        #[test]
        fn any_process_name_is_stepped_over(name in "[ -~]{0,16}", pid: u32, parent: u32, ticks: u64) {
            let stat =
                format!("{pid} ({name}) Z {parent} 7 8 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 {ticks} 9 9");
            let read = stat_in(pid, stat.as_bytes()).unwrap();
            prop_assert_eq!((read.parent, read.session, read.born), (parent, 8, ticks));
            prop_assert!(read.over);
        }

        #[test]
        fn any_bytes_are_read_without_harm(stat in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = stat_in(1, &stat);
        }
    }
}
