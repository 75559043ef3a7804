//! `loopwright learn` and `loopwright learning`.

use std::process::ExitCode;

use loopwright_domain::{Fault, Learning, LearningCategory, LearningDraft, LearningScope, Origin};
use loopwright_engine::memory::LearningQuery;

use crate::args::{LearnArgs, LearningCommand};
use crate::context::Context;
use crate::output::{self, CARE, HEADING, QUIET, local_time, plain, plain_text, say, styled};

/// `loopwright learn`.
pub(crate) fn learn(context: &Context, args: &LearnArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let draft = LearningDraft {
        category: args.category.unwrap_or(LearningCategory::Other),
        title: args.title.clone().unwrap_or_default(),
        when: args.when.clone().unwrap_or_default(),
        text: args.text.clone(),
        scope: args.scope.unwrap_or(LearningScope::Project),
        pattern: args.pattern.clone(),
    };
    let id = context.wait(project.memory().add_learning(&draft, args.task, Origin::Cli))?;
    let learning = context.wait(project.memory().learning(id))?;
    if context.json {
        return output::json(&learning);
    }
    let again = if learning.learned > 1 { " (known already)" } else { "" };
    say!("Learning {id}: {}{again}.", plain(&learning.title));
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn run(context: &Context, command: &LearningCommand) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let memory = project.memory();
    match command {
        LearningCommand::List { category, pattern, limit } => {
            let query = LearningQuery {
                category: *category,
                pattern: pattern.clone(),
                limit: *limit,
                ..LearningQuery::default()
            };
            list(context, &context.wait(memory.learnings(&query))?, "Nothing was learned yet.")
        }
        LearningCommand::Search { words, limit } => {
            let query = LearningQuery { text: words.join(" "), limit: *limit, ..LearningQuery::default() };
            list(context, &context.wait(memory.learnings(&query))?, "No learning speaks of that.")
        }
        LearningCommand::Show { learning } => show(context, &context.wait(memory.learning(*learning))?),
        LearningCommand::Edit { learning, text, title, when, category, scope, pattern } => {
            let found = context.wait(memory.learning(*learning))?;
            let draft = LearningDraft {
                category: category.unwrap_or(found.category),
                title: title.clone().unwrap_or(found.title),
                when: when.clone().unwrap_or(found.when),
                text: text.clone().unwrap_or(found.text),
                scope: scope.unwrap_or(found.scope),
                pattern: pattern.clone().or(found.pattern),
            };
            context.wait(memory.edit_learning(*learning, &draft, Origin::Cli))?;
            show(context, &context.wait(memory.learning(*learning))?)
        }
        LearningCommand::Remove { learnings } => {
            for id in learnings {
                context.wait(memory.remove_learning(*id, Origin::Cli))?;
            }
            if context.json {
                return output::json(learnings);
            }
            say!("Removed {}.", output::count(learnings.len(), "learning", "learnings"));
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn list(context: &Context, learnings: &[Learning], none: &str) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(&learnings);
    }
    if learnings.is_empty() {
        say!("{none}");
    }
    for learning in learnings {
        let number = styled(HEADING, format!("{:>4}", learning.id));
        let category = styled(CARE, format!("{:<7}", learning.category));
        say!("{number}  {category}  {}", plain(&learning.title));
    }
    Ok(ExitCode::SUCCESS)
}

fn show(context: &Context, learning: &Learning) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(learning);
    }
    say!("{}", styled(HEADING, format!("Learning {}: {}", learning.id, plain(&learning.title))));
    say!("{}", plain_text(&learning.text));
    let scope = match &learning.stack {
        Some(stack) => format!("{} ({})", learning.scope, plain(stack)),
        None => learning.scope.to_string(),
    };
    let rows = [
        ("category", Some(learning.category.to_string())),
        ("when", Some(plain(&learning.when)).filter(|when| !when.is_empty())),
        ("holds in", Some(scope)),
        ("pattern", learning.pattern.as_deref().map(plain)),
        ("by", Some(learning.origin.to_string())),
        ("task", learning.task.map(|task| task.to_string())),
        ("learned", Some(format!("{}, {} in all", local_time(&learning.at), times(learning.learned)))),
        ("in prompts", Some(format!("{}, of which {} passed", learning.included, learning.passed))),
    ];
    for (name, value) in rows {
        if let Some(value) = value {
            say!("  {}  {value}", styled(QUIET, format!("{name:<10}")));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn times(number: u32) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}
