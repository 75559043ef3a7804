//! The prompt of an attempt at a task. Pure: the same parts give the same bytes; no times, no random order.

use loopwright_domain::{
    Automation, Fault, GateDecision, LineComment, Section, Task, TaskKind, estimate_tokens, promise,
};
use loopwright_plan::spec::{ContextItem, PlanSection, fill_spec};

use crate::attempt::prompt::compose::{
    NOTHING_CHANGED, NamedCheck, automation_words, comment_line, context_block, tools_line,
};
use crate::dispatch::current_task::Planning;

/// What an agent is asked, and what a person should know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComposedPrompt {
    pub(crate) prompt: String,
    pub(crate) notes: Vec<String>,
}

/// What a finished prerequisite came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FinishedDependency {
    pub(crate) task: Task,
    pub(crate) summary: String,
    pub(crate) commit: Option<String>,
}

/// The last attempt, when it failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FailedAttempt {
    pub(crate) error: String,
    /// What failed, as a work list.
    pub(crate) failing: Option<String>,
    pub(crate) diff: Option<String>,
    pub(crate) decision: Option<GateDecision>,
    pub(crate) comments: Vec<LineComment>,
}

/// All that goes into the prompt.
pub(crate) struct TaskPromptParts<'a> {
    pub(crate) task: &'a Task,
    pub(crate) sections: &'a [Section],
    pub(crate) plan: Option<&'a PlanSection>,
    pub(crate) specs: &'a [ContextItem],
    pub(crate) context: &'a [ContextItem],
    pub(crate) earlier: &'a [FinishedDependency],
    pub(crate) last: Option<&'a FailedAttempt>,
    pub(crate) planning: &'a Planning,
    pub(crate) include_task: bool,
    pub(crate) template: &'a str,
    pub(crate) max_spec_tokens: u32,
    pub(crate) automation: Automation,
    pub(crate) checks: &'a [NamedCheck],
    /// Whether the agent has tools to report with.
    pub(crate) tools: bool,
}

/// Puts a prompt together.
pub(crate) fn compose(parts: &TaskPromptParts<'_>) -> Result<ComposedPrompt, Fault> {
    let task = if parts.include_task { task_block(parts) } else { String::new() };
    let plan = parts.plan.map(plan_block).unwrap_or_default();
    let specs = specs_block(parts.specs);
    let spec_tokens = estimate_tokens(&plan) + estimate_tokens(&specs);
    let mut blocks = vec![rules_block(parts.planning), fill_spec(parts.template, &task, &plan, &specs)?];
    blocks.extend(context_block(parts.context));
    blocks.extend(earlier_block(parts.earlier));
    blocks.extend(parts.last.map(last_block));
    if let Planning::Approved(plan) = parts.planning {
        blocks.push(format!(
            "=== APPROVED PLAN ===\n\nA person approved this plan. Carry it out.\n\n{}",
            plan.trim()
        ));
    }
    blocks.push(ending_block(parts));
    blocks.retain(|block| !block.trim().is_empty());
    let mut notes = Vec::new();
    if parts.plan.is_some_and(|plan| !plan.found) {
        notes.push(format!(
            "the plan has no section for task {}; its beginning is handed along",
            parts.task.id
        ));
    }
    if parts.max_spec_tokens > 0 && spec_tokens > u64::from(parts.max_spec_tokens) {
        notes.push(format!(
            "plan and documents are {spec_tokens} tokens, more than {}",
            parts.max_spec_tokens
        ));
    }
    Ok(ComposedPrompt { prompt: blocks.join("\n\n") + "\n", notes })
}

fn rules_block(planning: &Planning) -> String {
    let mut lines = vec![
        "=== RULES ===",
        "",
        "- Work on this one task only.",
        "- Search the project before you create something: it may be there already.",
        "- Finish what you begin: no placeholders, nothing left for later.",
        "- Leave checks, their settings and tests as strict as they are.",
        "- Do not commit: Loopwright commits what passes.",
        "- Record what others should know as a learning.",
        "- Stop when you are blocked, and say why.",
    ];
    if *planning == Planning::ToDo {
        lines.push("- Plan only, change no file. Your last message is the plan: a person reads it before it is carried out.");
    }
    lines.join("\n")
}

fn task_block(parts: &TaskPromptParts<'_>) -> String {
    let draft = &parts.task.draft;
    let mut text = format!("=== TASK ===\n\nTask {}: {}", parts.task.id, draft.title);
    let mut add = |block: String| {
        if !block.trim().is_empty() {
            text.push_str("\n\n");
            text.push_str(block.trim_end());
        }
    };
    add(draft.description.trim().to_owned());
    if !draft.acceptance.is_empty() {
        let criteria: Vec<String> = draft.acceptance.iter().map(|it| format!("- {}", it.trim())).collect();
        add(format!("Done when:\n{}", criteria.join("\n")));
    }
    if !draft.test_strategy.trim().is_empty() {
        add(format!("How to test it: {}", draft.test_strategy.trim()));
    }
    if !draft.notes.trim().is_empty() {
        add(format!("Notes: {}", draft.notes.trim()));
    }
    if !parts.sections.is_empty() {
        let sections: Vec<String> = parts.sections.iter().map(section_text).collect();
        add(format!("=== SPEC ===\n\n{}", sections.join("\n\n")));
    }
    text
}

fn section_text(section: &Section) -> String {
    let heading = format!("{} {}", section.number, section.title);
    format!("{}\n\n{}", heading.trim(), section.content.trim()).trim_end().to_owned()
}

fn plan_block(plan: &PlanSection) -> String {
    let what =
        if plan.found { "" } else { "No section of the plan is about this task; this is its beginning.\n\n" };
    format!("=== PLAN ===\n\n{what}{}", plan.text.trim())
}

fn specs_block(specs: &[ContextItem]) -> String {
    let files: Vec<String> = specs
        .iter()
        .map(|item| {
            format!("=== {} ===\n\n{}", item.source.as_deref().unwrap_or("document"), item.text.trim())
        })
        .collect();
    files.join("\n\n")
}

fn earlier_block(earlier: &[FinishedDependency]) -> Option<String> {
    if earlier.is_empty() {
        return None;
    }
    let lines: Vec<String> = earlier
        .iter()
        .map(|it| {
            let commit = it.commit.as_deref().map(|id| format!(" (commit {})", id.get(..7).unwrap_or(id)));
            let summary = match it.summary.trim() {
                "" => String::new(),
                summary => format!(": {summary}"),
            };
            format!("- {} {}{}{summary}", it.task.id, it.task.draft.title, commit.unwrap_or_default())
        })
        .collect();
    Some(format!("=== DONE BEFORE ===\n\nThis task builds on:\n{}", lines.join("\n")))
}

fn last_block(last: &FailedAttempt) -> String {
    let mut blocks = vec![format!(
        "=== LAST ATTEMPT ===\n\nThe last attempt failed and its files were put back: {}",
        last.error.trim()
    )];
    if let Some(GateDecision::Reject { reason } | GateDecision::Skip { reason }) = &last.decision {
        blocks.push(format!("A person said: {}", reason.trim()));
    }
    if !last.comments.is_empty() {
        let lines: Vec<String> = last.comments.iter().map(comment_line).collect();
        blocks.push(format!("Remarks on lines:\n{}", lines.join("\n")));
    }
    blocks.extend(last.failing.as_ref().map(|failing| failing.trim_end().to_owned()));
    blocks.extend(last.diff.as_ref().map(|diff| format!("What it had changed:\n\n{}", indented(diff))));
    blocks.push("Do it better this time: mend the cause, do not repeat the same change.".to_owned());
    blocks.join("\n\n")
}

/// Indented, so that nothing in it is taken for anything but a diff.
fn indented(text: &str) -> String {
    text.trim_end()
        .lines()
        .map(|line| format!("    {line}").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// What is asked of a claim without a change.
fn nothing_changed(task: &Task) -> String {
    match task.draft.kind {
        Some(TaskKind::Verification) => "- This task is to verify: it may change nothing".to_owned(),
        _ => NOTHING_CHANGED.to_owned(),
    }
}

/// How to say that it is done. The words stand inside their lines on purpose: repeating these lines says nothing.
fn ending_block(parts: &TaskPromptParts<'_>) -> String {
    let mut lines = vec!["=== HOW THIS WORKS ===".to_owned(), String::new()];
    lines.push(format!("- Automation mode: {} ({})", parts.automation, automation_words(parts.automation)));
    lines.push("- You start without memory of earlier attempts. What counts is in the files.".to_owned());
    if !parts.checks.is_empty() {
        lines.push("- After you end, Loopwright runs these checks itself:".to_owned());
        for check in parts.checks {
            lines.push(check.line());
        }
    }
    if parts.tools {
        let planning = *parts.planning == Planning::ToDo;
        let complete = if planning { "" } else { "report_complete when the task is done, " };
        lines.push(tools_line(complete));
    }
    if *parts.planning != Planning::ToDo {
        lines.push("- When the task is done, run: loopwright signal complete \"WHAT YOU DID\"".to_owned());
        lines.push(
            "- Or end your last message with a line that begins with LOOPWRIGHT_COMPLETE: and what you did, alone on \
             its last line. On an earlier line, in a sentence, in code or in a quotation it does not count"
                .to_owned(),
        );
        lines.push("- A claim counts only when the required checks pass".to_owned());
        lines.push(nothing_changed(parts.task));
    }
    lines.push("- When you need a person, run: loopwright signal blocked \"REASON\"".to_owned());
    lines.push("- Or print a line that begins with LOOPWRIGHT_BLOCKED: and the reason".to_owned());
    lines.push(
        "- To record a learning, run: loopwright signal learning --category CATEGORY \"TEXT\"".to_owned(),
    );
    lines
        .push("- Or print a line that begins with LOOPWRIGHT_LEARNING: and the category and text".to_owned());
    lines.push(format!(
        "- When this attempt failed, print {} as a line of its own",
        promise::tag(promise::FAILURE)
    ));
    lines.join("\n")
}
