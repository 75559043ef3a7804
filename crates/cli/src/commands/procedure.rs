//! `loopwright procedure`.

use std::path::PathBuf;
use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::Layout;
use loopwright_engine::procedure::{self, Origin, Phase, Procedure, Summary};
use serde::Serialize;

use crate::args::ProcedureCommand;
use crate::context::Context;
use crate::output::{self, CARE, GOOD, HEADING, QUIET, say, styled};

pub(super) fn run(context: &Context, command: &ProcedureCommand) -> Result<ExitCode, Fault> {
    match command {
        ProcedureCommand::List => list(context),
        ProcedureCommand::Show { name } => show(context, name),
        ProcedureCommand::New { name, from } => new(context, name, from.as_deref()),
    }
}

/// The project folder; none outside of a project, where the built-in procedures are all there is.
fn root(context: &Context) -> Result<Option<PathBuf>, Fault> {
    match Layout::find(&context.folder) {
        Ok(layout) => Ok(Some(layout.root)),
        Err(fault) if fault.code == ErrorCode::ProjectNotFound => Ok(None),
        Err(fault) => Err(fault),
    }
}

fn list(context: &Context) -> Result<ExitCode, Fault> {
    let procedures = procedure::procedures(root(context)?.as_deref());
    let problems: Vec<&Fault> = procedures.iter().filter_map(|one| one.problem.as_ref()).collect();
    if context.json {
        output::json(&procedures)?;
    } else {
        let width = procedures.iter().map(|one| one.name.len()).max().unwrap_or(0);
        for one in &procedures {
            let name = styled(HEADING, format!("{:width$}", one.name));
            say!("{name}  {}{}", output::plain(&one.summary), styled(CARE, remark(one)));
        }
        say!("\n{}", styled(QUIET, "Run one with \"loopwright loop --procedure NAME\"."));
        problems.iter().for_each(|problem| output::tell(problem));
    }
    Ok(problems.first().map_or(ExitCode::SUCCESS, |problem| ExitCode::from(problem.kind.exit_code())))
}

/// What is not as it is built in.
fn remark(one: &Summary) -> String {
    match (&one.problem, one.origin, one.replaced.as_slice()) {
        (Some(_), ..) => " (its file has a mistake)".to_owned(),
        (None, Origin::Project, _) => " (this project's)".to_owned(),
        (None, Origin::Builtin, []) => String::new(),
        (None, Origin::Builtin, replaced) => {
            let phases: Vec<&str> = replaced.iter().map(|phase| phase.key()).collect();
            format!(" (this project replaces {})", phases.join(", "))
        }
    }
}

/// A procedure as `--json` shows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct ShownProcedure<'a> {
    #[serde(flatten)]
    procedure: &'a Procedure,
    /// All of it as the agent gets it, before the loop adds its own part.
    prompt: String,
}

fn show(context: &Context, name: &str) -> Result<ExitCode, Fault> {
    let found = procedure::find_in(root(context)?.as_deref(), name)?;
    let prompt = procedure::render(&found);
    if context.json {
        return output::json(&ShownProcedure { procedure: &found, prompt });
    }
    say!("{}  {}", styled(HEADING, &found.name), styled(QUIET, settings(&found)));
    for phase in &found.phases {
        let who = match phase.origin {
            Origin::Builtin => styled(QUIET, "built in "),
            Origin::Project => styled(CARE, "project  "),
        };
        say!("  {:8} {who} {}", phase.name.key(), output::plain(&sources(phase)));
    }
    say!("");
    prompt.lines().for_each(|line| say!("{}", output::plain(line)));
    Ok(ExitCode::SUCCESS)
}

fn sources(phase: &Phase) -> String {
    let names: Vec<String> = phase.fragments.iter().map(|fragment| fragment.source.to_string()).collect();
    if names.is_empty() { "(nothing)".to_owned() } else { names.join(", ") }
}

fn settings(found: &Procedure) -> String {
    let iterations = match found.max_iterations {
        None => "iterations as the settings say".to_owned(),
        Some(0) => "iterations without end".to_owned(),
        Some(count) => output::count(usize::try_from(count).unwrap_or(usize::MAX), "iteration", "iterations"),
    };
    let promise = found.promise.as_ref().map(|word| format!(", ends with the promise {word}"));
    let harness = found.harness.as_ref().map(|name| format!(", agent {name}"));
    let timeout = found.timeout.map(|time| format!(", {} s per agent", time.as_secs()));
    let all: String = [promise, harness, timeout].into_iter().flatten().collect();
    output::plain(&(iterations + &all))
}

/// What `new --json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct CreatedProcedure<'a> {
    name: &'a str,
    file: String,
}

fn new(context: &Context, name: &str, from: Option<&str>) -> Result<ExitCode, Fault> {
    let root = Layout::find(&context.folder)?.root;
    let path = procedure::create(&root, name, from)?;
    let file = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
    if context.json {
        return output::json(&CreatedProcedure { name, file });
    }
    say!("{} {file}", styled(GOOD, "Wrote"));
    say!("Edit it, look at it with \"loopwright procedure show {name}\",");
    say!("and run it with \"loopwright loop --procedure {name}\".");
    Ok(ExitCode::SUCCESS)
}
