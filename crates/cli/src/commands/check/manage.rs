//! `loopwright check list`, `add`, `remove` and `suggest`.

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::check::{Builtin, Check, CheckWork, NewCheck};
use loopwright_engine::{CheckSuggestion, Project};
use serde::Serialize;

use crate::args::AddCheckArgs;
use crate::context::Context;
use crate::output::{self, HEADING, QUIET, plain, say, styled};

/// A check as `list --json` shows it.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    command: Option<&'a str>,
    builtin: Option<&'static str>,
    required: bool,
    enabled: bool,
    order: i64,
    timeout_seconds: u64,
    parser: Option<&'static str>,
}

impl<'a> Listed<'a> {
    fn of(check: &'a Check) -> Self {
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
            order: check.order,
            timeout_seconds: check.timeout.as_secs(),
            parser,
        }
    }
}

pub(super) fn list(context: &Context) -> Result<ExitCode, Fault> {
    show(context, &context.project()?)
}

fn show(context: &Context, project: &Project) -> Result<ExitCode, Fault> {
    let config = project.config().strict()?;
    if context.json {
        return output::json(&config.checks.iter().map(Listed::of).collect::<Vec<_>>());
    }
    if config.checks.is_empty() {
        say!("No checks are set up. \"loopwright check suggest\" shows some for this folder.");
    }
    let width = config.checks.iter().map(|check| plain(&check.name).chars().count()).max().unwrap_or(0);
    for check in &config.checks {
        let notes = [(!check.required, "optional"), (!check.enabled, "switched off")];
        let notes: Vec<&str> = notes.iter().filter(|(is, _)| *is).map(|(_, note)| *note).collect();
        let notes = if notes.is_empty() { String::new() } else { format!("  ({})", notes.join(", ")) };
        let name = styled(HEADING, format!("{:width$}", plain(&check.name)));
        say!("{name}  {}{}", plain(&check.shown()), styled(QUIET, notes));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn add(context: &Context, args: &AddCheckArgs) -> Result<ExitCode, Fault> {
    let new = NewCheck {
        name: args.name.clone(),
        command: args.command.clone().unwrap_or_default(),
        builtin: args.builtin.as_deref().and_then(Builtin::parse),
        optional: args.optional,
        timeout: args.timeout.clone(),
        dir: args.folder.clone(),
        order: args.order,
        parser: args.parser.clone(),
        pattern: args.pattern.clone(),
        issues: args.issues.clone(),
    };
    let project = context.project()?;
    context.wait(project.add_check(&new, Origin::Cli))?;
    told(context, &project, &format!("Added the check \"{}\" to .loopwright/config.toml.", plain(&new.name)))
}

pub(super) fn remove(context: &Context, name: &str) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    context.wait(project.remove_check(name, Origin::Cli))?;
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
    let offered = project.suggested_checks(&project.config().strict()?);
    if wanted.is_empty() {
        return offer(context, &offered);
    }
    let chosen: Vec<&CheckSuggestion> = if wanted.iter().any(|name| name == "all") {
        offered.iter().collect()
    } else {
        wanted.iter().map(|name| pick(&offered, name)).collect::<Result<_, _>>()?
    };
    for check in &chosen {
        let new =
            NewCheck { name: check.name.clone(), command: check.command.clone(), ..NewCheck::default() };
        context.wait(project.add_check(&new, Origin::Cli))?;
    }
    let names: Vec<String> = chosen.iter().map(|check| format!("\"{}\"", plain(&check.name))).collect();
    let text = match names.as_slice() {
        [] => "There is nothing to add.".to_owned(),
        names => format!("Added {} to .loopwright/config.toml.", names.join(", ")),
    };
    told(context, &project, &text)
}

fn pick<'a>(offered: &'a [CheckSuggestion], name: &str) -> Result<&'a CheckSuggestion, Fault> {
    offered.iter().find(|check| check.name == name).ok_or_else(|| {
        let names: Vec<&str> = offered.iter().map(|check| check.name.as_str()).collect();
        let hint = match names.as_slice() {
            [] => "Nothing is proposed here; use \"loopwright check add\".".to_owned(),
            names => format!("Proposed here: {}.", names.join(", ")),
        };
        Fault::new(ErrorCode::UsageInvalid, format!("no check called \"{name}\" is proposed here")).hint(hint)
    })
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
        offered.iter().map(|check| plain(part(check)).chars().count()).max().unwrap_or(0)
    };
    let (names, commands) = (width(|check| &check.name), width(|check| &check.command).min(50));
    for check in offered {
        let (name, command) = (plain(&check.name), plain(&check.command));
        let why = styled(QUIET, format!("{}: {}", plain(&check.source), plain(&check.why)));
        say!("{name:names$}  {command:commands$}  {why}");
    }
    say!("\nAdd one with \"loopwright check suggest --add NAME\".");
    Ok(ExitCode::SUCCESS)
}
