//! `loopwright install`.

use std::process::ExitCode;

use loopwright_domain::Fault;
use loopwright_engine::{InstallChange, install};

use crate::context::Context;
use crate::output::{self, QUIET, say, styled};

pub(super) fn run(context: &Context, dry_run: bool) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let installed = install(project.layout(), dry_run)?;
    if context.json {
        return output::json(&installed);
    }
    let file = installed.file.display();
    match (installed.change, dry_run) {
        (InstallChange::Unchanged, _) => say!("{file} has the guide for agents already."),
        (change, true) => {
            let verb = if change == InstallChange::Created { "created" } else { "changed" };
            say!("{file} would be {verb}:\n");
            say!("{}", styled(QUIET, output::plain_text(installed.text.trim_end())));
        }
        (InstallChange::Created, false) => say!("{file} was created with the guide for agents."),
        (InstallChange::Updated, false) => say!("The guide for agents is in {file} now."),
    }
    Ok(ExitCode::SUCCESS)
}
