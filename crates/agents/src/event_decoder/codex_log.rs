//! Codex's own log on standard error. It tells what its events leave out: the model, what each response used as it
//! comes, what its helpers used, and commands that were stopped or refused, of which there is no event at all.
//!
//! `2026-11-17T12:03:33.698Z  INFO codex_otel.trace_safe: event.name="codex.sandbox_outcome" outcome=denied …`. The
//! lines are Codex's own: what its commands print goes to the model, never here.

use serde_json::json;

use super::logfmt::field;
use super::usage;
use crate::cli_event::CliEvent;

/// What it is asked to log: nothing but errors and its account of itself, which holds no prompt, command or answer.
pub(crate) const LEVELS: &str = "error,codex_otel.trace_safe=info";

/// Where its account of itself comes from.
const ACCOUNT: &str = "codex_otel.trace_safe";
/// Where the errors of its tools come from.
const TOOLS: &str = "codex_core::tools::router";
/// How a command's error begins that was refused before it ran; the command follows.
const REFUSED_COMMAND: &str = "CreateProcess { message: \"Rejected(";
/// How a patch's error begins that was refused.
const REFUSED_PATCH: &str = "patch rejected";

/// Reads a line of the log; none when it is no such line.
pub(crate) fn log(line: &str) -> Option<Vec<CliEvent>> {
    let (time, rest) = line.split_once(' ')?;
    time.ends_with('Z').then_some(())?;
    let (level, rest) = rest.trim_start().split_once(' ')?;
    let (source, said) = rest.split_once(": ")?;
    match (level, source) {
        ("INFO", ACCOUNT) => Some(account(said).unwrap_or_default()),
        ("ERROR", TOOLS) => Some(vec![refusal(said.strip_prefix("error=")?)?]),
        _ => None,
    }
}

fn account(said: &str) -> Option<Vec<CliEvent>> {
    match field(said, "event.name")?.as_str() {
        "codex.conversation_starts" => Some(vec![CliEvent::Model(field(said, "model")?)]),
        "codex.sse_event" if field(said, "event.kind")? == "response.completed" => Some(vec![answer(said)?]),
        "codex.sandbox_outcome" if field(said, "outcome")? == "denied" => {
            let tool = field(said, "tool_name")?;
            let output = format!("Codex's sandbox stopped {tool}");
            Some(vec![CliEvent::Refused { id: field(said, "call_id"), tool, output }])
        }
        _ => None,
    }
}

/// What one response used, in the conversation that it belongs to.
fn answer(said: &str) -> Option<CliEvent> {
    let number = |name: &str| field(said, name).and_then(|value| value.parse::<u64>().ok()).unwrap_or(0);
    let usage = usage::tokens(&json!({
        "input_tokens": number("input_token_count"),
        "cached_input_tokens": number("cached_token_count"),
        "cache_write_input_tokens": number("cache_write_token_count"),
        "output_tokens": number("output_token_count"),
    }))?;
    Some(CliEvent::Answered { session: field(said, "conversation.id")?, usage })
}

/// A tool's error that says the tool was not allowed; none for any other. Only how it begins counts, for what follows
/// holds the model's words.
fn refusal(error: &str) -> Option<CliEvent> {
    let failed = error.split_once(" failed: ");
    let (tool, why) = match failed.and_then(|(tool, why)| Some((tool, why.strip_prefix(REFUSED_COMMAND)?))) {
        Some(refused) => refused,
        None if error.starts_with(REFUSED_PATCH) => ("apply_patch", error),
        None => return None,
    };
    let output = why.trim_end_matches([' ', '}', '"', ')', '\\']).trim_start_matches(['\\', '"']);
    Some(CliEvent::Refused { id: None, tool: tool.to_owned(), output: output.to_owned() })
}

#[cfg(test)]
mod tests {
    use loopwright_domain::Usage;

    use super::*;

    const TIME: &str = "2026-11-17T12:03:33.698Z";

    fn account_of(event: &str) -> Option<Vec<CliEvent>> {
        log(&format!("{TIME}  INFO codex_otel.trace_safe: event.name={event}"))
    }

    fn error_of_tools(error: &str) -> Option<Vec<CliEvent>> {
        log(&format!("{TIME} ERROR codex_core::tools::router: error={error}"))
    }

    fn refused(tool: &str, output: &str) -> CliEvent {
        CliEvent::Refused { id: None, tool: tool.to_owned(), output: output.to_owned() }
    }

    #[test]
    fn what_is_stopped_or_refused_was_denied() {
        let stopped =
            account_of(r#""codex.sandbox_outcome" tool_name=exec_command call_id=exec-1 outcome=denied"#);
        let Some([CliEvent::Refused { id, tool, .. }]) = stopped.as_deref() else { panic!("{stopped:?}") };
        assert_eq!((id.as_deref(), tool.as_str()), (Some("exec-1"), "exec_command"));
        let command =
            r#"exec_command failed: CreateProcess { message: "Rejected(\"`rm -rf x` rejected: no\")" }"#;
        assert_eq!(error_of_tools(command), Some(vec![refused("exec_command", "`rm -rf x` rejected: no")]));
        let patch = "patch rejected: writing outside of the project; rejected by user approval settings";
        assert_eq!(error_of_tools(patch), Some(vec![refused("apply_patch", patch)]));
    }

    #[test]
    fn other_errors_are_the_models_to_deal_with() {
        for error in [
            r#"exec_command failed: CreateProcess { message: "No such file: Rejected(" }"#,
            "apply_patch verification failed: patch rejected",
            "unknown process id 7",
        ] {
            assert_eq!(error_of_tools(error), None, "{error}");
        }
        for outcome in ["success", "escalated"] {
            let event = format!(r#""codex.sandbox_outcome" tool_name=exec_command outcome={outcome}"#);
            assert_eq!(account_of(&event), Some(Vec::new()), "a line of the log, and no denial");
        }
    }

    #[test]
    fn the_model_and_each_response_are_told() {
        let starts =
            account_of(r#""codex.conversation_starts" provider_name=OpenAI conversation.id=a model=gpt-6"#);
        assert_eq!(starts, Some(vec![CliEvent::Model("gpt-6".to_owned())]));
        let response = r#""codex.sse_event" event.kind=response.completed input_token_count=2200 output_token_count=80
            cached_token_count=1000 model_reasoning_effort="low" conversation.id=a model=gpt-6"#;
        let usage = Usage { input: 1200, output: 80, cache_read: 1000, ..Usage::default() };
        let answered = CliEvent::Answered { session: "a".to_owned(), usage };
        assert_eq!(account_of(&response.replace("\n           ", "")), Some(vec![answered]));
        assert_eq!(account_of(r#""codex.sse_event" event.kind=response.created"#), Some(Vec::new()));
    }

    #[test]
    fn what_looks_like_the_log_and_is_not_says_nothing() {
        for line in [
            "",
            "codex_otel.trace_safe: event.name=\"codex.sandbox_outcome\" outcome=denied",
            "2026-11-17T12:03:33.698Z  INFO codex_core: codex_otel.trace_safe: event.name=\"codex.sandbox_outcome\"",
            "Error: patch rejected: it may not",
        ] {
            assert_eq!(log(line), None, "{line}");
        }
    }
}
