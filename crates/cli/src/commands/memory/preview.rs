//! `loopwright preview`: what a prompt is made of.

use std::process::ExitCode;

use loopwright_domain::figures::{grouped, money};
use loopwright_domain::{Fault, ItemState, PromptGroup, PromptItem, PromptPreview};

use crate::args::PreviewArgs;
use crate::context::Context;
use crate::output::{self, BAD, CARE, GOOD, HEADING, QUIET, padded, plain, plain_text, say, styled};

/// How wide the names of items are shown.
const NAMES: usize = 34;

pub(crate) fn run(context: &Context, args: &PreviewArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let preview = context.wait(project.memory().preview(args.task, None))?;
    if context.json {
        return output::json(&preview);
    }
    if let Some(task) = preview.task {
        say!("{}", styled(HEADING, format!("The next prompt of task {task}")));
    }
    items(&preview);
    if args.prompt {
        say!("\n{}", plain_text(preview.prompt.trim_end()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The items of a prompt by group, their sum, and what else is to be known.
pub(crate) fn items(preview: &PromptPreview) {
    for group in PromptGroup::ALL {
        let of_group: Vec<&PromptItem> = preview.items.iter().filter(|item| item.group == *group).collect();
        if of_group.is_empty() {
            continue;
        }
        say!("{}", styled(HEADING, group_name(*group)));
        of_group.into_iter().for_each(item_line);
    }
    let budget = match preview.budget {
        0 => "no limit".to_owned(),
        budget => grouped(budget.into()),
    };
    let cost = preview.cost_micros.map(|cost| format!(", about {} to send", money(cost))).unwrap_or_default();
    say!(
        "{} of {budget} context tokens; {} in all{cost}",
        grouped(preview.context_tokens.into()),
        grouped(preview.prompt_tokens.into())
    );
    for suggested in &preview.suggested {
        let included = if suggested.included { "included" } else { "not included" };
        say!(
            "Suggested: solution {} ({}, {included}), {}",
            suggested.id,
            suggested.trust,
            plain(&suggested.title)
        );
    }
    if !preview.waits_for.is_empty() {
        let tasks: Vec<String> = preview.waits_for.iter().map(ToString::to_string).collect();
        say!("{} waits for {}", styled(CARE, "The task"), tasks.join(", "));
    }
    for warning in &preview.warnings {
        say!("{} {}", styled(CARE, "Note:"), plain(warning));
    }
}

const fn group_name(group: PromptGroup) -> &'static str {
    match group {
        PromptGroup::Always => "Always in",
        PromptGroup::Spec => "Spec",
        PromptGroup::LastAttempt => "Last attempt",
        PromptGroup::Memory => "Memory",
        PromptGroup::RelatedWork => "Related work",
    }
}

fn item_line(item: &PromptItem) {
    let state = match item.state {
        ItemState::In => styled(GOOD, "in "),
        ItemState::Cut => styled(CARE, "cut"),
        ItemState::Out => styled(BAD, "out"),
    };
    let title: String = plain(&item.title).chars().take(NAMES).collect();
    let trust = item.trust.map(|trust| format!(" [{trust}]")).unwrap_or_default();
    let price = item.cost_micros.map(|cost| format!(" {}", money(cost))).unwrap_or_default();
    say!(
        "  {state} {} {:>6}{price}{trust}  {}",
        padded(&title, NAMES),
        grouped(item.tokens.into()),
        styled(QUIET, plain(&item.why))
    );
}
