//! pi.

use loopwright_domain::ProblemKind;

use super::draft::{Draft, Freedom};
use super::probe::Version;
use super::verdict::Rule;
use super::{Adapter, Output, inside};
use crate::dialect;
use crate::error::AgentsError;
use crate::reader::Speech;

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
    output: Output::Lines(Speech { log: Some(dialect::inside), ..Speech::of(dialect::PI) }),
    rule: Rule {
        exits: &[],
        refusals: &[
            ("Error: Unknown option", ProblemKind::BadOption),
            ("No API key found", ProblemKind::Login),
            ("No models available", ProblemKind::Login),
        ],
        words: None,
    },
    arrange,
};

/// It never asks for permission: all it can be told is which tools it has. `auto` and `yolo` are the same.
/// That it waits for its service is told by an extension of ours.
fn arrange(draft: &mut Draft<'_>) -> Result<(), AgentsError> {
    draft.begin(&[], &["-p", "--mode", "json", "--no-session"]);
    inside::for_pi(draft);
    draft.model("--model");
    if draft.freedom == Freedom::Read {
        draft.option("--tools", "read,grep,find,ls");
    }
    Ok(())
}
