//! `loopwright install`.

use std::path::PathBuf;
use std::process::ExitCode;

use loopwright_domain::Fault;
use loopwright_engine::{InstallChange, InstallRequest, Installed, install};
use serde::Serialize;

use crate::args::InstallArgs;
use crate::context::Context;
use crate::output::{self, CARE, QUIET, say, styled};

#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct InstallReport<'a> {
    files: &'a [Installed],
    dry_run: bool,
}

pub(super) fn run(context: &Context, args: InstallArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let request = request(args);
    let files = install(project.layout(), &request)?;
    if context.json {
        return output::json(&InstallReport { files: &files, dry_run: request.dry_run });
    }
    for it in &files {
        tell(it, request.dry_run);
    }
    if files.is_empty() {
        say!("There is nothing of Loopwright's to remove.");
    }
    Ok(ExitCode::SUCCESS)
}

fn request(args: InstallArgs) -> InstallRequest {
    let named = [(args.claude, "CLAUDE.md"), (args.gemini, "GEMINI.md")];
    let mut files = args.files;
    files.extend(named.into_iter().filter(|(wanted, _)| *wanted).map(|(_, file)| PathBuf::from(file)));
    InstallRequest {
        files,
        commands: args.commands || args.claude,
        remove: args.remove,
        dry_run: args.dry_run,
    }
}

fn tell(it: &Installed, dry_run: bool) {
    let file = output::plain(&it.file.display().to_string());
    let (done, planned) = match it.change {
        InstallChange::Created => ("was created", "would be created"),
        InstallChange::Updated => ("has the guide for agents now", "would get the guide for agents"),
        InstallChange::TakenOut => {
            ("no longer has the guide for agents", "would no longer have the guide for agents")
        }
        InstallChange::Removed => ("was removed", "would be removed"),
        InstallChange::Unchanged => ("is up to date", "is up to date"),
        InstallChange::Kept => {
            let words = "was changed by somebody and is left as it is";
            say!("{file} {}", styled(CARE, format_args!("{words}.")));
            return;
        }
    };
    match (&it.text, dry_run && it.change != InstallChange::Unchanged) {
        (Some(text), true) => {
            say!("{file} {planned}:\n");
            say!("{}\n", styled(QUIET, output::plain_text(text.trim_end())));
        }
        (None, true) => say!("{file} {planned}."),
        (_, false) => say!("{file} {done}."),
    }
}
