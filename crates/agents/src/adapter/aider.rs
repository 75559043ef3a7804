//! aider.

use loopwright_domain::{ProblemKind, Usage};

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::Version;
use super::success_rule::SuccessRule;
use super::text_markers::TextMarkers;
use super::{Adapter, CliOutput};
use crate::error::AgentsError;

pub(super) const ADAPTER: Adapter = Adapter {
    name: "aider",
    label: "aider",
    programs: &["aider"],
    tested: true,
    mcp: false,
    install: Some("python -m pip install aider-chat"),
    credentials: &[
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "OPENROUTER_API_KEY",
        "DEEPSEEK_API_KEY",
        "GROQ_API_KEY",
        "XAI_API_KEY",
    ],
    settings: &["OPENAI_API_BASE", "OLLAMA_API_BASE", "AIDER_MODEL", "AIDER_ANALYTICS"],
    home: None,
    hints: &[],
    version: &["--version"],
    least: Version(0, 80, 0),
    login: None,
    log_in: "Set the key of your model's service, such as OPENAI_API_KEY or ANTHROPIC_API_KEY.",
    trust: None,
    output: CliOutput::Text,
    rule: SuccessRule {
        exits: &[(2, ProblemKind::BadOption)],
        refusals: &[("unrecognized arguments", ProblemKind::BadOption)],
        text_markers: Some(TextMarkers {
            closing,
            failures: &[
                ("litellm.AuthenticationError", ProblemKind::Login),
                ("litellm.PermissionDeniedError", ProblemKind::Login),
                ("litellm.RateLimitError", ProblemKind::RateLimit),
                ("litellm.ServiceUnavailableError", ProblemKind::Overload),
                ("litellm.InternalServerError", ProblemKind::Overload),
                ("litellm.APIConnectionError", ProblemKind::Connection),
                ("litellm.Timeout", ProblemKind::Connection),
                ("litellm.", ProblemKind::Other),
            ],
        }),
    },
    build,
};

/// It has no tools: it edits by text blocks and runs no commands here. Commits, `.gitignore` and repositories are left
/// to Loopwright; its notes about the talk go into the iteration's own folder.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.begin(
        &[],
        &[
            "--yes-always",
            "--no-pretty",
            "--no-fancy-input",
            "--no-check-update",
            "--no-show-release-notes",
            "--no-auto-commits",
            "--no-dirty-commits",
            "--no-gitignore",
            "--no-suggest-shell-commands",
            "--no-restore-chat-history",
        ],
    );
    let in_git = builder.request.work_dir.ancestors().any(|folder| folder.join(".git").exists());
    if !in_git {
        builder.args(&["--no-git"]);
    }
    builder.model("--model");
    if builder.permissions == Permissions::ReadOnly {
        builder.option("--chat-mode", "ask");
    }
    if let Some(folder) = builder.request.temp {
        builder.option("--input-history-file", folder.join("aider.input"));
        builder.option("--chat-history-file", folder.join("aider.chat"));
    }
    builder.prompt_file("--message-file");
    Ok(())
}

/// `Tokens: 2.2k sent, 1.1k cache hit, 80 received. Cost: $0.0035 message, $0.0035 session.` stands behind each answer.
fn closing(line: &str) -> Option<Usage> {
    let rest = line.strip_prefix("Tokens: ")?;
    let (counts, cost) = rest.split_once(" Cost: ").unwrap_or((rest, ""));
    let mut usage = Usage::default();
    for count in counts.trim_end_matches('.').split(", ") {
        let (number, name) = count.split_once(' ')?;
        let tokens = tokens(number)?;
        match name {
            "sent" => usage.input = tokens,
            "received" => usage.output = tokens,
            "cache hit" => usage.cache_read = tokens,
            "cache write" => usage.cache_write = tokens,
            _ => return None,
        }
    }
    let dollars = cost.strip_prefix('$').and_then(|cost| cost.split_once(" message")?.0.parse::<f64>().ok());
    usage.cost_micros = dollars.map(|dollars| (dollars * 1_000_000.0).round() as u64);
    Some(usage)
}

/// `80`, `2.2k` or `1M`.
fn tokens(number: &str) -> Option<u64> {
    let (digits, factor) = match (number.strip_suffix('k'), number.strip_suffix('M')) {
        (Some(digits), _) => (digits, 1e3),
        (_, Some(digits)) => (digits, 1e6),
        _ => (number, 1.0),
    };
    let number = digits.replace(',', "").parse::<f64>().ok()?;
    (number >= 0.0).then(|| (number * factor).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_line_tells_tokens_and_money() {
        let used =
            closing("Tokens: 2.2k sent, 80 received. Cost: $0.0035 message, $0.0135 session.").unwrap();
        assert_eq!((used.input, used.output, used.cost_micros), (2200, 80, Some(3500)));
        let used = closing("Tokens: 1,204 sent, 1M cache hit, 2 cache write, 7 received.").unwrap();
        assert_eq!((used.input, used.cache_read, used.cache_write, used.output), (1204, 1_000_000, 2, 7));
        assert_eq!(used.cost_micros, None);
        for other in ["Tokens: many sent", "Tokens: -1 sent", "I used Tokens: 1 sent", "Tokens:", ""] {
            assert_eq!(closing(other), None, "{other}");
        }
    }
}
