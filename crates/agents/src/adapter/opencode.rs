//! opencode.

use loopwright_domain::ProblemKind;
use serde_json::{Value, json};

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::Version;
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput, injected};
use crate::error::AgentsError;
use crate::event_decoder;
use crate::harness::McpServer;
use crate::lenient_json;
use crate::output::EventSource;

/// Its settings as JSON: laid over what is in its files.
const SETTINGS: &str = "OPENCODE_CONFIG_CONTENT";

pub(super) const ADAPTER: Adapter = Adapter {
    name: "opencode",
    label: "opencode",
    programs: &["opencode"],
    tested: true,
    mcp: true,
    install: Some("npm install -g opencode-ai"),
    credentials: &[
        "OPENCODE_API_KEY",
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
        "GEMINI_API_KEY",
    ],
    settings: &["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"],
    home: None,
    hints: &["OPENCODE"],
    version: &["--version"],
    least: Version(1, 0, 0),
    login: None,
    log_in: "Run \"opencode auth login\", or set the key of your model's service.",
    trust: None,
    output: CliOutput::JsonLines(EventSource {
        log: Some(event_decoder::injected_log),
        ..EventSource::of(event_decoder::OPENCODE)
    }),
    rule: SuccessRule {
        exits: &[],
        // It explains itself and names no reason.
        refusals: &[("run opencode with a message", ProblemKind::BadOption)],
        text_markers: None,
    },
    build,
};

/// What its own settings forbid stays forbidden in `yolo`; in the other modes edits and commands are decided here. That
/// it waits for its service is told by a plugin of ours.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.begin(&["run"], &["--format", "json"]);
    builder.model("-m");
    match builder.permissions {
        Permissions::ReadOnly => {
            permission(builder, &json!({ "edit": "deny", "bash": "deny", "external_directory": "deny" }))
        }
        Permissions::Edit => permission(builder, &json!({ "edit": "allow", "bash": "allow" })),
        Permissions::Unrestricted => builder.args(&["--auto"]),
    }
    if let Some(settings) = settings(builder) {
        builder.env_over(SETTINGS, settings);
    }
    Ok(())
}

/// The user's settings with our plugin and our server in them; none where theirs cannot be read, which opencode says
/// itself.
fn settings(builder: &mut InvocationBuilder<'_>) -> Option<String> {
    let own = builder.own_env(SETTINGS).map_or_else(|| Ok(json!({})), lenient_json::read).ok()?;
    let Value::Object(mut settings) = own else { return None };
    if let Some(plugin) = injected::for_opencode(builder) {
        settings.entry("plugin").or_insert_with(|| json!([])).as_array_mut()?.push(json!(plugin));
    }
    if let Some(server) = builder.request.mcp {
        let servers = settings.entry("mcp").or_insert_with(|| json!({}));
        servers.as_object_mut()?.insert(server.name.to_owned(), local(&server));
    }
    Some(Value::Object(settings).to_string())
}

fn permission(builder: &mut InvocationBuilder<'_>, rules: &Value) {
    builder.env("OPENCODE_PERMISSION", rules.to_string());
}

fn local(server: &McpServer<'_>) -> Value {
    let program = server.program.to_string_lossy();
    let command: Vec<&str> = [program.as_ref()].into_iter().chain(server.args.iter().copied()).collect();
    let environment: serde_json::Map<String, Value> =
        server.env.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    json!({ "type": "local", "command": command, "environment": environment, "enabled": true })
}
