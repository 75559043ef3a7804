//! `loopwright wave`.

use std::collections::HashMap;
use std::process::ExitCode;

use anstyle::Style;
use loopwright_domain::{Fault, TaskId, TaskStatus};
use loopwright_engine::task::{HeldTask, TaskBoard, TaskRow, WaveCommit};
use serde::Serialize;

use super::task::task_format;
use crate::args::WaveCommand;
use crate::context::Context;
use crate::output::{self, BAD, CARE, GOOD, HEADING, QUIET, count, plain, say, styled};

const BAR: u32 = 16;
/// As many commits of waves as are shown.
const MOST_COMMITS: usize = 5;
/// As much of a commit's id as tells it from others.
const SHORT: usize = 7;
/// As much of the critical path as is shown.
const MOST_OF_PATH: usize = 12;

pub(super) fn run(context: &Context, command: &WaveCommand) -> Result<ExitCode, Fault> {
    let WaveCommand::List { tag } = command;
    let board = context.wait(context.project()?.tasks().board())?;
    let waves = lines(&board, tag.as_ref());
    if context.json {
        return output::json(&Waves::of(&waves, &board));
    }
    if waves.is_empty() {
        let tagged = tag.as_ref().map(|tag| format!(" with the tag \"{}\"", plain(tag)));
        say!("There are no tasks{}.", tagged.unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    draw(&waves);
    around(&board);
    Ok(ExitCode::SUCCESS)
}

/// What `--json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct Waves<'a> {
    waves: &'a [WaveLine],
    next: Option<TaskId>,
    current: Option<TaskId>,
    critical_path: &'a [TaskId],
    held: &'a [HeldTask],
    cycle: &'a [TaskId],
    wave_commits: &'a [WaveCommit],
}

impl<'a> Waves<'a> {
    fn of(waves: &'a [WaveLine], board: &'a TaskBoard) -> Self {
        let TaskBoard { next, current, critical_path, held, cycle, wave_commits, .. } = board;
        Self { waves, next: *next, current: *current, critical_path, held, cycle, wave_commits }
    }
}

/// A wave, or what of it has the tag that was asked for.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct WaveLine {
    number: u32,
    state: WaveState,
    total: u32,
    done: u32,
    blocked: u32,
    tasks: Vec<TaskId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub(in crate::commands) enum WaveState {
    Complete,
    InProgress,
    Blocked,
    Pending,
}

fn lines(board: &TaskBoard, tag: Option<&String>) -> Vec<WaveLine> {
    let wanted = |row: &&TaskRow| tag.is_none() || row.tag.as_ref() == tag;
    let rows: Vec<&TaskRow> = board.tasks.iter().filter(wanted).filter(|row| row.wave.is_some()).collect();
    rows.chunk_by(|a, b| a.wave == b.wave).map(line).collect()
}

fn line(rows: &[&TaskRow]) -> WaveLine {
    let count = |wanted: &[TaskStatus]| {
        let number = rows.iter().filter(|row| wanted.contains(&row.status)).count();
        u32::try_from(number).unwrap_or(u32::MAX)
    };
    let (total, done, blocked) =
        (count(TaskStatus::ALL), count(&[TaskStatus::Done]), count(&[TaskStatus::Blocked]));
    let under_way = count(&[TaskStatus::InProgress, TaskStatus::AwaitingApproval]);
    let state = match () {
        () if done == total => WaveState::Complete,
        () if done + blocked == total => WaveState::Blocked,
        () if done + under_way > 0 => WaveState::InProgress,
        () => WaveState::Pending,
    };
    let number = rows.first().and_then(|row| row.wave).unwrap_or_default();
    WaveLine { number, state, total, done, blocked, tasks: rows.iter().map(|row| row.id).collect() }
}

/// The waves as bars, under how far all of them are.
fn draw(waves: &[WaveLine]) {
    let (done, total) =
        waves.iter().fold((0, 0), |(done, total), wave| (done + wave.done, total + wave.total));
    let last = waves.last().map_or(0, |wave| wave.number);
    if let Some(current) = waves.iter().find(|wave| wave.state != WaveState::Complete) {
        say!("{}", styled(HEADING, format!("Wave {} of {last}", current.number)));
    }
    say!("Tasks: {done}/{total} completed\n");
    let width = format!("Wave {last}:").len();
    for wave in waves {
        let name = format!("Wave {}:", wave.number);
        let bar = task_format::bar(wave.done, wave.total, BAR);
        let (style, told) = told(wave);
        say!("{name:width$} {bar} {}", styled(style, told));
    }
}

fn told(wave: &WaveLine) -> (Style, String) {
    let tasks = count(wave.total as usize, "task", "tasks");
    let part = format!("{}/{tasks}", wave.done);
    let blocked = if wave.blocked > 0 { format!(", {} blocked", wave.blocked) } else { String::new() };
    match wave.state {
        WaveState::Complete => (GOOD, format!("Complete ({tasks})")),
        WaveState::InProgress => (CARE, format!("In Progress ({part}{blocked})")),
        WaveState::Blocked => (BAD, format!("Blocked ({part}{blocked})")),
        WaveState::Pending => (QUIET, format!("Pending ({tasks}{blocked})")),
    }
}

/// What is worked on, what comes next, and what stands in the way.
fn around(board: &TaskBoard) {
    let titles: HashMap<TaskId, &str> = board.tasks.iter().map(|row| (row.id, row.title.as_str())).collect();
    let title = |id: TaskId| titles.get(&id).copied().unwrap_or_default();
    let named = |word: &str, id: Option<TaskId>| {
        if let Some(id) = id {
            say!("\n{} {id} {}", styled(HEADING, word), plain(title(id)));
        }
    };
    named("Current:", board.current);
    named("Next:", board.next);
    if board.critical_path.len() > 1 {
        let shown: Vec<String> =
            board.critical_path.iter().take(MOST_OF_PATH).map(ToString::to_string).collect();
        let more = if board.critical_path.len() > MOST_OF_PATH { " → …" } else { "" };
        say!("\n{} {}{more}", styled(HEADING, "Critical path:"), shown.join(" → "));
    }
    for row in board.tasks.iter().filter(|row| row.status == TaskStatus::Blocked) {
        let reason = row.blocked.as_ref().map_or("", |blocked| &blocked.reason);
        say!("\n{} {} {}\n  {}", styled(BAD, "Blocked:"), row.id, plain(&row.title), plain(reason));
    }
    if !board.held.is_empty() {
        say!("\n{}", styled(CARE, "Cannot start:"));
        task_format::held(&board.held, title);
    }
    if !board.cycle.is_empty() {
        say!("\n{} {}", styled(BAD, "These wait for each other:"), task_format::ids(&board.cycle));
    }
    commits(&board.wave_commits);
}

/// The commits that hold whole waves, the newest first.
fn commits(commits: &[WaveCommit]) {
    if commits.is_empty() {
        return;
    }
    say!("\n{}", styled(HEADING, "Committed as waves:"));
    for wave in commits.iter().take(MOST_COMMITS) {
        let commit: String = wave.commit.chars().take(SHORT).collect();
        let at = crate::output::local_time(&wave.at);
        say!("  {commit}  {}  wave {}: {}", styled(QUIET, at), wave.wave, task_format::ids(&wave.tasks));
    }
    if commits.len() > MOST_COMMITS {
        say!("  {}", styled(QUIET, format!("and {} more", commits.len() - MOST_COMMITS)));
    }
}
