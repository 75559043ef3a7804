//! GitHub Copilot CLI.

use loopwright_domain::ProblemKind;
use serde_json::json;

use super::draft::{Draft, Freedom};
use super::probe::Version;
use super::verdict::Rule;
use super::{Adapter, Output, mcp};
use crate::dialect;
use crate::error::AgentsError;
use crate::reader::Speech;

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
    output: Output::Lines(Speech::of(dialect::COPILOT)),
    rule: Rule {
        exits: &[],
        refusals: &[
            ("error: unknown option", ProblemKind::BadOption),
            ("error: unexpected argument", ProblemKind::BadOption),
            ("error: invalid value", ProblemKind::BadOption),
            ("No authentication information found", ProblemKind::Login),
        ],
        words: None,
    },
    arrange,
};

/// The variables with which the user lets it tell of itself elsewhere. It can do so in one place only.
const MONITORED: &[&str] =
    &["COPILOT_OTEL_ENABLED", "COPILOT_OTEL_FILE_EXPORTER_PATH", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// Without permissions it still reads, and it runs commands that only read: that is its plan mode. Its tokens are in no
/// event, but in a file that it writes at its end, and in its telemetry, which is without words of the talk.
fn arrange(draft: &mut Draft<'_>) -> Result<(), AgentsError> {
    draft.begin(&[], &["--output-format", "json", "--no-ask-user", "--no-color", "--no-auto-update"]);
    draft.model("--model");
    match draft.freedom {
        Freedom::Read => draft.args(&["--deny-tool=write"]),
        Freedom::Work => draft.args(&["--allow-all-tools"]),
        Freedom::All => draft.args(&["--allow-all"]),
    }
    if let Some(file) = draft.report("copilot-usage.json") {
        draft.option("--usage-output-file", file);
    }
    if !MONITORED.iter().any(|name| draft.own_env(name).is_some())
        && let Some(file) = draft.diary("copilot-spans.jsonl")
    {
        draft.env("COPILOT_OTEL_FILE_EXPORTER_PATH", file);
    }
    if let Some(server) = draft.request.mcp {
        let more = [("type", json!("local")), ("tools", json!(["*"]))];
        let config = json!({ "mcpServers": mcp::servers(&server, &more) }).to_string();
        let mut place = draft.place("mcp.json", config);
        if draft.request.scratch.is_some() {
            place = [std::ffi::OsString::from("@"), place].into_iter().collect();
        }
        draft.option("--additional-mcp-config", place);
        draft.args(&[format!("--allow-tool={}", server.name)]);
    }
    Ok(())
}
