//! `loopwright pattern`.

use std::process::ExitCode;

use loopwright_domain::{
    Diagnosis, ErrorCode, Failure, FailureCategory, FailurePattern, Fault, Origin, PatternStatus,
    PatternSuggestion, UserPattern,
};
use loopwright_engine::Project;
use loopwright_engine::failure::{NamedPattern, PatternCount, built_in_pattern, built_in_patterns, classify};
use serde::Serialize;

use super::{failure, place, read};
use crate::args::PatternCommand;
use crate::context::Context;
use crate::output::{self, CARE, HEADING, QUIET, count, plain, say, styled};

/// As many failures as are shown of a pattern.
const EXAMPLES: u32 = 10;

pub(crate) fn run(context: &Context, command: &PatternCommand) -> Result<ExitCode, Fault> {
    match command {
        PatternCommand::List => list(context),
        PatternCommand::Show { pattern } => show(context, pattern),
        PatternCommand::Add { name, regex, category, about } => {
            let pattern = UserPattern {
                name: name.clone(),
                category: *category,
                regex: regex.clone(),
                about: about.clone(),
                status: PatternStatus::Suggested,
            };
            let added = context.wait(context.project()?.failures().add_pattern(&pattern, Origin::Cli))?;
            told(context, &added)
        }
        PatternCommand::Promote { pattern } => {
            let project = context.project()?;
            told(context, &context.wait(project.failures().promote_pattern(pattern, Origin::Cli))?)
        }
        PatternCommand::Remove { pattern } => {
            context.wait(context.project()?.failures().remove_pattern(pattern, Origin::Cli))?;
            if context.json {
                return output::json(&serde_json::json!({ "removed": pattern }));
            }
            say!("Removed {}.", plain(pattern));
            Ok(ExitCode::SUCCESS)
        }
        PatternCommand::Suggest { add } => suggest(context, *add),
        PatternCommand::Test { files } => test(context, files),
    }
}

/// The project around here; none outside of one.
fn project(context: &Context) -> Result<Option<Project>, Fault> {
    match context.project() {
        Ok(project) => Ok(Some(project)),
        Err(fault) if fault.code == ErrorCode::ProjectNotFound => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// A pattern as `--json` shows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct PatternRow {
    #[serde(flatten)]
    pattern: FailurePattern,
    failures: u32,
    resolved: u32,
    last_at: Option<String>,
}

impl PatternRow {
    fn of(pattern: FailurePattern, counts: &[PatternCount]) -> Self {
        let met = counts.iter().find(|count| count.pattern == pattern.name);
        Self {
            failures: met.map_or(0, |met| met.failures),
            resolved: met.map_or(0, |met| met.resolved),
            last_at: met.map(|met| met.last_at.clone()),
            pattern,
        }
    }
}

/// How often each was met here; outside of a project none was.
fn counts(context: &Context, project: Option<&Project>) -> Result<Vec<PatternCount>, Fault> {
    project.map_or(Ok(Vec::new()), |project| context.wait(project.failures().pattern_counts()))
}

fn list(context: &Context) -> Result<ExitCode, Fault> {
    let project = project(context)?;
    let counts = counts(context, project.as_ref())?;
    let known =
        project.as_ref().map_or_else(built_in_patterns, |project| project.failures().known_patterns());
    let mut rows: Vec<PatternRow> =
        known.into_iter().map(|pattern| PatternRow::of(pattern, &counts)).collect();
    if context.json {
        return output::json(&rows);
    }
    let order = |category| FailureCategory::ALL.iter().position(|it| *it == category);
    rows.sort_by_key(|row| order(row.pattern.category));
    let width = rows.iter().map(|row| row.pattern.name.len()).max().unwrap_or(0);
    let mut category = None;
    for PatternRow { pattern, failures, .. } in &rows {
        if category.replace(pattern.category) != Some(pattern.category) {
            say!("{}", styled(HEADING, pattern.category));
        }
        let met = match failures {
            0 => String::new(),
            failures => styled(CARE, format!(" ({})", times(*failures))),
        };
        say!("  {:width$}  {}{met}", pattern.name, styled(QUIET, about(pattern)));
    }
    Ok(ExitCode::SUCCESS)
}

/// What a pattern means; of a person's own with how far it has come.
fn about(pattern: &FailurePattern) -> String {
    match (&pattern.regex, pattern.about.as_str()) {
        (None, about) => about.to_owned(),
        (Some(regex), "") => format!("{} {}", pattern.status, plain(regex)),
        (Some(_), about) => format!("{}: {}", pattern.status, plain(about)),
    }
}

fn times(failures: u32) -> String {
    count(usize::try_from(failures).unwrap_or(usize::MAX), "failure", "failures")
}

/// A pattern with its newest failures, as `--json` shows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct ShownPattern {
    #[serde(flatten)]
    row: PatternRow,
    examples: Vec<Failure>,
}

fn show(context: &Context, name: &str) -> Result<ExitCode, Fault> {
    let project = project(context)?;
    let pattern = match (&project, built_in_pattern(name)) {
        (None, Some(pattern)) => pattern,
        (None, None) => return Err(context.project().err().unwrap_or_else(|| not_found(name))),
        (Some(project), _) => project.failures().known_pattern(name)?,
    };
    let row = PatternRow::of(pattern, &counts(context, project.as_ref())?);
    let examples = match &project {
        Some(project) if row.failures > 0 => {
            context.wait(project.failures().list(Some(name), None, EXAMPLES))?
        }
        _ => Vec::new(),
    };
    if context.json {
        return output::json(&ShownPattern { row, examples });
    }
    say!("{} ({})", styled(HEADING, &row.pattern.name), row.pattern.category);
    say!("{}", about(&row.pattern));
    if let Some(regex) = row.pattern.regex.as_deref().filter(|_| !row.pattern.about.is_empty()) {
        say!("{}", styled(QUIET, plain(regex)));
    }
    say!("\n{}, {} resolved", times(row.failures), row.resolved);
    examples.iter().for_each(failure::line);
    Ok(ExitCode::SUCCESS)
}

fn not_found(name: &str) -> Fault {
    Fault::new(ErrorCode::PatternNotFound, format!("there is no pattern \"{}\"", plain(name)))
}

/// Tells what became of a pattern.
fn told(context: &Context, changed: &NamedPattern) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(changed);
    }
    let FailurePattern { name, status, .. } = &changed.pattern;
    let next = match status {
        PatternStatus::Suggested => format!("It names nothing until \"loopwright pattern promote {name}\"."),
        PatternStatus::Confirmed => "It names what no built-in pattern names.".to_owned(),
        PatternStatus::Trusted | PatternStatus::BuiltIn => "It comes before the built-in ones.".to_owned(),
    };
    say!("Pattern {name}: {status}. {next}");
    if changed.named > 0 {
        let have = if changed.named == 1 { "has" } else { "have" };
        say!("{} without a pattern {have} it now.", times(changed.named));
    }
    Ok(ExitCode::SUCCESS)
}

fn suggest(context: &Context, add: bool) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let suggestions = context.wait(project.failures().suggested_patterns())?;
    if add {
        for PatternSuggestion { name, regex, .. } in &suggestions {
            let pattern = UserPattern {
                name: name.clone(),
                category: FailureCategory::Unknown,
                regex: regex.clone(),
                about: String::new(),
                status: PatternStatus::Suggested,
            };
            context.wait(project.failures().add_pattern(&pattern, Origin::Cli))?;
        }
    }
    if context.json {
        return output::json(&suggestions);
    }
    if suggestions.is_empty() {
        say!("Failures without a pattern have nothing in common: at least three have to share a word.");
    }
    for PatternSuggestion { name, regex, failures, examples } in &suggestions {
        say!("{} ({})  {}", styled(HEADING, name), times(*failures), styled(QUIET, regex));
        for example in examples {
            say!("  {}", plain(example));
        }
    }
    if !suggestions.is_empty() {
        match add {
            true => say!("Added as suggested. \"loopwright pattern promote NAME\" confirms one."),
            false => say!("\"loopwright pattern suggest --add\" adds them as suggested patterns."),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What a saved output says, as `--json` shows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct TestedOutput {
    path: String,
    #[serde(flatten)]
    diagnosis: Diagnosis,
}

fn test(context: &Context, files: &[std::path::PathBuf]) -> Result<ExitCode, Fault> {
    let project = project(context)?;
    let diagnosed = |text: &str| match &project {
        Some(project) => project.failures().diagnose(text, ""),
        None => classify(text, ""),
    };
    let tested = files
        .iter()
        .map(|path| {
            let diagnosis = diagnosed(&read(context, path)?);
            Ok(TestedOutput { path: path.display().to_string(), diagnosis })
        })
        .collect::<Result<Vec<_>, Fault>>()?;
    if context.json {
        return output::json(&tested);
    }
    for TestedOutput { path, diagnosis } in &tested {
        let at =
            place(diagnosis.file.as_deref(), diagnosis.line).map(|at| format!("  {}", styled(QUIET, at)));
        say!(
            "{}: {} ({}){}",
            plain(path),
            styled(CARE, &diagnosis.pattern),
            diagnosis.category,
            at.unwrap_or_default()
        );
        say!("  {}", plain(&diagnosis.cause));
    }
    Ok(ExitCode::SUCCESS)
}
