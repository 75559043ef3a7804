//! Cursor's agent. Called by its documented options; no test drives the real program.

use loopwright_domain::{LoginState, ProblemKind};

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::{LoginProbe, LoginReport, Version};
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput};
use crate::error::AgentsError;
use crate::event_decoder;
use crate::output::EventSource;

pub(super) const ADAPTER: Adapter = Adapter {
    name: "cursor",
    label: "Cursor Agent",
    programs: &["cursor-agent"],
    tested: false,
    mcp: false,
    install: None,
    credentials: &["CURSOR_API_KEY"],
    settings: &[],
    home: None,
    hints: &["CURSOR_AGENT"],
    version: &["--version"],
    least: Version(0, 0, 0),
    login: Some(LoginProbe { args: &["status"], unseen: &["CURSOR_API_KEY"], read: login }),
    log_in: "Run \"cursor-agent login\", or set CURSOR_API_KEY.",
    trust: Some("Run \"cursor-agent\" in the folder once and trust it."),
    output: CliOutput::JsonLines(EventSource::of(event_decoder::CURSOR)),
    rule: SuccessRule {
        exits: &[],
        refusals: &[
            ("error: unknown option", ProblemKind::BadOption),
            ("Authentication required", ProblemKind::Login),
            ("Not logged in", ProblemKind::Login),
        ],
        text_markers: None,
    },
    build,
};

/// Without `--force` it only proposes changes; what its own settings forbid stays forbidden.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.begin(&[], &["-p", "--output-format", "stream-json", "--trust"]);
    builder.model("--model");
    match builder.permissions {
        Permissions::ReadOnly => builder.option("--mode", "plan"),
        Permissions::Edit => builder.args(&["--force"]),
        Permissions::Unrestricted => builder.args(&["--force", "--sandbox", "disabled"]),
    }
    Ok(())
}

fn login(_exit_code: Option<i32>, printed: &str) -> LoginReport {
    let said = printed.lines().map(str::trim).find(|line| line.to_ascii_lowercase().contains("logged in"));
    match said {
        Some(line) if line.to_ascii_lowercase().contains("not logged in") => {
            LoginReport::of(LoginState::LoggedOut)
        }
        Some(line) => LoginReport { state: LoginState::LoggedIn, detail: Some(line.to_owned()) },
        None => LoginReport::of(LoginState::Unknown),
    }
}
