//! `loopwright check list`, `add`, `edit`, `move`, `enable`, `disable`, `remove` and `suggest`.

use std::process::ExitCode;

use loopwright_domain::{CheckStatus, Fault, Origin};
use loopwright_engine::check::{Check, CheckDraft, CheckRow, CheckWork, LastResult, TrendPoint};
use loopwright_engine::run::report::elapsed;
use loopwright_engine::{CheckSuggestion, Project};
use serde::Serialize;

use super::printer::look;
use crate::args::{AddCheckArgs, EditCheckArgs};
use crate::context::Context;
use crate::output::{self, HEADING, QUIET, columns, padded, plain, say, styled};

/// As many points of a trend as are shown.
const TREND: usize = 10;

/// A check as `list --json` shows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct ListedCheck<'a> {
    name: &'a str,
    command: Option<&'a str>,
    builtin: Option<&'static str>,
    required: bool,
    enabled: bool,
    edits: bool,
    order: i64,
    timeout_seconds: u64,
    parser: Option<&'static str>,
    last: Option<&'a LastResult>,
    trend: &'a [TrendPoint],
}

impl<'a> ListedCheck<'a> {
    fn of(check: &'a Check, row: Option<&'a CheckRow>) -> Self {
        let (builtin, parser) = match &check.work {
            CheckWork::Command(command) => (None, Some(command.parser.as_str())),
            CheckWork::Builtin(builtin) => (Some(builtin.as_str()), None),
            CheckWork::Custom(_) => (None, None),
        };
        Self {
            name: &check.name,
            command: check.command_text(),
            builtin,
            required: check.required,
            enabled: check.enabled,
            edits: check.edits,
            order: check.order,
            timeout_seconds: check.timeout.as_secs(),
            parser,
            last: row.and_then(|row| row.last.as_ref()),
            trend: row.map_or(&[], |row| &row.trend),
        }
    }
}

pub(super) fn list(context: &Context) -> Result<ExitCode, Fault> {
    show(context, &context.project()?)
}

fn show(context: &Context, project: &Project) -> Result<ExitCode, Fault> {
    let config = project.config().strict()?;
    let rows = context.wait(project.checks().report())?.checks;
    let row = |check: &Check| rows.iter().find(|row| row.draft.name == check.name);
    if context.json {
        let listed: Vec<_> = config.checks.iter().map(|check| ListedCheck::of(check, row(check))).collect();
        return output::json(&listed);
    }
    if config.checks.is_empty() {
        say!("No checks are set up. \"loopwright check suggest\" shows some for this folder.");
    }
    let width = config.checks.iter().map(|check| columns(&plain(&check.name))).max().unwrap_or(0);
    for check in &config.checks {
        let notes =
            [(!check.required, "optional"), (!check.edits, "may not edit"), (!check.enabled, "switched off")];
        let notes: Vec<&str> = notes.iter().filter(|(is, _)| *is).map(|(_, note)| *note).collect();
        let notes = if notes.is_empty() { String::new() } else { format!("  ({})", notes.join(", ")) };
        let name = styled(HEADING, padded(&plain(&check.name), width));
        say!("{name}  {}{}", plain(&check.shown()), styled(QUIET, notes));
        if let Some((row, last)) = row(check).and_then(|row| Some((row, row.last.as_ref()?))) {
            say!("{:width$}  {}", "", told_last(check, row, last));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// How a check went last, and how it has been going: the newest mark is the last one.
fn told_last(check: &Check, row: &CheckRow, last: &LastResult) -> String {
    let mark = |status: CheckStatus| {
        let (mark, style) = look(status, check.required);
        styled(style, mark)
    };
    let first = row.trend.len().saturating_sub(TREND);
    let marks: String = row.trend.iter().skip(first).map(|point| mark(point.status)).collect();
    let at = crate::output::local_time(&last.at);
    let by = if last.iteration.is_some() { "in a run" } else { "by hand" };
    let status = last.result.status.as_str().replace('_', " ");
    let told = format!("{status} after {}, {at}, {by}", elapsed(last.result.elapsed_ms));
    format!("{marks}  {}", styled(QUIET, told))
}

pub(super) fn add(context: &Context, args: &AddCheckArgs) -> Result<ExitCode, Fault> {
    let draft = CheckDraft {
        builtin: args.builtin.clone(),
        required: !args.optional,
        edits: !args.no_edits,
        timeout: args.timeout.clone(),
        dir: args.folder.clone(),
        parser: args.parser.clone(),
        pattern: args.pattern.clone(),
        issues: args.issues.clone(),
        ..CheckDraft::command(args.name.as_str(), args.command.clone().unwrap_or_default())
    };
    let project = context.project()?;
    context.wait(project.checks().add(&draft, args.order, Origin::Cli))?;
    told(context, &project, &format!("Added the check \"{}\" to .loopwright/config.toml.", plain(&args.name)))
}

pub(super) fn edit(context: &Context, args: &EditCheckArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let old = project.checks().draft(&args.name)?;
    let or = |new: &Option<String>, old: Option<String>| new.clone().or(old);
    let draft = CheckDraft {
        name: args.rename.clone().unwrap_or(old.name),
        builtin: args.builtin.clone().or(old.builtin.filter(|_| args.command.is_none())),
        command: args.command.clone().unwrap_or(old.command),
        required: args.required || (old.required && !args.optional),
        enabled: old.enabled,
        edits: args.edits || (old.edits && !args.no_edits),
        timeout: or(&args.timeout, old.timeout),
        dir: or(&args.folder, old.dir),
        parser: or(&args.parser, old.parser),
        pattern: or(&args.pattern, old.pattern),
        issues: or(&args.issues, old.issues),
    };
    context.wait(project.checks().edit(&args.name, &draft, Origin::Cli))?;
    let name = plain(&draft.name);
    told(context, &project, &format!("Changed the check \"{name}\" in .loopwright/config.toml."))
}

pub(super) fn move_to(context: &Context, name: &str, place: u32) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    context.wait(project.checks().change_order(name, place.saturating_sub(1), Origin::Cli))?;
    told(context, &project, &format!("The check \"{}\" is number {place} now.", plain(name)))
}

pub(super) fn enable(context: &Context, name: &str, enabled: bool) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    context.wait(project.checks().enable(name, enabled, Origin::Cli))?;
    let what = plain(project.checks().draft(name)?.work());
    let name = plain(name);
    let text = match enabled {
        true => format!("Switched the check \"{name}\" on: {what}"),
        false => format!("Switched the check \"{name}\" off."),
    };
    told(context, &project, &text)
}

pub(super) fn remove(context: &Context, name: &str) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    context.wait(project.checks().remove(name, Origin::Cli))?;
    told(context, &project, &format!("Took the check \"{}\" out of .loopwright/config.toml.", plain(name)))
}

fn told(context: &Context, project: &Project, text: &str) -> Result<ExitCode, Fault> {
    if context.json {
        return show(context, project);
    }
    say!("{text}");
    Ok(ExitCode::SUCCESS)
}

pub(super) fn suggest(context: &Context, wanted: &[String]) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let offered = project.checks().suggested(&project.config().strict()?);
    if wanted.is_empty() {
        return offer(context, &offered);
    }
    let all = wanted.iter().any(|name| name == "all");
    let wanted = if all { offered.into_iter().map(|check| check.name).collect() } else { wanted.to_vec() };
    let chosen = context.wait(project.checks().add_suggested(&wanted, Origin::Cli))?;
    let names: Vec<String> = chosen.iter().map(|check| format!("\"{}\"", plain(&check.name))).collect();
    let text = match names.as_slice() {
        [] => "There is nothing to add.".to_owned(),
        names => format!("Added {} to .loopwright/config.toml.", names.join(", ")),
    };
    told(context, &project, &text)
}

fn offer(context: &Context, offered: &[CheckSuggestion]) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(&offered);
    }
    if offered.is_empty() {
        say!("Nothing more is proposed for this folder. Add a check with \"loopwright check add\".");
        return Ok(ExitCode::SUCCESS);
    }
    let width = |part: fn(&CheckSuggestion) -> &str| {
        offered.iter().map(|check| columns(&plain(part(check)))).max().unwrap_or(0)
    };
    let (names, commands) = (width(|check| &check.name), width(|check| &check.command).min(50));
    for check in offered {
        let name = padded(&plain(&check.name), names);
        let command = padded(&plain(&check.command), commands);
        let why = styled(QUIET, format!("{}: {}", plain(&check.source), plain(&check.why)));
        say!("{name}  {command}  {why}");
    }
    say!("\nAdd one with \"loopwright check suggest --add NAME\".");
    Ok(ExitCode::SUCCESS)
}
