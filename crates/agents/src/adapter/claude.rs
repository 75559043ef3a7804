//! Claude Code.

use loopwright_domain::{LoginState, ProblemKind};
use serde_json::{Value, json};

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::{LoginProbe, LoginReport, Version, object};
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput, mcp};
use crate::error::AgentsError;
use crate::event_decoder;
use crate::output::EventSource;

pub(super) const ADAPTER: Adapter = Adapter {
    name: "claude",
    label: "Claude Code",
    programs: &["claude"],
    tested: true,
    mcp: true,
    install: Some("npm install -g @anthropic-ai/claude-code"),
    credentials: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    settings: &["ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_MAX_RETRIES"],
    home: None,
    hints: &["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"],
    version: &["--version"],
    least: Version(2, 0, 0),
    login: Some(LoginProbe { args: &["auth", "status"], unseen: &[], read: login }),
    log_in: "Run \"claude\" and type /login, or set ANTHROPIC_API_KEY.",
    trust: None,
    output: CliOutput::JsonLines(EventSource::of(event_decoder::CLAUDE)),
    rule: SuccessRule {
        exits: &[],
        refusals: &[
            ("cannot be used with root/sudo privileges", ProblemKind::Root),
            ("error: unknown option", ProblemKind::BadOption),
            ("requires --verbose", ProblemKind::BadOption),
            ("Not logged in", ProblemKind::Login),
            ("Invalid API key", ProblemKind::Login),
        ],
        text_markers: None,
    },
    build,
};

/// Bash is allowed in `auto`: work that cannot be tried out is worth little. What reaches the network by itself, such
/// as fetching pages, is not. What it would remember of one talk for the next stays away: an iteration begins afresh.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    builder.begin(&[], &["-p", "--output-format", "stream-json", "--verbose", "--no-session-persistence"]);
    builder.option("--session-id", builder.request.iteration);
    builder.model("--model");
    if let Some(schema) = builder.request.schema {
        builder.option("--json-schema", schema);
    }
    let tools = match builder.request.mcp {
        Some(server) => {
            let config = json!({ "mcpServers": mcp::servers(&server, &[]) }).to_string();
            let place = builder.file_or_inline("mcp.json", config);
            // Called like this it starts every server that it finds, the project's too, without asking: not to read only.
            if builder.permissions == Permissions::ReadOnly {
                builder.args(&["--strict-mcp-config"]);
            }
            builder.option("--mcp-config", place);
            Some(format!("mcp__{}", server.name))
        }
        None => None,
    };
    let allowed =
        |own: &str| [Some(own), tools.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(",");
    match builder.permissions {
        Permissions::ReadOnly => {
            builder.option("--permission-mode", "plan");
            if let Some(tools) = &tools {
                builder.option("--allowedTools", tools);
            }
        }
        Permissions::Edit => {
            builder.option("--permission-mode", "acceptEdits");
            builder.option("--allowedTools", allowed("Bash"));
        }
        Permissions::Unrestricted => {
            builder.refuse_root()?;
            builder.args(&["--dangerously-skip-permissions"]);
            if builder.request.root {
                builder.env("IS_SANDBOX", "1");
            }
        }
    }
    Ok(())
}

/// `{"loggedIn": true, "authMethod": "…"}`.
fn login(_exit_code: Option<i32>, printed: &str) -> LoginReport {
    let Some(status) = object(printed) else { return LoginReport::of(LoginState::Unknown) };
    match status.get("loggedIn").and_then(Value::as_bool) {
        Some(true) => {
            let word = |key: &str| status.get(key).and_then(Value::as_str).map(str::to_owned);
            LoginReport { state: LoginState::LoggedIn, detail: word("email").or_else(|| word("authMethod")) }
        }
        Some(false) => LoginReport::of(LoginState::LoggedOut),
        None => LoginReport::of(LoginState::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_login_is_what_it_says_and_never_guessed() {
        for (printed, state) in [
            (r#"{"loggedIn": true, "authMethod": "oauth"}"#, LoginState::LoggedIn),
            (r#"{"loggedIn": false}"#, LoginState::LoggedOut),
            ("warning\n{\"loggedIn\": false}\n", LoginState::LoggedOut),
            ("", LoginState::Unknown),
            ("{", LoginState::Unknown),
            (r#"{"loggedIn": "perhaps"}"#, LoginState::Unknown),
        ] {
            assert_eq!(login(Some(0), printed).state, state, "{printed}");
        }
    }
}
