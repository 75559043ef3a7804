//! `loopwright init`.

use std::path::Path;
use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::{CheckSuggestion, NewProject, Project, inspect_folder};
use serde::Serialize;

use crate::args::InitArgs;
use crate::context::Context;
use crate::output::{self, CARE, HEADING, QUIET, say, styled};
use crate::prompt;

#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct Initialised {
    path: String,
    name: String,
    git: bool,
    checks: Vec<String>,
    suggestions: Vec<CheckSuggestion>,
}

pub(super) fn run(context: &Context, args: InitArgs) -> Result<ExitCode, Fault> {
    let folder = context.resolve(args.folder);
    let report = inspect_folder(&folder);
    if let Some(around) =
        report.project_root.as_deref().filter(|root| !args.nested && is_below(&folder, root))
    {
        return Err(Fault::new(
            ErrorCode::ProjectExists,
            format!("this folder is in the Loopwright project {}", output::plain(around)),
        )
        .hint("Work in that project, or say --nested for a project of its own inside it."));
    }
    if is_bare_repository(&folder) {
        return Err(Fault::new(
            ErrorCode::ProjectBadFolder,
            "this is a bare git repository: it has no files to work on",
        )
        .hint("Clone it, and work in the clone."));
    }
    let checks = pick(context, &args.checks, &report.suggestions)?;
    let new = NewProject { name: args.name.unwrap_or_default(), git: args.git, checks };
    let project = context.wait(Project::create(&context.host, &folder, &new, Origin::Cli))?;
    let done = Initialised {
        path: project.layout().root.display().to_string(),
        name: project.name(&project.config()),
        git: project.layout().repository.is_some(),
        checks: new.checks.iter().map(|check| check.name.clone()).collect(),
        suggestions: report.suggestions,
    };
    if context.json {
        return output::json(&done);
    }
    tell(&done);
    Ok(ExitCode::SUCCESS)
}

/// Whether a folder is what git keeps beside the files, without any files.
fn is_bare_repository(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}

/// Whether a folder lies in another one, and is not that one.
fn is_below(folder: &Path, root: &str) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (folder, root) = (real(folder), real(Path::new(root)));
    folder != root && folder.starts_with(root)
}

/// The checks a person wants: those named, else those agreed to one by one. Nobody to ask means none.
fn pick(
    context: &Context,
    wanted: &[String],
    offered: &[CheckSuggestion],
) -> Result<Vec<CheckSuggestion>, Fault> {
    if wanted.iter().any(|name| name == "all") {
        return Ok(offered.to_vec());
    }
    if wanted.is_empty() && !context.json && prompt::interactive() {
        return Ok(offered.iter().filter(|check| prompt::agree(&question(check))).cloned().collect());
    }
    let find = |name: &String| {
        offered.iter().find(|check| check.name == *name).cloned().ok_or_else(|| {
            let names: Vec<&str> = offered.iter().map(|check| check.name.as_str()).collect();
            let hint = match names.as_slice() {
                [] => "Nothing was found to propose; add [[checks]] to .loopwright/config.toml later."
                    .to_owned(),
                names => format!("Proposed here: {}.", names.join(", ")),
            };
            Fault::new(ErrorCode::UsageInvalid, format!("no check called \"{name}\" is proposed here"))
                .hint(hint)
        })
    };
    wanted.iter().map(find).collect()
}

fn question(check: &CheckSuggestion) -> String {
    let (command, source) = (output::plain(&check.command), output::plain(&check.source));
    format!("Switch on the check {} ({command}, from {source})?", styled(HEADING, output::plain(&check.name)))
}

fn tell(done: &Initialised) {
    say!("{} is a Loopwright project now, in {}", styled(HEADING, &done.name), done.path);
    for name in &done.checks {
        say!("  Check switched on: {name}");
    }
    let off: Vec<&CheckSuggestion> =
        done.suggestions.iter().filter(|check| !done.checks.contains(&check.name)).collect();
    if !off.is_empty() {
        say!("\nChecks you could add to .loopwright/config.toml:");
        let width =
            |part: fn(&CheckSuggestion) -> &str| off.iter().map(|check| part(check).len()).max().unwrap_or(0);
        let (names, commands) = (width(|check| &check.name), width(|check| &check.command).min(50));
        for check in off {
            let (name, command) = (output::plain(&check.name), output::plain(&check.command));
            let why = styled(QUIET, format!("{}: {}", check.source, check.why));
            say!("  {name:names$}  {command:commands$}  {why}");
        }
    }
    if !done.git {
        let note = styled(CARE, "Not in a git repository:");
        say!("\n{note} checkpoints and commits are off. \"git init\" switches them on.");
    }
    say!("\nNext: loopwright status");
}
