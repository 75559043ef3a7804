//! Codex.

use loopwright_domain::{LoginState, ProblemKind};
use serde_json::json;

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::{LoginProbe, LoginReport, Version};
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput};
use crate::error::AgentsError;
use crate::event_decoder;
use crate::harness::AgentRequest;
use crate::output::{CliSandbox, EventSource};

/// The variable that says what it logs.
const LOG: &str = "RUST_LOG";
/// Its sandbox that lets it write where it works.
const WORKSPACE: &str = "workspace-write";

/// Its log tells of a command that its sandbox stopped, unless the command went on for a while. Such a one shows it only
/// in what it says: the files outside are mounted read-only (Linux), or the system refuses (macOS, and sockets on Linux).
/// Codex itself tells by the same words that its sandbox was the likely cause.
const SANDBOX: CliSandbox = CliSandbox {
    holds: |request| sandbox(request).is_some(),
    signs: &["read-only file system", "operation not permitted"],
};

pub(super) const ADAPTER: Adapter = Adapter {
    name: "codex",
    label: "Codex",
    programs: &["codex"],
    tested: true,
    mcp: true,
    install: Some("npm install -g @openai/codex"),
    credentials: &["CODEX_API_KEY", "OPENAI_API_KEY"],
    settings: &["CODEX_HOME"],
    home: None,
    hints: &["CODEX_THREAD_ID", "CODEX_SANDBOX"],
    version: &["--version"],
    least: Version(0, 100, 0),
    login: Some(LoginProbe { args: &["login", "status"], unseen: &["CODEX_API_KEY"], read: login }),
    log_in: "Run \"codex login\", or set CODEX_API_KEY.",
    trust: None,
    output: CliOutput::JsonLines(EventSource {
        sandbox: Some(SANDBOX),
        log: Some(event_decoder::codex_log),
        ..EventSource::of(event_decoder::CODEX)
    }),
    rule: SuccessRule {
        exits: &[(2, ProblemKind::BadOption)],
        refusals: &[
            ("error: unexpected argument", ProblemKind::BadOption),
            ("error: invalid value", ProblemKind::BadOption),
            ("Not inside a trusted directory", ProblemKind::UntrustedFolder),
            ("Missing environment variable", ProblemKind::Login),
        ],
        text_markers: None,
    },
    build,
};

/// `workspace-write` keeps `.git` read-only and, unless told otherwise, has no network; Loopwright commits itself.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.begin(&["exec"], &["--json", "--skip-git-repo-check", "--ephemeral", "--color", "never"]);
    // What it remembers of earlier talks.
    builder.option("-c", "features.memories=false");
    logging(builder);
    builder.model("-m");
    match sandbox(builder.request) {
        None => builder.args(&["--dangerously-bypass-approvals-and-sandbox"]),
        Some(kind) => builder.option("--sandbox", kind),
    }
    if sandbox(builder.request) == Some(WORKSPACE) {
        builder.option("-c", "sandbox_workspace_write.network_access=true");
    }
    if let Some(schema) = builder.request.schema
        && let Some(file) = builder.file("schema.json", schema)
    {
        builder.option("--output-schema", file);
    }
    server(builder);
    builder.args(&["-"]);
    Ok(())
}

/// Its log tells what its events do not. Its commands are not to get the variable; none can be taken away without
/// overruling the user's own list of such, so it is empty for them.
fn logging(builder: &mut InvocationBuilder<'_>) {
    let levels = match builder.own_env(LOG).filter(|own| !own.is_empty()) {
        Some(own) => format!("{own},{}", event_decoder::CODEX_LEVELS),
        None => event_decoder::CODEX_LEVELS.to_owned(),
    };
    builder.env_over(LOG, levels);
    builder.option("-c", format!("shell_environment_policy.set.{LOG}=\"\""));
}

/// The sandbox that it puts around its commands; none where it is off.
fn sandbox(request: &AgentRequest<'_>) -> Option<&'static str> {
    match Permissions::of(request.automation) {
        // Two sandboxes inside each other do not work: ours is enough, and holds the project when it is only read.
        Permissions::ReadOnly | Permissions::Edit if request.sandboxed => None,
        Permissions::ReadOnly => Some("read-only"),
        Permissions::Edit => Some(WORKSPACE),
        Permissions::Unrestricted => None,
    }
}

/// The server's variables are handed down by name, so that no value is an argument.
fn server(builder: &mut InvocationBuilder<'_>) {
    let Some(server) = builder.request.mcp else { return };
    let names: Vec<&str> = server.env.iter().map(|(name, _)| *name).collect();
    for (key, value) in [
        ("command", json!(server.program.to_string_lossy())),
        ("args", json!(server.args)),
        ("env_vars", json!(names)),
        ("default_tools_approval_mode", json!("approve")),
    ] {
        builder.option("-c", format!("mcp_servers.{}.{key}={value}", server.name));
    }
    for (name, value) in server.env {
        builder.env(name, *value);
    }
}

/// "Logged in using …" with exit code 0, "Not logged in" with 1. A key in a variable is not seen by it.
fn login(exit_code: Option<i32>, printed: &str) -> LoginReport {
    let said = printed.lines().map(str::trim).find(|line| line.to_ascii_lowercase().contains("logged in"));
    match (exit_code, said) {
        (Some(0), Some(line)) => LoginReport { state: LoginState::LoggedIn, detail: Some(line.to_owned()) },
        (Some(1), Some("Not logged in")) => LoginReport::of(LoginState::LoggedOut),
        _ => LoginReport::of(LoginState::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_login_is_what_it_says_and_never_guessed() {
        for (code, printed, state) in [
            (Some(0), "Logged in using ChatGPT\n", LoginState::LoggedIn),
            (Some(1), "WARNING: aliases\nNot logged in\n", LoginState::LoggedOut),
            (Some(1), "error: config.toml", LoginState::Unknown),
            (None, "", LoginState::Unknown),
        ] {
            assert_eq!(login(code, printed).state, state, "{printed}");
        }
    }
}
