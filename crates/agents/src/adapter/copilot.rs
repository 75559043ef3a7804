//! GitHub Copilot CLI.

use loopwright_domain::ProblemKind;
use serde_json::json;

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::Version;
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput, mcp};
use crate::error::AgentsError;
use crate::event_decoder;
use crate::output::EventSource;

pub(super) const ADAPTER: Adapter = Adapter {
    name: "copilot",
    label: "GitHub Copilot CLI",
    programs: &["copilot"],
    tested: true,
    mcp: true,
    install: Some("npm install -g @github/copilot"),
    credentials: &[
        "COPILOT_GITHUB_TOKEN",
        "GH_TOKEN",
        "GITHUB_TOKEN",
        "COPILOT_PROVIDER_API_KEY",
        "COPILOT_PROVIDER_BEARER_TOKEN",
    ],
    settings: &[
        "COPILOT_HOME",
        "COPILOT_MODEL",
        "COPILOT_OFFLINE",
        "COPILOT_PROVIDER_BASE_URL",
        "COPILOT_PROVIDER_TYPE",
        "COPILOT_PROVIDER_WIRE_API",
        "COPILOT_PROVIDER_MODEL_ID",
        "COPILOT_PROVIDER_WIRE_MODEL",
        "COPILOT_PROVIDER_MAX_PROMPT_TOKENS",
        "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS",
        "COPILOT_GH_HOST",
        "GH_HOST",
    ],
    home: None,
    hints: &["COPILOT_CLI"],
    version: &["--version"],
    least: Version(1, 0, 0),
    login: None,
    log_in: "Run \"copilot login\", or set COPILOT_GITHUB_TOKEN.",
    trust: Some("Run \"copilot\" in the folder once and trust it."),
    output: CliOutput::JsonLines(EventSource::of(event_decoder::COPILOT)),
    rule: SuccessRule {
        exits: &[],
        refusals: &[
            ("error: unknown option", ProblemKind::BadOption),
            ("error: unexpected argument", ProblemKind::BadOption),
            ("error: invalid value", ProblemKind::BadOption),
            ("No authentication information found", ProblemKind::Login),
        ],
        text_markers: None,
    },
    build,
};

/// The variables with which the user lets it tell of itself elsewhere. It can do so in one place only.
const MONITORED: &[&str] =
    &["COPILOT_OTEL_ENABLED", "COPILOT_OTEL_FILE_EXPORTER_PATH", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// Without permissions it still reads, and it runs commands that only read: that is its plan mode. Its tokens are in no
/// event, but in a file that it writes at its end, and in its telemetry, which is without words of the talk.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.begin(&[], &["--output-format", "json", "--no-ask-user", "--no-color", "--no-auto-update"]);
    builder.model("--model");
    match builder.permissions {
        Permissions::ReadOnly => builder.args(&["--deny-tool=write"]),
        Permissions::Edit => builder.args(&["--allow-all-tools"]),
        Permissions::Unrestricted => builder.args(&["--allow-all"]),
    }
    if let Some(file) = builder.report("copilot-usage.json") {
        builder.option("--usage-output-file", file);
    }
    if !MONITORED.iter().any(|name| builder.own_env(name).is_some())
        && let Some(file) = builder.event_log("copilot-spans.jsonl")
    {
        builder.env("COPILOT_OTEL_FILE_EXPORTER_PATH", file);
    }
    if let Some(server) = builder.request.mcp {
        let more = [("type", json!("local")), ("tools", json!(["*"]))];
        let config = json!({ "mcpServers": mcp::servers(&server, &more) }).to_string();
        let mut place = builder.file_or_inline("mcp.json", config);
        if builder.request.scratch.is_some() {
            place = [std::ffi::OsString::from("@"), place].into_iter().collect();
        }
        builder.option("--additional-mcp-config", place);
        builder.args(&[format!("--allow-tool={}", server.name)]);
    }
    Ok(())
}
