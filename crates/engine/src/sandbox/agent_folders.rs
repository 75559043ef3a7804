//! What is an agent's own in the home folder: where it writes, and what in there it may not.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_config::Host;

use super::folders::{in_home, variable};

/// What an agent keeps in the home folder. Folders that hold its program are not among them.
struct Own {
    /// The agent's name, also as a program.
    name: &'static str,
    /// The variables that name such folders.
    variables: &'static [&'static str],
    /// Folders: made where they are missing, as the agent itself would.
    folders: &'static [&'static str],
    /// Files that are written when they exist.
    files: &'static [&'static str],
    /// What in those folders is executed or obeyed when a person uses the agent, and so is not the agent's to change.
    /// `*` is whatever is there: programs that the agent's own one downloads, and has to add to.
    kept: &'static [&'static str],
    /// Settings in those folders that the agent itself has to write, also where they name programs.
    compared: &'static [&'static str],
}

const OWN: &[Own] = &[
    Own {
        name: "claude",
        variables: &["CLAUDE_CONFIG_DIR"],
        folders: &[".claude", ".cache/claude-cli-nodejs", ".local/state/claude"],
        files: &[".claude.json", ".claude.json.backup"],
        kept: &[
            "settings.json",
            "settings.local.json",
            "hooks",
            "commands",
            "agents",
            "skills",
            "plugins",
            "output-styles",
            "rules",
            "local",
            "CLAUDE.md",
        ],
        compared: &[".claude.json"],
    },
    Own {
        name: "codex",
        variables: &["CODEX_HOME"],
        folders: &[".codex"],
        files: &[],
        kept: &[
            "config.toml",
            "hooks.json",
            "rules",
            "prompts",
            "skills",
            "plugins",
            "packages",
            "AGENTS.md",
            "AGENTS.override.md",
        ],
        compared: &[],
    },
    Own {
        name: "gemini",
        variables: &[],
        folders: &[".gemini"],
        files: &[],
        kept: &[
            "settings.json",
            "trustedFolders.json",
            "commands",
            "extensions",
            "policies",
            "agents",
            "skills",
            ".env",
            "GEMINI.md",
        ],
        compared: &[],
    },
    Own {
        name: "qwen",
        variables: &[],
        folders: &[".qwen"],
        files: &[],
        kept: &[
            "settings.json",
            "trustedFolders.json",
            "commands",
            "extensions",
            "agents",
            "skills",
            ".env",
            "QWEN.md",
        ],
        compared: &[],
    },
    Own {
        name: "copilot",
        variables: &["COPILOT_HOME"],
        folders: &[".copilot", ".cache/copilot"],
        files: &[],
        kept: &["mcp-config.json", "hooks", "plugins", "installed-plugins", "agents", "skills", "pkg/*/*"],
        compared: &["config.json", "settings.json"],
    },
    Own {
        name: "opencode",
        variables: &[],
        folders: &[".local/share/opencode", ".local/state/opencode", ".cache/opencode", ".config/opencode"],
        files: &[],
        kept: &[
            "opencode.json",
            "opencode.jsonc",
            "config.json",
            "plugin",
            "plugins",
            "command",
            "commands",
            "agent",
            "agents",
            "tool",
            "tools",
            "bin/*",
            "AGENTS.md",
        ],
        compared: &[],
    },
    Own {
        name: "pi",
        variables: &["PI_CODING_AGENT_DIR"],
        folders: &[".pi"],
        files: &[],
        kept: &[
            "agent/settings.json",
            "agent/models.json",
            "agent/extensions",
            "agent/skills",
            "agent/bin/*",
        ],
        compared: &[],
    },
    Own {
        name: "aider",
        variables: &[],
        folders: &[".aider", ".cache/litellm"],
        files: &[],
        kept: &[],
        compared: &[],
    },
    Own {
        name: "cursor-agent",
        variables: &[],
        folders: &[".cursor", ".config/cursor"],
        files: &[],
        kept: &["mcp.json", "hooks.json", "cli-config.json", "rules", "commands", "extensions"],
        compared: &[],
    },
    Own {
        name: "kiro-cli",
        variables: &[],
        folders: &[".kiro", ".local/share/kiro-cli"],
        files: &[],
        kept: &["settings", "steering", "hooks", "agents"],
        compared: &[],
    },
];

/// The folders and files of one agent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct AgentPlaces {
    pub(super) folders: Vec<PathBuf>,
    pub(super) files: Vec<PathBuf>,
    pub(super) kept: Vec<PathBuf>,
    /// Settings that stay open: what they would start is compared before and after.
    pub(super) compared: Vec<PathBuf>,
}

/// What belongs to an agent that is known by one of these names.
pub(super) fn of_agent(host: &Host, names: &[&str]) -> AgentPlaces {
    let mut places = AgentPlaces::default();
    for own in OWN.iter().filter(|own| names.contains(&own.name)) {
        let named = own.variables.iter().filter_map(|name| variable(host, name));
        let below = own.folders.iter().filter_map(|folder| in_home(host, folder));
        let folders: Vec<PathBuf> = named.chain(below).collect();
        let files = own.files.iter().filter_map(|file| in_home(host, file));
        places.files.extend(files);
        places.kept.extend(inside(&folders, own.kept));
        places.compared.extend(inside(&folders, own.compared));
        places.folders.extend(folders);
    }
    places.compared.extend(places.files.iter().cloned());
    places
}

fn inside(folders: &[PathBuf], names: &[&str]) -> Vec<PathBuf> {
    folders.iter().flat_map(|folder| names.iter().flat_map(|name| found(folder, name))).collect()
}

/// The places in a folder that a name stands for.
fn found(folder: &Path, name: &str) -> Vec<PathBuf> {
    name.split('/').fold(vec![folder.to_path_buf()], |places, part| match part {
        "*" => places.iter().flat_map(|place| entries(place)).collect(),
        part => places.iter().map(|place| place.join(part)).collect(),
    })
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).into_iter().flatten();
    listed.filter_map(Result::ok).map(|entry| entry.path()).collect()
}
