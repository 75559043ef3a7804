//! Runs a command with its output streamed, counted and limited in time.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Context, Failure, Outcome};
use crate::step::Step;
use crate::strays::{self, Marker};
use crate::tally::Tally;

/// How long output may trickle in after the command itself has ended. A process left behind can hold the pipe open
/// for ever, so the end of the output is not waited for.
const AFTERMATH: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(100);

/// How a watched command ended.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    pub(crate) tally: Tally,
    /// Why the command counts as failed; nothing when it succeeded.
    pub(crate) problem: Option<Failure>,
}

impl Watched {
    /// Both together: their tests added up, and the first problem.
    pub(crate) fn and(self, other: Self) -> Self {
        let mut tally = self.tally;
        tally += other.tally;
        Self { tally, problem: self.problem.or(other.problem) }
    }
}

enum Line {
    Out(String),
    Err(String),
}

impl Line {
    fn text(&self) -> &str {
        match self {
            Self::Out(text) | Self::Err(text) => text,
        }
    }
}

/// Runs `step` and streams its output, counting the tests it reports. Whatever it leaves running is ended, as is
/// the command itself when it takes longer than `limit`.
pub(crate) fn watch(step: &Step, limit: Duration) -> Outcome<Watched> {
    if step.announce() {
        return Ok(Watched::default());
    }
    watch_with(step, limit, print_line)
}

/// Like [`watch`], but shows everything when the command has ended, so that it can run beside others.
pub(crate) fn watch_whole(step: &Step, limit: Duration) -> Outcome<Watched> {
    static SHOWING: Mutex<()> = Mutex::new(());
    let mut lines = Vec::new();
    let watched =
        if step.is_dry() { Ok(Watched::default()) } else { watch_with(step, limit, |line| lines.push(line)) };
    let _one_at_a_time = SHOWING.lock();
    step.announce();
    lines.into_iter().for_each(print_line);
    watched
}

fn watch_with(step: &Step, limit: Duration, mut show: impl FnMut(Line)) -> Outcome<Watched> {
    let marker = Marker::new();
    let step = step.clone().env(marker.variable(), marker.value());
    let mut child = step.spawn(|command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    })?;
    let lines = read_lines(&mut child);
    let mut tally = Tally::default();
    let status = stream(&mut child, &lines, limit, |line| {
        tally += Tally::of_line(line.text());
        show(line);
    })?;
    let left_behind = strays::end(&marker)?;
    if !left_behind.is_empty() {
        eprintln!("Ended what `{}` left running: {}", step.line(), left_behind.join(", "));
    }
    let problem = match status {
        Some(status) => step.succeeded(status).err(),
        None => Some(Failure::new(format!(
            "`{}` took longer than {} minutes.",
            step.line(),
            limit.as_secs() / 60
        ))),
    };
    Ok(Watched { tally, problem })
}

fn read_lines(child: &mut Child) -> Receiver<Line> {
    let (sender, receiver) = channel();
    if let Some(stdout) = child.stdout.take() {
        forward(stdout, sender.clone(), Line::Out);
    }
    if let Some(stderr) = child.stderr.take() {
        forward(stderr, sender, Line::Err);
    }
    receiver
}

fn forward(stream: impl Read + Send + 'static, sender: Sender<Line>, wrap: fn(String) -> Line) {
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            if sender.send(wrap(String::from_utf8_lossy(&bytes).into_owned())).is_err() {
                break;
            }
            bytes.clear();
        }
    });
}

/// Hands lines on until the command has ended and its output is read. No status means it ran too long.
fn stream(
    child: &mut Child,
    lines: &Receiver<Line>,
    limit: Duration,
    mut take: impl FnMut(Line),
) -> Outcome<Option<ExitStatus>> {
    let started = Instant::now();
    let mut ended: Option<(ExitStatus, Instant)> = None;
    loop {
        match lines.recv_timeout(TICK) {
            Ok(line) => take(line),
            Err(RecvTimeoutError::Disconnected) if ended.is_some() => break,
            Err(RecvTimeoutError::Disconnected) => thread::sleep(TICK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if ended.is_none() {
            ended = child
                .try_wait()
                .context("cannot wait for the command")?
                .map(|status| (status, Instant::now()));
        }
        if ended.is_some_and(|(_, at)| at.elapsed() > AFTERMATH) {
            break;
        }
        if ended.is_none() && started.elapsed() > limit {
            child.kill().context("cannot end the command")?;
            child.wait().context("cannot wait for the command")?;
            return Ok(None);
        }
    }
    Ok(ended.map(|(status, _)| status))
}

fn print_line(line: Line) {
    // A closed terminal must not stop the tests from being counted.
    let _written = match line {
        Line::Out(text) => std::io::stdout().write_all(text.as_bytes()),
        Line::Err(text) => std::io::stderr().write_all(text.as_bytes()),
    };
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Step {
        Step::new("sh").args(["-c", script])
    }

    /// Watches without printing: what is printed here would be counted by whoever runs these tests.
    fn watch_quietly(script: &str, limit: Duration) -> (Watched, Vec<String>) {
        let mut lines = Vec::new();
        let watched = watch_with(&shell(script), limit, |line| lines.push(line.text().to_owned())).unwrap();
        (watched, lines)
    }

    #[test]
    fn counts_tests_from_both_streams_and_shows_every_line() {
        let script = "echo 'test result: ok. 2 passed; 0 failed; 0 ignored'; echo 'Tests  3 passed (3)' >&2; printf end";
        let (watched, lines) = watch_quietly(script, LONG);
        assert_eq!(watched.tally, Tally { passed: 5, ..Tally::default() });
        assert!(watched.problem.is_none());
        assert_eq!(lines.len(), 3);
        assert!(lines.contains(&"end".to_owned()));
    }

    #[test]
    fn failing_command_is_a_problem() {
        let (watched, _) = watch_quietly("exit 3", LONG);
        assert!(watched.problem.unwrap().to_string().contains("exit 3"));
    }

    #[test]
    fn command_over_its_limit_is_ended() {
        let (watched, _) = watch_quietly("sleep 120", Duration::from_millis(300));
        assert!(watched.problem.unwrap().to_string().contains("took longer"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn process_left_behind_neither_blocks_nor_survives() {
        let (watched, lines) = watch_quietly("setsid sh -c 'echo $$; exec sleep 247' & sleep 1", LONG);
        assert!(watched.problem.is_none(), "nobody waits for it");
        let left_behind = lines.first().unwrap().trim();
        let state = || std::fs::read_to_string(format!("/proc/{left_behind}/stat")).unwrap_or_default();
        let is_gone = || state().is_empty() || state().contains(") Z ");
        let started = Instant::now();
        // A process that was ended is there until the system gets round to it.
        while !is_gone() && started.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(is_gone(), "still there: {}", state());
    }
}
