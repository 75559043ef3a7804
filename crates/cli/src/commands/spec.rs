//! `loopwright spec`.

use std::path::PathBuf;
use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin, TaskId};
use loopwright_engine::editor::edit_text;
use loopwright_engine::require_person;
use loopwright_engine::spec::{SectionEdit, SpecImport, SpecSection};

use super::run::read_prompt;
use super::task::look;
use crate::args::{SectionText, SpecCommand};
use crate::context::Context;
use crate::output::{self, CARE, HEADING, QUIET, count, plain, plain_text, say, styled};
use crate::prompt;

pub(super) fn run(context: &Context, command: &SpecCommand) -> Result<ExitCode, Fault> {
    match command {
        SpecCommand::Import { paths, replace } => import(context, paths, *replace),
        SpecCommand::List => list(context),
        SpecCommand::Show { section } => show(context, section),
        SpecCommand::Add { title, text, under } => add(context, title, text, under.as_deref()),
        SpecCommand::Edit { section, title, text } => edit(context, section, title.as_deref(), text),
        SpecCommand::Remove { sections, yes } => remove(context, sections, *yes),
        SpecCommand::Search { words, limit } => search(context, &words.join(" "), *limit),
    }
}

fn import(context: &Context, paths: &[PathBuf], replace: bool) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let paths: Vec<PathBuf> = paths.iter().map(|path| context.folder.join(path)).collect();
    let report = context.wait(project.import_spec(&paths, replace, Origin::Cli))?;
    if context.json {
        return output::json(&report);
    }
    tell_import(&report);
    Ok(ExitCode::SUCCESS)
}

fn tell_import(report: &SpecImport) {
    let documents = match report.files.as_slice() {
        [one] => plain(one),
        many => count(many.len(), "document", "documents"),
    };
    let SpecImport { added, updated, unchanged, .. } = report;
    say!("Imported {documents}: {added} added, {updated} updated, {unchanged} unchanged.");
    if !report.removed.is_empty() {
        say!("\n{}", styled(CARE, "No longer in their document, and removed:"));
        for removed in &report.removed {
            let name = named(&removed.number, &removed.title);
            say!("  {} {name}{}", removed.id, linked(&removed.tasks));
        }
    }
    if !report.kept.is_empty() {
        let ids: Vec<String> = report.kept.iter().map(ToString::to_string).collect();
        say!(
            "\nYou changed {} by hand: left as you wrote it. \"--replace\" takes the document's text.",
            ids.join(", ")
        );
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
        styled(QUIET, format!("  (was linked to {})", look::ids(tasks)))
    }
}

fn list(context: &Context) -> Result<ExitCode, Fault> {
    let sections = context.wait(context.project()?.spec())?;
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
    Ok(ExitCode::SUCCESS)
}

fn row(found: &SpecSection) -> String {
    let section = &found.section;
    let mut notes = vec![count(section.words as usize, "word", "words")];
    if found.edited {
        notes.push("changed by hand".to_owned());
    }
    if !found.tasks.is_empty() {
        notes.push(look::ids(&found.tasks));
    }
    let indent = "  ".repeat(section.level.saturating_sub(1).min(5) as usize);
    let notes = styled(QUIET, format!("  {}", notes.join(", ")));
    let name = named(&section.number, &section.title);
    format!("{:>4}  {indent}{name}{notes}", section.id.to_string())
}

fn show(context: &Context, name: &str) -> Result<ExitCode, Fault> {
    let found = context.wait(context.project()?.section(name))?;
    if context.json {
        return output::json(&found);
    }
    let section = &found.section;
    say!("{}", styled(HEADING, format!("{} {}", section.id, named(&section.number, &section.title))));
    let place = section.file.as_deref().map_or_else(|| "written by hand".to_owned(), plain);
    let tasks = if found.tasks.is_empty() { "no task".to_owned() } else { look::ids(&found.tasks) };
    say!(
        "{}",
        styled(QUIET, format!("{place}, {}, {tasks}", count(section.words as usize, "word", "words")))
    );
    if !section.content.is_empty() {
        say!("\n{}", plain_text(&section.content));
    }
    Ok(ExitCode::SUCCESS)
}

fn add(context: &Context, title: &str, text: &SectionText, under: Option<&str>) -> Result<ExitCode, Fault> {
    let content = given(context, text)?.unwrap_or_default();
    let project = context.project()?;
    let added = context.wait(project.add_section(title, &content, under, Origin::Cli))?;
    told(context, &added, "Added")
}

fn edit(context: &Context, name: &str, title: Option<&str>, text: &SectionText) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let found = context.wait(project.section(name))?;
    let mut edit = SectionEdit { title: title.map(str::to_owned), content: given(context, text)? };
    if edit == SectionEdit::default() {
        edit = edited_by_hand(context, &found)?;
    }
    let edited = context.wait(project.edit_section(found.section.id, &edit, Origin::Cli))?;
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
        found.push(context.wait(project.section(name))?);
    }
    found.sort_unstable_by_key(|found| found.section.id);
    found.dedup_by_key(|found| found.section.id);
    if let Some(used) = found.iter().find(|found| !found.tasks.is_empty()).filter(|_| !yes) {
        let (id, tasks) = (used.section.id, look::ids(&used.tasks));
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            format!("{id} is carried out by {tasks}; nothing was removed"),
        )
        .hint("Say --yes to remove it all the same. The tasks stay."));
    }
    let ids: Vec<_> = found.iter().map(|found| found.section.id).collect();
    context.wait(project.remove_sections(&ids, Origin::Cli))?;
    if context.json {
        return output::json(&found);
    }
    for found in &found {
        say!("Removed {} {}.{}", found.section.id, plain(&found.section.title), linked(&found.tasks));
    }
    Ok(ExitCode::SUCCESS)
}

fn search(context: &Context, words: &str, limit: u32) -> Result<ExitCode, Fault> {
    let found = context.wait(context.project()?.search_spec(words, limit))?;
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
