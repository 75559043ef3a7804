//! `loopwright spec import`: what would change is shown before it does.

use std::path::PathBuf;
use std::process::ExitCode;

use loopwright_domain::{Fault, Origin};
use loopwright_engine::spec::SpecImport;

use super::{linked, named};
use crate::context::Context;
use crate::output::{self, BAD, CARE, GOOD, count, plain, say, styled};
use crate::prompt;

/// How to import.
#[derive(Clone, Copy)]
pub(super) struct ImportChoice {
    pub(super) replace: bool,
    pub(super) dry_run: bool,
    pub(super) yes: bool,
}

pub(super) fn run(context: &Context, paths: &[PathBuf], choice: ImportChoice) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let paths: Vec<PathBuf> = paths.iter().map(|path| context.folder.join(path)).collect();
    let asks = !choice.yes && !context.json && prompt::interactive();
    if choice.dry_run || asks {
        let preview = context.wait(project.spec().preview_import(&paths, choice.replace))?;
        if context.json {
            return output::json(&preview);
        }
        tell(&preview, true);
        let updated = preview.changes.iter().any(|change| change.section.is_some());
        let touched = updated || !preview.removed.is_empty() || !preview.kept.is_empty();
        if choice.dry_run || (touched && !prompt::agree("\nDo so?")) {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let report = context.wait(project.spec().import(&paths, choice.replace, Origin::Cli))?;
    if context.json {
        return output::json(&report);
    }
    if asks {
        say!("Imported {}.", documents(&report));
    } else {
        tell(&report, false);
    }
    Ok(ExitCode::SUCCESS)
}

fn documents(report: &SpecImport) -> String {
    match report.files.as_slice() {
        [one] => plain(one),
        many => count(many.len(), "document", "documents"),
    }
}

fn tell(report: &SpecImport, preview: bool) {
    let SpecImport { added, updated, unchanged, .. } = report;
    let (word, documents) = (if preview { "Would import" } else { "Imported" }, documents(report));
    say!("{word} {documents}: {added} added, {updated} updated, {unchanged} unchanged.");
    for change in &report.changes {
        let name = named(&change.number, &change.title);
        match change.section {
            Some(id) => say!("  {} {id} {name}", styled(CARE, "~")),
            // What was only added is no news once it is done.
            None if preview => say!("  {} {name}", styled(GOOD, "+")),
            None => {}
        }
    }
    for removed in &report.removed {
        let name = named(&removed.number, &removed.title);
        say!("  {} {} {name}{}", styled(BAD, "-"), removed.id, linked(&removed.tasks));
    }
    if !report.removed.is_empty() {
        say!("\n{}", styled(CARE, "What is marked with \"-\" is no longer in its document."));
    }
    if !report.kept.is_empty() {
        let ids: Vec<String> = report.kept.iter().map(ToString::to_string).collect();
        say!("\nLeft as they are, because you changed them or tasks carry them out: {}.", ids.join(", "));
        say!("\"--replace\" takes the document's text, and removes what is no longer in it.");
    }
}
