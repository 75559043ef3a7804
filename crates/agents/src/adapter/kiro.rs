//! Kiro CLI. Called by its documented options; no test drives the real program.

use loopwright_domain::{LoginState, ProblemKind};

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::{LoginProbe, LoginReport, Version};
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput};
use crate::error::AgentsError;

pub(super) const ADAPTER: Adapter = Adapter {
    name: "kiro",
    label: "Kiro CLI",
    programs: &["kiro-cli"],
    tested: false,
    mcp: false,
    install: None,
    credentials: &["KIRO_API_KEY"],
    settings: &[],
    home: None,
    hints: &[],
    version: &["--version"],
    least: Version(1, 0, 0),
    login: Some(LoginProbe { args: &["whoami"], unseen: &["KIRO_API_KEY"], read: login }),
    log_in: "Run \"kiro-cli login\", or set KIRO_API_KEY.",
    trust: None,
    output: CliOutput::Text,
    rule: SuccessRule {
        exits: &[(2, ProblemKind::BadOption)],
        refusals: &[
            ("error: unexpected argument", ProblemKind::BadOption),
            ("ot logged in", ProblemKind::Login),
        ],
        text_markers: None,
    },
    build,
};

fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.begin(&["chat"], &["--no-interactive", "--wrap", "never"]);
    builder.model("--model");
    match builder.permissions {
        Permissions::ReadOnly => builder.args(&["--trust-tools=fs_read"]),
        Permissions::Edit => builder.args(&["--trust-tools=fs_read,fs_write,execute_bash"]),
        Permissions::Unrestricted => builder.args(&["--trust-all-tools"]),
    }
    Ok(())
}

/// It names the account with exit code 0.
fn login(exit_code: Option<i32>, printed: &str) -> LoginReport {
    let said = printed.lines().map(str::trim).find(|line| !line.is_empty());
    match (exit_code, said) {
        (Some(0), Some(line)) => LoginReport { state: LoginState::LoggedIn, detail: Some(line.to_owned()) },
        (Some(1), Some(line)) if line.contains("ot logged in") => LoginReport::of(LoginState::LoggedOut),
        _ => LoginReport::of(LoginState::Unknown),
    }
}
