//! `loopwright task import` and `export`.

use std::process::ExitCode;

use loopwright_domain::{Fault, Origin};
use loopwright_engine::import::{ExportRequest, Format, ImportReport, ImportRequest};

use super::task_format;
use crate::args::{ExportArgs, ImportArgs};
use crate::context::Context;
use crate::output::{self, CARE, GOOD, count, plain, say, styled};

pub(super) fn import(context: &Context, args: &ImportArgs) -> Result<ExitCode, Fault> {
    let request = ImportRequest {
        file: context.folder.join(&args.file),
        format: args.format.as_deref().and_then(Format::named),
        tag: args.tag.clone(),
        dry_run: args.dry_run,
    };
    let report = context.wait(context.project()?.tasks().import(&request, Origin::Cli))?;
    if context.json {
        return output::json(&report);
    }
    tell(&report);
    Ok(ExitCode::SUCCESS)
}

fn tell(report: &ImportReport) {
    let ImportReport { added, updated, unchanged, .. } = report;
    let word = if report.dry_run { styled(CARE, "Would import") } else { styled(GOOD, "Imported") };
    let file = plain(&report.file);
    say!("{word} {file} ({}): {added} added, {updated} updated, {unchanged} unchanged.", report.format);
    for note in &report.notes {
        say!("{} {}", styled(CARE, "Note:"), plain(note));
    }
    if !report.missing.is_empty() {
        say!("No longer in the file, and left as they are: {}", task_format::ids(&report.missing));
    }
}

pub(super) fn export(context: &Context, args: &ExportArgs) -> Result<ExitCode, Fault> {
    let request = ExportRequest {
        file: args.file.as_ref().map(|file| context.folder.join(file)),
        format: args.format.as_deref().and_then(Format::named),
        tag: args.tag.clone(),
    };
    let report = context.wait(context.project()?.tasks().export(&request))?;
    match &report.file {
        Some(_) if context.json => return output::json(&report),
        Some(file) => {
            let tasks = count(report.tasks, "task", "tasks");
            say!("{} {tasks} to {} ({}).", styled(GOOD, "Exported"), plain(file), report.format);
        }
        None => say!("{}", report.text.trim_end_matches('\n')),
    }
    Ok(ExitCode::SUCCESS)
}
