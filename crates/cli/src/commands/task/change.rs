//! Adding, editing and moving tasks.

use std::io::Read;
use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin, Task, TaskDraft, TaskGraph, TaskId, TaskMove};
use loopwright_engine::editor::edit_text;
use loopwright_engine::task::{BulkEdit, Moved, read_form, write_form};
use loopwright_engine::{Project, require_person};

use super::task_format;
use crate::args::{AddTaskArgs, DependencyArgs, EditTaskArgs, Numbers, TaskFields};
use crate::context::Context;
use crate::output::{self, CARE, GOOD, plain, say, styled};
use crate::prompt;

/// The longest text that is read from standard input.
const LONGEST_INPUT: u64 = 1024 * 1024;

pub(super) fn add(context: &Context, args: &AddTaskArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let mut draft = TaskDraft::titled(args.title.as_str());
    apply(&args.fields, &mut draft)?;
    let id = context.wait(project.tasks().add(draft))?;
    told(context, &project, id, "Added")
}

pub(super) fn edit(context: &Context, args: &EditTaskArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    if let [id] = args.tasks.ids[..] {
        return edit_one(context, &project, id, args);
    }
    let moved = context.wait(project.tasks().edit_many(&args.tasks.ids, &bulk(args)?, Origin::Cli))?;
    tell_changed(context, &project, &moved, "Changed")
}

pub(super) fn accept(context: &Context, ids: &[TaskId]) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    context.wait(project.tasks().accept(ids, Origin::Cli))?;
    if context.json {
        return output::json(&ids);
    }
    say!("{} {} accepted as they are.", styled(GOOD, "✓"), task_format::ids(ids));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn remove(context: &Context, ids: &[TaskId]) -> Result<ExitCode, Fault> {
    let removed = context.wait(context.project()?.tasks().remove(ids, Origin::Cli))?;
    if context.json {
        return output::json(&removed);
    }
    removed.iter().for_each(|task| tell(task, "Removed"));
    Ok(ExitCode::SUCCESS)
}

fn edit_one(
    context: &Context,
    project: &Project,
    id: TaskId,
    args: &EditTaskArgs,
) -> Result<ExitCode, Fault> {
    let task = context.wait(project.tasks().find(id))?;
    let draft = if args.title.is_none() && args.fields == TaskFields::default() {
        edited_by_hand(context, &task)?
    } else {
        let mut draft = task.draft.clone();
        draft.title = args.title.clone().unwrap_or(draft.title);
        apply(&args.fields, &mut draft)?;
        draft
    };
    let edited = context.wait(project.tasks().edit(id, &task.updated_at, draft, Origin::Cli))?;
    let changed = edited.task.updated_at != task.updated_at;
    told(context, project, id, if changed { "Changed" } else { "Nothing to change in" })
}

/// The task as the person leaves it in their editor; they may try again when it cannot be understood.
fn edited_by_hand(context: &Context, task: &Task) -> Result<TaskDraft, Fault> {
    if !prompt::interactive() {
        return Err(Fault::new(ErrorCode::UsageInvalid, "nothing was said about what to change")
            .hint("Say it with flags: see \"loopwright task edit --help\"."));
    }
    require_person("edit tasks")?;
    let mut text = write_form(&task.draft);
    loop {
        text = edit_text(&context.host, "task.toml", &text)?;
        let fault = match read_form(&text) {
            Ok(draft) => return Ok(draft),
            Err(fault) => fault,
        };
        output::tell(&fault);
        if !prompt::agree("Edit it again?") {
            return Err(fault);
        }
    }
}

/// What can be changed in many tasks at once.
fn bulk(args: &EditTaskArgs) -> Result<BulkEdit, Fault> {
    let TaskFields { priority, size, kind, tag, .. } = args.fields.clone();
    let allowed = TaskFields { priority, size, kind, tag: tag.clone(), ..TaskFields::default() };
    let kept = size.is_none_or(|size| size.0.is_some()) && kind.is_none_or(|kind| kind.0.is_some());
    if args.title.is_some() || args.fields != allowed || !kept || allowed == TaskFields::default() {
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            "several tasks can be given a priority, a tag, a kind or a size at once",
        )
        .hint("Change anything else in one task after the other."));
    }
    let (size, kind) = (size.and_then(|size| size.0), kind.and_then(|kind| kind.0));
    Ok(BulkEdit { priority, tag, kind, size })
}

/// Puts what was said on the command line into a draft.
fn apply(fields: &TaskFields, draft: &mut TaskDraft) -> Result<(), Fault> {
    if let Some(description) = &fields.description {
        draft.description = if description == "-" { standard_input()? } else { description.clone() };
    }
    let text = |to: &mut String, from: &Option<String>| {
        if let Some(from) = from {
            to.clone_from(from);
        }
    };
    text(&mut draft.test_strategy, &fields.test_strategy);
    text(&mut draft.notes, &fields.notes);
    if let Some(acceptance) = &fields.acceptance {
        draft.acceptance.clone_from(acceptance);
    }
    draft.priority = fields.priority.unwrap_or(draft.priority);
    draft.complexity = fields.complexity.unwrap_or(draft.complexity);
    draft.size = fields.size.map_or(draft.size, |size| size.0);
    draft.kind = fields.kind.map_or(draft.kind, |kind| kind.0);
    if let Some(tag) = &fields.tag {
        draft.tag = Some(tag.clone());
    }
    if let Some(after) = &fields.after {
        draft.depends_on = Numbers::tasks(after);
    }
    if let Some(sections) = &fields.sections {
        draft.sections = Numbers::sections(sections);
    }
    Ok(())
}

fn standard_input() -> Result<String, Fault> {
    let mut text = String::new();
    let unusable = |message: String| {
        Fault::new(ErrorCode::UsageInvalid, message).hint("Give the description as text on standard input.")
    };
    std::io::stdin()
        .take(LONGEST_INPUT + 1)
        .read_to_string(&mut text)
        .map_err(|error| unusable(format!("standard input cannot be read: {error}")))?;
    if text.len() as u64 > LONGEST_INPUT {
        return Err(unusable("standard input is longer than 1 MiB".to_owned()));
    }
    Ok(text)
}

pub(super) fn move_to(context: &Context, ids: &[TaskId], to: &TaskMove) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let moved = context.wait(project.tasks().change_status(ids, to, Origin::Cli))?;
    let word = match to {
        TaskMove::Done => "Done",
        TaskMove::Block { .. } => "Blocked",
        TaskMove::Unblock => "Can go on",
        TaskMove::Cancel => "Cancelled",
        TaskMove::Reopen => "To be done",
    };
    let back = if matches!(to, TaskMove::Block { .. }) { "unblock" } else { "reopen" };
    tell_moved(context, &project, &moved, word, back)
}

pub(super) fn depend(context: &Context, args: &DependencyArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let moved = context.wait(project.tasks().depend(args.id, &args.on, Origin::Cli))?;
    tell_changed(context, &project, &moved, "Changed")
}

pub(super) fn undepend(context: &Context, args: &DependencyArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let moved = context.wait(project.tasks().undepend(args.id, &args.on, Origin::Cli))?;
    tell_changed(context, &project, &moved, "Changed")
}

/// Says what became of one task.
fn told(context: &Context, project: &Project, id: TaskId, word: &str) -> Result<ExitCode, Fault> {
    let task = context.wait(project.tasks().find(id))?;
    if context.json {
        return output::json(&task);
    }
    tell(&task, word);
    Ok(ExitCode::SUCCESS)
}

fn tell(task: &Task, word: &str) {
    let waits = match task.draft.depends_on.as_slice() {
        [] => String::new(),
        on => format!(", after {}", task_format::ids(on)),
    };
    say!("{} {} {}{waits}", styled(GOOD, word), task.id, plain(&task.draft.title));
}

/// Says what became of some tasks.
fn tell_changed(context: &Context, project: &Project, moved: &Moved, word: &str) -> Result<ExitCode, Fault> {
    tell_moved(context, project, moved, word, "reopen")
}

/// The same, with what cannot start because of it, and the command that takes it back.
fn tell_moved(
    context: &Context,
    project: &Project,
    moved: &Moved,
    word: &str,
    back: &str,
) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(moved);
    }
    for id in &moved.changed {
        tell(&context.wait(project.tasks().find(*id))?, word);
    }
    if moved.changed.is_empty() {
        say!("It is so already; nothing was changed.");
    }
    if !moved.held.is_empty() {
        let tasks = context.wait(project.tasks().list())?;
        let graph = TaskGraph::new(&tasks);
        say!("\n{}", styled(CARE, "These cannot start because of it:"));
        task_format::held(&moved.held, |id| graph.task(id).map_or("", |task| &task.draft.title));
        say!(
            "Take it up again with \"loopwright task {back}\", or remove the dependency with \"loopwright task undepend\"."
        );
    }
    Ok(ExitCode::SUCCESS)
}
