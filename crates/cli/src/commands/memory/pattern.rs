//! `loopwright pattern`.

use std::process::ExitCode;

use loopwright_domain::{Diagnosis, ErrorCode, Failure, Fault};
use loopwright_engine::failure::{PATTERNS, Pattern, PatternCount, classify};
use serde::Serialize;

use super::{failure, known, place, read};
use crate::args::PatternCommand;
use crate::context::Context;
use crate::output::{self, CARE, HEADING, QUIET, count, plain, say, styled};

/// As many failures as are shown of a pattern.
const EXAMPLES: u32 = 10;

pub(crate) fn run(context: &Context, command: &PatternCommand) -> Result<ExitCode, Fault> {
    match command {
        PatternCommand::List => list(context),
        PatternCommand::Show { pattern } => show(context, pattern),
        PatternCommand::Test { files } => test(context, files),
    }
}

/// A pattern as `--json` shows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct PatternRow {
    #[serde(flatten)]
    pattern: &'static Pattern,
    failures: u32,
    resolved: u32,
    last_at: Option<String>,
}

impl PatternRow {
    fn of(pattern: &'static Pattern, counts: &[PatternCount]) -> Self {
        let met = counts.iter().find(|count| count.pattern == pattern.name);
        Self {
            pattern,
            failures: met.map_or(0, |met| met.failures),
            resolved: met.map_or(0, |met| met.resolved),
            last_at: met.map(|met| met.last_at.clone()),
        }
    }
}

/// How often each was met here; outside of a project none was.
fn counts(context: &Context) -> Result<Vec<PatternCount>, Fault> {
    match context.project() {
        Ok(project) => context.wait(project.failures().pattern_counts()),
        Err(fault) if fault.code == ErrorCode::ProjectNotFound => Ok(Vec::new()),
        Err(fault) => Err(fault),
    }
}

fn list(context: &Context) -> Result<ExitCode, Fault> {
    let counts = counts(context)?;
    let rows: Vec<PatternRow> = PATTERNS.iter().map(|pattern| PatternRow::of(pattern, &counts)).collect();
    if context.json {
        return output::json(&rows);
    }
    let width = PATTERNS.iter().map(|pattern| pattern.name.len()).max().unwrap_or(0);
    let mut category = None;
    for row in &rows {
        if category.replace(row.pattern.category) != Some(row.pattern.category) {
            say!("{}", styled(HEADING, row.pattern.category));
        }
        let met = match row.failures {
            0 => String::new(),
            failures => styled(CARE, format!(" ({})", times(failures))),
        };
        say!("  {:width$}  {}{met}", row.pattern.name, styled(QUIET, row.pattern.about));
    }
    Ok(ExitCode::SUCCESS)
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
    let pattern = known(name)?;
    let row = PatternRow::of(pattern, &counts(context)?);
    let examples = match row.failures {
        0 => Vec::new(),
        _ => context.wait(context.project()?.failures().list(Some(pattern.name), None, EXAMPLES))?,
    };
    if context.json {
        return output::json(&ShownPattern { row, examples });
    }
    say!("{} ({})", styled(HEADING, pattern.name), pattern.category);
    say!("{}", pattern.about);
    say!("\n{}, {} resolved", times(row.failures), row.resolved);
    examples.iter().for_each(failure::line);
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
    let tested = files
        .iter()
        .map(|path| {
            Ok(TestedOutput {
                path: path.display().to_string(),
                diagnosis: classify(&read(context, path)?, ""),
            })
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
