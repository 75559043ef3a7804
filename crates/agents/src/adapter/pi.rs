//! pi.

use loopwright_domain::ProblemKind;

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::Version;
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput, injected};
use crate::error::AgentsError;
use crate::event_decoder;
use crate::output::EventSource;

pub(super) const ADAPTER: Adapter = Adapter {
    name: "pi",
    label: "pi",
    programs: &["pi"],
    tested: true,
    mcp: false,
    install: Some("npm install -g @mariozechner/pi-coding-agent"),
    credentials: &[
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_OAUTH_TOKEN",
        "OPENAI_API_KEY",
        "GEMINI_API_KEY",
        "OPENROUTER_API_KEY",
        "GROQ_API_KEY",
        "XAI_API_KEY",
        "DEEPSEEK_API_KEY",
        "MISTRAL_API_KEY",
    ],
    settings: &["PI_CODING_AGENT_DIR", "PI_OFFLINE"],
    home: None,
    hints: &[],
    version: &["--version"],
    least: Version(0, 50, 0),
    login: None,
    log_in: "Run \"pi\" once and type /login, or set the key of your model's service.",
    trust: None,
    output: CliOutput::JsonLines(EventSource {
        log: Some(event_decoder::injected_log),
        ..EventSource::of(event_decoder::PI)
    }),
    rule: SuccessRule {
        exits: &[],
        refusals: &[
            ("Error: Unknown option", ProblemKind::BadOption),
            ("No API key found", ProblemKind::Login),
            ("No models available", ProblemKind::Login),
        ],
        text_markers: None,
    },
    build,
};

/// It never asks for permission: all it can be told is which tools it has. `auto` and `yolo` are the same.
/// That it waits for its service is told by an extension of ours.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.begin(&[], &["-p", "--mode", "json", "--no-session"]);
    injected::for_pi(builder);
    builder.model("--model");
    if builder.permissions == Permissions::ReadOnly {
        builder.option("--tools", "read,grep,find,ls");
    }
    Ok(())
}
