//! The prompt of an iteration. Pure: the same parts give the same bytes; no times, no paths of this machine.

use loopwright_domain::{estimate_tokens, promise};
use serde::{Deserialize, Serialize};

use super::attach::SERVER;

/// Something a person hands along with the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ContextItem {
    /// The file it came from, as the person named it; none for text.
    pub source: Option<String>,
    /// The text.
    pub text: String,
}

/// A check as the agent is told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedCheck {
    pub(crate) name: String,
    pub(crate) command: String,
    pub(crate) required: bool,
}

/// All that goes into a prompt.
#[derive(Clone, Debug)]
pub(crate) struct Parts<'a> {
    pub(crate) request: &'a str,
    pub(crate) context: &'a [ContextItem],
    /// The iteration's number, counted from 0.
    pub(crate) number: u32,
    /// How many there may be; 0 is without end.
    pub(crate) max: u32,
    pub(crate) iteration_context: bool,
    pub(crate) promise: Option<&'a str>,
    pub(crate) automation: &'a str,
    pub(crate) checks: &'a [NamedCheck],
    /// Whether the agent has tools to report with.
    pub(crate) tools: bool,
    /// The work list of failing checks, ready to read.
    pub(crate) failing: Option<&'a str>,
    /// Why the last iteration failed, when no check says it.
    pub(crate) last_failure: Option<&'a str>,
}

/// Puts a prompt together.
pub(crate) fn compose(parts: &Parts<'_>) -> String {
    let mut blocks = vec![parts.request.trim().to_owned()];
    blocks.extend(context_block(parts.context));
    blocks.extend(failing_block(parts));
    if parts.iteration_context && parts.number > 0 {
        blocks.push(iteration_block(parts));
    }
    blocks.push(rules_block(parts));
    blocks.join("\n\n") + "\n"
}

pub(crate) fn context_block(context: &[ContextItem]) -> Option<String> {
    if context.is_empty() {
        return None;
    }
    let items: Vec<String> = context
        .iter()
        .map(|item| match &item.source {
            Some(source) => format!("Source: {source}\n\n{}", item.text.trim()),
            None => item.text.trim().to_owned(),
        })
        .collect();
    Some(format!("=== CONTEXT ===\n\n{}", items.join("\n\n---\n\n")))
}

fn failing_block(parts: &Parts<'_>) -> Option<String> {
    let mut lines = Vec::new();
    if let Some(reason) = parts.last_failure {
        lines.push(format!("=== LAST ITERATION ===\n\nThe last iteration failed: {reason}"));
    }
    if let Some(failing) = parts.failing {
        lines.push(failing.trim_end().to_owned());
    }
    (!lines.is_empty()).then(|| lines.join("\n\n"))
}

/// What Descartes tells an agent from the second iteration on.
fn iteration_block(parts: &Parts<'_>) -> String {
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

fn rules_block(parts: &Parts<'_>) -> String {
    let mut lines = vec!["=== HOW THIS WORKS ===".to_owned(), String::new()];
    lines.push(format!("- Automation mode: {} ({})", parts.automation, automation_words(parts.automation)));
    lines.push("- You start without memory of earlier iterations. What counts is in the files.".to_owned());
    if !parts.checks.is_empty() {
        lines.push("- After you end, Loopwright runs these checks itself:".to_owned());
        for check in parts.checks {
            let optional = if check.required { "" } else { " (optional)" };
            lines.push(format!("  - {}{optional}: {}", check.name, check.command));
        }
    }
    lines.extend(parts.tools.then(|| tools_line("report_complete when the whole task is done, ")));
    lines.extend(ending_lines(parts.promise));
    lines.join("\n")
}

/// How to say that it is done. The tags stand inside their lines on purpose: repeating these lines is no promise.
fn ending_lines(word: Option<&str>) -> Vec<String> {
    let done = match word {
        Some(word) => format!(
            "- When the whole task is done, print {} as a line of its own, or run: loopwright signal complete",
            promise::tag(word)
        ),
        None => "- When the whole task is done, just end; or run: loopwright signal complete".to_owned(),
    };
    vec![
        done,
        format!("- A last line that reads \"{}\" ends the loop as well", promise::EXIT_SIGNAL),
        "- A claim counts only when the required checks pass".to_owned(),
        format!(
            "- When this iteration failed, print {} as a line of its own and say why",
            promise::tag(promise::FAILURE)
        ),
        "- When you need a person, run: loopwright signal blocked \"REASON\"".to_owned(),
    ]
}

/// The best way to report, where the agent has the tools for it. The others stay: agents lose servers.
pub(crate) fn tools_line(complete: &str) -> String {
    format!(
        "- Report by the tools of the MCP server \"{SERVER}\": {complete}report_blocked when you need a person, \
         record_learning for what others should know. Where you do not have them:"
    )
}

pub(crate) fn automation_words(mode: &str) -> &'static str {
    match mode {
        "manual" => "each iteration was started by a person",
        "plan" => "plan only, change no files",
        "yolo" => "no confirmations at all",
        _ => "edit files and run the usual commands",
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
    use loopwright_domain::promise::{Expected, find_claim, without_echo};

    use super::*;

    fn parts() -> Parts<'static> {
        Parts {
            request: "Build it.",
            context: &[],
            number: 0,
            max: 20,
            iteration_context: true,
            promise: Some("COMPLETE"),
            automation: "auto",
            checks: &[],
            tools: false,
            failing: None,
            last_failure: None,
        }
    }

    #[test]
    fn descartes_the_iteration_context_comes_from_the_second_iteration_on() {
        assert!(!compose(&parts()).contains("ITERATION CONTEXT"));
        let third = compose(&Parts { number: 2, ..parts() });
        assert!(third.contains("- This is iteration 3 of 20\n"), "{third}");
        assert!(third.contains("- Output <promise>COMPLETE</promise> when the task"), "{third}");
        let unlimited = compose(&Parts { number: 2, max: 0, ..parts() });
        assert!(unlimited.contains("iteration 3 (no limit)"), "{unlimited}");
        assert!(!compose(&Parts { number: 2, iteration_context: false, ..parts() }).contains("ITERATION"));
    }

    #[test]
    fn dun_the_mode_and_the_exit_signal_are_in_every_prompt() {
        let prompt = compose(&Parts { automation: "yolo", ..parts() });
        assert!(prompt.contains("Automation mode: yolo"), "{prompt}");
        assert!(prompt.contains("loopwright signal complete") && prompt.contains("EXIT_SIGNAL: true"));
    }

    #[test]
    fn tools_are_named_where_there_are_some() {
        let prompt = compose(&Parts { tools: true, ..parts() });
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
        let prompt = compose(&Parts { context: &context, ..parts() });
        assert!(prompt.contains("Source: NOTES.md\n\none\n\ntwo\n\n---\n\nthree"), "{prompt}");
    }

    #[test]
    fn no_prompt_promises_anything_when_it_is_printed_back() {
        for promise in [Some("COMPLETE"), None] {
            let prompt = compose(&Parts { promise, number: 3, last_failure: Some("exit 1"), ..parts() });
            let expected = Expected { promise: Some("COMPLETE"), plain: true };
            assert_eq!(find_claim(&prompt, expected).0, Claim::None, "{prompt}");
            for line in prompt.lines() {
                assert_eq!(find_claim(&without_echo(line, &prompt), expected).0, Claim::None, "{line}");
            }
        }
    }

    #[test]
    fn sizes_over_budget_are_told() {
        assert!(PromptSize::of("12345", 1).over());
        assert!(!PromptSize::of("1234", 1).over());
        assert!(!PromptSize::of("1234", 0).over());
    }
}
