//! The processes of this machine, as `ps` of macOS lists them. Only the reading of its output is tested elsewhere.

use std::process::{Command, Stdio};

use crate::ancestry::marker_in;
use crate::family::Process;

const PROGRAM: &str = "/bin/ps";
/// Id, parent, group, state, start (five words) and, to the end of the line, command and environment.
const COLUMNS: &str = "pid=,ppid=,pgid=,stat=,lstart=,command=";
const WORDS_BEFORE_COMMAND: usize = 9;

/// Every process there is, since when they were born is not told as a number. Those with the marker are marked.
pub(crate) fn processes(marker: Option<&str>, _since: u64) -> Vec<Process> {
    let listed = list(&["-A"]);
    listed.lines().filter_map(|line| process_in(line, marker)).collect()
}

/// One process, if it is there.
pub(crate) fn process(pid: u32) -> Option<Process> {
    process_in(list(&["-p", &pid.to_string()]).lines().next()?, None)
}

/// A process's name, and its command line. Where the command ends and the environment begins is not told, so that
/// only the first word is taken.
pub(crate) fn describe(pid: u32) -> Option<(String, Vec<u8>)> {
    let listed = list(&["-p", &pid.to_string()]);
    let program = listed.lines().next()?.split_ascii_whitespace().nth(WORDS_BEFORE_COMMAND)?;
    let name = program.rsplit('/').next().unwrap_or(program);
    Some((name.to_owned(), program.as_bytes().to_vec()))
}

/// The environment a process was started with, as far as spaces in values allow to tell.
pub(crate) fn starting_environment(pid: u32) -> Option<Vec<u8>> {
    let listed = list(&["-p", &pid.to_string()]);
    (!listed.is_empty()).then(|| as_block(&listed))
}

/// Not told here.
pub(crate) fn writes_into(_pid: u32, _pipes: &[u64]) -> bool {
    false
}

#[expect(clippy::disallowed_methods, reason = "the one program that is needed to supervise programs")]
fn list(which: &[&str]) -> String {
    let mut command = Command::new(PROGRAM);
    command.args(["-E", "-ww", "-o", COLUMNS]).args(which).env_clear().env("TZ", "UTC").env("LC_ALL", "C");
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

fn process_in(line: &str, marker: Option<&str>) -> Option<Process> {
    let words: Vec<&str> = line.split_ascii_whitespace().take(WORDS_BEFORE_COMMAND).collect();
    let [pid, parent, group, state, started @ ..] = words.as_slice() else { return None };
    if started.len() != 5 {
        return None;
    }
    Some(Process {
        pid: pid.parse().ok()?,
        parent: parent.parse().ok()?,
        session: group.parse().ok()?,
        over: state.starts_with('Z'),
        marked: marker.is_some() && marker_in(&as_block(line)).as_deref() == marker,
        born: 0,
        started: started.join(" "),
    })
}

/// As the system itself keeps an environment: strings that end with a NUL.
fn as_block(line: &str) -> Vec<u8> {
    line.trim_end().bytes().map(|byte| if byte == b' ' { 0 } else { byte }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_is_read_with_its_environment() {
        let line = "  501   17   501 Ss   Mon Nov  2 07:47:28 2026     /bin/sh -c x LOOPWRIGHT_ITERATION=a-1 HOME=/h";
        let process = process_in(line, Some("a-1")).unwrap();
        assert_eq!((process.pid, process.parent, process.session), (501, 17, 501));
        assert_eq!(process.started, "Mon Nov 2 07:47:28 2026");
        assert!(process.marked && !process.over);
        assert!(!process_in(line, Some("a")).unwrap().marked && !process_in(line, None).unwrap().marked);
    }

    #[test]
    fn an_ended_process_is_told() {
        assert!(process_in("7 1 7 Z Mon Nov  2 07:47:28 2026 (sh)", None).unwrap().over);
        assert!(process_in("7 1 7 Z Mon", None).is_none());
    }

    proptest! {
        #[test]
        fn any_line_is_read_without_harm(line in "\\PC{0,80}") {
            let _ = process_in(&line, Some("x"));
        }
    }
}
