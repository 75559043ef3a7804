//! Qwen Code.

use loopwright_domain::ProblemKind;
use serde_json::json;

use super::draft::{Draft, Freedom};
use super::probe::Version;
use super::verdict::Rule;
use super::{Adapter, Output, inside, mcp};
use crate::dialect;
use crate::error::AgentsError;
use crate::reader::Speech;

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
    output: Output::Lines(Speech { log: Some(dialect::inside), ..Speech::of(dialect::CLAUDE) }),
    rule: Rule {
        exits: &[(41, ProblemKind::Login), (53, ProblemKind::TurnLimit)],
        refusals: &[
            ("Unknown argument", ProblemKind::BadOption),
            ("Invalid values:", ProblemKind::BadOption),
            ("No auth type is selected", ProblemKind::Login),
        ],
        words: None,
    },
    arrange,
};

/// What it remembers of a talk by itself goes to the folder that is removed afterwards: there is no option that stops it.
/// That it waits for its service is told by a script of ours.
fn arrange(draft: &mut Draft<'_>) -> Result<(), AgentsError> {
    if let Some(temp) = draft.request.temp {
        draft.env("QWEN_CODE_MEMORY_BASE_DIR", temp.join("qwen"));
    }
    inside::for_qwen(draft);
    draft.begin(&[], &["-o", "stream-json", "--chat-recording=false"]);
    draft.model("-m");
    match draft.freedom {
        Freedom::Read => draft.option("--approval-mode", "plan"),
        Freedom::Work => {
            draft.option("--approval-mode", "auto-edit");
            draft.args(&["--allowed-tools=run_shell_command"]);
        }
        Freedom::All => draft.option("--approval-mode", "yolo"),
    }
    if let Some(schema) = draft.request.schema {
        draft.option("--json-schema", schema);
    }
    if let Some(server) = draft.request.mcp {
        let config = json!({ "mcpServers": mcp::servers(&server, &[("trust", json!(true))]) }).to_string();
        let place = draft.place("mcp.json", config);
        draft.option("--mcp-config", place);
    }
    Ok(())
}
