//! Tasks in lists: all of them, those that match, those that fail, and the next one.

use std::collections::HashMap;
use std::process::ExitCode;

use loopwright_domain::{Fault, Task, TaskFilter, TaskGraph, TaskId};
use loopwright_engine::progress;
use loopwright_engine::task::{HeldTask, TaskRow};
use serde::Serialize;

use super::task_format;
use crate::args::TaskListArgs;
use crate::context::Context;
use crate::output::{self, CARE, HEADING, QUIET, plain, say, styled};

/// What a run ends with when nothing can go on.
const BLOCKED: u8 = 4;

pub(super) fn list(context: &Context, args: &TaskListArgs) -> Result<ExitCode, Fault> {
    let tasks = context.wait(context.project()?.tasks().list())?;
    let graph = TaskGraph::new(&tasks);
    let filter = args.filter.filter();
    let wanted = |task: &&Task| {
        graph.selects(&filter, task.id)
            && (args.status.is_empty() || args.status.contains(&task.status))
            && args.kind.is_none_or(|kind| task.draft.kind == Some(kind))
    };
    let rows: Vec<TaskRow> =
        graph.in_order().into_iter().filter(wanted).map(|task| TaskRow::of(task, &graph)).collect();
    if context.json {
        return output::json(&rows);
    }
    let mut heading = None;
    for row in &rows {
        if heading != Some(row.wave) {
            let gap = if heading.is_some() { "\n" } else { "" };
            let name = row.wave.map_or_else(|| "In no wave".to_owned(), |number| format!("Wave {number}"));
            say!("{gap}{}", styled(HEADING, name));
            heading = Some(row.wave);
        }
        task_format::line(row);
    }
    match (tasks.is_empty(), rows.is_empty()) {
        (true, _) => say!("There are no tasks yet. Add one with \"loopwright task add TITLE\"."),
        (false, true) => say!("No task is like that."),
        (false, false) => say!("\n{}", progress(&tasks)),
    }
    if let Some(circle) = graph.cycle() {
        say!("{}", styled(CARE, circle));
    }
    Ok(ExitCode::SUCCESS)
}

/// What `next --json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct NextTask<'a> {
    next: Option<&'a Task>,
    /// Whether something is left to do.
    finished: bool,
    held: Vec<HeldTask>,
}

pub(super) fn next(context: &Context, filter: &TaskFilter) -> Result<ExitCode, Fault> {
    let tasks = context.wait(context.project()?.tasks().list())?;
    let graph = TaskGraph::new(&tasks);
    let next = graph.next(filter).and_then(|id| graph.task(id));
    let left = graph.unfinished(filter);
    let held = graph.held(filter);
    let stuck = next.is_none() && !left.is_empty();
    if context.json {
        output::json(&NextTask { next, finished: left.is_empty(), held })?;
    } else if let Some(task) = next {
        task_format::line(&TaskRow::of(task, &graph));
        say!("{}", styled(QUIET, format!("\nSee it with \"loopwright task show {}\".", task.id.0)));
    } else if left.is_empty() {
        say!("Nothing is left to do here.");
    } else {
        say!("{}", styled(CARE, "Nothing can start."));
        let stopped = |id: &&TaskId| !held.iter().any(|held| held.task == **id);
        for task in left.iter().filter(stopped).filter_map(|id| graph.task(*id)) {
            task_format::line(&TaskRow::of(task, &graph));
        }
        task_format::held(&held, |id| graph.task(id).map_or("", |task| &task.draft.title));
    }
    Ok(if stuck { ExitCode::from(BLOCKED) } else { ExitCode::SUCCESS })
}

pub(super) fn search(context: &Context, words: &[String], limit: u32) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let found = context.wait(project.tasks().search(&words.join(" "), limit))?;
    let tasks = context.wait(project.tasks().list())?;
    let graph = TaskGraph::new(&tasks);
    let row = |id: &TaskId| graph.task(*id).map(|task| TaskRow::of(task, &graph));
    let rows: Vec<TaskRow> = found.iter().filter_map(row).collect();
    if context.json {
        return output::json(&rows);
    }
    if rows.is_empty() {
        say!("No task speaks of \"{}\".", plain(&words.join(" ")));
    }
    rows.iter().for_each(task_format::line);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn chronic(context: &Context, failures: Option<u32>) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let chronic = context.wait(project.tasks().chronic(failures))?;
    if context.json {
        return output::json(&chronic);
    }
    if chronic.is_empty() {
        say!("No task fails again and again.");
        return Ok(ExitCode::SUCCESS);
    }
    let reasons: HashMap<TaskId, &str> =
        chronic.iter().filter_map(|task| Some((task.id, task.blocked.as_ref()?.reason.as_str()))).collect();
    for task in &chronic {
        let told = format!("failed {} of {} times", task.failures, task.attempts);
        let title = plain(&task.draft.title);
        say!(
            "  {} {:>4} {title}  {}",
            task_format::mark(task.status),
            task.id.to_string(),
            styled(CARE, told)
        );
        if let Some(reason) = reasons.get(&task.id) {
            say!("         {}", styled(QUIET, plain(reason)));
        }
    }
    say!("\n{}", styled(QUIET, "Change what such a task asks for, then \"loopwright task unblock ID\"."));
    Ok(ExitCode::SUCCESS)
}
