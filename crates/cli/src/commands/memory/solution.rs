//! `loopwright solution`.

use std::process::ExitCode;

use loopwright_domain::{
    ErrorCode, Fault, Origin, SolutionDetail, SolutionDraft, SolutionState, TrustChange,
};

use super::read;
use crate::args::SolutionCommand;
use crate::context::Context;
use crate::output::{
    self, BAD, CARE, GOOD, HEADING, QUIET, count, local_time, plain, plain_text, say, styled,
};

pub(crate) fn run(context: &Context, command: &SolutionCommand) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let memory = project.memory();
    match command {
        SolutionCommand::List { pattern, all } => {
            let mut found = context.wait(memory.solutions(pattern.as_deref()))?;
            found.retain(|it| *all || it.solution.state != SolutionState::Retired);
            list(context, &found)
        }
        SolutionCommand::Show { solution } => show(context, &context.wait(memory.solution(*solution))?),
        SolutionCommand::Add { pattern, text, learning, title, files } => {
            let draft = SolutionDraft {
                pattern: pattern.clone().unwrap_or_default(),
                title: title.clone().unwrap_or_default(),
                text: text.clone().unwrap_or_default(),
                files: files.clone(),
            };
            let id = match learning {
                Some(learning) => context.wait(memory.add_solution_from(*learning, &draft, Origin::Cli))?,
                None => context.wait(memory.add_solution(&draft, Origin::Cli))?,
            };
            changed(context, id, "Added, on trial")
        }
        SolutionCommand::Edit { solution, pattern, text, title, files } => {
            let found = context.wait(memory.solution(*solution))?.solution;
            let draft = SolutionDraft {
                pattern: pattern.clone().unwrap_or(found.pattern),
                title: title.clone().unwrap_or(found.title),
                text: text.clone().unwrap_or(found.text),
                files: if files.is_empty() { found.files } else { files.clone() },
            };
            context.wait(memory.edit_solution(*solution, &draft, Origin::Cli))?;
            changed(context, *solution, "Changed")
        }
        SolutionCommand::Retire { solution, reason } => {
            let why = reason.as_deref().unwrap_or_default();
            context.wait(memory.retire_solution(*solution, why, Origin::Cli))?;
            changed(context, *solution, "Retired")
        }
        SolutionCommand::Restore { solution } => {
            context.wait(memory.restore_solution(*solution, Origin::Cli))?;
            changed(context, *solution, "In use again")
        }
        SolutionCommand::Refresh { solution } => {
            context.wait(memory.refresh_solution(*solution, Origin::Cli))?;
            changed(context, *solution, "Refreshed")
        }
        SolutionCommand::Export { file } => {
            let export = context.wait(memory.export_solutions())?;
            let Some(file) = file else { return output::json(&export) };
            let text = serde_json::to_string_pretty(&export)
                .map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()).because(&error))?;
            std::fs::write(context.folder.join(file), text + "\n").map_err(|error| {
                let shown = plain(&file.display().to_string());
                Fault::caused(ErrorCode::IoFailed, format_args!("{shown} cannot be written"), &error)
            })?;
            say!("Wrote {}.", count(export.solutions.len(), "solution", "solutions"));
            Ok(ExitCode::SUCCESS)
        }
        SolutionCommand::Import { file } => {
            let text = read(context, file)?;
            let imported = context.wait(memory.import_solutions(&text, Origin::Cli))?;
            if context.json {
                return output::json(&imported);
            }
            say!("Added {} on trial; {} known already.", imported.added.len(), imported.known);
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Tells what was done with a solution, or shows it as JSON.
fn changed(context: &Context, id: u32, what: &str) -> Result<ExitCode, Fault> {
    let found = context.wait(context.project()?.memory().solution(id))?;
    if context.json {
        return output::json(&found);
    }
    say!("{what}: solution {id}, {}.", plain(&found.solution.title));
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context, found: &[SolutionDetail]) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(&found);
    }
    if found.is_empty() {
        say!(
            "There are no solutions yet. A run makes one when a failed task passes; \"loopwright solution add\" adds yours."
        );
    }
    for one in found {
        let solution = &one.solution;
        let number = styled(HEADING, format!("{:>4}", solution.id));
        let state = styled(state_style(solution.state), format!("{:<8}", solution.state));
        say!("{number}  {}  {state}  {}", solution.trust, plain(&solution.title));
        say!("      {}", styled(QUIET, format!("{}, {}", plain(&solution.pattern), one.effect_text)));
    }
    Ok(ExitCode::SUCCESS)
}

fn state_style(state: SolutionState) -> anstyle::Style {
    match state {
        SolutionState::Trusted => GOOD,
        SolutionState::Trial => CARE,
        SolutionState::Sinking => BAD,
        SolutionState::Retired => QUIET,
    }
}

fn show(context: &Context, found: &SolutionDetail) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(found);
    }
    let solution = &found.solution;
    say!("{}", styled(HEADING, format!("Solution {}: {}", solution.id, plain(&solution.title))));
    say!("{}", plain_text(&solution.text));
    let files: Vec<String> = solution.files.iter().map(|file| plain(file)).collect();
    let rows = [
        ("for", Some(format!("{} ({})", plain(&solution.pattern), solution.category))),
        ("trust", Some(format!("{}, {}", solution.trust, solution.state))),
        ("effect", Some(found.effect_text.clone())),
        (
            "in prompts",
            Some(format!("{}, helped {}, failed {}", solution.included, solution.helped, solution.failed)),
        ),
        (
            "resolved",
            Some(count(usize::try_from(solution.resolved).unwrap_or(usize::MAX), "failure", "failures")),
        ),
        ("files", (!files.is_empty()).then(|| files.join(", "))),
        ("comes", solution.provenance.as_deref().map(plain)),
    ];
    for (name, value) in rows {
        if let Some(value) = value {
            say!("  {}  {value}", styled(QUIET, format!("{name:<10}")));
        }
    }
    say!("\n{}", styled(HEADING, "History"));
    found.history.iter().for_each(history_line);
    Ok(ExitCode::SUCCESS)
}

fn history_line(change: &TrustChange) {
    let number = change.number.map(|number| format!(", iteration {}", number + 1)).unwrap_or_default();
    let note = match change.note.as_str() {
        "" => String::new(),
        note => format!(": {}", plain(note)),
    };
    say!("  {}  {}  {}{number}{note}", local_time(&change.at), change.after, change.reason);
}
