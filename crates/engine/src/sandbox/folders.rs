//! The user's own folders: which of them are an agent's, and which must stay as they are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::host::Host;

/// What an agent keeps in the home folder.
struct Own {
    /// The agent's name, also as a program.
    name: &'static str,
    /// The variables that name such folders.
    variables: &'static [&'static str],
    /// Folders: made where they are missing, as the agent itself would.
    folders: &'static [&'static str],
    /// Files that are written when they exist.
    files: &'static [&'static str],
    /// What in there is executed or obeyed when a person uses the agent, and so is not the agent's to change.
    kept: &'static [&'static str],
}

/// What npm writes when an agent calls it; several agents do so at their start.
const NPM: &str = ".npm";

const OWN: &[Own] = &[
    Own {
        name: "claude",
        variables: &["CLAUDE_CONFIG_DIR"],
        folders: &[".claude", ".cache/claude-cli-nodejs", ".local/share/claude", ".local/state/claude", NPM],
        files: &[".claude.json", ".claude.json.backup"],
        kept: &["settings.json", "settings.local.json", "hooks", "commands", "agents", "skills", "CLAUDE.md"],
    },
    Own {
        name: "codex",
        variables: &["CODEX_HOME"],
        folders: &[".codex", NPM],
        files: &[],
        kept: &["config.toml", "hooks.json", "rules", "prompts", "skills", "AGENTS.md"],
    },
    Own {
        name: "gemini",
        variables: &[],
        folders: &[".gemini", NPM],
        files: &[],
        kept: &["settings.json", "trustedFolders.json", "commands", "extensions", "policies", "GEMINI.md"],
    },
    Own {
        name: "qwen",
        variables: &[],
        folders: &[".qwen", NPM],
        files: &[],
        kept: &["settings.json", "trustedFolders.json", "commands", "extensions", "QWEN.md"],
    },
    Own {
        name: "copilot",
        variables: &["COPILOT_HOME"],
        folders: &[".copilot", ".cache/copilot", NPM],
        files: &[],
        kept: &["mcp-config.json", "hooks", "plugins", "agents", "skills"],
    },
    Own {
        name: "opencode",
        variables: &[],
        folders: &[
            ".local/share/opencode",
            ".local/state/opencode",
            ".cache/opencode",
            ".config/opencode",
            ".opencode",
            NPM,
        ],
        files: &[],
        kept: &["opencode.json", "opencode.jsonc", "plugin", "plugins", "command", "agent", "AGENTS.md"],
    },
    Own {
        name: "pi",
        variables: &["PI_CODING_AGENT_DIR"],
        folders: &[".pi", NPM],
        files: &[],
        kept: &["agent/settings.json", "agent/models.json", "agent/extensions", "agent/skills"],
    },
    Own { name: "aider", variables: &[], folders: &[".aider", ".cache/litellm"], files: &[], kept: &[] },
    Own {
        name: "cursor-agent",
        variables: &[],
        folders: &[".cursor", ".config/cursor", ".local/share/cursor-agent"],
        files: &[],
        kept: &["mcp.json", "hooks.json", "cli-config.json", "rules"],
    },
    Own {
        name: "kiro-cli",
        variables: &[],
        folders: &[".kiro", ".local/share/kiro-cli"],
        files: &[],
        kept: &["settings", "steering", "hooks", "agents"],
    },
];

/// What shells, git, ssh, editors and the session execute or obey: the same for a person in every other folder.
const KEPT: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".inputrc",
    ".xprofile",
    ".xinitrc",
    ".xsession",
    ".xsessionrc",
    ".pam_environment",
    ".config/fish",
    ".config/nushell",
    ".config/git",
    ".config/systemd",
    ".config/environment.d",
    ".config/autostart",
    ".config/nvim",
    ".local/share/applications",
    ".local/share/systemd",
    ".local/bin",
    "bin",
    "Library/LaunchAgents",
    ".gitconfig",
    ".git-credentials",
    ".ssh",
    ".gnupg",
    ".netrc",
    ".npmrc",
    ".yarnrc",
    ".pypirc",
    ".cargo/bin",
    ".cargo/env",
    ".cargo/config.toml",
    ".vimrc",
    ".emacs",
    ".tmux.conf",
    ".docker/config.json",
    ".kube",
    ".aws",
];

/// Services that would do outside of the sandbox what an agent asks of them.
const SERVICES: &[&str] = &[
    "/run/user",
    "/run/dbus",
    "/run/docker.sock",
    "/run/docker",
    "/run/podman",
    "/run/containerd",
    "/run/crio",
    "/run/libvirt",
    "/run/systemd/private",
    "/run/snapd.socket",
    "/run/incus",
    "/var/lib/incus/unix.socket",
    "/var/snap/lxd/common/lxd/unix.socket",
    "/var/run/docker.sock",
];
/// The same in the home folder.
const OWN_SERVICES: &[&str] = &[".docker/run", ".docker/desktop", ".colima/default/docker.sock"];
/// Variables that name such services.
const NAMED_SERVICES: &[&str] = &["SSH_AUTH_SOCK", "XDG_RUNTIME_DIR"];

/// The folders and files of one agent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct AgentPlaces {
    pub(super) folders: Vec<PathBuf>,
    pub(super) files: Vec<PathBuf>,
    pub(super) kept: Vec<PathBuf>,
}

/// What belongs to an agent that is known by one of these names.
pub(super) fn of_agent(host: &Host, names: &[&str]) -> AgentPlaces {
    let mut places = AgentPlaces::default();
    for own in OWN.iter().filter(|own| names.contains(&own.name)) {
        let named = own.variables.iter().filter_map(|name| variable(host, name));
        let below = own.folders.iter().filter_map(|folder| in_home(host, folder));
        let folders: Vec<PathBuf> = named.chain(below).collect();
        places.kept.extend(folders.iter().flat_map(|folder| own.kept.iter().map(|kept| folder.join(kept))));
        places.folders.extend(folders);
        places.files.extend(own.files.iter().filter_map(|file| in_home(host, file)));
    }
    places
}

/// What stays as it is, also in a home folder that is open.
pub(super) fn kept(host: &Host) -> Vec<PathBuf> {
    let own = [host.config_dir.clone(), host.data_dir.clone()];
    KEPT.iter().filter_map(|path| in_home(host, path)).chain(own).collect()
}

/// What is taken out of sight.
pub(super) fn services(host: &Host) -> Vec<PathBuf> {
    let everybodys = SERVICES.iter().map(PathBuf::from);
    let own = OWN_SERVICES.iter().filter_map(|path| in_home(host, path));
    everybodys.chain(own).chain(NAMED_SERVICES.iter().filter_map(|name| variable(host, name))).collect()
}

/// The home folder.
pub(super) fn home(host: &Host) -> Option<PathBuf> {
    variable(host, "HOME")
}

/// A folder as a person writes it, with `~` for the home folder.
pub(super) fn expanded(host: &Host, path: &str) -> PathBuf {
    match path.strip_prefix('~').map(|below| below.trim_start_matches('/')) {
        Some(below) if path == "~" || path.starts_with("~/") => in_home(host, below).unwrap_or_default(),
        _ => PathBuf::from(path),
    }
}

/// A place in the home folder; those of configuration, data, state and caches may be elsewhere.
fn in_home(host: &Host, below: &str) -> Option<PathBuf> {
    const MOVED: &[(&str, &str)] = &[
        (".config/", "XDG_CONFIG_HOME"),
        (".local/share/", "XDG_DATA_HOME"),
        (".local/state/", "XDG_STATE_HOME"),
        (".cache/", "XDG_CACHE_HOME"),
    ];
    let moved = MOVED.iter().find_map(|(prefix, name)| {
        let rest = below.strip_prefix(prefix)?;
        Some(variable(host, name)?.join(rest))
    });
    moved.or_else(|| home(host).map(|home| home.join(below)))
}

/// The absolute path in a variable.
fn variable(host: &Host, name: &str) -> Option<PathBuf> {
    let value = host.environment.get(OsStr::new(name))?;
    Some(Path::new(value)).filter(|path| path.is_absolute()).map(Path::to_path_buf)
}
