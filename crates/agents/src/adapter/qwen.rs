//! Qwen Code.

use loopwright_domain::ProblemKind;
use serde_json::json;

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::Version;
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput, injected, mcp};
use crate::error::AgentsError;
use crate::event_decoder;
use crate::output::EventSource;

pub(super) const ADAPTER: Adapter = Adapter {
    name: "qwen",
    label: "Qwen Code",
    programs: &["qwen"],
    tested: true,
    mcp: true,
    install: Some("npm install -g @qwen-code/qwen-code"),
    credentials: &["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"],
    settings: &["OPENAI_BASE_URL", "OPENAI_MODEL", "QWEN_HOME"],
    home: None,
    hints: &["QWEN_CODE"],
    version: &["--version"],
    least: Version(0, 20, 0),
    login: None,
    log_in: "Run \"qwen\" once and type /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.",
    trust: Some("Run \"qwen\" in the folder once and trust it."),
    output: CliOutput::JsonLines(EventSource {
        log: Some(event_decoder::injected_log),
        ..EventSource::of(event_decoder::CLAUDE)
    }),
    rule: SuccessRule {
        exits: &[(41, ProblemKind::Login), (53, ProblemKind::TurnLimit)],
        refusals: &[
            ("Unknown argument", ProblemKind::BadOption),
            ("Invalid values:", ProblemKind::BadOption),
            ("No auth type is selected", ProblemKind::Login),
        ],
        text_markers: None,
    },
    build,
};

/// What it remembers of a talk by itself goes to the folder that is removed afterwards: there is no option that stops it.
/// That it waits for its service is told by a script of ours.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    if let Some(temp) = builder.request.temp {
        builder.env("QWEN_CODE_MEMORY_BASE_DIR", temp.join("qwen"));
    }
    injected::for_qwen(builder);
    builder.begin(&[], &["-o", "stream-json", "--chat-recording=false"]);
    builder.model("-m");
    match builder.permissions {
        Permissions::ReadOnly => builder.option("--approval-mode", "plan"),
        Permissions::Edit => {
            builder.option("--approval-mode", "auto-edit");
            builder.args(&["--allowed-tools=run_shell_command"]);
        }
        Permissions::Unrestricted => builder.option("--approval-mode", "yolo"),
    }
    if let Some(schema) = builder.request.schema {
        builder.option("--json-schema", schema);
    }
    if let Some(server) = builder.request.mcp {
        let config = json!({ "mcpServers": mcp::servers(&server, &[("trust", json!(true))]) }).to_string();
        let place = builder.file_or_inline("mcp.json", config);
        builder.option("--mcp-config", place);
    }
    Ok(())
}
