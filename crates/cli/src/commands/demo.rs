//! `loopwright demo`.

use std::process::ExitCode;

use loopwright_domain::{Fault, Origin};
use loopwright_engine::{Look, create_sample, open_sample};

use super::run::run_demo;
use crate::args::DemoArgs;
use crate::context::Context;
use crate::output::{self, HEADING, say, styled};

pub(super) fn run(context: &Context, args: &DemoArgs) -> Result<ExitCode, Fault> {
    let folder = context.folder.join(&args.folder);
    let existing =
        if args.existing_ok || args.yes { context.wait(open_sample(&context.host, &folder))? } else { None };
    let made = existing.is_none();
    let project = match existing {
        Some(project) => project,
        None => context.wait(create_sample(&context.host, &folder, Origin::Cli))?,
    };
    let overview = context.wait(project.overview(Look::Files))?;
    project.remember_opened(&overview.project.name, &overview.tasks)?;
    if !context.json {
        let verb = if made { "Made" } else { "Found" };
        say!("{verb} the sample project {}", styled(HEADING, &overview.project.name));
        say!("  {}", overview.project.path);
        say!("  Its agent is scripted: no AI, no account, no network.\n");
    }
    if args.yes {
        return run_demo(context, project);
    }
    if context.json {
        return output::json(&overview.project);
    }
    say!("Next:\n  loopwright -C {0} trust\n  loopwright -C {0} run", args.folder.display());
    Ok(ExitCode::SUCCESS)
}
