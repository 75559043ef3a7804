//! `loopwright spec term`.

use std::process::ExitCode;

use loopwright_domain::{Fault, Origin, Term};
use loopwright_engine::spec::NewTerm;

use crate::args::TermCommand;
use crate::context::Context;
use crate::output::{self, HEADING, QUIET, plain, plain_text, say, styled};

pub(super) fn run(context: &Context, command: &TermCommand) -> Result<ExitCode, Fault> {
    match command {
        TermCommand::Add { name, definition, variants, avoid, replace } => {
            let new = NewTerm {
                name: name.clone(),
                definition: definition.clone(),
                variants: variants.clone(),
                avoid: avoid.clone(),
                replace: *replace,
            };
            add(context, new)
        }
        TermCommand::List => {
            let terms = context.wait(context.project()?.spec().terms())?;
            tell(
                context,
                &terms,
                "No word is defined. Define one with \"loopwright spec term add WORD MEANING\".",
            )
        }
        TermCommand::Search { words, limit } => {
            let found = context.wait(context.project()?.spec().search_terms(&words.join(" "), *limit))?;
            tell(context, &found, "No term speaks of that.")
        }
        TermCommand::Remove { names } => remove(context, names),
    }
}

fn add(context: &Context, new: NewTerm) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let term = context.wait(project.spec().put_term(new, Origin::Cli))?;
    if context.json {
        return output::json(&term);
    }
    say!("Defined {}.", plain(&term.name));
    Ok(ExitCode::SUCCESS)
}

fn tell(context: &Context, terms: &[Term], none: &str) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(&terms);
    }
    if terms.is_empty() {
        say!("{none}");
    }
    for term in terms {
        let listed = |words: &[String]| words.iter().map(|word| plain(word)).collect::<Vec<_>>().join(", ");
        let mut notes = Vec::new();
        if !term.variants.is_empty() {
            notes.push(format!("also {}", listed(&term.variants)));
        }
        if !term.avoid.is_empty() {
            notes.push(format!("not {}", listed(&term.avoid)));
        }
        let notes =
            if notes.is_empty() { String::new() } else { styled(QUIET, format!("  {}", notes.join("; "))) };
        say!("{}{notes}", styled(HEADING, plain(&term.name)));
        plain_text(&term.definition).lines().for_each(|line| say!("{}", format!("  {line}").trim_end()));
    }
    Ok(ExitCode::SUCCESS)
}

fn remove(context: &Context, names: &[String]) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let removed = context.wait(project.spec().remove_terms(names, Origin::Cli))?;
    if context.json {
        return output::json(&removed);
    }
    for term in &removed {
        say!("Removed {}.", plain(&term.name));
    }
    Ok(ExitCode::SUCCESS)
}
