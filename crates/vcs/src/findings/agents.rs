//! Settings that agents, shells and editors take from a folder and that start programs.

use std::path::Path;

use serde_json::Value;

use crate::display_text::shown;
use crate::finding_kind::FindingKind;
use crate::findings::Report;
use crate::limited_read::read;

const FILE_LIMIT: u64 = 1024 * 1024;
/// As many commands of one file as are named.
const MAX_COMMANDS: usize = 5;
/// Keys whose value is a command of its own.
const COMMAND_KEYS: &[&str] = &[
    "command",
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "otelHeadersHelper",
    "initializeCommand",
    "postCreateCommand",
    "postStartCommand",
    "onCreateCommand",
    "updateContentCommand",
    "postAttachCommand",
];

use FindingKind::{AgentConfig, EditorTask, ShellEnvironment};

/// Where such settings are, and what they can do.
const PLACES: &[(&str, FindingKind, &str)] = &[
    (".claude/settings.json", AgentConfig, "can run commands by itself"),
    (".claude/settings.local.json", AgentConfig, "can run commands by itself"),
    (".mcp.json", AgentConfig, "can start servers"),
    (".codex/config.toml", AgentConfig, "can start servers and commands"),
    (".codex/hooks.json", AgentConfig, "can run commands by itself"),
    (".gemini/settings.json", AgentConfig, "can start servers and commands"),
    (".gemini/extensions", AgentConfig, "can start servers and commands"),
    (".cursor/mcp.json", AgentConfig, "can start servers"),
    (".cursor/hooks.json", AgentConfig, "can run commands by itself"),
    (".cursor/environment.json", AgentConfig, "can run commands by itself"),
    ("opencode.json", AgentConfig, "can start servers and load plugins"),
    ("opencode.jsonc", AgentConfig, "can start servers and load plugins"),
    (".opencode/opencode.json", AgentConfig, "can start servers and load plugins"),
    (".opencode/plugin", AgentConfig, "holds plugins that are loaded by themselves"),
    (".opencode/plugins", AgentConfig, "holds plugins that are loaded by themselves"),
    (".opencode/tool", AgentConfig, "holds tools that are loaded by themselves"),
    (".opencode/tools", AgentConfig, "holds tools that are loaded by themselves"),
    (".qwen/settings.json", AgentConfig, "can start servers and commands"),
    (".roo/mcp.json", AgentConfig, "can start servers"),
    (".kiro/settings/mcp.json", AgentConfig, "can start servers"),
    (".kiro/hooks", AgentConfig, "can run commands by itself"),
    (".amp/settings.json", AgentConfig, "can start servers"),
    (".crush.json", AgentConfig, "can start servers"),
    ("crush.json", AgentConfig, "can start servers"),
    (".junie/mcp/mcp.json", AgentConfig, "can start servers"),
    (".factory/mcp.json", AgentConfig, "can start servers"),
    (".factory/settings.json", AgentConfig, "can run commands by itself"),
    (".github/hooks", AgentConfig, "can run commands by itself"),
    (".aider.conf.yml", AgentConfig, "can name commands for tests and linters"),
    (".envrc", ShellEnvironment, "is run by direnv when a shell enters the folder"),
    ("mise.toml", ShellEnvironment, "can run commands when a shell enters the folder"),
    (".mise.toml", ShellEnvironment, "can run commands when a shell enters the folder"),
    (".vscode/tasks.json", EditorTask, "can run tasks when the folder is opened"),
    (".vscode/mcp.json", EditorTask, "can start servers"),
    (".devcontainer/devcontainer.json", EditorTask, "can run commands when the folder is opened"),
    (".devcontainer.json", EditorTask, "can run commands when the folder is opened"),
];

/// Looks for such settings in one folder.
pub(super) fn look(folder: &Path, report: &mut Report) {
    for (place, kind, can) in PLACES {
        let path = folder.join(place);
        if path.symlink_metadata().is_err() {
            continue;
        }
        let name = report.name(&path);
        let commands = commands_of(&path);
        let named = if commands.is_empty() { String::new() } else { format!(": {}", commands.join("; ")) };
        report.add(*kind, format!("{name} {can}{named}"));
    }
}

/// The commands in a JSON file. Other formats, and JSON with comments, are named without their commands.
fn commands_of(path: &Path) -> Vec<String> {
    let value = read(path, FILE_LIMIT).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let mut commands = Vec::new();
    if let Some(value) = value {
        collect(&value, &mut commands);
    }
    commands
}

/// The reader of JSON limits the depth, and so the depth of this.
fn collect(value: &Value, commands: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, commands)),
        Value::Object(fields) => {
            for (key, field) in fields {
                if commands.len() >= MAX_COMMANDS {
                    return;
                }
                match words(field) {
                    Some(mut command) if COMMAND_KEYS.contains(&key.as_str()) => {
                        let args = fields.get("args").and_then(words).unwrap_or_default();
                        command.extend(args);
                        commands.push(shown(command.join(" ").as_bytes()));
                    }
                    _ => collect(field, commands),
                }
            }
        }
        _ => {}
    }
}

/// A command as one text or as a list of words.
fn words(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn commands(json: &str) -> Vec<String> {
        let mut commands = Vec::new();
        collect(&serde_json::from_str(json).unwrap(), &mut commands);
        commands
    }

    #[test]
    fn commands_are_found_in_the_shapes_that_agents_use() {
        let hooks = r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch x"}]}]}}"#;
        assert_eq!(commands(hooks), ["touch x"]);
        let servers =
            r#"{"mcpServers":{"a":{"command":"npx","args":["-y","evil"]},"b":{"command":["bun","x"]}}}"#;
        assert_eq!(commands(servers), ["npx -y evil", "bun x"]);
        assert_eq!(
            commands(r#"{"command":{"command":"inner"},"apiKeyHelper":"key.sh"}"#),
            ["key.sh", "inner"]
        );
        let many = format!("[{}]", vec![r#"{"command":"x"}"#; 50].join(","));
        assert_eq!(commands(&many).len(), MAX_COMMANDS);
        assert_eq!(commands(r#"{"permissions":{"allow":["Bash"]}}"#), [""; 0]);
    }

    proptest! {
        #[test]
        fn a_command_cannot_move_the_cursor(command in "\\PC{0,10}[\u{1}-\u{1f}]{0,3}.{0,300}") {
            let json = serde_json::json!({ "command": command }).to_string();
            for shown in commands(&json) {
                prop_assert!(!shown.chars().any(char::is_control));
                prop_assert!(shown.chars().count() < 2_000);
            }
        }
    }
}
