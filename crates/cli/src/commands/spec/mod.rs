//! `loopwright spec`.

mod check;
mod history;
mod import;
mod template;
mod term;

use std::path::Path;
use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin, TaskId};
use loopwright_engine::editor::edit_text;
use loopwright_engine::require_person;
use loopwright_engine::spec::{SectionEdit, SourceState, SpecSection, SpecSource};
use loopwright_engine::task::TaskTrace;
use serde::Serialize;

use super::run::read_prompt;
use super::task::task_format;
use crate::args::{SectionText, SpecCommand};
use crate::context::Context;
use crate::output::{self, CARE, HEADING, QUIET, count, plain, plain_text, say, styled};
use crate::prompt;

pub(super) fn run(context: &Context, command: &SpecCommand) -> Result<ExitCode, Fault> {
    match command {
        SpecCommand::Import { paths, replace, dry_run, yes } => {
            let choice = import::ImportChoice { replace: *replace, dry_run: *dry_run, yes: *yes };
            import::run(context, paths, choice)
        }
        SpecCommand::Export { out, force } => export(context, out.as_deref(), *force),
        SpecCommand::List => list(context),
        SpecCommand::Show { section } => show(context, section),
        SpecCommand::History { section, show } => history::run(context, section, *show),
        SpecCommand::Add { title, text, under } => add(context, title, text, under.as_deref()),
        SpecCommand::Edit { section, title, text } => edit(context, section, title.as_deref(), text),
        SpecCommand::Remove { sections, yes } => remove(context, sections, *yes),
        SpecCommand::Search { words, limit } => search(context, &words.join(" "), *limit),
        SpecCommand::Term(command) => term::run(context, command),
        SpecCommand::Check { min_score } => check::run(context, *min_score),
        SpecCommand::Wizard(args) => super::wizard::spec(context, args),
        SpecCommand::Templates(command) => template::run(context, command),
    }
}

/// A heading with its number. A document's title has none to speak of.
fn named(number: &str, title: &str) -> String {
    if number == "0" { plain(title) } else { format!("{} {}", plain(number), plain(title)) }
}

fn linked(tasks: &[TaskId]) -> String {
    if tasks.is_empty() {
        String::new()
    } else {
        styled(QUIET, format!("  (was linked to {})", task_format::ids(tasks)))
    }
}

fn list(context: &Context) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let sections = context.wait(project.spec().sections())?;
    if context.json {
        return output::json(&sections);
    }
    if sections.is_empty() {
        say!("The spec is empty. Read a document with \"loopwright spec import FILE\".");
        return Ok(ExitCode::SUCCESS);
    }
    let mut file = None;
    for (place, found) in sections.iter().enumerate() {
        if place == 0 || file != Some(&found.section.file) {
            let name = found.section.file.as_deref().map_or_else(|| "Written by hand".to_owned(), plain);
            say!("{}{}", if place == 0 { "" } else { "\n" }, styled(HEADING, name));
            file = Some(&found.section.file);
        }
        say!("{}", row(found));
    }
    tell_sources(&context.wait(project.spec().sources())?);
    Ok(ExitCode::SUCCESS)
}

/// Offers to import what changed.
fn tell_sources(sources: &[SpecSource]) {
    let mut notes = Vec::new();
    for source in sources {
        let file = plain(&source.file);
        match source.state {
            SourceState::Changed => {
                notes.push(format!(
                    "{file} changed since it was imported: \"loopwright spec import {file}\"."
                ));
            }
            SourceState::Missing => notes.push(format!("{file} is gone. Its sections stay.")),
            SourceState::Current if !source.outdated_by.is_empty() => {
                let names: Vec<String> = source.outdated_by.iter().map(|name| plain(name)).collect();
                notes.push(format!(
                    "{file} depends on {}, which changed: look through it, then import it again.",
                    names.join(", ")
                ));
            }
            SourceState::Current => {}
        }
    }
    for (place, note) in notes.iter().enumerate() {
        say!("{}{}", if place == 0 { "\n" } else { "" }, styled(CARE, note));
    }
}

fn export(context: &Context, out: Option<&Path>, force: bool) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let out = out.map(|out| context.folder.join(out));
    let exported = context.wait(project.spec().export(out.as_deref(), force))?;
    match &exported.file {
        None if !context.json => output::bytes(exported.text.as_bytes()),
        _ if context.json => return output::json(&exported),
        Some(file) => {
            let (sections, terms) =
                (count(exported.sections, "section", "sections"), count(exported.terms, "term", "terms"));
            say!("Wrote {sections} and {terms} to {}.", plain(file));
        }
        None => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn row(found: &SpecSection) -> String {
    let section = &found.section;
    let mut notes = vec![count(section.words as usize, "word", "words")];
    if found.edited {
        notes.push("changed by hand".to_owned());
    }
    if !found.tasks.is_empty() {
        notes.push(task_format::ids(&found.tasks));
    }
    let indent = "  ".repeat(section.level.saturating_sub(1).min(5) as usize);
    let notes = styled(QUIET, format!("  {}", notes.join(", ")));
    let name = named(&section.number, &section.title);
    format!("{:>4}  {indent}{name}{notes}", section.id.to_string())
}

#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct ShownSection {
    #[serde(flatten)]
    found: SpecSection,
    /// The tasks that carry it out, with their iterations and commits.
    trace: Vec<TaskTrace>,
}

fn show(context: &Context, name: &str) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let found = context.wait(project.spec().find(name))?;
    let trace = context.wait(project.spec().trace(found.section.id))?;
    if context.json {
        return output::json(&ShownSection { found, trace });
    }
    let section = &found.section;
    say!("{}", styled(HEADING, format!("{} {}", section.id, named(&section.number, &section.title))));
    let place = section.file.as_deref().map_or_else(|| "written by hand".to_owned(), plain);
    let tasks = if found.tasks.is_empty() { "no task".to_owned() } else { task_format::ids(&found.tasks) };
    say!(
        "{}",
        styled(QUIET, format!("{place}, {}, {tasks}", count(section.words as usize, "word", "words")))
    );
    if !section.content.is_empty() {
        say!("\n{}", plain_text(&section.content));
    }
    if !trace.is_empty() {
        say!("\n{}", styled(HEADING, "Carried out by"));
    }
    for task in &trace {
        let stale =
            if task.stale { styled(CARE, "  stale: this section changed since") } else { String::new() };
        say!("{} {} {}{stale}", task_format::mark(task.status), task.task, plain(&task.title));
        for iteration in &task.iterations {
            let outcome = iteration.outcome.map_or_else(|| "under way".to_owned(), |it| it.to_string());
            let commit =
                iteration.commit.as_deref().map(|id| format!("  commit {}", id.get(..7).unwrap_or(id)));
            let line = format!("iteration {}  {outcome}{}", iteration.number, commit.unwrap_or_default());
            say!("    {}", styled(QUIET, line));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn add(context: &Context, title: &str, text: &SectionText, under: Option<&str>) -> Result<ExitCode, Fault> {
    let content = given(context, text)?.unwrap_or_default();
    let project = context.project()?;
    let added = context.wait(project.spec().add(title, &content, under, Origin::Cli))?;
    told(context, &added, "Added")
}

fn edit(context: &Context, name: &str, title: Option<&str>, text: &SectionText) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let found = context.wait(project.spec().find(name))?;
    let mut edit = SectionEdit { title: title.map(str::to_owned), content: given(context, text)? };
    if edit == SectionEdit::default() {
        edit = edited_by_hand(context, &found)?;
    }
    let edited = context.wait(project.spec().edit(found.section.id, &edit, Origin::Cli))?;
    let changed = edited.section != found.section;
    told(context, &edited, if changed { "Changed" } else { "Nothing to change in" })
}

/// The section as the person leaves it in their editor: a heading and the text below it.
fn edited_by_hand(context: &Context, found: &SpecSection) -> Result<SectionEdit, Fault> {
    if !prompt::interactive() {
        return Err(Fault::new(ErrorCode::UsageInvalid, "nothing was said about what to change")
            .hint("Say it with --title, --text or --from."));
    }
    require_person("edit the spec in an editor")?;
    let before = format!("# {}\n\n{}\n", found.section.title, found.section.content);
    edited(&edit_text(&context.host, "section.md", &before)?)
}

fn edited(text: &str) -> Result<SectionEdit, Fault> {
    let text = text.trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let title = first.strip_prefix('#').map(|title| title.trim_start_matches('#').trim());
    let title = title.filter(|title| !title.is_empty()).ok_or_else(|| {
        Fault::new(ErrorCode::UsageInvalid, "the heading is gone; nothing was changed")
            .hint("Keep \"# \" and a heading in the first line.")
    })?;
    let content = rest.trim_start_matches(['\n', '\r']).to_owned();
    Ok(SectionEdit { title: Some(title.to_owned()), content: Some(content) })
}

fn given(context: &Context, text: &SectionText) -> Result<Option<String>, Fault> {
    match &text.from {
        Some(file) => read_prompt(context, file).map(Some),
        None => Ok(text.text.clone()),
    }
}

fn told(context: &Context, found: &SpecSection, word: &str) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(found);
    }
    let section = &found.section;
    say!("{word} {} {}.", section.id, named(&section.number, &section.title));
    Ok(ExitCode::SUCCESS)
}

fn remove(context: &Context, names: &[String], yes: bool) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let mut found = Vec::new();
    for name in names {
        found.push(context.wait(project.spec().find(name))?);
    }
    found.sort_unstable_by_key(|found| found.section.id);
    found.dedup_by_key(|found| found.section.id);
    if let Some(used) = found.iter().find(|found| !found.tasks.is_empty()).filter(|_| !yes) {
        let (id, tasks) = (used.section.id, task_format::ids(&used.tasks));
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            format!("{id} is carried out by {tasks}; nothing was removed"),
        )
        .hint("Say --yes to remove it all the same. The tasks stay."));
    }
    let ids: Vec<_> = found.iter().map(|found| found.section.id).collect();
    context.wait(project.spec().remove(&ids, Origin::Cli))?;
    if context.json {
        return output::json(&found);
    }
    for found in &found {
        say!("Removed {} {}.{}", found.section.id, plain(&found.section.title), linked(&found.tasks));
    }
    Ok(ExitCode::SUCCESS)
}

fn search(context: &Context, words: &str, limit: u32) -> Result<ExitCode, Fault> {
    let found = context.wait(context.project()?.spec().search(words, limit))?;
    if context.json {
        return output::json(&found);
    }
    if found.is_empty() {
        say!("No section speaks of that.");
    }
    for found in &found {
        say!("{}", row(found));
    }
    Ok(ExitCode::SUCCESS)
}
