//! The prompt of an iteration. Pure: the same parts give the same bytes; no times, no paths of this machine.

use loopwright_domain::{Automation, LineComment, estimate_tokens, promise};
use loopwright_plan::spec::ContextItem;
use serde::{Deserialize, Serialize};

use crate::launch::MCP_SERVER;

/// A check as the agent is told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedCheck {
    pub(crate) name: String,
    pub(crate) command: String,
    pub(crate) required: bool,
    /// Whether it failed before the run.
    pub(crate) red_before: bool,
}

impl NamedCheck {
    /// The check in one line of a prompt.
    pub(crate) fn line(&self) -> String {
        let optional = if self.required { "" } else { " (optional)" };
        let red = if self.red_before { " (failed before you began)" } else { "" };
        format!("  - {}{optional}: {}{red}", self.name, self.command)
    }
}

/// All that goes into a prompt.
#[derive(Clone, Debug)]
pub(crate) struct PromptParts<'a> {
    pub(crate) request: &'a str,
    pub(crate) context: &'a [ContextItem],
    /// The iteration's number, counted from 0.
    pub(crate) number: u32,
    /// How many there may be; 0 is without end.
    pub(crate) max: u32,
    pub(crate) iteration_context: bool,
    pub(crate) promise: Option<&'a str>,
    pub(crate) automation: Automation,
    pub(crate) checks: &'a [NamedCheck],
    /// Whether the agent has tools to report with.
    pub(crate) tools: bool,
    /// The work list of failing checks, ready to read.
    pub(crate) failing: Option<&'a str>,
    /// Why the last iteration failed, when no check says it.
    pub(crate) last_failure: Option<&'a str>,
    /// That the last iteration put its claim where it does not count.
    pub(crate) misplaced: Option<&'a str>,
    /// What a person said about the work so far.
    pub(crate) person: Option<&'a str>,
    /// Whether a claim has to stand on a change.
    pub(crate) change_needed: bool,
}

/// Puts a prompt together.
pub(crate) fn compose(parts: &PromptParts<'_>) -> String {
    let mut blocks = vec![parts.request.trim().to_owned()];
    blocks.extend(context_block(parts.context));
    blocks.extend(failing_block(parts));
    if parts.iteration_context && parts.number > 0 {
        blocks.push(iteration_block(parts));
    }
    blocks.push(rules_block(parts));
    blocks.join("\n\n") + "\n"
}

fn context_block(context: &[ContextItem]) -> Option<String> {
    if context.is_empty() {
        return None;
    }
    let items: Vec<String> = context.iter().map(context_text).collect();
    Some(format!("=== CONTEXT ===\n\n{}", items.join("\n\n---\n\n")))
}

/// Something that is handed along, with where it comes from.
pub(crate) fn context_text(item: &ContextItem) -> String {
    match &item.source {
        Some(source) => format!("Source: {source}\n\n{}", item.text.trim()),
        None => item.text.trim().to_owned(),
    }
}

fn failing_block(parts: &PromptParts<'_>) -> Option<String> {
    let mut lines = Vec::new();
    if let Some(person) = parts.person {
        lines.push(format!("=== A PERSON SAYS ===\n\n{person}"));
    }
    if let Some(reason) = parts.last_failure {
        lines.push(format!("=== LAST ITERATION ===\n\nThe last iteration failed: {reason}"));
    }
    if let Some(misplaced) = parts.misplaced {
        lines.push(format!("=== LAST CLAIM ===\n\nIn the last iteration {misplaced}"));
    }
    if let Some(failing) = parts.failing {
        lines.push(failing.trim_end().to_owned());
    }
    (!lines.is_empty()).then(|| lines.join("\n\n"))
}

/// What Descartes tells an agent from the second iteration on.
fn iteration_block(parts: &PromptParts<'_>) -> String {
    let number = parts.number.saturating_add(1);
    let which = match parts.max {
        0 => format!("This is iteration {number} (no limit)"),
        max => format!("This is iteration {number} of {max}"),
    };
    let mut lines = vec![
        "---".to_owned(),
        "ITERATION CONTEXT:".to_owned(),
        format!("- {which}"),
        "- Your previous work persists in files and git history".to_owned(),
        "- Review what is there, then continue and improve it".to_owned(),
    ];
    if let Some(word) = parts.promise {
        lines.push(format!("- Output {} when the task is completely finished", promise::tag(word)));
    }
    lines.push("---".to_owned());
    lines.join("\n")
}

fn rules_block(parts: &PromptParts<'_>) -> String {
    let mut lines = vec!["=== HOW THIS WORKS ===".to_owned(), String::new()];
    lines.push(format!("- Automation mode: {} ({})", parts.automation, automation_words(parts.automation)));
    lines.push("- You start without memory of earlier iterations. What counts is in the files.".to_owned());
    if !parts.checks.is_empty() {
        lines.push("- After you end, Loopwright runs these checks itself:".to_owned());
        for check in parts.checks {
            lines.push(check.line());
        }
    }
    lines.extend(parts.tools.then(|| tools_line("report_complete when the whole task is done, ")));
    lines.extend(ending_lines(parts.promise));
    if parts.change_needed {
        lines.push(NOTHING_CHANGED.to_owned());
    }
    if parts.checks.iter().any(|check| check.required) {
        lines.push(
            "- When a check itself is wrong, leave it and run: loopwright signal blocked \"check is wrong: WHY\". A \
             person decides"
                .to_owned(),
        );
    }
    lines.join("\n")
}

/// How to say that it is done. The tags stand inside their lines on purpose: repeating these lines is no promise.
fn ending_lines(word: Option<&str>) -> Vec<String> {
    let done = match word {
        Some(word) => format!(
            "- When the whole task is done, end your last message with {}, alone on its last line; or run: loopwright \
             signal complete",
            promise::tag(word)
        ),
        None => "- When the whole task is done, just end; or run: loopwright signal complete".to_owned(),
    };
    vec![
        done,
        format!("- A last line that reads \"{}\" ends the loop as well", promise::EXIT_SIGNAL),
        "- Said on an earlier line, in a sentence, in code or in a quotation it does not count".to_owned(),
        "- A claim counts only when the required checks pass".to_owned(),
        format!(
            "- When this iteration failed, print {} as a line of its own and say why",
            promise::tag(promise::FAILURE)
        ),
        "- When you need a person, run: loopwright signal blocked \"REASON\"".to_owned(),
    ]
}

/// What is asked of a claim without a change, in a prompt.
pub(crate) const NOTHING_CHANGED: &str = "- Done without a changed file counts only when you name what satisfies the \
     work already, a file or a check: loopwright signal complete --already PATH --already check:NAME. A person decides";

/// A remark on a line, in a prompt.
pub(crate) fn comment_line(comment: &LineComment) -> String {
    let place = match comment.line {
        Some(line) if comment.old_side => format!("{}:{line} (removed)", comment.path),
        Some(line) => format!("{}:{line}", comment.path),
        None => comment.path.clone(),
    };
    let quoted = match comment.quoted.trim() {
        "" => String::new(),
        quoted => format!(" `{quoted}`"),
    };
    format!("- {place}{quoted}: {}", comment.text.trim())
}

/// The best way to report, where the agent has the tools for it. The others stay: agents lose servers.
pub(crate) fn tools_line(complete: &str) -> String {
    format!(
        "- Report by the tools of the MCP server \"{MCP_SERVER}\": {complete}report_blocked when you need a person, \
         record_learning for what others should know. Where you do not have them:"
    )
}

pub(crate) fn automation_words(mode: Automation) -> &'static str {
    match mode {
        Automation::Manual => "each iteration was started by a person",
        Automation::Plan => "plan only, change no files",
        Automation::Yolo => "no confirmations at all",
        Automation::Auto => "edit files and run the usual commands",
    }
}

/// How large a prompt is against its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PromptSize {
    /// Tokens, roughly.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub tokens: u64,
    /// The budget; 0 is none.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub budget: u64,
}

impl PromptSize {
    /// Measures a prompt.
    #[must_use]
    pub fn of(prompt: &str, budget: u64) -> Self {
        Self { tokens: estimate_tokens(prompt), budget }
    }

    /// Whether it is over the budget: warned about, and sent all the same.
    #[must_use]
    pub const fn over(&self) -> bool {
        self.budget > 0 && self.tokens > self.budget
    }
}

#[cfg(test)]
mod tests {
    use loopwright_domain::Claim;
    use loopwright_domain::promise::{Expected, find_claim};

    use super::*;

    fn parts() -> PromptParts<'static> {
        PromptParts {
            request: "Build it.",
            context: &[],
            number: 0,
            max: 20,
            iteration_context: true,
            promise: Some("COMPLETE"),
            automation: Automation::Auto,
            checks: &[],
            tools: false,
            failing: None,
            last_failure: None,
            misplaced: None,
            person: None,
            change_needed: true,
        }
    }

    #[test]
    fn descartes_the_iteration_context_comes_from_the_second_iteration_on() {
        assert!(!compose(&parts()).contains("ITERATION CONTEXT"));
        let third = compose(&PromptParts { number: 2, ..parts() });
        assert!(third.contains("- This is iteration 3 of 20\n"), "{third}");
        assert!(third.contains("- Output <promise>COMPLETE</promise> when the task"), "{third}");
        let unlimited = compose(&PromptParts { number: 2, max: 0, ..parts() });
        assert!(unlimited.contains("iteration 3 (no limit)"), "{unlimited}");
        assert!(
            !compose(&PromptParts { number: 2, iteration_context: false, ..parts() }).contains("ITERATION")
        );
    }

    #[test]
    fn dun_the_mode_and_the_exit_signal_are_in_every_prompt() {
        let prompt = compose(&PromptParts { automation: Automation::Yolo, ..parts() });
        assert!(prompt.contains("Automation mode: yolo"), "{prompt}");
        assert!(prompt.contains("loopwright signal complete") && prompt.contains("EXIT_SIGNAL: true"));
    }

    #[test]
    fn tools_are_named_where_there_are_some() {
        let prompt = compose(&PromptParts { tools: true, ..parts() });
        assert!(prompt.contains("MCP server \"loopwright\": report_complete when"), "{prompt}");
        assert!(prompt.contains("loopwright signal complete"), "{prompt}");
        assert!(!compose(&parts()).contains("MCP"));
    }

    #[test]
    fn rooda_context_names_its_files_and_keeps_paragraphs() {
        let context = [
            ContextItem { source: Some("NOTES.md".into()), text: "one\n\ntwo\n".into() },
            ContextItem { source: None, text: "three".into() },
        ];
        let prompt = compose(&PromptParts { context: &context, ..parts() });
        assert!(prompt.contains("Source: NOTES.md\n\none\n\ntwo\n\n---\n\nthree"), "{prompt}");
    }

    #[test]
    fn no_prompt_promises_anything_when_it_is_printed_back() {
        for promise in [Some("COMPLETE"), None] {
            let misplaced =
                Some("the agent said that it is done, but not alone: \"<promise>COMPLETE</promise>\"");
            let failure = Some("exit 1");
            let prompt =
                compose(&PromptParts { promise, number: 3, last_failure: failure, misplaced, ..parts() });
            let expected = Expected { promise: Some("COMPLETE"), plain: true, words: true };
            assert_eq!(find_claim("", &prompt, expected).0, Claim::None, "{prompt}");
            for line in prompt.lines() {
                assert_eq!(find_claim("", line, expected).0, Claim::None, "{line}");
            }
            let backwards: Vec<&str> = prompt.lines().rev().collect();
            assert_eq!(find_claim("", &backwards.join("\n"), expected).0, Claim::None, "{prompt}");
        }
    }

    #[test]
    fn sizes_over_budget_are_told() {
        assert!(PromptSize::of("12345", 1).over());
        assert!(!PromptSize::of("123", 1).over());
        assert!(!PromptSize::of("12345", 0).over());
    }
}
