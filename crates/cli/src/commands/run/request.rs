//! Turns a command line into a request.

use std::io::Read;
use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault, TaskId};
use loopwright_engine::Layout;
use loopwright_engine::run::{ContextItem, Request, RunRequest, TaskSelection};

use crate::args::{FixArgs, LoopArgs, NewLimitArgs, RunArgs, RunTasksArgs};
use crate::context::Context;
use crate::output;

/// A prompt or a context file larger than this is a mistake.
const TEXT_LIMIT: u64 = 16 * 1024 * 1024;

pub(super) fn of_loop(context: &Context, args: &LoopArgs) -> Result<RunRequest, Fault> {
    let request = match (&args.prompt, &args.prompt_file, &args.procedure) {
        (Some(text), ..) => Request::Prompt(text.clone()),
        (_, Some(file), _) => Request::Prompt(read_prompt(context, file)?),
        (.., Some(name)) => Request::Procedure(name.clone()),
        (None, None, None) => {
            return Err(Fault::new(ErrorCode::UsageInvalid, "nothing says what to do")
                .hint("Give --prompt TEXT, --prompt-file FILE or --procedure NAME."));
        }
    };
    let mut request = common(context, &args.run, RunRequest::new(request))?;
    if let Some(word) = &args.completion_promise {
        request = request.set("loop.completion_promise", word);
    }
    if args.plain_promise {
        request = request.set("loop.plain_promise", "true");
    }
    if let Some(max) = args.run.limits.max_iterations {
        request = request.set("loop.max_iterations", max.to_string());
    }
    Ok(request)
}

/// What a loop in the background has to be handed because only this process can read it: standard input.
pub(super) fn input_of_loop(context: &Context, args: &LoopArgs) -> Result<Vec<u8>, Fault> {
    match args.prompt_file.as_deref().filter(|file| *file == Path::new("-")) {
        Some(file) => Ok(read_prompt(context, file)?.into_bytes()),
        None => Ok(Vec::new()),
    }
}

pub(super) fn of_fix(context: &Context, args: &FixArgs) -> Result<RunRequest, Fault> {
    let mut request = common(context, &args.run, RunRequest::new(Request::Fix(args.prompt.clone())))?;
    if let Some(max) = args.run.limits.max_iterations {
        request = request.set("fix.max_iterations", max.to_string());
    }
    Ok(request)
}

pub(super) fn of_tasks(context: &Context, args: &RunTasksArgs) -> Result<RunRequest, Fault> {
    let selection = TaskSelection {
        tag: args.tag.clone(),
        task: args.task.as_deref().map(task_id).transpose()?,
        wave: args.wave,
        plan: args.plan.clone(),
        spec_files: args.spec_files.clone(),
        verify: args.verify.clone(),
        handoff: args.handoff.clone(),
    };
    let mut request = common(context, &args.run, RunRequest::new(Request::Tasks(selection)))?;
    let number = |value: Option<u32>| value.map(|value| value.to_string());
    let settings = [
        ("run.max_iterations", number(args.run.limits.max_iterations)),
        ("run.max_attempts", number(args.max_attempts)),
        ("run.max_total_failures", number(args.max_total_failures)),
        ("run.max_spec_tokens", number(args.max_spec_tokens)),
        ("run.commit", args.commit.clone()),
    ];
    for (key, value) in settings {
        if let Some(value) = value {
            request = request.set(key, value);
        }
    }
    Ok(request)
}

/// The settings of other limits for a run that goes on.
pub(super) fn of_limits(limits: &NewLimitArgs) -> Vec<(String, String)> {
    let settings = [
        ("loop.max_iterations", limits.max_iterations.map(|number| number.to_string())),
        ("loop.failure_threshold", limits.failure_threshold.map(|number| number.to_string())),
        ("loop.max_runtime", limits.max_runtime.as_deref().map(time)),
        ("loop.max_cost", limits.max_cost.clone()),
        ("loop.max_tokens", limits.max_tokens.map(|number| number.to_string())),
    ];
    settings.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// A task's number, with or without its mark.
pub(super) fn task_id(text: &str) -> Result<TaskId, Fault> {
    text.trim().trim_start_matches('#').parse().map(TaskId).map_err(|_| {
        Fault::new(ErrorCode::UsageInvalid, format!("\"{text}\" is not the number of a task"))
            .hint("\"loopwright task list\" shows them.")
    })
}

fn common(context: &Context, args: &RunArgs, mut request: RunRequest) -> Result<RunRequest, Fault> {
    request.harness = args.harness.clone();
    request.command = args.command.clone();
    request.prompt_mode = args.prompt_mode;
    request.output_format = args.output_format;
    request.model = args.model.clone();
    request.working_dir = args.working_dir.as_deref().map(|folder| in_project(context, folder));
    for text in &args.context {
        request.context.push(context_item(context, text)?);
    }
    let limits = &args.limits;
    let git = &args.git;
    let number = |value: Option<u64>| value.map(|value| value.to_string());
    let yes = |given: bool| given.then(|| "true".to_owned());
    let settings = [
        ("mode", args.mode.clone()),
        ("loop.failure_threshold", number(limits.failure_threshold.map(u64::from))),
        ("agent.timeout", limits.timeout.as_deref().map(time)),
        ("agent.idle_timeout", limits.idle_timeout.as_deref().map(time)),
        ("loop.max_runtime", limits.max_runtime.as_deref().map(time)),
        ("loop.max_cost", limits.max_cost.clone()),
        ("loop.max_tokens", number(limits.max_tokens)),
        ("loop.token_budget", number(limits.token_budget)),
        ("loop.automation", args.automation.clone()),
        ("git.auto_commit", yes(git.auto_commit)),
        ("git.commit_template", git.commit_template.clone()),
        ("git.create_branch", yes(git.create_branch)),
        ("git.branch_template", git.branch_template.clone()),
        ("loop.baseline", args.baseline.clone()),
        ("loop.dirty", git.dirty.clone()),
    ];
    for (key, value) in settings {
        if let Some(value) = value {
            request = request.set(key, value);
        }
    }
    Ok(request)
}

/// A bare number means seconds, as in Descartes.
fn time(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { format!("{text}s") } else { text.to_owned() }
}

/// A text from a file; "-" reads standard input.
pub(in crate::commands) fn read_prompt(context: &Context, file: &Path) -> Result<String, Fault> {
    if file == Path::new("-") {
        return read_limited(std::io::stdin().lock(), "standard input");
    }
    read_file(&context.folder.join(file), file)
}

/// A folder as it is counted from the project; one that is elsewhere stays as it is, and is refused.
fn in_project(context: &Context, folder: &Path) -> PathBuf {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let layout = folder.is_absolute().then(|| Layout::find(&context.folder).ok()).flatten();
    let below =
        layout.and_then(|layout| Some(real(folder).strip_prefix(real(&layout.root)).ok()?.to_owned()));
    match below {
        Some(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Some(below) => below,
        None => folder.to_owned(),
    }
}

/// A file when there is one of that name, else the text itself.
fn context_item(context: &Context, text: &str) -> Result<ContextItem, Fault> {
    let path = context.folder.join(text);
    // A long text is no path; asking the system about one may fail in its own ways.
    if text.len() < 4096 && !text.contains('\n') && path.is_file() {
        return Ok(ContextItem { source: Some(text.to_owned()), text: read_file(&path, Path::new(text))? });
    }
    Ok(ContextItem { source: None, text: text.to_owned() })
}

fn read_file(path: &Path, shown: &Path) -> Result<String, Fault> {
    let file = std::fs::File::open(path).map_err(|error| {
        Fault::caused(output::unread(&error), format_args!("cannot read {}", shown.display()), &error)
            .hint("Check the path.")
    })?;
    read_limited(file, &shown.display().to_string())
}

fn read_limited(reader: impl Read, name: &str) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    reader
        .take(TEXT_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Fault::caused(ErrorCode::IoFailed, format_args!("cannot read {name}"), &error))?;
    if bytes.len() as u64 > TEXT_LIMIT {
        return Err(Fault::new(ErrorCode::UsageInvalid, format!("{name} is larger than {TEXT_LIMIT} bytes")));
    }
    String::from_utf8(bytes)
        .map_err(|_| Fault::new(ErrorCode::UsageInvalid, format!("{name} is not UTF-8 text")))
}
